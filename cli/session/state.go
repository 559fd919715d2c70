package session

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
	"memcurator/render/text"
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

// LeftEdits are the folders with text of a store that an edit could not save, or whose editor was killed.
func (s State) LeftEdits(dir string) []string {
	folder := s.Left(dir)
	if folder == "" {
		return nil
	}
	left, _ := filepath.Glob(filepath.Join(folder, "edit-*")) // the pattern is valid
	return left
}

func (s State) HasJournal(dir string) bool {
	state, err := statedir.Path(s.Base, dir)
	if err != nil {
		return false
	}
	return journal.Exists(state)
}

// openError is [OpenError]; where the directory is missing, it says what to do with its journal if there is one, else how to make it.
func (run *Session) openError(o Opening, err error) error {
	said := OpenError(o.Dir, err, o.Create)
	switch {
	case !errors.Is(err, memstore.ErrNotExist), filepath.Ext(o.Dir) == ".md": // a file, whose folder may be there
		return said
	case run.State().gone(o.Dir):
		return Failed(err, "%s, but its journal is there. To restore its files, make the directory and run: %s. If it moved, run: %s",
			said, run.Command("doctor --accept-empty", o.Dir), run.Command("doctor --relink "+Typed(o.Dir), "NEW"))
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

// Command is a command for the store in dir, to paste from a message; it needs no DIR for the store that is used if none is named.
func (run *Session) Command(words, dir string) string {
	said := Program + " " + words
	if flag := run.State().flag; flag != "" {
		said += " --state " + text.ShellQuoted(flag)
	}
	if usual, err := run.UsualDir(); err != nil || usual != dir {
		said += " " + Typed(dir)
	}
	return said
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
	run.config, run.rules = configText{}, configText{}
}
