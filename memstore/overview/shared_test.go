package overview_test

import (
	"path/filepath"
	"slices"
	"testing"

	"memcurator/memstore/backend/chain"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
)

// One store counts a document: the store of notes that it is in, else the chain that names it, else the nearest one.
func TestWhichStoreCounts(t *testing.T) {
	t.Parallel()
	at := func(names ...string) string {
		return filepath.Join(append([]string{string(filepath.Separator)}, names...)...)
	}
	user, agents, note := at("u", ".claude", "CLAUDE.md"), at("p", "AGENTS.md"), at("p", "memories", "a.md")
	document := func(name, path string) chain.Document { return chain.Document{Name: name, Path: path, Size: 10} }
	row := func(kind discover.Kind, path string, state overview.State, list ...chain.Document) overview.Row {
		return overview.Row{Found: discover.Found{Path: path, Dir: path, Kind: kind, Documents: list}, State: state}
	}
	mine := document("/memories/2-user/CLAUDE.md", user)
	rows := []overview.Row{
		row(discover.KindChain, at("p", "CLAUDE.md"), overview.OK, mine, document("/memories/4-project/AGENTS.md", agents),
			document("/memories/4-project/memories/a.md", note), document("/memories/4-project/CLAUDE.md", at("p", "CLAUDE.md"))),
		row(discover.KindChain, agents, overview.OK, document("/memories/4-project/AGENTS.md", agents)),
		row(discover.KindDir, at("p", "memories"), overview.OK),
		row(discover.KindChain, user, overview.OK, mine),
		row(discover.KindChain, at("q", "CLAUDE.md"), overview.OK, mine),
	}
	s := overview.SharedBy(rows)
	for _, want := range []struct {
		store, name string
		counts      bool
		others      int
	}{
		{rows[0].Path, "/memories/2-user/CLAUDE.md", false, 2}, {user, "/memories/2-user/CLAUDE.md", true, 2},
		{rows[4].Path, "/memories/2-user/CLAUDE.md", false, 2}, {rows[0].Path, "/memories/4-project/AGENTS.md", false, 1},
		{agents, "/memories/4-project/AGENTS.md", true, 1}, {rows[0].Path, "/memories/4-project/memories/a.md", false, 1},
		{rows[0].Path, "/memories/4-project/CLAUDE.md", true, 0}, {rows[2].Path, "/memories/a.md", true, 0}, {"elsewhere", "/memories/a.md", true, 0},
	} {
		if got := s.Counts(want.store, want.name); got != want.counts || len(s.Others(want.store, want.name)) != want.others ||
			slices.Contains(s.Others(want.store, want.name), want.store) {
			t.Errorf("%s in %s counts: %v, others %v", want.name, want.store, got, s.Others(want.store, want.name))
		}
	}
	rows[3].State = overview.Unreadable
	if s := overview.SharedBy(rows); !s.Counts(rows[0].Path, mine.Name) || s.Counts(rows[4].Path, mine.Name) {
		t.Error("a store that can't be read counts a document")
	}
	var none *overview.Shared
	if !none.Counts("a", "b") || none.Others("a", "b") != nil {
		t.Error("without rows, each counts")
	}
}

// What waits in a document of several stores waits once, as often as in the store where it counts most.
func TestWhatWaitsInASharedDocumentCountsOnce(t *testing.T) {
	t.Parallel()
	user := filepath.Join(string(filepath.Separator), "u", "CLAUDE.md")
	note := filepath.Join(string(filepath.Separator), "p", "memories", "a.md")
	count := func(n int) *int { return &n }
	chained := func(path string, unread *int, tallies map[string]overview.Tally) overview.Row {
		return overview.Row{
			Found: discover.Found{Path: path, Kind: discover.KindChain, Documents: []chain.Document{
				{Name: "/memories/2-user/CLAUDE.md", Path: user}, {Name: "/memories/3/a.md", Path: note}, {Name: "/memories/4/own.md", Path: path},
			}},
			Unread: unread, Due: count(2), Secrets: count(1), Tallies: tallies,
		}
	}
	rows := []overview.Row{
		chained(user, nil, map[string]overview.Tally{"/memories/2-user/CLAUDE.md": {Due: 2, Secrets: 1}}),
		chained("/a/CLAUDE.md", count(3), map[string]overview.Tally{
			"/memories/2-user/CLAUDE.md": {Unread: 2, Due: 1}, "/memories/4/own.md": {Unread: 1, Due: 1, Secrets: 1},
		}),
		chained("/b/CLAUDE.md", count(4), map[string]overview.Tally{
			"/memories/2-user/CLAUDE.md": {Unread: 3, Due: 2, Secrets: 1}, "/memories/3/a.md": {Unread: 1},
		}),
		{
			Found:  discover.Found{Path: "/p/memories", Dir: filepath.Dir(note), Kind: discover.KindDir},
			Unread: count(2), Tallies: map[string]overview.Tally{"/memories/a.md": {Unread: 1}, "/memories/b.md": {Unread: 1}},
		},
		{Found: discover.Found{Path: "/q", Dir: "/q", Kind: discover.KindDir}},
	}
	// Unread: 3 of the user's, 1 of a's own, 1 of the note, 1 of b.md. Due: 2 of the user's, 1 of a's own. Secrets: 1 of each of these.
	if got, want := overview.SharedBy(rows).Sum(rows), (overview.Tally{Unread: 6, Due: 3, Secrets: 2}); got != want {
		t.Errorf("the sum is %+v, want %+v", got, want)
	}
	if got, want := overview.SharedBy(rows[1:2]).Sum(rows[1:2]), (overview.Tally{Unread: 3, Due: 2, Secrets: 1}); got != want {
		t.Errorf("of one chain the sum is %+v, want %+v", got, want)
	}
	// A later report that has not looked for all parts yet keeps the parts of the one before.
	late := chained("/a/CLAUDE.md", count(1), map[string]overview.Tally{"/memories/4/own.md": {Unread: 1}})
	late.Due, late.Secrets, late.Done, rows[1].Done = nil, nil, overview.UnreadPart, overview.Everything
	if got := late.Renewed(rows[1]).Tallies; got["/memories/4/own.md"] != (overview.Tally{Unread: 1, Due: 1, Secrets: 1}) ||
		got["/memories/2-user/CLAUDE.md"] != (overview.Tally{Due: 1}) {
		t.Errorf("renewed are %+v", got)
	}
}
