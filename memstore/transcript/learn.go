package transcript

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// written is a file version that a call made, to find the same change elsewhere.
type written struct {
	step int
	path string           // agent path
	sum  *memstore.Digest // nil: the file was deleted
}

// written returns the file versions made by the calls, in order.
func (t *Track) written() (list []written) {
	for p, l := range t.lives {
		for _, v := range l {
			switch {
			case v.step == 0 || v.unknown:
			case v.exists:
				sum := memstore.Sum(v.data)
				list = append(list, written{v.step, p, &sum})
			default:
				list = append(list, written{v.step, p, nil})
			}
		}
	}
	slices.SortFunc(list, func(a, b written) int { return cmp.Or(a.step-b.step, strings.Compare(a.path, b.path)) })
	return list
}

// Made is the step that made a revision: the one with its id, else, of those that left the same bytes at its path or deleted it as well,
// the nearest in time; 0: there is none.
func (t *Track) Made(r past.Revision) int {
	if r.ToolUseID != "" {
		for i, s := range t.Steps {
			if s.ID == r.ToolUseID {
				return i + 1
			}
		}
	}
	best, nearest := 0, time.Duration(0)
	for _, w := range t.written() {
		if w.path != r.Path || (w.sum == nil) == r.After.Exists || w.sum != nil && *w.sum != r.After.Digest {
			continue
		}
		if away := t.Steps[w.step-1].When.Sub(r.Time).Abs(); best == 0 || away < nearest {
			best, nearest = w.step, away
		}
	}
	return best
}

// Learn adds the calls of a transcript to the revisions of a journal that they made, and the agent's views of files if the transcript is
// one of this store: that is, if a change in the store, now or earlier, is known to be of one of its sessions. It returns how many
// revisions were given their call.
func Learn(ctx context.Context, t *Track, j *journal.Journal) (learned int, err error) {
	var list []past.Told
	sessions := map[string]bool{}
	for _, w := range t.written() {
		s := t.Steps[w.step-1]
		if s.When.IsZero() {
			continue
		}
		sessions[s.Session], sessions[s.journalSession()] = true, true
		list = append(list, past.Told{Path: w.path, After: w.sum, At: s.When, Turn: s.Turn, Origin: memstore.Origin{
			Session: s.journalSession(), Model: s.Model, ToolUseID: s.ID,
		}})
	}
	if learned, err = j.Learn(ctx, list); err != nil {
		return learned, err
	}
	known := learned > 0
	for s := range sessions {
		if known || s == "" {
			continue
		}
		of, err := past.Revisions(ctx, j, past.Filter{Session: s, Limit: 1})
		if err != nil {
			return learned, err
		}
		known = len(of) > 0
	}
	if !known {
		return learned, nil
	}
	uses := map[string]past.Use{}
	for _, s := range t.Steps {
		path := memstore.AgentPath(nameOf(s.viewed))
		if s.viewed != "" && !s.When.IsZero() && t.lives[path] != nil {
			uses[path] = past.Use{Views: uses[path].Views + 1, Last: s.When}
		}
	}
	return learned, j.LearnUses(ctx, uses)
}
