package findings

import (
	"cmp"
	"context"
	"slices"

	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// writtenMost is the largest content, in bytes, that [Written] reads.
const writtenMost = 4 << 20

// Written returns the classes of the secrets that a revision added to its file, the worst first, each class once; nil if there is
// none, which is the usual answer. It never returns a value, and costs two reads of the journal and one search around the changed
// lines: about a millisecond for a note. Call it in a job, for each revision that arrives:
//
//	classes, err := findings.Written(ctx, engine, state, journal, revision)
//	if len(classes) > 0 {
//		mark(revision.Rev, classes[0].Title) // "Anthropic API key"
//	}
//
// Dismissed values do not count (m may be nil: none is dismissed), nor do quiet classes such as IP addresses. A revision whose
// bytes are not stored, or larger than 4 MiB, has none: the next scan of the store finds what it wrote. The interface calls it for
// each revision that arrives (tui/secrets).
func Written(ctx context.Context, e *scrub.Engine, m *State, log *journal.Journal, r past.Revision) ([]rule.Class, error) {
	if !r.After.Exists || !r.After.Kept || r.After.Size > writtenMost || r.Before.Size > writtenMost || r.Before.Digest == r.After.Digest {
		return nil, nil
	}
	after, err := log.Bytes(ctx, r.After)
	if err != nil {
		return nil, err
	}
	var before []byte
	if r.Before.Exists && r.Before.Kept {
		if before, err = log.Bytes(ctx, r.Before); err != nil {
			return nil, err
		}
	}
	var classes []rule.Class
	for _, f := range e.Added(r.Path, before, after) {
		c := e.Class(f.Class)
		known := slices.ContainsFunc(classes, func(one rule.Class) bool { return one.Name == c.Name })
		if known || c.Quiet || m.Dismissed(f.Class, e.Plain(r.Path, after, f)) {
			continue
		}
		c.Severity = max(c.Severity, f.Severity)
		classes = append(classes, c)
	}
	slices.SortStableFunc(classes, func(a, b rule.Class) int { return cmp.Compare(b.Severity, a.Severity) })
	return classes, nil
}
