package findings

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"

	"memcurator/memstore/past"
	"memcurator/memstore/scrub/redact"
)

// Purged is what a purge has done.
type Purged struct {
	Done
	Journal past.Purged
	State   []string // files of the state folder that were rewritten, relative to it
	Removed []string // leftovers and journals put aside that were removed, relative to it or agent paths
	Asked   int      // values that were to be removed, also by a purge that is resumed
	Outside []string // logs, exports and journals in other state folders that were rewritten
	Left    *Residue // nil: it did not come to the proof
}

// pending is what the journal keeps of a purge until it is done, so that a killed one can be resumed.
type pending struct {
	Values    map[string]string        `json:"values"`            // and their classes
	Actions   map[string]redact.Action `json:"actions,omitempty"` // of values that have one of their own
	Names     map[string][]string      `json:"names,omitempty"`
	Default   redact.Action            `json:"default"`
	Treatment map[string]redact.Action `json:"classes"`
	Links     map[string]link          `json:"links,omitempty"` // files that had several names when the purge began
}

// Purge takes the accepted values out of the files, of everything that the journal keeps, of the state
// folder and of what else we have written, and then looks for them everywhere. It cannot be undone. Killed at any
// moment, it is resumed by [Scrubber.Resume]; until then the values stay where they were. One that was
// killed before is finished by this one too. It fails with [ErrUnderWay] while another program purges.
func (s *Scrubber) Purge(ctx context.Context) (*Purged, error) {
	unlock, err := purgeTurn(ctx, s.StateDir, turnPatience)
	if err != nil {
		return &Purged{}, err
	}
	defer unlock()
	if s.Journal != nil {
		before, _, err := s.Journal.PendingPurge(ctx)
		if err != nil {
			return &Purged{}, err
		}
		var p pending
		if before != nil && json.Unmarshal(before, &p) == nil {
			s.join(&p)
		}
	}
	return s.takeOut(ctx)
}

// join takes over the values of a purge that was killed.
func (s *Scrubber) join(p *pending) {
	for value, class := range p.Values {
		if _, ok := s.accept[value]; !ok {
			s.accept[value] = class
			if a := p.Actions[value]; a != "" {
				s.action[value] = a
			}
		}
	}
	for name, values := range p.Names {
		s.named[name] = append(s.named[name], values...)
	}
	for name, l := range p.Links {
		s.links[name] = l
	}
	s.seek()
}

// ErrNoPurge means that no purge was left unfinished.
var ErrNoPurge = errors.New("no purge was interrupted")

// Resume continues a purge that was started and not finished, with the options it had then. Accept is not needed
// before. [ErrUnderWay] where another program is at it.
func (s *Scrubber) Resume(ctx context.Context) (*Purged, error) {
	if s.Journal == nil {
		return &Purged{}, ErrNoPurge
	}
	unlock, err := purgeTurn(ctx, s.StateDir, turnPatience)
	if err != nil {
		return &Purged{}, err
	}
	defer unlock()
	what, compact, err := s.Journal.PendingPurge(ctx)
	if err != nil {
		return &Purged{}, err
	}
	if what == nil && !compact {
		return &Purged{}, ErrNoPurge
	}
	var p pending
	if what != nil {
		if err := json.Unmarshal(what, &p); err != nil {
			return &Purged{}, err
		}
		s.Treatment.Default, s.Treatment.Classes = p.Default, p.Treatment
	}
	s.sure = nil
	s.accept, s.action, s.named, s.links, s.All = map[string]string{}, map[string]redact.Action{}, map[string][]string{},
		map[string]link{}, nil
	s.join(&p)
	if what == nil { // only the journal's files are left, and the values are forgotten
		return &Purged{Left: &Residue{Git: s.inGit(ctx)}}, errors.Join(s.Journal.EndPurge(ctx), s.dropCopies(ctx))
	}
	return s.takeOut(ctx)
}

// purgeRounds bounds how often a purge restarts because a value reappeared: an agent wrote it meanwhile,
// or an open program what it remembered.
const purgeRounds = 4

