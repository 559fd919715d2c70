package graph

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

const sample = `{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}
{"type":"entity","name":"Acme","entityType":"firm","observations":[],"color":"red"}
{"type":"relation","from":"Ann","to":"Acme","relationType":"works_at"}
{"type":"ent`

func planted(t *testing.T, text string) (string, *adapt.Store) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "memory.jsonl")
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
	s, err := adapt.Open(Adapter, file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return file, s
}

func reads(t *testing.T, file, want string) {
	t.Helper()
	if data, err := os.ReadFile(file); err != nil || string(data) != want {
		t.Errorf("the file has %q, %v\nwant %q", data, err, want)
	}
}

// The commands of agents edit the file, and refuse with a sentence what it can't have.
func TestCommands(t *testing.T) {
	file, b := planted(t, sample)
	s := memstore.New(b, memstore.Options{})
	for _, step := range []struct {
		c    memstore.Command
		want string // of the answer
	}{
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/a.md", FileText: "- x"}, "Error: An entity is a file TYPE/NAME.md"},
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/firm/Ann.md", FileText: "- x"}, "An entity has the name Ann already: person/Ann.md"},
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/person/Bo.md", FileText: "plain"}, "Line 1: an observation is a list item"},
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/person/a=b.md", FileText: "- x"}, "write what isn't allowed in it as a=3Db"},
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/person/Bo.md", FileText: "* sails\n\n## Relations\n- knows [[person/Ann]]"}, "write what isn't allowed in it as person=2FAnn"},
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/person/Bo.md", FileText: "* sails\n\n## Relations\n- knows [[Ann]]"}, "created"},
		{memstore.Command{Name: memstore.CmdView, Path: "/memories/person/Bo.md"}, "- knows [[Ann]]"},
		{memstore.Command{Name: memstore.CmdView, Path: "/memories/firm/Acme.md"}, `{"color":"red"}`},
		{memstore.Command{Name: memstore.CmdInsert, Path: "/memories/person/Ann.md", InsertLine: 1, InsertText: "- Sails\n"}, "edited"},
		{memstore.Command{Name: memstore.CmdRename, OldPath: "/memories/person/Ann.md", NewPath: "/memories/people/Anna.md"}, "renamed"},
		{memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/damaged/line-" + adapt.Digest([]byte(`{"type":"ent`))[:digits] + ".txt", OldStr: "type", NewStr: "x"}, "is kept as it is: delete it"},
		{memstore.Command{Name: memstore.CmdCreate, Path: "/memories/person/Cy.md"}, "created"},
		{memstore.Command{Name: memstore.CmdView, Path: "/memories/person/Cy.md"}, "1\t{}"},
		{memstore.Command{Name: memstore.CmdDelete, Path: "/memories/person/Cy.md"}, "deleted"},
		{memstore.Command{Name: memstore.CmdDelete, Path: "/memories/firm"}, "deleted"},
	} {
		if r := s.Do(t.Context(), step.c); !strings.Contains(r.Content, step.want) {
			t.Errorf("%+v: %q, want %q", step.c, r.Content, step.want)
		}
	}
	reads(t, file, `{"type":"entity","name":"Anna","entityType":"people","observations":["Likes tea","Sails"]}
{"type":"relation","from":"Anna","to":"Acme","relationType":"works_at"}
{"type":"ent
{"type":"entity","name":"Bo","entityType":"person","observations":["sails"]}
{"type":"relation","from":"Bo","to":"Ann","relationType":"knows"}`)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if list, _ := os.ReadDir(filepath.Dir(file)); len(list) != 1 {
		t.Errorf("files are left: %v", list)
	}
}

// A server that writes between the decision and the write wins; nothing of it is lost.
func TestTheServerWasFaster(t *testing.T) {
	file, b := planted(t, sample)
	old, err := backend.ReadFile(b, "person/Ann.md", backend.Look, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	theirs := strings.Replace(sample, "Likes tea", "Likes rum", 1)
	if err := os.WriteFile(file, []byte(theirs), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := b.Replace("person/Ann.md", old, append(bytes.Clone(old), "- x\n"...)); !errors.Is(err, backend.ErrChanged) {
		t.Errorf("the error is %v", err)
	}
	reads(t, file, theirs)
}

// Edits through two stores of one file take turns: none is lost.
func TestWritersTakeTurns(t *testing.T) {
	file, one := planted(t, sample)
	other, err := adapt.Open(Adapter, file)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var wg sync.WaitGroup
	const each = 20
	for n, b := range []backend.Backend{one, other} {
		s := memstore.New(b, memstore.Options{})
		wg.Go(func() {
			for i := range each {
				c := memstore.Command{Name: memstore.CmdInsert, Path: "/memories/person/Ann.md", InsertLine: 1, InsertText: fmt.Sprintf("- %d.%d\n", n, i)}
				if r := s.Do(context.Background(), c); r.IsError {
					t.Error(r.Content)
				}
			}
		})
	}
	wg.Wait()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(parse(data)[0].record.observations); got != 2*each+1 {
		t.Errorf("%d observations", got)
	}
}

// What a file must be to be taken for a memory.
func TestRecognize(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"memory.jsonl", sample, true}, {"memory.json", sample, true}, {"kb.jsonl", sample, true}, {"kb.txt", sample, false},
		{"memory.jsonl", "", true}, {"memory.json", "", false}, {"memory.json", `[{"type":"entity"}]`, false}, {"memory.json", `{"a":1}`, false},
		{"memory.jsonl", "\uFEFF" + sample, true}, {"memory.jsonl", strings.ReplaceAll(sample, "\n", "\r\n"), true},
		{"memory.jsonl", "{\"half\n" + sample, true}, {"kb.json", "{}\n" + sample, true}, {"kb.jsonl", "s\":[\"tail\"]}\n" + sample, true},
		{"kb.json", "{\n  \"type\": \"entity\"\n}\n", false}, {"memory.jsonl", "\x00\x00", false}, {"log.jsonl", `{"type":"user","cwd":"/x"}`, false},
	} {
		file := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := isMemory(file); got != c.want {
			t.Errorf("%s with %q: %v", c.name, c.text, got)
		}
	}
	if isMemory(t.TempDir()) {
		t.Error("a folder is a memory")
	}
}

// Any bytes are a memory, and no text or name crashes.
func FuzzGraph(f *testing.F) {
	f.Add([]byte(sample), "person/Ann.md", []byte("- x\n\n## Relations\n\n- knows [[Bo]] {\"a\":1}\n"))
	f.Add([]byte("{\"type\":\"entity\",\"name\":\"\\ud800\",\"entityType\":\"\",\"observations\":[\"\\\"\"]}"), "=/=.md", []byte("{\"a\": 1}\n"))
	f.Fuzz(func(t *testing.T, data []byte, name string, text []byte) {
		g := newGraph(parse(data), "")
		if !bytes.Equal(g.bytes(), data) {
			t.Fatalf("read as %q, want %q", g.bytes(), data)
		}
		for name, i := range g.files {
			if was := g.text(name); g.lines[i].why == "" {
				if form, err := formOf(g, name, was); err != nil || !bytes.Equal(form, was) {
					t.Fatalf("%s: %q has the form %q, %v", name, was, form, err)
				}
			}
		}
		form, err := formOf(g, name, text)
		if err != nil {
			return
		}
		if again, err := formOf(g, name, form); err != nil || !bytes.Equal(again, form) {
			t.Fatalf("%s: the form %q has the form %q, %v", name, form, again, err)
		}
		_, _ = g.edited(adapt.Edit{Name: name, New: form})
		_, _ = g.edited(adapt.Edit{Name: name})
	})
}
