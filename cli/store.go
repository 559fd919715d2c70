package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore"
)

// usualDirs are where a store is looked for when nobody named one, relative to
// the working directory.
var usualDirs = []string{"./memories", "./memory/memories"}

// storeFlag adds --dir and --identity to a command that works on a store.
func storeFlag(c *cobra.Command) {
	dirFlag(c)
	identityFlag(c)
}

// dirFlag adds --dir to a command for which an encrypted store is none.
func dirFlag(c *cobra.Command) {
	c.Flags().String("dir", "", "the memory directory")
	if err := c.MarkFlagDirname("dir"); err != nil {
		panic(err) // the flag is not defined: a mistake in this package
	}
}

// target is what the positionals of a command name.
type target struct {
	opening
	agentPath string // "" where none was given
}

// target reads DIR and, for commands that take one, AGENT-PATH. One positional that is /memories
// or below is an agent path; any other is DIR.
func (a *app) target(c *cobra.Command, args []string, takesPath bool) (target, error) {
	var t target
	var err error
	if c.Flags().Lookup("identity") != nil { // what reads the journal alone has no key to ask for
		if t.identities, err = c.Flags().GetStringArray("identity"); err != nil {
			return t, err
		}
	}
	switch {
	case len(args) > 2, len(args) == 2 && !takesPath:
		return t, wrongUse("Too many arguments: %s takes %s.", c.Name(), strings.TrimPrefix(c.Use, c.Name()+" "))
	case len(args) == 2:
		t.dir, t.agentPath = args[0], args[1]
	case len(args) == 1 && isAgentPath(args[0]):
		if !takesPath {
			return t, wrongUse("%s is a path of the agent, and %s takes none. For a directory of this name, use --dir %[1]s.", args[0], c.Name())
		}
		t.agentPath = args[0]
	case len(args) == 1:
		t.dir = args[0]
	}
	named := t.dir
	hasDir := len(args) == 2 || (len(args) == 1 && t.agentPath == "")
	if flag := c.Flags().Lookup("dir"); flag.Changed {
		if hasDir {
			return t, wrongUse("The memory directory is named twice: %s and --dir %s.", named, flag.Value)
		}
		t.dir, hasDir = flag.Value.String(), true
	}
	if hasDir && t.dir == "" {
		// An empty name would be the working directory, which nobody asked for.
		return t, wrongUse("The name of the memory directory is empty.")
	}
	if !hasDir {
		t.dir, err = a.usualDir()
		return t, err
	}
	return t, nil
}

func isAgentPath(s string) bool {
	return s == memstore.Root || strings.HasPrefix(s, memstore.Root+"/")
}

// usualDir finds the store that is meant when none is named.
func (a *app) usualDir() (string, error) {
	if dir := a.env.Getenv(envDir); dir != "" {
		return dir, nil
	}
	for _, dir := range usualDirs {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, nil
		}
	}
	return "", failed(errNoStore, "No memory directory was named and none was found: %s is not set, and there is no directory %s here. "+
		"Name one, as in: %s DIR. The command %[3]s stores lists those on this machine.", envDir, strings.Join(usualDirs, " or "), program)
}

// errNoStore is the cause of the error where no store was named and none is in the usual places.
var errNoStore = errors.New("no store was named")

// openStore opens a store.
func (a *app) openStore(at opening, o memstore.Options) (*memstore.Store, error) {
	b, err := a.openBackend(at)
	if err != nil {
		return nil, err
	}
	return memstore.New(b, o), nil
}

// openError is the sentence for a directory that is not there, no directory, or closed to us.
func openError(dir string, err error, create bool) error {
	if create {
		if _, statErr := os.Stat(dir); statErr != nil {
			return failed(err, "The directory %s cannot be made: %s.", dir, makeReason(err))
		}
	}
	switch {
	case errors.Is(err, memstore.ErrNotExist):
		return failed(err, "There is no directory %s.", dir)
	case errors.Is(err, memstore.ErrNotDir):
		if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
			return failed(err, "%s is not a directory.", dir)
		}
		return failed(err, "There is no directory %s: a part of the path is a file.", dir)
	case errors.Is(err, memstore.ErrPermission):
		return failed(err, "The directory %s cannot be read: permission denied.", dir)
	}
	return failed(err, "The directory %s cannot be opened: %s.", dir, reason(err))
}

// makeReason says why a directory was not made.
func makeReason(err error) string {
	switch {
	case errors.Is(err, memstore.ErrNotDir):
		return "a part of the path is a file"
	case errors.Is(err, memstore.ErrNotExist):
		return "a part of the path is a link that leads nowhere"
	case errors.Is(err, memstore.ErrNoSpace):
		return "no space is left on the device"
	}
	return reason(err)
}

// title is a directory as people call it: absolute, the home folder as a tilde.
func title(dir string) string {
	path, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return path
	}
	rest, below := strings.CutPrefix(path, filepath.Clean(home))
	if !below || (rest != "" && !os.IsPathSeparator(rest[0])) {
		return path
	}
	return "~" + rest
}
