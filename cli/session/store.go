package session

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/discover"
	"memcurator/memstore/journal"
	"memcurator/render/text"
)

// usualDirs are where to search for a store if none was named, relative to
// the working directory.
var usualDirs = []string{"./memories", "./memory/memories"}

// Machine describes where this user's stores and transcripts may be.
func (run *Session) Machine() discover.Machine {
	return discover.Local(config.Home(run.Env.Getenv), run.Env.Getenv)
}

// MemoryFolders are the names by which a transcript may know a directory.
func MemoryFolders(dir string) []string {
	if dir == "" {
		return nil
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	folders := []string{filepath.ToSlash(full)}
	if real, err := filepath.EvalSymlinks(full); err == nil && real != full {
		folders = append(folders, filepath.ToSlash(real))
	}
	return folders
}

// Target is what the positionals of a command name.
type Target struct {
	Opening
	AgentPath string // "" if none was given
	file      bool   // the path is that of the file by which a store was named
	note      string // of a store that was named by one of its notes, for a command that takes no path
}

// Target reads DIR and, for commands that take one, AGENT-PATH. An instruction file names the store of its folder, and itself as the path.
func (run *Session) Target(c *cobra.Command, args []string, takesPath bool) (Target, error) {
	t, err := run.target(c, args, takesPath)
	if err != nil {
		return t, err
	}
	return t, run.inStore(&t, takesPath && len(args) > 0)
}

// ByFile reports whether a store was named by one of its files, which is the path then.
func (t Target) ByFile() bool { return t.file }

// Note is the agent path of the note by which a store was named; "" if it was named otherwise.
func (t Target) Note() string { return t.note }

func IsAgentPath(s string) bool {
	return s == memstore.Root || strings.HasPrefix(s, memstore.Root+"/")
}

// ErrNoStore is the cause of the error if no store was named and the usual places have none.
var ErrNoStore = errors.New("no store was named")

// Opened is the store that a command names.
type Opened struct {
	Settings
	Target
	Backend memstore.Backend
	Journal *journal.Journal // nil: there is none, or the command needs none
}

// Close closes the store and its journal.
func (o *Opened) Close() {
	if o.Journal != nil {
		_ = o.Journal.Close() // the next start settles the rest
	}
	_ = o.Backend.Close()
}

// OpenNamed opens the store that a command names.
func (run *Session) OpenNamed(c *cobra.Command, args []string, takesPath bool) (o Opened, err error) {
	if o.Settings, o.Target, err = run.named(c, args, takesPath); err != nil {
		return o, err
	}
	o.Backend, err = run.OpenBackend(o.Opening)
	return o, err
}

// named finds the store that a command names, and its settings.
func (run *Session) named(c *cobra.Command, args []string, takesPath bool) (s Settings, t Target, err error) {
	if s, err = run.Settings(); err != nil {
		return s, t, err
	}
	if t, err = run.Target(c, args, takesPath); err != nil {
		return s, t, err
	}
	s, err = run.ForStore(s, t.Dir)
	return s, t, err
}

// OpenError is the sentence for a directory that is missing, not a directory, or unreadable.
func OpenError(dir string, err error, create bool) error {
	if create {
		if _, statErr := os.Stat(dir); statErr != nil {
			return Failed(err, "Can't create %s: %s", dir, Reason(err))
		}
	}
	switch {
	case errors.Is(err, memstore.ErrNotExist):
		if above := filepath.Dir(dir); strings.EqualFold(filepath.Ext(dir), ".md") && isDir(above) {
			return Failed(err, "No note %s in %s", filepath.Base(dir), above)
		}
		return Failed(err, "No directory %s", dir)
	case errors.Is(err, memstore.ErrNotDir):
		if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
			return Failed(err, "%s is a file, not a directory. A note needs its store: --dir DIR NOTE. A transcript: %s replay FILE", dir, Program)
		}
		return Failed(err, "No directory %s: part of the path is a file", dir)
	case errors.Is(err, memstore.ErrPermission):
		return Failed(err, "Can't read %s: permission denied", dir)
	}
	return Failed(err, "Can't open %s: %s", dir, Reason(err))
}

