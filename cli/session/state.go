package session

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"memcurator/cli/output"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
)

// State is where this run keeps the state folders of stores.
type State struct {
	Base string // the parent of all, as the flag or the variable names it; if empty, package statedir has a default
	flag string // as the flag names it
}

// State returns the place of the state folders.
func (run *Session) State() State {
	return State{cmp.Or(run.Flags.state, run.Env.Getenv(EnvState)), run.Flags.state}
}

// Root is the parent of all state folders; "" if there can't be one.
func (s State) Root() string {
	if s.Base != "" {
		return s.Base
	}
	base, _ := statedir.Default()
	return base
}

// Folder is the state folder of a store; "" if it can't have one, without which the interface works too.
func (s State) Folder(dir string) string {
	folder, _ := statedir.For(s.Base, dir)
	return folder
}

// Left is the state folder of a store if there is one already, else "".
func (s State) Left(dir string) string {
	folder, err := statedir.Path(s.Base, dir)
	if err != nil || !isDir(folder) {
		return ""
	}
	return folder
}

func (s State) HasJournal(dir string) bool {
	state, err := statedir.Path(s.Base, dir)
	if err != nil {
		return false
	}
	return journal.Exists(state)
}

// openError is [OpenError]; where the directory is missing, it says what to do with its journal if there is one, else how to make it.
func (s State) openError(o Opening, err error) error {
	said := OpenError(o.Dir, err, o.Create)
	switch {
	case !errors.Is(err, memstore.ErrNotExist), filepath.Ext(o.Dir) == ".md": // a file, whose folder may be there
		return said
	case s.gone(o.Dir):
		return Failed(err, "%s, but its journal is there. To restore its files, make the directory and run: %s. If it moved, run: "+
			"%s doctor %s--relink %s NEW", said, s.acceptCommand(o.Dir), Program, s.Words(), Typed(o.Dir))
	case o.creates:
		return Failed(err, "%s. --create makes it", said)
	}
	return said
}

// gone reports whether there is a journal of a store at a path where no folder is now.
func (s State) gone(dir string) bool {
	path := Absolute(dir)
	if above, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(above, filepath.Base(path))
	}
	all, _ := statedir.All(s.Base) // the first error counts
	return slices.ContainsFunc(all, func(f statedir.Folder) bool { return f.Path == path && f.Orphaned() && journal.Exists(f.Dir) })
}

// acceptCommand is the command to record that all files of a store are gone, after which an undo restores them.
func (s State) acceptCommand(dir string) string {
	return fmt.Sprintf("%s doctor --accept-empty %s%s", Program, s.Words(), Typed(dir))
}

// MovedFrom returns the state folder that the store in dir left behind when it moved; nil if there is none.
func (s State) MovedFrom(dir string) *statedir.Folder {
	now, err := statedir.Identify(dir)
	if err != nil {
		return nil
	}
	all, _ := statedir.All(s.Base)
	for _, f := range all {
		if f.Path != now.Path && f.SameDirectory(now) && f.Orphaned() {
			return &f
		}
	}
	return nil
}

// Words is the --state flag for a command in a message; empty without the flag.
func (s State) Words() string {
	if s.flag == "" {
		return ""
	}
	return "--state " + output.ShellQuoted(s.flag) + " "
}

// RelinkCommand is the command to attach a journal to a moved store.
func (s State) RelinkCommand(f *statedir.Folder, dir string) string {
	return fmt.Sprintf("%s doctor %s--relink %s %s", Program, s.Words(), output.ShellQuoted(f.Path), output.ShellQuoted(dir))
}

// Confine moves the home folder, the configuration and the state of the rest of the run below dir: nothing of the user's is read or
// written, and no variable names a store. The configuration is dir/config.toml.
func (run *Session) Confine(dir string) {
	home, state := filepath.Join(dir, "home"), filepath.Join(dir, "state")
	own := map[string]string{
		"HOME": home, "USERPROFILE": home, "APPDATA": "", "LOCALAPPDATA": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "",
		"XDG_DATA_HOME": "", "XDG_CACHE_HOME": "", "CLAUDE_CONFIG_DIR": "", "CODEX_HOME": "",
		EnvDir: "", EnvState: "", EnvConfig: "",
	}
	outer := run.Env.Getenv
	run.Env.Getenv = func(name string) string {
		if value, ok := own[name]; ok {
			return value
		}
		return outer(name)
	}
	run.Flags.state, run.Flags.Config = state, filepath.Join(dir, "config.toml")
}
