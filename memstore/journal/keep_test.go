package journal

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/past"
)

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
			if w.run("PRAGMA user_version=99"); w.err != nil {
				t.Fatal(w.err)
			}
			_ = w.close()
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

// TestKeepDropsWhatIsDue: by age, and not more often than once an hour; what is there stays.
func TestKeepDropsWhatIsDue(t *testing.T) {
	d, c := clockDesk(t)
	ctx := context.Background()
	keep := func(age time.Duration, want int) {
		t.Helper()
		dropped, err := d.j.Keep(ctx, age)
		d.must(err)
		if dropped != want {
			t.Errorf("at hour %d: pruned %d revisions, want %d", c.hour, dropped, want)
		}
	}
	for c.hour = range 10 {
		d.do(create("/memories/a.md", string(noteOf(4000, uint64(c.hour)))))
	}
	c.hour = 10
	keep(0, 0)
	c.hour = 11
	keep(24*time.Hour, 0)
	c.hour = 12
	keep(8*time.Hour+time.Minute, 4)
	keep(time.Hour, 0)
	c.hour = 13
	keep(6*time.Hour, 3)
	c.hour = 14
	keep(time.Minute, 3)
	if s, err := d.j.Check(ctx); err != nil || !s.OK() || s.Revisions != 0 {
		t.Errorf("after it: %+v, %v", s, err)
	}
	d.holds("a.md", string(noteOf(4000, 9)))
	if !d.facts()["/memories/a.md"].FirstSeen.Equal(at(0)) {
		t.Error("the file has forgotten when it came")
	}
}
