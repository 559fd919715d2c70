package adapt

import (
	"context"
	"time"
)

// Proposer is a [Source] whose program changes records by itself: it knows what is coming.
type Proposer interface {
	Source
	// Propose looks ahead from a time. Secrets counts those in a text; it may be nil.
	Propose(ctx context.Context, image *Image, now time.Time, secrets func(text string) int) ([]Proposal, error)
}

// Proposal is one thing that is coming for a file. Without Edits it is only for the user to know.
type Proposal struct {
	Name   string // of the file
	Kind   Kind
	Reason string // a clause, for a list: no capital, no full stop
	Urgent bool   // before others of its kind
	Edits  []Span // that would do it, in the order of Text
	Text   []byte // of the file, where there are Edits
}

// Kind is what a proposal is about.
type Kind string

// The kinds, in the order of lists.
const (
	Permanent Kind = "permanent" // the program is going to keep for good what was to expire
	Expires   Kind = "expires"   // soon
	Decay     Kind = "decay"     // the program would lower its importance
	Boost     Kind = "boost"     // the program would raise it
)

// Kinds are all kinds, in the order of lists.
func Kinds() []Kind { return []Kind{Permanent, Expires, Decay, Boost} }

// Span replaces the bytes from Start to End of a text.
type Span struct {
	Start, End int64
	Text       string
}

// Propose returns what is coming for the files. A program that does nothing by itself has no proposals.
func (s *Store) Propose(ctx context.Context, now time.Time, secrets func(text string) int) ([]Proposal, error) {
	program, ok := s.source.(Proposer)
	if !ok {
		return nil, nil
	}
	image, err := s.Image()
	if err != nil {
		return nil, err
	}
	return program.Propose(ctx, image, now, secrets)
}
