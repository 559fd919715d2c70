package findings

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
)

// desk is a store in a directory with its journal and its state folder.
type desk struct {
	t          *testing.T
	dir, state string
	engine     *scrub.Engine
	memory     *State
	journal    *journal.Journal
	store      *memstore.Store // of the curator
	agent      *memstore.Store
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), state: t.TempDir()}
	d.open()
	t.Cleanup(d.close)
	return d
}

var engine = func() *scrub.Engine { e, _ := scrub.New(scrub.Options{}); return e }()

func (d *desk) open() {
	d.t.Helper()
	b, err := memstore.OpenDir(d.dir, memstore.DirOptions{})
	d.must(err)
	d.journal, err = journal.Open(d.state, journal.Options{Backend: b, Process: "test"})
	d.must(err)
	d.memory, err = OpenState(d.state)
	d.must(err)
	d.engine = engine
	recorders := []memstore.Recorder{d.journal}
	d.store = memstore.New(b, memstore.Options{Recorders: recorders, Origin: memstore.Origin{Actor: memstore.Curator}})
	d.agent = memstore.New(b, memstore.Options{Recorders: recorders, Overwrite: true})
}

func (d *desk) close() {
	if d.journal != nil {
		d.must(d.journal.Close())
		d.must(d.store.Close())
		d.journal = nil
	}
}

func (d *desk) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) write(name, text string) {
	d.t.Helper()
	if r := d.agent.Create(context.Background(), "/memories/"+name, text); r.IsError {
		d.t.Fatal(r.Content)
	}
}

func (d *desk) scan() *Survey {
	d.t.Helper()
	s, err := Scan(context.Background(), Options{Engine: d.engine, State: d.memory, Backend: d.store.Backend(), Journal: d.journal})
	d.must(err)
	return s
}

func (d *desk) scrubber() *Scrubber {
	return &Scrubber{Engine: d.engine, State: d.memory, Store: d.store, Journal: d.journal, StateDir: d.state, Dir: d.dir}
}

// secretOf is a token that the rules know, made at run time.
func secretOf(n int) string { return "gh" + "p_" + fmt.Sprintf("%036d", 987654321*n)[:30] + "aBcDeF" }

// tree is every file below a folder, by name: bytes, mode, time.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		data := []byte("folder")
		if e.Type().IsRegular() {
			if data, err = os.ReadFile(at); err != nil {
				return err
			}
		}
		rel, _ := filepath.Rel(dir, at)
		all[rel] = fmt.Sprintf("%v %v %x", info.Mode(), info.ModTime(), memstore.Sum(data))
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestScanGroupsByValueAndLeavesNoTrace(t *testing.T) {
	d := newDesk(t)
	token := secretOf(1)
	d.write("a.md", "one\n\nGitHub token: "+token+"\n")
	d.write("b/c.json", `{"note": "used `+token+` again"}`)
	d.write("gone.md", "token "+token+" and token "+secretOf(2)+"\n")
	d.must(os.WriteFile(filepath.Join(d.dir, "bin.dat"), []byte("\x7fELF\x00\x00"+token), 0o600))
	if r := d.agent.Delete(context.Background(), "/memories/gone.md"); r.IsError {
		t.Fatal(r.Content)
	}
	before := tree(t, d.dir)
	s := d.scan()
	for name, was := range before {
		if now := tree(t, d.dir)[name]; now != was {
			t.Errorf("the scan left a trace at %s: %s, was %s", name, now, was)
		}
	}
	g := s.Secret(d.memory.ID(token))
	if g == nil || len(g.Places) != 3 || g.Live != 2 || !g.Places[2].Past || g.Places[2].Path != "/memories/gone.md" {
		t.Fatalf("%+v", g)
	}
	if p := g.Places[0]; p.Line != 3 || p.Column != 15 || p.End-p.Start != len(token) || p.Path != "/memories/a.md" {
		t.Errorf("%+v", p)
	}
	if strings.Contains(g.Masked(), token[8:]) || g.Value() != token {
		t.Errorf("masked %q", g.Masked())
	}
	if live, past := s.Count(); live != 2 || past != 2 {
		t.Errorf("%d live, %d past", live, past)
	}
	if !slices.Contains(s.Skipped, Skipped{Path: "/memories/bin.dat", Why: Binary}) {
		t.Errorf("skipped %v", s.Skipped)
	}
	again := d.scan()
	if len(again.Secrets) != len(s.Secrets) || fmt.Sprint(again.Places()) != fmt.Sprint(s.Places()) {
		t.Errorf("from the cache: %+v", again)
	}
}

// fill writes n notes with tokens, edits some and deletes some, as an agent does: values are in files and in the past.
func (d *desk) fill(first, n int) {
	for i := range n {
		name := fmt.Sprintf("notes/%d.md", i)
		d.write(name, "token: "+secretOf(first+i)+"\n")
		switch i % 3 {
		case 0:
			d.write(name, "# Tidied up\n")
		case 1:
			if r := d.agent.Delete(context.Background(), "/memories/"+name); r.IsError {
				d.t.Fatal(r.Content)
			}
		}
	}
}

// The proof finds what a purge would have missed, in every form, also where two pieces of a file meet.
func TestProofFindsEveryForm(t *testing.T) {
	d := newDesk(t)
	value := secretOf(7) + "é\""
	names := map[string]form{}
	for form, texts := range formsOf(value) {
		for i, text := range texts {
			name := fmt.Sprintf("%x-%d.bin", string(form), i)
			before := 20
			if i == 0 {
				before = chunk - 20
			}
			d.must(os.WriteFile(filepath.Join(d.state, name), []byte("\x00\x01"+strings.Repeat("x", before)+text+"\xff"), 0o600))
			names[name] = form
		}
	}
	s := d.scrubber()
	s.accept, s.sure = map[string]string{value: "github-token"}, map[string]scrub.Evidence{value: scrub.Shaped}
	s.seek()
	left, err := s.Prove(context.Background())
	d.must(err)
	for name, form := range names {
		if !slices.ContainsFunc(left.Left, func(l leftPlace) bool { return l.Where == "state: "+name }) {
			t.Errorf("not found %s in %s: %+v", form, name, left.Left)
		}
	}
}
