package cli

import (
	"fmt"

	"memcurator/cli/session"
	"memcurator/memstore/findings"
)

// namedMost is how many unread paths to list; the rest are counted.
const namedMost = 10

// unread collects what a command could not read of a store. If there is any, the command exits with status 1, whatever else it found: a
// partial result must never pass for a complete one.
type unread struct {
	run *session.Session
	n   int
}

// add records something that was not read; why is the end of a sentence.
func (u *unread) add(what, why string) {
	if u.n++; u.n <= namedMost {
		u.run.Say(fmt.Sprintf("Not read: %s (%s)", what, why))
	}
}

// end returns the error for the exit status; nil if everything was read.
func (u *unread) end() error {
	if u.n > namedMost {
		u.run.Say(fmt.Sprintf("Not read: %d more", u.n-namedMost))
	}
	switch u.n {
	case 0:
		return nil
	case 1:
		return session.Failed(nil, "Can't read 1 item, so its contents are unknown")
	}
	return session.Failed(nil, "Can't read %d items, so their contents are unknown", u.n)
}

// journal adds the journal of a store if it could not be opened.
func (u *unread) journal(w *curating) {
	if w.unread != nil {
		u.add("the journal", w.noRecord)
	}
}

// skipped adds what a scan or a proof could not read; files skipped by rule are counted elsewhere.
func (u *unread) skipped(list []findings.Skipped) {
	for _, s := range list {
		switch {
		case s.Why.ByRule():
		case s.Path == "":
			u.add("the journal", s.Why.Sentence())
		case s.Past:
			u.add(s.Path+" in the past", s.Why.Sentence())
		default:
			u.add(s.Path, s.Why.Sentence())
		}
	}
}
