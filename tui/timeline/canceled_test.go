package timeline

import (
	"maps"
	"slices"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// acts are revisions by the user, with numbers from 1, newest first; each undoes the given one. -1 makes it a revision by an agent.
func acts(undoes ...int64) (list []past.Revision) {
	for i, n := range undoes {
		r := past.Revision{Rev: int64(i) + 1, Actor: memstore.Curator, Path: "/memories/a.md", Undoes: max(0, n)}
		if n < 0 {
			r.Actor = memstore.Agent
		}
		list = append(list, r)
	}
	slices.Reverse(list)
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
			t.Errorf("#%d is unread, and hidden are %v", list[unread].Rev, got)
		}
		list[unread].Unread = false
		if got := canceled(list); len(got) != 2 {
			t.Errorf("#%d is read, and hidden are %v", list[unread].Rev, got)
		}
	}
}
