package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/memstore/transfer"
	"memcurator/memstore/undo"
)

// store is a store in a directory with its journal.
type store struct {
	t     testing.TB
	dir   string
	j     *journal.Journal
	place transfer.Place
}

// long ago is when the files of a store were written, so that a copy shows whether it keeps times.
var longAgo = time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)

func newStore(t testing.TB, name string, files map[string]string) *store {
	t.Helper()
	s := &store{t: t, dir: filepath.Join(t.TempDir(), name)}
	s.must(os.Mkdir(s.dir, 0o700))
	memtest.WriteFiles(t, s.dir, files)
	for file := range files {
		s.must(os.Chtimes(filepath.Join(s.dir, file), longAgo, longAgo))
	}
	s.open(nil)
	return s
}

// open opens the store with a journal that begins now, through other disk calls if wrap is not nil.
func (s *store) open(wrap func(memstore.Backend) memstore.Backend) {
	s.t.Helper()
	disk, err := memstore.OpenDir(s.dir, memstore.DirOptions{})
	s.must(err)
	b := memstore.Backend(disk)
	if wrap != nil {
		b = wrap(b)
	}
	s.j, err = journal.Open(s.t.TempDir(), journal.Options{Backend: b, Process: "test"})
	s.must(err)
	_, err = s.j.Sync(context.Background(), past.Hints{Unseen: true})
	s.must(err)
	s.place = transfer.Place{Title: filepath.Base(s.dir), Record: s.j,
		Store: memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{s.j}})}
	j := s.j
	s.t.Cleanup(func() {
		_ = j.Close()
		_ = b.Close()
	})
}

func (s *store) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// rules gives the store the limits and protections of a configuration.
func (s *store) rules(text string) {
	s.t.Helper()
	c, mistakes := config.Check("config.toml", []byte(text), "")
	if len(mistakes) > 0 {
		s.t.Fatal(mistakes)
	}
	settings := c.For(s.dir)
	s.place.Policy = policy.New(settings)
	e := policy.NewEnforcer(s.place.Store.Backend(), settings)
	s.place.Store = memstore.New(s.place.Store.Backend(), memstore.Options{Recorders: []memstore.Recorder{s.j},
		Guards: []memstore.Guard{e.Guard()}})
}

func (s *store) undo() {
	s.t.Helper()
	e := undo.NewEditor(s.j, s.place.Store)
	p, err := e.PlanUndo(context.Background())
	s.must(err)
	if len(p.Conflicts) > 0 || len(p.Skipped) > 0 {
		s.t.Fatalf("the undo of %s can't restore %+v %+v", s.dir, p.Conflicts, p.Skipped)
	}
	_, err = e.Carry(context.Background(), p)
	s.must(err)
}

// tree describes everything in the store: kind, mode, bytes, and of files the time.
func (s *store) tree() string {
	s.t.Helper()
	text := memtest.DescribeDisk(s.t, s.dir)
	s.must(filepath.WalkDir(s.dir, func(at string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		text += fmt.Sprintln(at[len(s.dir):], info.ModTime().UTC().Format(time.RFC3339Nano))
		return err
	}))
	return text
}

// text is the text of a note, "-" if there is none.
func (s *store) text(name string) string {
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return "-"
	}
	return string(data)
}

func rows(p *transfer.Plan) (text string) {
	for _, i := range p.Items {
		text += string(i.Act) + " " + strings.TrimPrefix(i.Path, memstore.Root+"/")
		if i.Why != "" {
			text += ": " + i.Why
		}
		text += "\n"
	}
	return text
}

