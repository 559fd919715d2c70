package findings

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// Purged is what a purge has done.
type Purged struct {
	Done
	Journal journal.Purged
	State   []string // files of the state folder that were rewritten, relative to it
	Left    *Residue
}

// pending is what of a purge lies in the journal until it is done, so that one that is killed is carried on with.
type pending struct {
	Values    map[string]string       `json:"values"`            // and their classes
	Actions   map[string]scrub.Action `json:"actions,omitempty"` // of values that have one of their own
	Default   scrub.Action            `json:"default"`
	Treatment map[string]scrub.Action `json:"classes"`
}

// Purge takes the accepted values out of the files, of everything that the journal keeps, and of the state
// folder, and then looks for them everywhere. It cannot be taken back. Killed at any moment, it is carried on
// with by [Scrubber.Resume]; until then the values lie where they were.
func (s *Scrubber) Purge(ctx context.Context) (*Purged, error) {
	if s.Journal != nil {
		// One that was killed before is ended by this one too.
		before, _, err := s.Journal.PendingPurge(ctx)
		if err != nil {
			return &Purged{}, err
		}
		var p pending
		if before != nil && json.Unmarshal(before, &p) == nil {
			for value, class := range p.Values {
				if _, ok := s.accept[value]; !ok {
					s.accept[value] = class
					if a := p.Actions[value]; a != "" {
						s.action[value] = a
					}
				}
			}
			s.seek()
		}
		what, err := json.Marshal(pending{s.accept, s.action, s.Treatment.Default, s.Treatment.Classes})
		if err != nil {
			return &Purged{}, err
		}
		if err := s.Journal.AnnouncePurge(what); err != nil {
			return &Purged{}, err
		}
	}
	return s.purge(ctx)
}

// ErrNoPurge means that no purge was left unfinished.
var ErrNoPurge = errors.New("no purge was left unfinished")

// Resume carries on with a purge that was begun and not ended. Accept is not needed before.
func (s *Scrubber) Resume(ctx context.Context) (*Purged, error) {
	if s.Journal == nil {
		return nil, ErrNoPurge
	}
	what, compact, err := s.Journal.PendingPurge(ctx)
	if err != nil {
		return nil, err
	}
	if what == nil && !compact {
		return nil, ErrNoPurge
	}
	var p pending
	if what != nil {
		if err := json.Unmarshal(what, &p); err != nil {
			return nil, err
		}
		s.Treatment.Default, s.Treatment.Classes = p.Default, p.Treatment
	}
	s.accept, s.action = p.Values, p.Actions
	s.seek()
	return s.purge(ctx)
}

func (s *Scrubber) purge(ctx context.Context) (p *Purged, err error) {
	p = &Purged{}
	done, err := s.Redact(ctx)
	p.Done = *done
	if err != nil {
		return p, err
	}
	reach("files")
	if err := s.leftovers(ctx); err != nil {
		return p, err
	}
	if p.State, err = s.cleanState(ctx); err != nil {
		return p, err
	}
	reach("state")
	// The journal comes last: until it is rewritten it knows of the purge.
	if s.Journal != nil {
		// What other programs wrote meanwhile, and what Redact met, is recorded before the past is rewritten.
		if _, err := s.Journal.Reconcile(ctx, nil); err != nil {
			return p, err
		}
		reach("reconciled")
		p.Journal, err = s.Journal.Purge(ctx, journal.Purge{
			Redact: func(name string, text []byte) []byte {
				clean, _ := s.Clean(name, text)
				return clean
			},
			Report: func(n, all int) { s.Report(StepJournal, n, all) },
		})
		if err != nil {
			return p, err
		}
		reach("journal")
	}
	p.Left, err = s.Prove(ctx)
	return p, err
}

// reach is told each stage of a purge; a test ends its process there.
var reach = func(stage string) {}

// sought are the accepted values, sorted.
func (s *Scrubber) sought() []string { return slices.Sorted(maps.Keys(s.accept)) }
