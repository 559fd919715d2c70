package upkeep_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/graph"
	"memcurator/memstore/memtest"
	"memcurator/memstore/upkeep"
)

func storeOf(t *testing.T, files map[string]string) *memstore.Store {
	t.Helper()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, files)
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return memstore.New(b, memstore.Options{ReadOnly: true})
}

func TestPlan(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files map[string]string // after the act
		fates upkeep.Fates      // by path in the store
		want  map[string]string
		said  string
	}{
		{
			"deleted", map[string]string{"MEMORY.md": "- [A](a.md) — x\r\n- [B](b.md) — y\r\n", "b.md": "See [A](a.md) and [[a]]."},
			upkeep.Fates{"a.md": {}}, map[string]string{"MEMORY.md": "- [B](b.md) — y\r\n"}, "MEMORY.md: 1 entry",
		},
		{
			"moved", map[string]string{
				"MEMORY.md": "- [a.md](a.md) — x, see b.md\n", "n/c.md": "See [B](../b.md) here.", "b.md": "See [A](a.md#x), [[a|it]], /memories/a.md.",
			},
			upkeep.Fates{"a.md": {To: "n/c.md"}},
			map[string]string{
				"MEMORY.md": "- [a.md](n/c.md) — x, see b.md\n", "b.md": "See [A](n/c.md#x), [[c|it]], /memories/n/c.md.",
			}, "MEMORY.md: 1 entry; 3 links in 1 file",
		},
		{
			"its own links", map[string]string{"MEMORY.md": "- [A](n/a.md)\n", "b.md": "x", "n/a.md": "See [B](b.md), [[b]], [out](https://example.org)."},
			upkeep.Fates{"a.md": {To: "n/a.md"}}, map[string]string{"n/a.md": "See [B](../b.md), [[b]], [out](https://example.org)."}, "1 link in 1 file",
		},
		{
			"merged", map[string]string{"MEMORY.md": "- [A](a.md) — x\n- [B](b.md) — y\n", "b.md": "x", "c.md": "Both [A](a.md) and [[a]]"},
			upkeep.Fates{"a.md": {To: "b.md"}},
			map[string]string{"MEMORY.md": "- [B](b.md) — y\n", "c.md": "Both [A](b.md) and [[b]]"}, "MEMORY.md: 1 entry; 2 links in 1 file",
		},
		{
			"merged into one that isn't listed", map[string]string{"MEMORY.md": "- [A](a.md) — x\n", "b.md": "x"},
			upkeep.Fates{"a.md": {To: "b.md"}}, map[string]string{"MEMORY.md": "- [A](b.md) — x\n"}, "MEMORY.md: 1 entry",
		},
		{
			"archived", map[string]string{"MEMORY.md": "- [A](a.md) — x\n- [B](b.md) — y\n", "b.md": "See [A](a.md).", "archive/a.md": "x"},
			upkeep.Fates{"a.md": {To: "archive/a.md"}},
			map[string]string{"MEMORY.md": "- [A](archive/a.md) — x\n- [B](b.md) — y\n", "b.md": "See [A](archive/a.md)."}, "MEMORY.md: 1 entry; 1 link in 1 file",
		},
		{"no index", map[string]string{"b.md": "See [A](a.md)."}, upkeep.Fates{"a.md": {}}, nil, ""},
		{"nothing", map[string]string{"MEMORY.md": "- [B](b.md)\n", "b.md": "x"}, nil, nil, ""},
	} {
		s := storeOf(t, c.files)
		fates := upkeep.Fates{}
		for was, fate := range c.fates {
			if fate.To != "" {
				fate.To = memstore.AgentPath(fate.To)
			}
			fates[memstore.AgentPath(was)] = fate
		}
		list, err := upkeep.Plan(context.Background(), s, fates)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, r := range list {
			got[strings.TrimPrefix(r.Path, "/memories/")] = string(r.After)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for p, want := range c.want {
			if got[p] != want {
				t.Errorf("%s: %s\n%q, want\n%q", c.name, p, got[p], want)
			}
		}
		if said := upkeep.Said(list); said != c.said {
			t.Errorf("%s: %q, want %q", c.name, said, c.said)
		}
	}
}

// Before the act a plan says what follows then: also the links of notes that move, and nothing of those that go.
func TestPlanBeforeTheAct(t *testing.T) {
	t.Parallel()
	s := storeOf(t, map[string]string{
		"MEMORY.md": "- [A](a.md) — x\n- [B](b.md) — y\n", "a.md": "See [C](c.md).", "b.md": "See [A](a.md).", "c.md": "x",
	})
	list, err := upkeep.Plan(t.Context(), s, upkeep.Fates{"/memories/a.md": {To: "/memories/n/a.md"}, "/memories/b.md": {}})
	if said := upkeep.Said(list); err != nil || said != "MEMORY.md: 2 entries; 1 link in 1 file" || list[1].Path != "/memories/n/a.md" {
		t.Errorf("%q, %+v, %v", said, list, err)
	}
}

func TestLinkingCountsNotesThatStay(t *testing.T) {
	t.Parallel()
	s := storeOf(t, map[string]string{
		"MEMORY.md": "- [a](a.md)\n", "a.md": "a\n", "b.md": "see [[a]] and [it](a.md)\n", "c/d.md": "see [a](../a.md)\n", "e.md": "[[b]]\n",
	})
	if n, err := upkeep.Linking(t.Context(), s, upkeep.Fates{"/memories/a.md": {}, "/memories/c/d.md": {}}); n != 1 || err != nil {
		t.Errorf("%d notes link to it, want 1: %v", n, err)
	}
}

// Relations to an entity of a graph follow its new name as links of notes do.
func TestRelationsFollow(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	memory := `{"type":"entity","name":"Anna","entityType":"person","observations":["Sails"]}
{"type":"entity","name":"Bo","entityType":"person","observations":[]}
{"type":"relation","from":"Bo","to":"Ann","relationType":"knows"}`
	if err := os.WriteFile(file, []byte(memory), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := adapt.Open(graph.Adapter, file)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	list, err := upkeep.Plan(t.Context(), memstore.New(b, memstore.Options{}), upkeep.Fates{
		"/memories/person/Ann.md": {To: "/memories/person/Anna.md"},
	})
	if err != nil || len(list) != 1 || !strings.Contains(string(list[0].After), "- knows [[Anna]]") {
		t.Errorf("%+v, %v", list, err)
	}
}