func carry(t testing.TB, x *transfer.Transfer) (*transfer.Plan, transfer.Outcome) {
	t.Helper()
	p, err := x.Plan(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	out, err := x.Carry(context.Background(), p)
	if err != nil {
		t.Fatal(err)
	}
	return p, out
}

func TestPlan(t *testing.T) {
	t.Parallel()
	files := map[string]string{"new.md": "n\n", "same.md": "s\n", "other.md": "mine\n", "dir": "a file\n", "sub/a.md": "a\n",
		".git/config": "g", "file/below.md": "b\n"}
	there := map[string]string{"same.md": "s\n", "other.md": "theirs\n", "dir/x.md": "x\n", "file": "f\n"}
	for _, c := range []struct {
		name    string
		paths   []string
		replace bool
		rules   string
		want    string
	}{
		{name: "the whole store", want: `conflict dir: there is a folder of that name
conflict file/below.md: a part of its path is a file there
copy new.md
conflict other.md: it has other text there
same same.md
copy sub/a.md
`},
		{name: "one note", paths: []string{"/memories/new.md"}, want: "copy new.md\n"},
		{name: "a folder and a note in it", paths: []string{"/memories/sub", "/memories/sub/a.md"}, want: "copy sub/a.md\n"},
		{name: "overwriting", paths: []string{"/memories/other.md"}, replace: true, want: "replace other.md\n"},
		{name: "a locked note", paths: []string{"/memories/other.md"}, replace: true, rules: "[[rule]]\nmatch = \"*.md\"\nlock = true\n",
			want: "conflict other.md: it has other text there and is locked\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			from, to := newStore(t, "from", files), newStore(t, "to", there)
			to.rules(c.rules)
			before := from.tree() + to.tree()
			x := &transfer.Transfer{From: from.place, To: to.place, Paths: c.paths, Replace: c.replace}
			p, err := x.Plan(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(p); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if from.tree()+to.tree() != before {
				t.Error("planning changed a store")
			}
		})
	}
}

// After the undo in both journals both stores are as they were, to the byte and the second.
func TestMoveAndUndo(t *testing.T) {
	t.Parallel()
	from := newStore(t, "from", map[string]string{"a.md": "a\n", "sub/deep/b.md": "b\n", "sub/c.bin": "\xff\x00", "same.md": "s\n",
		"other.md": "mine\n"})
	to := newStore(t, "to", map[string]string{"same.md": "s\n", "other.md": "theirs\n"})
	fromBefore, toBefore := from.tree(), to.tree()
	p, out := carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true, Replace: false})
	if n, _ := p.Count(transfer.Copy); n != 3 || out.Count(transfer.Done) != 4 || out.Count(transfer.Skipped) != 1 || out.Count(transfer.Kept) != 0 {
		t.Errorf("%+v", out)
	}
	if from.text("a.md") != "-" || from.text("sub/deep/b.md") != "-" || from.text("same.md") != "-" || from.text("other.md") != "mine\n" ||
		to.text("sub/deep/b.md") != "b\n" || to.text("sub/c.bin") != "\xff\x00" || to.text("other.md") != "theirs\n" {
		t.Errorf("from\n%sto\n%s", from.tree(), to.tree())
	}
	if _, err := os.Stat(filepath.Join(from.dir, "sub")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the emptied folder is still there: %v", err)
	}
	if info, err := os.Stat(filepath.Join(to.dir, "a.md")); err != nil || !info.ModTime().Equal(longAgo) {
		t.Errorf("the copy has another time: %v %v", info, err)
	}
	for _, s := range []*store{from, to} {
		where := map[*store]string{from: "move to to", to: "move from from"}[s]
		last, err := past.Revisions(t.Context(), s.j, past.Filter{Path: "/memories/a.md", Newest: true, Limit: 1})
		if err != nil || len(last) != 1 || last[0].Command != past.CmdMove || last[0].Transfer != where {
			t.Errorf("the revision of a.md is %+v, want one that says %q (%v)", last, where, err)
		}
	}
	from.undo()
	to.undo()
	if got := from.tree(); got != fromBefore {
		t.Errorf("the source after the undo:\n%swant\n%s", got, fromBefore)
	}
	if got := to.tree(); got != toBefore {
		t.Errorf("the destination after the undo:\n%swant\n%s", got, toBefore)
	}
}

// What the source pins or locks stays there, and is not copied either: the user has said where it belongs.
func TestMoveLeavesWhatIsPinned(t *testing.T) {
	t.Parallel()
	from, to := newStore(t, "from", map[string]string{"a.md": "a\n", "keep/b.md": "b\n"}), newStore(t, "to", nil)
	from.rules("[[rule]]\nmatch = \"keep/**\"\npin = true\n")
	_, out := carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
	if out.Count(transfer.Skipped) != 1 || out.Items[1].Why != "it is pinned at the source" || from.text("keep/b.md") != "b\n" ||
		to.text("keep/b.md") != "-" || to.text("a.md") != "a\n" {
		t.Errorf("%+v", out)
	}
}

