package overview

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/discover"
	"memcurator/memstore/memtest"
	"memcurator/memstore/scrub"
)

// plain opens directories without a journal.
type plain struct {
	engine   *scrub.Engine
	settings config.Settings
	// before is called before a store is opened; nil: nothing is.
	before func(path string) error
}

func (p *plain) Open(f discover.Found) (memstore.Backend, error) {
	if p.before != nil {
		if err := p.before(f.Path); err != nil {
			return nil, err
		}
	}
	return memstore.OpenDir(f.Path, memstore.DirOptions{})
}

func (p *plain) Record(_ context.Context, _ discover.Found, _ memstore.Backend) (*Record, error) {
	return &Record{Engine: func() (*scrub.Engine, error) { return p.engine, nil }, Settings: p.settings}, nil
}

func newPlain() *plain {
	e, _ := scrub.New(scrub.Options{})
	s, _ := config.Check("config.toml", []byte("[limits]\nmax_files = 2\nmode = \"warn\"\n"), "")
	return &plain{engine: e, settings: s.General()}
}

// home makes a home folder with stores of Claude Code, the first the one that changed last, and returns it with the paths of the stores.
func home(t testing.TB, stores, notes int) (home string, paths []string) {
	t.Helper()
	t.Chdir(t.TempDir()) // around the package are the files of whoever runs the tests
	home = t.TempDir()
	now := time.Now().Add(-time.Hour)
	for i := range stores {
		dir := filepath.Join(home, ".claude", "projects", fmt.Sprintf("-src-p%d", i), "memory")
		session := fmt.Sprintf("{\"type\":\"user\",\"cwd\":%q}\n", home) // a project that is there
		memtest.WriteFiles(t, filepath.Dir(dir), map[string]string{"s.jsonl": session})
		at := now.Add(-time.Duration(i) * time.Minute)
		for n := range notes {
			name := fmt.Sprintf("note-%d.md", n)
			memtest.WriteFiles(t, dir, map[string]string{name: "# Note\n\nThe ferry leaves at nine.\n"})
			if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
				t.Fatal(err)
			}
		}
		paths = append(paths, dir)
	}
	return home, paths
}

func TestAllIsKnownOfEachStore(t *testing.T) {
	dir, paths := home(t, 3, 3)
	key := "sk-ant-" + "api03-" + "Zq8vW1xY7tRn4Lk2Pd9Hs6Jc3Bm5Fg0Ua8Ve1Xo4Ti7Ny2Rw6Kp9Qz3Ls5Mh8Db1Gf4Jc7Va0Xe2Yt6AA"
	memtest.WriteFiles(t, paths[1], map[string]string{"key.md": "key: " + key + "\n"})
	r := &Reader{Machine: discover.Local(dir, nil), Opener: newPlain(), Named: []discover.Place{{Name: "gone", Dir: filepath.Join(dir, "gone")}}}
	rows := r.All(t.Context())
	got := map[string]string{}
	for _, row := range rows {
		due, secrets := -1, -1
		if row.Due != nil {
			due = *row.Due
		}
		if row.Secrets != nil {
			secrets = *row.Secrets
		}
		got[row.Path] = fmt.Sprint(row.State, " due ", due, " secrets ", secrets, " unread ", row.Unread == nil, row.Done, row.Problems)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "gone"): "unreadable due -1 secrets -1 unread true true [No such directory]",
		paths[0]:                   "ok due 1 secrets 0 unread true true []",
		paths[1]:                   "ok due 1 secrets 1 unread true true []",
		paths[2]:                   "ok due 1 secrets 0 unread true true []",
	} {
		if got[path] != want {
			t.Errorf("%s:\n got %s\nwant %s", path, got[path], want)
		}
	}
}

// A store that can't be opened becomes a row with a sentence. One that never answers doesn't keep the others, nor the end of the context.
func TestStoresThatDoNotOpen(t *testing.T) {
	dir, paths := home(t, 6, 1)
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		p := newPlain()
		p.before = func(path string) error {
			switch path {
			case paths[0], paths[1], paths[2]:
				<-release
			case paths[3]:
				return errors.New("Can't do that")
			}
			return nil
		}
		r := &Reader{Machine: discover.Local(dir, nil), Opener: p}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for _, row := range r.All(ctx) {
			want, problem, at := OK, "", slices.Index(paths, row.Path)
			if at == 3 {
				want, problem = Unreadable, "Can't do that"
			}
			if row.State != want || fmt.Sprint(row.Problems) != "["+problem+"]" || row.Done != (at >= 3) {
				t.Errorf("%s: %s %q, done %v; want %s %q", row.Path, row.State, row.Problems, row.Done, want, problem)
			}
		}
	})
}

// A stranded store without notes has nothing to move.
func TestRowOfAnEmptyStrandedStore(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found discover.Found
		want  State
	}{
		{discover.Found{}, OK},
		{discover.Found{Files: 1}, Stranded},
		{discover.Found{More: true}, Stranded},
	} {
		c.found.Stranded = true
		if r := RowOf(c.found); r.State != c.want || r.Has(Stranded) != (c.want == Stranded) {
			t.Errorf("%+v: %s", c.found, r.State)
		}
	}
}
