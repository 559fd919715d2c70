// Package use puts a transcript to use for a store: it gives a journal the calls behind its revisions, and writes what a
// replay has into the store.
package use

import (
	"context"
	"crypto/rand"
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
)

// Learn adds the calls of a transcript to the revisions of a journal that they made, and the agent's views of files if the
// transcript is one of this store: that is, if a change in the store, now or earlier, is known to be of one of its sessions. It
// returns how many revisions were given their call.
func Learn(ctx context.Context, t *transcript.Track, j past.Learner) (learned int, err error) {
	steps := t.Steps()
	var list []past.Told
	sessions := map[string]bool{}
	for _, w := range t.Writes(ctx) {
		s := steps[w.Step-1]
		if s.When.IsZero() {
			continue
		}
		sessions[s.Session] = true
		list = append(list, past.Told{Path: w.Path, After: w.Sum, At: s.When, Turn: s.Turn, Origin: memstore.Origin{
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
	count, last := t.Views()
	uses := map[string]past.Use{}
	for path, n := range count {
		if s := steps[last[path]-1]; !s.When.IsZero() {
			uses[path] = past.Use{Views: n, Last: s.When, Session: s.Session}
		}
	}
	return learned, j.LearnUses(ctx, uses)
}

// PutGroup is the name of a group in which one undo reverts everything put into a store together; see
// [memstore.Origin].
func PutGroup() string { return "replay " + rand.Text() }

// Put writes a file into a store on behalf of a replay: a new one, or other bytes in place of those
// that are there.
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