// takeOut does rounds until nothing is left, or a round has changed nothing any more.
func (s *Scrubber) takeOut(ctx context.Context) (p *Purged, err error) {
	s.purge = true
	p = &Purged{Asked: len(s.accept)}
	s.findLinks(ctx)
	if err := s.secure(ctx); err != nil {
		return p, err
	}
	defer func() {
		if err == nil {
			err = s.dropCopies(ctx)
		}
	}()
	var before []leftPlace
	for range purgeRounds {
		s.seekMore()
		known := len(s.accept)
		if err := s.announce(ctx); err != nil {
			return p, err
		}
		if err := s.round(ctx, p); err != nil {
			return p, err
		}
		if p.Left, err = s.Prove(ctx); err != nil {
			return p, err
		}
		stays := len(p.Left.Left) == 0 || slices.Equal(p.Left.Left, before)
		if len(s.accept) == known && stays && !slices.ContainsFunc(p.Left.Unread, passes) {
			break
		}
		before = p.Left.Left
	}
	p.Left.Linked = s.linked(ctx)
	return p, nil
}

// secure makes a copy of the journal in case the purge spoils it. Where there is no room, the purge proceeds without one. A damaged
// journal is not purged.
func (s *Scrubber) secure(ctx context.Context) error {
	if s.Journal == nil || s.StateDir == "" {
		return nil
	}
	s.hadCopy = s.Journal.HasCopies()
	if err := s.Journal.Copy(ctx); errors.Is(err, past.ErrCorrupt) || ctx.Err() != nil {
		return err
	}
	return nil
}

// dropCopies removes the copies of the journal, which still hold the purged values, once the search has read everything, and makes a
// new one where there was one before.
func (s *Scrubber) dropCopies(ctx context.Context) error {
	if s.Journal == nil || s.StateDir == "" {
		return nil
	}
	if _, err := s.Journal.RemoveCopies(); err != nil || !s.hadCopy {
		return err
	}
	if err := s.Journal.Copy(ctx); errors.Is(err, past.ErrCorrupt) {
		return err
	}
	return nil
}

// passes reports whether the reason that something was not read is likely to be gone at the next attempt.
func passes(s Skipped) bool { return s.Why == gone || s.Why == changing }

func (s *Scrubber) announce(ctx context.Context) error {
	if s.Journal == nil {
		return nil
	}
	what, err := json.Marshal(pending{s.accept, s.action, s.named, s.Treatment.Default, s.Treatment.Classes, s.links})
	if err != nil {
		return err
	}
	return s.Journal.AnnouncePurge(ctx, what)
}

// round takes everything out once.
func (s *Scrubber) round(ctx context.Context, p *Purged) error {
	reach("announced")
	if err := s.leftovers(ctx, p); err != nil {
		return err
	}
	reach("leftovers")
	done, err := s.Redact(ctx)
	p.Done.add(done)
	if err != nil {
		return err
	}
	reach("files")
	s.seekMore()
	if err := errors.Join(s.cleanState(ctx, stateFolder{s.StateDir, ""}, p), s.cleanOutside(ctx, s.StateDir, p)); err != nil {
		return err
	}
	reach("state")
	if err := s.cleanOthers(ctx, p); err != nil {
		return err
	}
	reach("others")
	// The store's own journal comes last: until it is rewritten it knows about the purge.
	if s.Journal == nil {
		return nil
	}
	// What other programs wrote meanwhile, and what Redact met, is recorded before the past is rewritten.
	if _, err := s.Journal.Reconcile(ctx, nil); err != nil {
		return err
	}
	reach("reconciled")
	rewritten, err := s.Journal.Purge(ctx, past.Purge{
		Redact: s.cleanPast,
		Report: func(n, all int) { s.Report(stepJournal, n, all) },
	})
	p.Journal.Number = rewritten.Number
	p.Journal.Contents += rewritten.Contents
	p.Journal.Forgotten += rewritten.Forgotten
	p.Journal.Revisions += rewritten.Revisions
	p.Journal.Names += rewritten.Names
	p.Journal.Texts += rewritten.Texts
	if err == nil {
		reach("journal")
	}
	return err
}

// cleanPast is a content of the past without the values; nil if it is binary, or holds them in a form that cannot be
// removed alone.
func (s *Scrubber) cleanPast(name string, text []byte) []byte {
	clean, _ := s.Clean(name, text)
	if s.holdsAny(clean) {
		return nil
	}
	return clean
}

// reach is told each stage of a purge; a test ends its process there.
var reach = func(stage string) {}

// sought are the accepted values, sorted.
func (s *Scrubber) sought() []string { return slices.Sorted(maps.Keys(s.accept)) }