// A note that changes after it was shown is not transferred.
func TestChangesSinceThePlan(t *testing.T) {
	t.Parallel()
	from, to := newStore(t, "from", map[string]string{"a.md": "a\n", "b.md": "b\n", "c.md": "c\n"}), newStore(t, "to", nil)
	x := &transfer.Transfer{From: from.place, To: to.place, Move: true}
	p, err := x.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	memtest.WriteFiles(t, from.dir, map[string]string{"a.md": "later\n"})
	memtest.WriteFiles(t, to.dir, map[string]string{"b.md": "came meanwhile\n"})
	out, err := x.Carry(t.Context(), p)
	if err != nil || out.Count(transfer.Done) != 1 || out.Count(transfer.Skipped) != 2 {
		t.Fatalf("%v %+v", err, out)
	}
	if from.text("a.md") != "later\n" || to.text("a.md") != "-" || from.text("b.md") != "b\n" || to.text("b.md") != "came meanwhile\n" ||
		from.text("c.md") != "-" {
		t.Errorf("from\n%sto\n%s", from.tree(), to.tree())
	}
}

// faulty fails, or stops working, at one of its writes.
type faulty struct {
	memstore.Backend
	left int
	err  error
}

func (f *faulty) Create(name string, data []byte) error {
	if f.left--; f.left < 0 {
		return f.err
	}
	return f.Backend.Create(name, data)
}

func (f *faulty) Remove(name string) error {
	if f.left--; f.left < 0 {
		return f.err
	}
	return f.Backend.Remove(name)
}

// Wherever a move breaks off, every note is in one of the stores, and a repeated move finishes.
func TestBrokenOffAtEveryWrite(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.md": "a\n", "b/c.md": "c\n", "d.md": "d\n"}
	for _, err := range []error{memstore.ErrNoSpace, memstore.ErrPermission, memstore.ErrUnavailable, io.ErrUnexpectedEOF} {
		for n := range 4 {
			for _, source := range []bool{true, false} {
				from, to := newStore(t, "from", files), newStore(t, "to", nil)
				broken := to
				if source {
					broken = from
				}
				broken.open(func(b memstore.Backend) memstore.Backend { return &faulty{b, n, err} })
				x := &transfer.Transfer{From: from.place, To: to.place, Move: true}
				p, planErr := x.Plan(t.Context())
				if planErr != nil {
					t.Fatal(planErr)
				}
				_, _ = x.Carry(t.Context(), p)
				for name, text := range files {
					if from.text(name) != text && to.text(name) != text {
						t.Errorf("%v after %d writes: %s is lost", err, n, name)
					}
				}
				broken.open(nil)
				carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
				for name, text := range files {
					if from.text(name) != "-" || to.text(name) != text {
						t.Errorf("%v after %d writes: the repeated move left %s: %q, %q", err, n, name, from.text(name), to.text(name))
					}
				}
			}
		}
	}
}

func TestHostileStore(t *testing.T) {
	t.Parallel()
	from, to := newStore(t, "from", nil), newStore(t, "to", nil)
	memtest.WriteFiles(t, from.dir, map[string]string{"plain.md": "x\n", "bad-\xff.md": "x\n", "esc\x1b[31m.md": "x\n", "latin1.md": "caf\xe9\n",
		".git/HEAD": "ref\n", "deep/er/%2e%2e.md": "x\n"})
	for name, to := range map[string]string{"link.md": "plain.md", "out.md": t.TempDir(), "loop.md": "loop.md"} {
		if err := os.Symlink(to, filepath.Join(from.dir, name)); err != nil {
			t.Skip("no links here:", err)
		}
	}
	from.open(nil)
	_, out := carry(t, &transfer.Transfer{From: from.place, To: to.place})
	if out.Count(transfer.Done) == 0 || out.Count(transfer.Skipped) == 0 {
		t.Errorf("done %d, skipped %d", out.Count(transfer.Done), out.Count(transfer.Skipped))
	}
	for _, one := range out.Items {
		if why := one.Why; one.Result == transfer.Skipped && why == "" || strings.Contains(why, from.dir) || strings.Contains(why, to.dir) {
			t.Errorf("%q is skipped for %q", one.Path, why)
		}
	}
}

// A file that both stores have is the only copy.
func TestMoveKeepsAFileThatBothStoresHave(t *testing.T) {
	t.Parallel()
	from, to := newStore(t, "from", map[string]string{"a.md": "a\n"}), newStore(t, "to", nil)
	if err := os.Link(filepath.Join(from.dir, "a.md"), filepath.Join(to.dir, "a.md")); err != nil {
		t.Skip(err)
	}
	p, _ := carry(t, &transfer.Transfer{From: from.place, To: to.place, Move: true})
	if got, want := rows(p), "skip a.md: it is the same file in both stores\n"; got != want || from.text("a.md") != "a\n" {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
