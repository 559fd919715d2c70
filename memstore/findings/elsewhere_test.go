package findings

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/statedir"
)

// landscape is a folder of stores and the folder of their states.
type landscape struct {
	*desk
	rng   *rand.Rand
	root  string // of the stores
	base  string // of their states
	token string
	told  []string // the steps, for a failure
	// strange are the stores of their own that hold the value.
	strange []string
}

// edit lets an agent work on the store in a folder, recorded in the state folder of that.
func (l *landscape) edit(dir string, work func(*memstore.Store)) {
	l.t.Helper()
	state, err := statedir.For(l.base, dir)
	l.must(err)
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	l.must(err)
	j, err := journal.Open(state, journal.Options{Backend: b, Process: "test"})
	l.must(err)
	_, err = j.Sync(context.Background(), past.Hints{Unseen: true})
	l.must(err)
	work(memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{j}, Overwrite: true}))
	l.must(j.Close())
	l.must(b.Close())
}

// leak writes the value into a store, and may delete it again, so that only the past has it.
func (l *landscape) leak(dir, name string) {
	l.t.Helper()
	l.edit(dir, func(s *memstore.Store) {
		ctx := context.Background()
		text := "token: " + l.token + "\n" + strings.Repeat("some other line\n", l.rng.IntN(3000))
		if r := s.Create(ctx, "/memories/"+name, text); r.IsError {
			l.t.Fatal(r.Content)
		}
		if l.rng.IntN(2) == 0 {
			if r := s.Delete(ctx, "/memories/"+name); r.IsError {
				l.t.Fatal(r.Content)
			}
		}
	})
	l.told = append(l.told, "leak "+dir+" "+name)
}

func (l *landscape) mkdir(names ...string) string {
	l.t.Helper()
	dir := filepath.Join(append([]string{l.root}, names...)...)
	l.must(os.MkdirAll(dir, 0o700))
	return dir
}

// stateOf is the state folder of a store.
func (l *landscape) stateOf(dir string) string {
	l.t.Helper()
	state, err := statedir.Path(l.base, dir)
	l.must(err)
	return state
}

// newLandscape makes a store that has been through something, with other stores about it.
func newLandscape(t *testing.T, seed uint64) *landscape {
	t.Helper()
	l := &landscape{desk: &desk{t: t, engine: engine}, rng: rand.New(rand.NewPCG(seed, 1)), token: secretOf(int(seed) + 900)}
	var err error
	l.root, err = filepath.EvalSymlinks(t.TempDir())
	l.must(err)
	l.base = filepath.Join(t.TempDir(), "state")
	at := l.mkdir("around", "m")
	l.leak(at, "a.md")
	for i := range l.rng.IntN(3) {
		to := filepath.Join(l.root, "around", fmt.Sprint("moved", i))
		l.must(os.Rename(at, to))
		l.leak(to, fmt.Sprint("b", i, ".md"))
		at = to
	}
	l.told = append(l.told, "now at "+at)
	l.dir = at
	for _, possible := range []func(){l.nested, l.around, l.orphan, l.stranger, l.copies, l.renamed, l.linked, l.rest} {
		if l.rng.IntN(2) == 0 {
			possible()
		}
	}
	l.state, err = statedir.For(l.base, l.dir)
	l.must(err)
	l.open()
	t.Cleanup(l.close)
	_, err = l.journal.Sync(context.Background(), past.Hints{Unseen: true})
	l.must(err)
	return l
}

// nested is a store inside this one, which a purge names.
func (l *landscape) nested() {
	dir := l.mkdir("around", filepath.Base(l.dir), "sub")
	l.leak(dir, "n.md")
	l.strange = append(l.strange, dir)
}

// around is a store that contains this one, and may hold the value, which a purge names.
func (l *landscape) around() {
	dir := filepath.Join(l.root, "around")
	l.edit(dir, func(*memstore.Store) {})
	if memtest.FilesHolding(l.t, l.token, dir) > 0 {
		l.strange = append(l.strange, dir)
	}
	l.told = append(l.told, "around")
}

func (l *landscape) orphan() {
	dir := l.mkdir("orphan")
	l.leak(dir, "o.md")
	l.must(os.RemoveAll(dir))
}

func (l *landscape) stranger() {
	dir := l.mkdir("stranger")
	l.edit(dir, func(*memstore.Store) {})
	if l.rng.IntN(2) == 0 {
		l.leak(dir, "s.md")
		l.strange = append(l.strange, dir)
	}
	l.told = append(l.told, "stranger")
}

// copies puts a copy of a journal beside it, as people do before they try something.
func (l *landscape) copies() {
	folders, err := statedir.All(l.base)
	l.must(err)
	from := journal.Path(folders[0].Dir)
	text, err := os.ReadFile(from)
	l.must(err)
	for _, end := range []string{".bak", ".damaged-20260101-000000"} {
		l.must(os.WriteFile(from+end, text, 0o600))
	}
	l.told = append(l.told, "copies in "+from)
}

// renamed puts a state folder of the store aside by hand.
func (l *landscape) renamed() {
	state := l.stateOf(l.dir)
	if _, err := os.Stat(state); err == nil {
		l.must(os.Rename(state, state+".old"))
		l.told = append(l.told, "renamed "+state)
	}
}

// linked lets another name lead to a state folder.
func (l *landscape) linked() {
	if folders, err := statedir.All(l.base); err == nil && len(folders) > 0 {
		_ = os.Symlink(folders[0].Dir, filepath.Join(l.base, "link-0123456789ab")) // not every system can make links
	}
}

