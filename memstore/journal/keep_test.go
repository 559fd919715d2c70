package journal

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
)

func TestPruneKeepsWhatIsThere(t *testing.T) {
	d := newDesk(t)
	for i := range 50 {
		d.do(create("/memories/a.md", string(memtest.Note(4000, uint64(i)))))
	}
	d.do(create("/memories/b.md", "b"))
	at50, err := d.j.Tree(context.Background(), 50)
	d.must(err)
	p, err := d.j.prune(context.Background(), past.Keep{Bytes: 20_000})
	d.must(err)
	if p.Revisions < 30 || p.Bytes == 0 {
		t.Errorf("pruned %+v", p)
	}
	again, err := d.j.Tree(context.Background(), 50)
	d.must(err)
	if !reflect.DeepEqual(at50, again) {
		t.Errorf("the tree at 50 was %v and is %v", at50, again)
	}
	d.agrees()
	p, err = d.j.prune(context.Background(), past.Keep{Age: time.Nanosecond})
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

// TestKeepDropsWhatIsDue: by age, by size, and not more often than once an hour.
func TestKeepDropsWhatIsDue(t *testing.T) {
	d, c := clockDesk(t)
	ctx := context.Background()
	keep := func(k past.Keep, want int) {
		t.Helper()
		p, err := d.j.Keep(ctx, Retention{Keep: k})
		d.must(err)
		if p.Revisions != want {
			t.Errorf("at hour %d: pruned %d revisions, want %d", c.hour, p.Revisions, want)
		}
	}
	for c.hour = range 10 {
		d.do(create("/memories/a.md", string(memtest.Note(4000, uint64(c.hour)))))
	}
	c.hour = 10
	keep(past.Keep{}, 0)
	c.hour = 11
	keep(past.Keep{Age: 24 * time.Hour}, 0)
	c.hour = 12
	keep(past.Keep{Age: 8*time.Hour + time.Minute}, 4)
	keep(past.Keep{Age: time.Hour}, 0)
	c.hour = 13
	keep(past.Keep{Age: 6 * time.Hour}, 3)
	c.hour = 14
	keep(past.Keep{Bytes: 1}, 3)
	if s, err := d.j.Check(ctx); err != nil || !s.OK() || s.Revisions != 0 {
		t.Errorf("after it: %+v, %v", s, err)
	}
	d.holds("a.md", string(memtest.Note(4000, 9)))
	if !d.facts()["/memories/a.md"].FirstSeen.Equal(at(0)) {
		t.Error("the file has forgotten when it came")
	}
}

// An agent must not be able to remove its tracks, and the trash, by one note that is larger than the past may be.
func TestALargeNoteDoesNotPushThePastOut(t *testing.T) {
	d := newDesk(t)
	ctx := context.Background()
	const most = 100_000
	d.do(create("/memories/kept.md", "what was there\n"))
	d.do(remove("/memories/kept.md"))
	r := rand.New(rand.NewPCG(3, 3))
	fat := make([]byte, 4*most)
	for i := range fat {
		fat[i] = "0123456789abcdef"[r.IntN(16)]
	}
	d.do(create("/memories/fat.md", string(fat)))
	retain := func(when string, want int) {
		t.Helper()
		_, err := d.j.prune(ctx, past.Keep{Bytes: most})
		d.must(err)
		if list := d.revisions(); len(list) != want {
			t.Errorf("%s %d revisions remain, want %d", when, len(list), want)
		}
		d.agrees()
	}
	retain("while it is there", 3)
	d.do(remove("/memories/fat.md"))
	retain("once it is gone", 4)
	plan, err := d.editor().PlanRestore(ctx, undo.Restore{Path: "/memories/kept.md"})
	d.must(err)
	_, err = d.editor().Carry(ctx, plan)
	d.must(err)
	d.holds("kept.md", "what was there\n")
	list := d.revisions()
	if side := list[3].Before; side.Kept || side.Why == "" {
		t.Errorf("the bytes of the large note are kept: %+v", side)
	}
}
