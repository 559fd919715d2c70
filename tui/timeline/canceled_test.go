package timeline

import (
	"context"
	"maps"
	"slices"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/ui/panetest"
)

// acts are revisions by the user, from 1; each undoes the given one. -1 makes it a revision by an agent.
func acts(undoes ...int64) (list []past.Revision) {
	for i, n := range undoes {
		r := past.Revision{Rev: int64(i) + 1, Actor: memstore.Curator, Path: "/memories/a.md", Undoes: max(0, n)}
		if n < 0 {
			r.Actor = memstore.Agent
		}
		list = append(list, r)
	}
	return list
}

func TestUndoAndRedoCancelOut(t *testing.T) {
	for name, c := range map[string]struct {
		undoes []int64
		want   []int64
	}{
		"a revert of an agent's change":  {[]int64{-1, 1}, nil},
		"undone":                         {[]int64{-1, 1, 2}, []int64{2, 3}},
		"and redone":                     {[]int64{-1, 1, 2, 3}, []int64{3, 4}},
		"and undone again":               {[]int64{-1, 1, 2, 3, 4}, []int64{2, 3, 4, 5}},
		"with a change of the agent":     {[]int64{-1, 1, -1, 2}, []int64{2, 4}},
		"an own edit that is undone":     {[]int64{0, 1}, []int64{1, 2}},
		"the act is not read":            {[]int64{-1, 0, 99}, nil},
		"two acts, of which one remains": {[]int64{0, 0, 1}, []int64{1, 3}},
	} {
		if got := slices.Sorted(maps.Keys(canceled(acts(c.undoes...)))); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Unread revisions are counted, so they are listed, together with those that they undid or that undid them.
func TestAnUnreadActIsNotHidden(t *testing.T) {
	for unread := range 2 {
		list := acts(0, 1)
		list[unread].Actor, list[unread].Group, list[unread].Unread = memstore.Replay, list[unread].Rev, true
		if got := canceled(list); len(got) != 0 {
			t.Errorf("#%d is unread, and hidden are %v", unread+1, got)
		}
		list[unread].Unread = false
		if got := canceled(list); len(got) != 2 {
			t.Errorf("#%d is read, and hidden are %v", unread+1, got)
		}
	}
}

// lister lists revisions as a journal does.
type lister []past.Revision

func (l lister) List(_ context.Context, f past.Filter, visit func(past.Revision) bool) error {
	list := slices.Clone(l)
	if f.Newest {
		slices.Reverse(list)
	}
	n := 0
	for _, r := range list {
		if r.Rev <= f.After || f.Before > 0 && r.Rev >= f.Before {
			continue
		}
		if n++; f.Limit > 0 && n > f.Limit || !visit(r) {
			break
		}
	}
	return nil
}

// A list with the newest first begins there, reads older pages at its end, and stays on its row when a newer one comes.
func TestNewestFirst(t *testing.T) {
	var all lister
	for i := range pageSize + 10 {
		all = append(all, past.Revision{Rev: int64(i) + 1, Actor: memstore.Agent, Path: "/memories/a.md"})
	}
	newest := int64(len(all))
	env := panetest.NewEnv(t, theme.Options{})
	p := New(env, "list", all, keymap.Trash, Texts{})
	p.SetOrder(NewestFirst)
	stage := panetest.New(t, p, env, 80, 10)
	stage.Run(p.SetBase(past.Filter{}))
	if r, _ := p.Selected(); r.Rev != newest || len(p.rows.listed) != pageSize {
		t.Fatalf("at #%d of %d rows", r.Rev, len(p.rows.listed))
	}
	p.list.MoveTo(pageSize - 1)
	stage.Run(p.moved(keymap.Bottom))
	if r, _ := p.Selected(); r.Rev != newest-pageSize+1 || len(p.rows.listed) != len(all) {
		t.Errorf("at #%d of %d rows after the older page", r.Rev, len(p.rows.listed))
	}
	p.list.MoveTo(3)
	p.source = append(all, past.Revision{Rev: newest + 1, Actor: memstore.Agent, Path: "/memories/b.md"})
	stage.Run(p.Refresh())
	if r, _ := p.Selected(); r.Rev != newest-3 {
		t.Errorf("at #%d after a newer one came, not #%d", r.Rev, newest-3)
	}
	if first, _ := p.rows.at(0); first.Rev != newest+1 {
		t.Errorf("the first row is #%d", first.Rev)
	}
}
