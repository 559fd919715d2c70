package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
)

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
