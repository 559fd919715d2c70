package session

import (
	"cmp"

	"memcurator/memstore/journal"
	"memcurator/memstore/statedir"
)

// StateFolder is where the state of a store is kept, "" where that cannot be: the interface
// works without.
func (run *Session) StateFolder(dir string) string {
	folder, err := statedir.For(run.StateBase(), dir)
	if err != nil {
		run.Log.Warn("the state folder cannot be used", "error", err)
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

// StateBase is the folder for the state of all stores that the flag or the variable names;
// empty: the package statedir knows where.
func (run *Session) StateBase() string { return cmp.Or(run.Flags.state, run.Env.Getenv(EnvState)) }
