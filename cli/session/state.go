package session

import (
	"cmp"
	"path/filepath"

	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
)

// StateFolder is the state folder of a store; "" if it can't have one, without which the interface works too.
func (run *Session) StateFolder(dir string) string {
	folder, err := statedir.For(run.StateBase(), dir)
	if err != nil {
		run.Log.Warn("the state folder cannot be used", "error", err)
		return ""
	}
	return folder
}

// StateLeft is the state folder of a store if there is one already, else "".
func (run *Session) StateLeft(dir string) string {
	folder, err := statedir.Path(run.StateBase(), dir)
	if err != nil || !isDir(folder) {
		return ""
	}
	return folder
}

func (run *Session) HasJournal(dir string) bool {
	state, err := statedir.Path(run.StateBase(), dir)
	if err != nil {
		return false
	}
	return journal.Exists(state)
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

// StateRoot is the parent of all state folders; "" if there can't be one.
func (run *Session) StateRoot() string {
	if base := run.StateBase(); base != "" {
		return base
	}
	base, err := statedir.Default()
	if err != nil {
		run.Log.Warn("the state folder cannot be used", "error", err)
	}
	return base
}

// StateBase is the parent of all state folders named by the flag or the variable; if empty, package statedir has a default.
func (run *Session) StateBase() string { return cmp.Or(run.Flags.state, run.Env.Getenv(EnvState)) }
