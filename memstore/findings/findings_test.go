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
	"memcurator/memstore/memtest"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
)

// desk is a store in a directory with its journal and its state folder.
type desk struct {
	t          *testing.T
	dir, state string
	engine     *scrub.Engine
	memory     *Memory
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
	d.memory, err = OpenMemory(d.state)
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
	s, err := Scan(context.Background(), Options{Engine: d.engine, Memory: d.memory, Backend: d.store.Backend(), Journal: d.journal,
		Workers: 2})
	d.must(err)
	return s
}

func (d *desk) scrubber() *Scrubber {
	return &Scrubber{Engine: d.engine, Memory: d.memory, Store: d.store, Journal: d.journal, StateDir: d.state, Dir: d.dir}
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
	g := s.Group(d.memory.ID(token))
	if g == nil || len(g.Places) != 3 || g.Live != 2 || !g.Places[2].Past || g.Places[2].Path != "/memories/gone.md" ||
		g.Places[2].Revisions != 2 {
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
	if len(again.Groups) != len(s.Groups) || fmt.Sprint(again.Places()) != fmt.Sprint(s.Places()) {
		t.Errorf("from the cache: %+v", again)
	}
	if n := memtest.FilesHolding(t, token[4:30], filepath.Join(d.state, cacheFile)); n > 0 {
		t.Error("the cache holds the value")
	}
}

// valuables are notes with values of many classes, in the formats of memory files; the parts in braces are made at run time.
var valuables = []struct{ ending, text string }{
	{".md", "# Deploy\n\nThe mirror takes gh{[p]:1}_{alnum:36}, the bucket AK{[I]:1}A{b32:16}.\n\n- **API_KEY**: {alnum:32}\n"},
	{".md", "The password of the staging box is {upper:2}{lower:6}{digit:2}#.\nWrite to {lower:5}.{lower:7}@{lower:8}.com.\n"},
	{".json", "{\"db\": {\"password\": \"{lower:5}{digit:3}!{upper:3}\", \"host\": \"db\", \"mail\": \"{lower:6}@{lower:6}.de\"}}\n"},
	{".yaml", "service:\n  token: {lower:6}{digit:6}{lower:8}\n  url: postgres://app:{alnum:14}@db.internal:5432/app\n"},
	{".xml", "<config><password>{lower:5}{digit:3}!{upper:2}</password><phone>+49 151 {[1-9]:1}{digit:7}</phone></config>\n"},
	{".env", "SECRET_KEY={alnum:40}\nDB_PASSWORD={lower:4}{digit:4}{upper:4}\n"},
	{".md", "IBAN {iban:DE}, call +1 415 {[2-9]:1}{digit:2} {digit:4}\n\nTOTP secret: {b32:32}\n"},
	{".txt", "-----BEGIN {[R]:1}SA PRIVATE KEY-----\n{b64:64}\n{b64:64}\n-----END {[R]:1}SA PRIVATE KEY-----\n"},
	{".md", "Recovery codes:\n- {lownum:5}-{lownum:4}{digit:1}\n- {lownum:4}{digit:1}-{lownum:5}\n" +
		"- {lownum:4}{digit:1}-{lownum:4}{digit:1}\n"},
	{".md", "パスワードは「{lower:5}{digit:3}」です。電話は090-{digit:4}-{digit:4}です。\n"},
	{".md", "| host | user | password |\n|---|---|---|\n| a | bob | {lower:4}{digit:3}!{upper:2} |\n| b | eve | {alnum:12} |\n"},
	{".log", "10:42 GET /v1 Authorization: Bearer {alnum:32}\n10:43 mysql -u root -p{lower:5}{digit:4} app\n"},
}

// fill writes n notes with such values, edits and deletes some, as an agent does. Some are written twice: a value may be in several.
func (d *desk) fill(seed uint64, n int) {
	chance := rule.ChanceOf(fmt.Sprint(seed))
	for i := range n {
		note := valuables[(int(seed)+i)%len(valuables)]
		text, err := (&rule.Rule{}).Expand(note.text, chance)
		d.must(err)
		name := fmt.Sprintf("notes/%d-%d%s", seed, i, note.ending)
		d.write(name, text)
		if i%5 == 4 {
			d.write(fmt.Sprintf("copies/%d-%d.md", seed, i), "Once more:\n\n"+text)
		}
		if i%3 == 0 {
			d.write(name, "# Tidied up\n")
		}
		if i%7 == 0 {
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
