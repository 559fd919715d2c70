package session

import (
	"errors"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore/config"
	"memcurator/memstore/past"
)

// Recorded is a store for the commands about the past.
type Recorded struct {
	Opened
	Words []string // positionals other than DIR and AGENT-PATH
}

// Why a store has no journal, as the end of a sentence. That of an encrypted one would have names, digests and past texts in the clear.
var (
	ErrNoJournal = errors.New("nothing is recorded yet")
	ErrSealed    = errors.New("the store is encrypted, and its journal would not be")
)

// Past finds the store that a command names, whose journal is opened by [Session.List] or [Session.Need]. isWord tells the command's other
// positionals from DIR and AGENT-PATH.
func (run *Session) Past(c *cobra.Command, args []string, takesPath bool, isWord func(string) bool) (*Recorded, error) {
	var p Recorded
	var others []string
	for _, arg := range args {
		if isWord != nil && isWord(arg) {
			p.Words = append(p.Words, arg)
		} else {
			others = append(others, arg)
		}
	}
	var err error
	if p.Settings, p.Target, err = run.named(c, others, takesPath); err != nil {
		return nil, err
	}
	if p.AgentPath != "" && !IsAgentPath(p.AgentPath) {
		return nil, WrongUse("%q is not an agent path. Example: notes/old.md", p.AgentPath)
	}
	if sealed, err := run.Sealed(p.Dir); err != nil {
		return nil, run.openError(p.Opening, err)
	} else if sealed {
		return nil, Failed(nil, "The store %s is encrypted, so it has no journal", p.Dir)
	}
	return &p, nil
}

// OpenPast opens the journal; the error is [ErrNoJournal] if nothing has been recorded.
func (run *Session) OpenPast(p *Recorded) (err error) {
	if p.Backend, err = run.OpenPlain(p.Dir, false); err != nil {
		return err
	}
	if p.Journal, err = run.JournalOf(p.Dir, "cli", p.Backend, false); err == nil {
		return nil
	}
	_ = p.Backend.Close()
	if errors.Is(err, ErrNoJournal) {
		return Failed(err, "No journal yet; exec, mcp or the UI starts one")
	}
	return Failed(err, "Can't open the journal of %s: %s", p.Dir, JournalReason(err))
}

// List runs a command that lists: without a journal it lists nothing.
func (run *Session) List(p *Recorded, do func() error) error {
	err := run.Need(p, do)
	if errors.Is(err, ErrNoJournal) {
		run.Say(err.Error())
		return nil
	}
	return err
}

// Need runs a command that needs a journal.
func (run *Session) Need(p *Recorded, do func() error) error {
	if err := run.OpenPast(p); err != nil {
		return err
	}
	defer p.Close()
	return PastError(do())
}

// PastError is the sentence for an error of the journal.
func PastError(err error) error {
	var j *past.Error
	if err == nil || IsExit(err) || !errors.As(err, &j) {
		return err
	}
	return Failed(err, "Journal error: %s", JournalReason(err))
}

// ParseWhen reads a time on the command line.
func ParseWhen(s string, now time.Time) (time.Time, error) {
	t, err := config.ParseMoment(s, now)
	if err != nil {
		return t, WrongUse("%s", err)
	}
	return t, nil
}
