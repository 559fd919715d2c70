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
func (s *scanner) past(ctx context.Context, visit func(context.Context, Place, []byte)) error {
	if s.Journal == nil {
		return nil
	}
	err := s.Journal.Contents(ctx, func(k past.Kept, text []byte) bool {
		switch {
		case s.live[k.Digest]:
		case int64(len(text)) > maxFile:
			s.skip(Skipped{Path: k.Path, Why: tooBig, Past: true})
		default:
			visit(ctx, Place{Path: k.Path, Past: true, Rev: k.Rev, Content: k.Digest}, text)
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

// secondsPast searches the journal again, unless it has no value of its own and no known value could be in it: most stores have none, and
// a scan runs after each change.
func (s *scanner) secondsPast(ctx context.Context) error {
	if !s.inPast && s.survey.values.Empty() {
		return nil
	}
	return s.past(ctx, s.second)
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
	for _, at := range slices.Concat(s.files, s.others) {
		look(at, false)
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