// Absolute is a path from the root.
func Absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// Place names a folder in a message: as typed, or below the home folder if the path is absolute.
func Place(dir string) string {
	if !filepath.IsAbs(dir) {
		return dir
	}
	return Title(dir)
}

// Typed is a folder as a word of a command to paste. Only a shell of Unix expands a tilde for every program.
func Typed(dir string) string {
	if runtime.GOOS != "windows" {
		dir = Place(dir)
	}
	return text.ShellQuoted(dir)
}

// Title is the name of a directory on screens: absolute, with a tilde for the home folder.
func Title(dir string) string {
	path, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	home, _ := os.UserHomeDir()
	return text.Tilde(path, home)
}

// target reads DIR and, for commands that take one, AGENT-PATH. A single positional is an agent path if it is /memories or below it, or
// if it doesn't name a store, in which case it is relative to one.
func (run *Session) target(c *cobra.Command, args []string, takesPath bool) (Target, error) {
	var t Target
	var err error
	if flag := c.Flags().Lookup("create"); flag != nil {
		t.creates, t.Create = true, flag.Value.String() == "true"
	}
	if t.identity, err = c.Flags().GetString("identity"); err != nil {
		return t, err
	}
	flag := c.Flags().Lookup("dir")
	switch {
	case len(args) > 2, len(args) == 2 && !takesPath:
		return t, WrongUse("Too many arguments. Usage: %s %s", c.Name(), strings.TrimPrefix(c.Use, c.Name()+" "))
	case len(args) == 2:
		t.Dir, t.AgentPath = args[0], relativePath(args[1])
	case len(args) == 1 && IsAgentPath(args[0]):
		if !takesPath {
			return t, WrongUse("%[2]s takes no agent path. For a directory of that name, pass --dir %[1]s", args[0], c.Name())
		}
		t.AgentPath = args[0]
	case len(args) == 1 && takesPath && !run.namesStore(args[0]):
		t.AgentPath = relativePath(args[0])
	case len(args) == 1:
		t.Dir = args[0]
	}
	named := t.Dir
	hasDir := len(args) == 2 || t.Dir != "" || (len(args) == 1 && t.AgentPath == "")
	if flag.Changed {
		if hasDir {
			return t, WrongUse("Two stores named: %s and --dir %s", named, flag.Value)
		}
		t.Dir, hasDir = flag.Value.String(), true
	}
	if hasDir && t.Dir == "" {
		// An empty name would mean the working directory, which the user didn't ask for.
		return t, WrongUse("DIR is empty")
	}
	if hasDir {
		return t, nil
	}
	if t.Dir, err = run.UsualDir(); err != nil && t.AgentPath != "" && !IsAgentPath(args[0]) {
		err = Failed(ErrNoStore, "No directory %s, and no store here that could hold it. Pass DIR, or list this machine's: %s stores",
			args[0], Program)
		if dir, name, below := strings.Cut(args[0], "/"); below && isDir(dir) {
			err = Failed(ErrNoStore, "%s is no directory. Name the store and the path: %s %s %s %s", args[0],
				Program, c.Name(), text.ShellQuoted(dir), text.ShellQuoted(name))
		}
	}
	return t, err
}

// namesStore reports whether a single positional names a store rather than a note: by a path from the root or from here, or by an existing
// directory or file.
func (run *Session) namesStore(word string) bool {
	if word == "" || word == "." || word == ".." || strings.Contains(word, "://") {
		return true
	}
	for _, begins := range []string{"/", "./", "../", "~", `.\`, `..\`} {
		if strings.HasPrefix(word, begins) {
			return true
		}
	}
	return isDir(word) || run.isFile(word)
}

// relativePath reads AGENT-PATH, which may be relative to the store.
func relativePath(word string) string {
	if word == "" || strings.HasPrefix(word, "/") {
		return word
	}
	return memstore.AgentPath(word)
}
