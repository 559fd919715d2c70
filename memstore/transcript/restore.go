package transcript

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"math"
	"slices"
	"strings"

	"memcurator/memstore"
)

// Restore is a file of a replayed memory that a store lacks or has otherwise.
type Restore struct {
	File
	Replaces bool            // the store has another file there
	Was      []byte          // what that holds
	Origin   memstore.Origin // of the call that made it
}

// Restores lists what brings the files as of step n into a store, of those at or below some paths; without paths all. Those
// that the store has already aren't listed. Files that only the store has stay, and those of unknown content are left out.
func (t *Track) Restores(into memstore.Backend, n int, below ...string) (list []Restore, err error) {
	group := "replay " + rand.Text() // one undo reverts all of them
	for _, f := range t.Files(n) {
		chosen := len(below) == 0 || slices.ContainsFunc(below, func(top string) bool {
			return f.Path == top || strings.HasPrefix(f.Path, strings.TrimSuffix(top, "/")+"/")
		})
		if !chosen || f.Unknown {
			continue
		}
		now, err := memstore.ReadFile(into, nameOf(f.Path), memstore.Look, math.MaxInt64)
		switch {
		case err != nil && !errors.Is(err, memstore.ErrNotExist):
			return nil, err
		case err == nil && bytes.Equal(now, f.Data):
			continue
		}
		r := Restore{File: f, Replaces: err == nil, Was: now, Origin: memstore.Origin{Actor: memstore.Replay, Group: group, As: "restore"}}
		if f.Since > 0 {
			c := t.Steps[f.Since-1]
			r.Origin.Session, r.Origin.Model, r.Origin.ToolUseID = c.journalSession(), c.Model, c.ID
		}
		list = append(list, r)
	}
	return list, nil
}

// Put writes the file into the store.
func (r Restore) Put(ctx context.Context, s *memstore.Store) memstore.Result {
	ctx = memstore.WithOrigin(ctx, r.Origin)
	if r.Replaces {
		return s.Replace(ctx, r.Path, r.Data, nil)
	}
	return s.Create(ctx, r.Path, string(r.Data))
}
