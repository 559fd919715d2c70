package session

import (
	"errors"
	"io/fs"
	"log/slog"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/statedir"
)

// Warnings report what goes wrong with a store or its journal while a command continues.
type Warnings struct {
	log *slog.Logger
	say func(sentence string)
}

// Warnings returns the warnings of this run, which go to its log and its standard error.
func (run *Session) Warnings() Warnings { return Warnings{run.Log, run.Say} }

// Once reports problems that don't stop a command on standard error, each sentence once.
func (w Warnings) Once() func(error) {
	var mu sync.Mutex
	said := map[string]bool{}
	return func(err error) {
		w.log.Warn("store", "error", err)
		sentence := "Warning: " + Reason(err)
		var j *past.Error
		if errors.As(err, &j) {
			sentence = "Warning: Edits go through unrecorded: " + JournalReason(err)
		}
		mu.Lock()
		defer mu.Unlock()
		if !said[sentence] {
			said[sentence] = true
			w.say(sentence)
		}
	}
}

// Journal logs a problem of a journal, and says when it turns out to be damaged.
func (w Warnings) Journal(err error) {
	w.log.Warn("journal", "error", err, "cause", Cause(err))
	if errors.Is(err, past.ErrCorrupt) {
		w.say("Warning: Edits are no longer recorded: " + JournalReason(err))
	}
}

// Cause is the underlying error of the journal, for the log.
func Cause(err error) error {
	var e *past.Error
	if errors.As(err, &e) {
		return e.Cause
	}
	return nil
}

// JournalReason says why a journal can't be used, as the end of a sentence.
func JournalReason(err error) string {
	switch {
	case errors.Is(err, statedir.ErrInside):
		return "the state folder is inside the store"
	case errors.Is(err, statedir.ErrNoHome):
		return "no home folder for state; pass --state DIR"
	case errors.Is(err, past.ErrCorrupt):
		return "the journal is damaged. Next: " + Program + " doctor"
	case errors.Is(err, journal.ErrVersion):
		return "another version of " + Program + " wrote the journal"
	case errors.Is(err, past.ErrReadOnly), errors.Is(err, fs.ErrPermission):
		return "the journal is read-only"
	case errors.Is(err, memstore.ErrNoSpace):
		return "no space left for the journal"
	case errors.Is(err, past.ErrDevice):
		return "the journal's disk reports an error"
	}
	return Reason(err)
}
