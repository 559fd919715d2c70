package transcript

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"time"

	"memcurator/memstore"
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
	t.mu.RLock()
	defer t.mu.RUnlock()
	for p, l := range t.lives {
		for i, v := range l.versions {
			switch {
			case v.step == 0 || v.kind == memstore.KindDir || v.unknown:
			case v.kind == memstore.KindFile:
				sum := memstore.Sum(v.data)
				list = append(list, written{v.step, p, &sum})
			case i > 0 && l.versions[i-1].kind == memstore.KindFile:
				list = append(list, written{v.step, p, nil})
			}
		}
	}
	slices.SortFunc(list, func(a, b written) int { return cmp.Or(a.step-b.step, strings.Compare(a.path, b.path)) })
	return list
}

// Made is the step that made a revision: the one with its id, else, of those that left the same bytes at its path or deleted it as well, the
// nearest in time; 0: there is none.
func (t *Track) Made(r past.Revision) int {
	steps := t.Steps()
	if r.ToolUseID != "" {
		for i, s := range steps {
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
		if away := steps[w.step-1].When.Sub(r.Time).Abs(); best == 0 || away < nearest {
			best, nearest = w.step, away
		}
	}
	return best
}

// Learn adds the calls of a transcript to the revisions of a journal that they made, and the agent's views of files if the transcript is one
// of this store: that is, if a change in the store, now or earlier, is known to be of one of its sessions. It returns how many revisions were
// given their call.
func Learn(ctx context.Context, t *Track, j past.Learner) (learned int, err error) {
	steps := t.Steps()
	var list []past.Told
	sessions := map[string]bool{}
	for _, w := range t.written() {
		s := steps[w.step-1]
		if s.When.IsZero() {
			continue
		}
		sessions[s.Session] = true
		list = append(list, past.Told{Path: w.path, After: w.sum, At: s.When, Turn: s.Turn, Origin: memstore.Origin{
			Session: s.Session, Model: s.Model, ToolUseID: s.ID,
		}})
	}
	if learned, err = j.Learn(ctx, list); err != nil {
		return learned, err
	}
	known := learned > 0
	for s := range sessions {
		if known {
			break
		}
		if known, err = j.HasSession(ctx, s); err != nil {
			return learned, err
		}
	}
	if !known {
		return learned, nil
	}
	uses := map[string]past.Use{}
	for _, s := range steps {
		path := memstore.AgentPath(nameOf(s.viewed))
		if s.viewed != "" && !s.When.IsZero() && t.lives[path] != nil {
			uses[path] = past.Use{Views: uses[path].Views + 1, Last: s.When, Session: s.Session}
		}
	}
	return learned, j.LearnUses(ctx, uses)
}

// PutGroup is the name of a group in which one undo reverts everything put into a store together; see [memstore.Origin].
func PutGroup() string { return "replay " + rand.Text() }

// Put writes a file into a store on behalf of a replay: a new one, or other bytes in place of those that are there.
func Put(ctx context.Context, s *memstore.Store, agentPath string, data []byte, o memstore.Origin) memstore.Result {
	ctx = memstore.WithOrigin(ctx, o)
	name, err := memstore.ParsePath(agentPath)
	if err == nil {
		_, err = s.Backend().Stat(name)
	}
	if errors.Is(err, memstore.ErrNotExist) {
		return s.Create(ctx, agentPath, string(data))
	}
	return s.Replace(ctx, agentPath, data)
}
