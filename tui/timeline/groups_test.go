package timeline

import (
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

func revisionsOf(sessions ...string) (list []past.Revision) {
	for i, s := range sessions {
		list = append(list, past.Revision{Rev: int64(i + 1), Actor: memstore.Agent, Session: s, Path: "/memories/" + s + ".md"})
	}
	return list
}

// The newest group comes first and is unfolded; it stays so, and a spot stays where it is, when a newer one comes.
func TestGroupsKeepFoldsAndSpots(t *testing.T) {
	g := arrangement{open: map[string]bool{}}
	g.listed = revisionsOf("a", "b", "a", "b")
	g.arrange(BySession)
	if len(g.entries) != 4 || g.runs[0].Session != "b" || !g.isOpen(0) || g.isOpen(1) {
		t.Fatalf("%+v", g.entries)
	}
	on := g.spot(1)
	if on.rev != 4 {
		t.Fatalf("the first row of the newest group is #%d", on.rev)
	}
	g.listed = revisionsOf("a", "b", "a", "b", "c")
	g.arrange(BySession)
	if r, ok := g.at(g.find(on)); !ok || r.Rev != 4 || len(g.entries) != 6 {
		t.Errorf("#%d, %d rows", r.Rev, len(g.entries))
	}
	if !g.unfold(1) || g.find(spot{rev: 1}) < 0 || g.unfold(9) {
		t.Error("the group of a revision is not unfolded")
	}
	g.setAll(false)
	if len(g.entries) != 3 || g.find(on) != -1 || g.find(spot{group: on.group}) != 1 {
		t.Errorf("folded: %d rows, the heading is at %d", len(g.entries), g.find(spot{group: on.group}))
	}
	if g.nextHeading(0, 1) != 1 || g.nextHeading(0, -1) != -1 || g.nextHeading(2, 1) != -1 {
		t.Error("the next heading is not found")
	}
	if list := g.sequence(); len(list) != 5 || list[0].Rev != 5 || list[4].Rev != 1 {
		t.Errorf("%+v", list)
	}
	g.listed = revisionsOf("a", "b")
	g.arrange(ByTime)
	if len(g.entries) != 0 || g.find(on) != -1 {
		t.Error("by time there are groups")
	}
}
