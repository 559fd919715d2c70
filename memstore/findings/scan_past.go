package findings

import (
	"context"
	"errors"
	"slices"
	"strings"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
)

// past visits the recorded contents that no current file has, as far as the journal can be read.
func (s *scanner) past(ctx context.Context, do func(context.Context, past.Kept, []byte)) error {
	if s.Journal == nil {
		return nil
	}
	err := s.Journal.Contents(ctx, func(k past.Kept, text []byte) bool {
		switch {
		case s.live[k.Digest]:
			s.revs[k.Digest] = k
		case int64(len(text)) > maxFile:
			s.skip(Skipped{Path: k.Path, Why: tooBig, Past: true})
		default:
			do(ctx, k, text)
		}
		return ctx.Err() == nil
	})
	if err != nil && ctx.Err() == nil {
		s.noPast(err)
	}
	return ctx.Err()
}

// noPast reports why the journal was not read, or only in part.
func (s *scanner) noPast(err error) { s.skip(Skipped{Why: reasonOfJournal(err), Past: true}) }

// reasonOfJournal is why a journal can't be read.
func reasonOfJournal(err error) Reason {
	switch {
	case errors.Is(err, journal.ErrVersion):
		return ofVersion
	case errors.Is(err, past.ErrCorrupt):
		return damaged
	}
	return Unreadable
}

// skip records, once, what was not searched.
func (s *scanner) skip(one Skipped) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Contains(s.survey.Skipped, one) {
		s.survey.Skipped = append(s.survey.Skipped, one)
	}
}

func (s *scanner) firstPast(ctx context.Context, k past.Kept, text []byte) {
	found, why := s.find(ctx, k.Path, k.Digest, text)
	switch why {
	case Binary:
		return
	case encoded:
		s.skip(Skipped{Path: k.Path, Why: why, Past: true})
		return
	case incomplete:
		s.skip(Skipped{Path: k.Path, Why: why, Past: true})
	}
	s.survey.Contents++
	s.survey.Bytes += int64(len(text))
	s.inPast = s.inPast || len(found) > 0
	s.collector.Add(k.Path, text, s.counting(k.Path, text, found))
}

// secondsPast searches the journal again, unless it has no value of its own and no known value could be in it: most stores have none, and
// a scan runs after each change.
func (s *scanner) secondsPast(ctx context.Context) error {
	if !s.inPast && s.survey.values.Empty() {
		return nil
	}
	return s.past(ctx, s.secondPast)
}

func (s *scanner) secondPast(ctx context.Context, k past.Kept, text []byte) {
	found, _ := s.find(ctx, k.Path, k.Digest, text)
	again, err := s.survey.values.Search(ctx, k.Path, text, maxRepeats)
	if err != nil {
		return
	}
	if len(again) > maxRepeats {
		again = again[:maxRepeats]
		s.skip(Skipped{Path: k.Path, Why: incomplete, Past: true})
	}
	found = scrub.Merge(found, again)
	s.file(text, found, Place{Path: k.Path, Past: true, Rev: k.Rev, Revisions: k.Revisions, Content: k.Digest})
}

// names searches the names of files and folders, once.
func (s *scanner) names(ctx context.Context) error {
	seen := map[string]bool{}
	look := func(path string, past bool) {
		if seen[path] {
			return
		}
		seen[path] = true
		found := scrub.Merge(s.Engine.FindName(path), s.survey.values.InName(path))
		for i, f := range found {
			if f.End <= strings.LastIndexByte(path, '/')+1 {
				continue // it is in the name of a parent folder
			}
			before, after := onLine([]byte(path), found, i)
			s.add(Place{Path: path, InName: true, Past: past, Before: before, After: after}, f, s.Engine.Plain("", []byte(path), f))
		}
	}
	for _, src := range s.sources {
		look(src.path, false)
	}
	for _, dir := range s.dirs {
		look(dir, false)
	}
	if s.Journal == nil {
		return ctx.Err()
	}
	err := s.Journal.Names(ctx, func(path string) bool {
		look(path, true)
		return ctx.Err() == nil
	})
	if err != nil && ctx.Err() == nil {
		s.noPast(err)
	}
	return ctx.Err()
}