// rest leaves a draft in a state folder, and an edit that was killed.
func (l *landscape) rest() {
	folders, err := statedir.All(l.base)
	l.must(err)
	for _, f := range folders {
		if base := filepath.Base(f.Path); !slices.Contains(l.strange, f.Path) && base != "stranger" && base != "around" {
			l.must(os.WriteFile(filepath.Join(f.Dir, "layout.json"), []byte(`{"draft":"token: `+l.token+`"}`), 0o600))
			l.must(os.WriteFile(filepath.Join(f.Dir, "edit-1.md"), []byte("token: "+l.token+"\n"), 0o600))
		}
	}
}

// purge takes the value out of the store.
func (l *landscape) purge() *Purged {
	l.t.Helper()
	s := l.scrubber()
	s.Base = l.base
	s.Accept(nil)
	s.accept[l.token], s.sure[l.token] = "github-token", scrub.Shaped
	s.grown = true
	done, err := s.Purge(context.Background())
	if err != nil {
		l.t.Fatalf("%v after %q", err, l.told)
	}
	return done
}

// verify compares what remains with what should.
func (l *landscape) verify(left *Residue) {
	l.t.Helper()
	if len(left.Left) > 0 || len(left.Unread) > 0 {
		l.t.Errorf("left %+v, not read %v after %q", left.Left, left.Unread, l.told)
	}
	var named []string
	for _, s := range left.Stores {
		named = append(named, s.Path)
	}
	slices.Sort(named)
	slices.Sort(l.strange)
	if !slices.Equal(named, l.strange) {
		l.t.Errorf("other stores that hold the value are %q, want %q after %q", named, l.strange, l.told)
	}
	l.close()
	if n := memtest.FilesHolding(l.t, l.token, l.dir); n > 0 {
		l.t.Errorf("%d files of the store hold the value after %q", n, l.told)
	}
	folders, err := statedir.All(l.base)
	l.must(err)
	for _, f := range folders {
		strange := slices.Contains(l.strange, f.Path)
		if n := memtest.FilesHolding(l.t, l.token, f.Dir); n > 0 && !strange {
			l.t.Errorf("%d files of the state of %s hold the value after %q", n, f.Path, l.told)
		}
		if _, err := os.Stat(journal.Path(f.Dir)); err != nil {
			continue
		}
		j, err := journal.Open(f.Dir, journal.Options{Look: true})
		l.must(err)
		held := 0
		l.must(j.Contents(context.Background(), func(_ past.Kept, text []byte) bool {
			if strings.Contains(string(text), l.token) {
				held++
			}
			return true
		}))
		if report, err := j.Check(context.Background()); err != nil || !report.OK() {
			l.t.Errorf("the journal of %s: %+v, %v after %q", f.Path, report, err, l.told)
		}
		l.must(j.Close())
		if (held > 0) != strange {
			l.t.Errorf("the journal of %s has the value in %d contents after %q", f.Path, held, l.told)
		}
	}
}

func TestPurgeCoversEveryStateFolder(t *testing.T) {
	const rounds = 6
	for seed := range rounds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			l := newLandscape(t, uint64(seed))
			l.verify(l.purge().Left)
		})
	}
}

// After a purge that was killed between several journals, another one leaves nothing.
func TestPurgeAfterAKillBetweenJournals(t *testing.T) {
	defer func() { reach = func(string) {} }()
	for _, stage := range []string{"state", "other opened", "other journal", "others", "compared"} {
		l := newLandscape(t, 3)
		l.nested()
		l.orphan()
		_, err := l.journal.Sync(context.Background(), past.Hints{Unseen: true})
		l.must(err)
		reach = func(at string) {
			if at == stage {
				panic("killed") // like a process that dies here, except for the locks, which the system frees
			}
		}
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("the purge has not come to %q", stage)
				}
			}()
			l.purge()
		}()
		reach = func(string) {}
		l.close()
		l.open()
		l.verify(l.purge().Left)
	}
}

// A file that has another name is a new file afterwards: the other name keeps the value, and is told. One that has all its names in
// the store is clean.
func TestPurgeNamesFilesWithOtherNames(t *testing.T) {
	d := newDesk(t)
	token := secretOf(77)
	d.write("outside.md", "token: "+token+"\n")
	d.write("inside.md", "token: "+token+"\nx\n")
	d.write("clean.md", "nothing\n")
	other := filepath.Join(t.TempDir(), "other")
	if err := os.Link(filepath.Join(d.dir, "outside.md"), other); err != nil {
		t.Skip("files have one name here:", err)
	}
	d.must(os.Link(filepath.Join(d.dir, "clean.md"), other+"2"))
	d.must(os.Link(filepath.Join(d.dir, "inside.md"), filepath.Join(d.dir, "second.md")))
	info, err := os.Lstat(other)
	d.must(err)
	l, ok := linkOf(info)
	if !ok {
		t.Skip("this system does not say how many names a file has")
	}
	_, err = d.journal.Sync(context.Background(), past.Hints{Unseen: true})
	d.must(err)
	s := d.scrubber()
	s.Accept(d.scan().Groups)
	done, err := s.Purge(context.Background())
	d.must(err)
	if want := []linkedFile{{"/memories/outside.md", 1, l.Inode}}; !slices.Equal(done.Left.Linked, want) || done.Left.Clean() {
		t.Errorf("the files with other names are %+v, want %+v", done.Left.Linked, want)
	}
	if n := memtest.FilesHolding(t, token, d.dir); n > 0 {
		t.Errorf("%d files of the store hold the value", n)
	}
}
