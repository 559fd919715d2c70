package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

func (d *desk) search(q past.Query) (found []string) {
	d.t.Helper()
	d.must(d.j.Search(context.Background(), q, func(h past.Hit) bool {
		found = append(found, fmt.Sprintf("%s %d %d %s", h.Path, h.Scope, h.Line, h.Text))
		return true
	}))
	return found
}

func TestSearchFindsPresentPastAndDeleted(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "x\n東京 tower\n"))
	d.do(replace("/memories/a.md", "東京", "大阪"))
	d.do(create("/memories/b.md", strings.Repeat("filler ", 50)+"東京\n"))
	d.do(remove("/memories/b.md"))
	d.do(create("/memories/c.md", "東京\n"))
	for scope, want := range map[past.Scope]int{past.Present: 1, past.Older: 1, past.Deleted: 1, past.Everywhere: 3, 0: 3} {
		if got := d.search(past.Query{Words: []string{"東京"}, Scope: scope}); len(got) != want {
			t.Errorf("scope %d: %q", scope, got)
		}
	}
	if got := d.search(past.Query{Words: []string{"東京"}, Scope: past.Older}); len(got) == 1 && got[0] != "/memories/a.md 2 2 東京 tower" {
		t.Errorf("%q", got)
	}
}

func TestPruneKeepsWhatIsThere(t *testing.T) {
	d := newDesk(t)
	for i := range 50 {
		d.do(create("/memories/a.md", string(memtest.Note(4000, uint64(i)))))
	}
	d.do(create("/memories/b.md", "b"))
	at50, err := d.j.Tree(context.Background(), 50)
	d.must(err)
	p, err := d.j.Prune(context.Background(), past.Keep{Bytes: 20_000})
	d.must(err)
	if p.Revisions < 30 || p.Bytes == 0 {
		t.Errorf("pruned %+v", p)
	}
	again, err := d.j.Tree(context.Background(), 50)
	d.must(err)
	if !reflect.DeepEqual(at50, again) {
		t.Errorf("the tree at 50 was %v and is %v", at50, again)
	}
	if rep := d.check(); !rep.OK() {
		t.Errorf("%+v", rep)
	}
	p, err = d.j.Prune(context.Background(), past.Keep{Age: time.Nanosecond})
	d.must(err)
	if p.Revisions == 0 || len(d.revisions()) != 0 {
		t.Errorf("%+v, %d left", p, len(d.revisions()))
	}
}

func (d *desk) check() *past.Report {
	d.t.Helper()
	r, err := d.j.Check(context.Background())
	d.must(err)
	return r
}

func TestCheckNamesWhatDisagrees(t *testing.T) {
	d := newDesk(t)
	d.outside("was.md", "here\n")
	d.reconcile()
	d.do(create("/memories/a.md", "one\n"))
	d.do(create("/memories/b.md", "one\n"))
	if r := d.check(); !r.OK() {
		t.Errorf("%+v", r)
	}
	d.outside("a.md", "two\n")
	d.outside("new.md", "new\n")
	d.gone("was.md")
	if r := d.check(); !reflect.DeepEqual(r.Disagree, []string{"/memories/a.md", "/memories/new.md", "/memories/was.md"}) {
		t.Errorf("%+v", r)
	}
}

func TestJournalsThatCannotBeUsed(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(t *testing.T, file string)
		want  error
	}{
		{"no database", func(t *testing.T, file string) { write(t, file, strings.Repeat("no database ", 1000)) }, past.ErrCorrupt},
		{"of another version", func(t *testing.T, file string) {
			w, err := openWriter(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := w.Do("PRAGMA user_version=99"); err != nil {
				t.Fatal(err)
			}
			_ = w.Close()
		}, ErrVersion},
		{"a folder", func(t *testing.T, file string) {
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.spoil(t, filepath.Join(dir, fileName))
			for _, look := range []bool{false, true} {
				j, err := Open(dir, Options{Look: look})
				if err == nil {
					t.Error("it opens")
					_ = j.Close()
				} else if c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("look %v: %v", look, detail(err))
				}
			}
		})
	}
	if _, err := Open(t.TempDir(), Options{Look: true}); !errors.Is(err, errNone) {
		t.Errorf("looking at no journal: %v", err)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestOwnersOnly(t *testing.T) {
	d := newDesk(t)
	d.do(create("/memories/a.md", "one\n"))
	list, err := os.ReadDir(d.state)
	d.must(err)
	for _, e := range list {
		info, err := e.Info()
		d.must(err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", e.Name(), info.Mode())
		}
	}
	if len(list) < 2 {
		t.Errorf("only %v", list)
	}
}
