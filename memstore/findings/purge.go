package findings

import (
	"context"
	"errors"
	"maps"
	"slices"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// Purged is the result of a purge.
type Purged struct {
	Done
	Journal past.Purged
	State   []string // rewritten files of the state folder, relative to it
	Removed []string // removed damaged journals, and copies of journals, relative to the state folder
	Asked   int      // number of values to remove
	Left    *Residue // nil: it did not reach the proof
}

// Purge removes the chosen values from the files, from everything in the journal and from the state folder, and then searches for them
// there and elsewhere. It can't be undone. The journal comes last: while it has a value, as after a kill, the next scan
// finds it there. It repeats rounds until nothing remains, or a round changes nothing.
func (s *Scrubber) Purge(ctx context.Context) (p *Purged, err error) {
	s.purge = true
	p = &Purged{Asked: len(s.accept)}
	defer func() {
		if err == nil {
			err = s.dropCopies(ctx)
		}
	}()
	if err := s.State.keepPurged(s.peculiar, s.accept); err != nil {
		return p, err
	}
	var before []leftPlace
	for range purgeRounds {
		if err := s.round(ctx, p); err != nil {
			return p, err
		}
		if p.Left, err = s.Prove(ctx); err != nil {
			return p, err
		}
		stays := len(p.Left.Left) == 0 || slices.Equal(p.Left.Left, before)
		if stays && !slices.ContainsFunc(p.Left.Unread, passes) {
			break
		}
		before = p.Left.Left
	}
	return p, s.searchTranscripts(ctx, p.Left)
}

// purgeRounds limits how often a purge restarts because a value reappeared: an agent wrote it again, or an open program saved it from
// memory.
const purgeRounds = 4

// dropCopies removes copies of the journal, which still contain the purged values, once the search has read everything. If there was a copy
// before, it makes a new one.
func (s *Scrubber) dropCopies(ctx context.Context) error {
	if s.Journal == nil || s.StateDir == "" {
		return nil
	}
	removed, err := journal.RemoveCopies(s.StateDir)
	if err != nil || !removed {
		return err
	}
	if err := s.Journal.Copy(ctx); errors.Is(err, past.ErrCorrupt) {
		return err
	}
	return nil
}

// passes reports whether the reason for skipping something is likely to be gone at the next attempt.
func passes(s Skipped) bool { return s.Why == gone || s.Why == changing }

// round removes everything once.
func (s *Scrubber) round(ctx context.Context, p *Purged) error {
	reach("begun")
	done, err := s.Redact(ctx)
	p.Done.add(done)
	if err != nil {
		return err
	}
	reach("files")
	if err := s.cleanState(ctx, p); err != nil {
		return err
	}
	reach("state")
	// The store's own journal comes last: as long as it has a value, a scan finds it.
	if s.Journal == nil {
		return nil
	}
	// Record what other programs wrote meanwhile, and what Redact found, before rewriting the past.
	if _, err := s.Journal.Sync(ctx, past.Hints{Unseen: true}); err != nil {
		return err
	}
	reach("compared")
	rewritten, err := s.Journal.Purge(ctx, past.Purge{
		Redact: s.cleanPast,
		Report: func(n, all int) { s.Report(stepJournal, n, all) },
	})
	p.Journal.Number = rewritten.Number
	p.Journal.Contents += rewritten.Contents
	p.Journal.Revisions += rewritten.Revisions
	p.Journal.Names += rewritten.Names
	p.Journal.Texts += rewritten.Texts
	if err == nil {
		reach("journal")
	}
	return err
}

// cleanPast returns a recorded content without the values; nil if it is binary, or contains them in a form that can't be removed
// separately.
func (s *Scrubber) cleanPast(name string, text []byte) []byte {
	clean, _ := s.Clean(name, text)
	if s.holdsAny(clean) {
		return nil
	}
	return clean
}

// reach is called at each stage of a purge; tests end their process there.
var reach = func(stage string) {}

// sought returns the chosen values, sorted.
func (s *Scrubber) sought() []string { return slices.Sorted(maps.Keys(s.accept)) }
