package undo

import (
	"context"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// list is a record in a slice. It implements what edits of files need of a Record.
type list struct {
	Record
	revisions []past.Revision
	texts     map[memstore.Digest][]byte
	origins   []memstore.Origin
}

// Begin implements [memstore.Recorder].
func (l *list) Begin(_ context.Context, e *memstore.Edit) (func(error), error) {
	l.origins = append(l.origins, e.Origin)
	for _, c := range e.Changes {
		r := past.Revision{Rev: int64(len(l.revisions)) + 1, Actor: e.Origin.Actor, Kind: c.Kind, Path: c.Path, Undoes: e.Origin.Undoes}
		if r.Shape = past.Made; c.Before != nil {
			r.Shape, r.Before = past.Edited, l.side(c.Before)
		}
		r.After = l.side(c.After)
		l.revisions = append(l.revisions, r)
	}
	return func(error) {}, nil
}

func (l *list) side(c *memstore.Content) past.Side {
	data, _ := c.Bytes()
	l.texts[memstore.Sum(data)] = data
	return past.Side{Exists: true, Digest: memstore.Sum(data), Kept: true}
}

func (l *list) Revision(_ context.Context, rev int64) (past.Revision, error) {
	return l.revisions[rev-1], nil
}

func (l *list) List(_ context.Context, f past.Filter, visit func(past.Revision) bool) error {
	for _, r := range l.revisions {
		if r.Rev > f.After && !visit(r) {
			break
		}
	}
	return nil
}

func (l *list) Bytes(_ context.Context, s past.Side) ([]byte, error) { return l.texts[s.Digest], nil }

func (l *list) Forward(_ context.Context, r past.Revision, _ map[int64]bool) (string, error) {
	return r.Path, nil
}

func (l *list) State(context.Context) (past.State, error) { return past.State{}, nil }
func (l *list) Newest(context.Context, bool, int64) ([]int64, error) {
	return []int64{int64(len(l.revisions))}, nil
}

// Any Record can be undone; the origin alone says what a revision undoes.
func TestTheOriginNamesTheUndoneRevision(t *testing.T) {
	ctx := context.Background()
	l := &list{texts: map[memstore.Digest][]byte{}}
	store := memstore.New(memstore.NewMemory(), memstore.Options{Recorders: []memstore.Recorder{l}})
	e := NewEditor(l, store)
	store.Create(ctx, "/memories/a", "1\n2\n3\n4\n5\n")
	store.StrReplace(ctx, "/memories/a", "2", "two")
	store.StrReplace(memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator}), "/memories/a", "4", "four")
	for _, c := range []struct {
		plan func() (*Plan, error)
		want memstore.Origin
		text string
	}{
		{func() (*Plan, error) { return e.PlanRevert(ctx, 2) }, memstore.Origin{As: "revert", Undoes: 2}, "1\n2\n3\nfour\n5\n"},
		{func() (*Plan, error) { return e.PlanRevert(ctx, 3) }, memstore.Origin{As: "revert", Undoes: 3}, "1\n2\n3\n4\n5\n"},
		{func() (*Plan, error) { return e.PlanRedo(ctx) }, memstore.Origin{As: "redo", Undoes: 5}, "1\n2\n3\nfour\n5\n"},
		{func() (*Plan, error) { return e.PlanUndo(ctx) }, memstore.Origin{As: "undo", Undoes: 6}, "1\n2\n3\n4\n5\n"},
	} {
		p, err := c.plan()
		if err != nil {
			t.Fatal(err)
		}
		if done, err := e.Carry(ctx, p); err != nil || done != 1 {
			t.Fatalf("%d steps done, %v: %+v", done, err, p)
		}
		c.want.Actor = memstore.Curator
		if got := l.origins[len(l.origins)-1]; got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
		if at := e.scene(ctx, &Plan{}).at("/memories/a"); string(at.data) != c.text {
			t.Errorf("%+v: the file holds %q, want %q", c.want, at.data, c.text)
		}
	}
}
