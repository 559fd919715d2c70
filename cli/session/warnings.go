package session

import (
	"errors"
	"io/fs"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
)

// Warn reports a problem that doesn't stop a command on standard error, each sentence once in a run.
func (run *Session) Warn(err error) {
	sentence := "Warning: " + Reason(err)
	if _, is := errors.AsType[*past.Error](err); is {
		sentence = "Warning: Edits are not recorded, so they can't be undone: " + JournalReason(err)
	}
	if _, said := run.warned.LoadOrStore(sentence, true); !said {
		run.Say(sentence)
	}
}

// WarnOfDamage says when a journal turns out to be damaged.
func (run *Session) WarnOfDamage(err error) {
	if errors.Is(err, past.ErrCorrupt) {
		run.Warn(err)
	}
}

// JournalReason says why a journal can't be used, as the end of a sentence.
func JournalReason(err error) string {
	switch {
	case errors.Is(err, ErrSealed), errors.Is(err, ErrNoJournal):
		return err.Error()
	case errors.Is(err, statedir.ErrInside):
		return "the state folder is inside the store"
	case errors.Is(err, statedir.ErrNoHome):
		return "no home folder for state; pass --state DIR"
	case errors.Is(err, past.ErrCorrupt):
		return "the journal is damaged. Next: " + Program + " doctor DIR"
	case errors.Is(err, journal.ErrVersion):
		return "another version of " + Program + " wrote the journal"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied for the journal"
	case errors.Is(err, past.ErrReadOnly):
		return "the journal is read-only"
	case errors.Is(err, memstore.ErrNoSpace):
		return "no space left for the journal"
	case errors.Is(err, past.ErrDevice):
		return "the journal's disk reports an error"
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "the state folder can't be made"
	}
	return Reason(err)
}
