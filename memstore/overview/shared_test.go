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
