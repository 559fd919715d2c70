package memstore

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// giant is a backend whose files say that they are bigger than they are, as sparse ones are.
type giant struct {
	backend.Backend
	size int64
}

func (g giant) Open(name string, a backend.Access) (backend.File, error) {
	f, err := g.Backend.Open(name, a)
	return giantFile{f, g.size}, err
}

type giantFile struct {
	backend.File
	size int64
}

func (f giantFile) Info() (backend.Info, error) {
	info, err := f.File.Info()
	info.Size = f.size
	return info, err
}

// A file of any size costs an edit no more than a look at it, in every dialect and in
// every command that would read it whole.
func TestTooBigToEdit(t *testing.T) {
	const size = 4 << 40
	const want = "Error: File /memories/a has 4398046511104 bytes. Files of more than 268435456 bytes cannot be handled as a whole."
	for _, d := range Dialects() {
		mem := NewMemory()
		must(t, mem.Create("a", []byte("x")))
		s := New(giant{mem, size}, Options{Dialect: d, Overwrite: true})
		looked := WithExpectation(t.Context(), Expectation{Path: "/memories/a", Digest: Sum([]byte("x"))})
		for _, c := range []Command{
			replace("/memories/a", "x", "y"), insert("/memories/a", 0, "y"), create("/memories/a", "y"), remove("/memories/a"),
			move("/memories/a", "/memories/b"),
		} {
			r := s.Do(looked, c)
			var big *SizeLimitError
			if r.Content != want || !errors.Is(r.Err, ErrTooBig) || !errors.As(r.Err, &big) || big.Size != size {
				t.Errorf("%s %s: %q (%v)", d, c.Name, r.Content, r.Err)
			}
		}
		if data, err := mem.Open("a", backend.Look); err != nil {
			t.Error(err)
		} else if text, err := io.ReadAll(io.NewSectionReader(data, 0, 9)); string(text) != "x" || err != nil {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// A big file can be deleted and moved; who asks for its bytes gets the error.
func TestTooBigToRecord(t *testing.T) {
	mem := NewMemory()
	must(t, mem.Create("a", []byte(strings.Repeat("x", eagerFile+1))))
	rec := &recorder{}
	s := New(giant{mem, editLimit + 1}, Options{Recorders: []Recorder{rec}})
	if r := s.Delete(t.Context(), "/memories/a"); r.IsError {
		t.Fatal(r.Content)
	}
	if _, err := rec.edits[0].Changes[0].Before.Bytes(); !errors.Is(err, ErrTooBig) {
		t.Error(err)
	}
}

// A path that is too long is refused quickly, without reading the store.
func TestPathTooLong(t *testing.T) {
	deep := func(n int) string { return backend.Root + strings.Repeat("/a", n) }
	long := backend.Root + "/" + strings.Repeat(strings.Repeat("n", 99)+"/", 41)
	huge := backend.Root + strings.Repeat("/a", 50<<20)
	for _, d := range Dialects() {
		b := &counting{Backend: NewMemory()}
		must(t, b.Create("x", nil))
		s := New(b, Options{Dialect: d})
		b.calls = 0
		for _, c := range []Command{
			create(deep(backend.MaxDepth+1), ""), create(deep(15000)+"/f", ""), create(long, ""), create(huge, ""), view(huge), view(long),
			remove(huge), insert(huge, 0, "x"), replace(long, "x", "y"),
			create(backend.Root+strings.Repeat("/", 100<<20)+"f", ""),
		} {
			if r := s.Do(t.Context(), c); r.Content != tooDeep || !errors.Is(r.Err, backend.ErrNameTooLong) {
				t.Errorf("%s %s of %d bytes: %.99q", d, c.Name, len(c.Path), r.Content)
			}
		}
		if r := s.Do(t.Context(), move(huge, "/memories/y")); r.Content != tooDeep {
			t.Errorf("%s: %.99q", d, r.Content)
		}
		if b.calls != 0 {
			t.Errorf("%s: the backend was called %d times", d, b.calls)
		}
		for _, to := range []string{deep(backend.MaxDepth + 1), long, huge} {
			if r := s.Do(t.Context(), move("/memories/x", to)); r.Content != tooDeep {
				t.Errorf("%s, to %d bytes: %.99q", d, len(to), r.Content)
			}
		}
		if b.locks != 0 {
			t.Errorf("%s: the lock was taken", d)
		}
		for _, c := range []Command{create(deep(backend.MaxDepth), ""), view(deep(backend.MaxDepth)),
			create(backend.Root+"//./"+strings.Repeat("/", 9000)+"z", "")} {
			if d == VSCode {
				c.Path = strings.Replace(c.Path, "//./", "//", 1) // it takes no dot
			}
			if r := s.Do(t.Context(), c); r.IsError {
				t.Errorf("%s %s: %.99q", d, c.Name, r.Content)
			}
		}
		if r := s.Do(t.Context(), view(deep(backend.MaxDepth+9))); !r.IsError || (r.Content == tooDeep) != (d == Python) {
			t.Errorf("%s: %.99q", d, r.Content)
		}
	}
}

// counting counts the looks at a backend and the turns taken.
type counting struct {
	backend.Backend
	calls, locks int
}

func (c *counting) Stat(name string) (backend.Info, error)  { c.calls++; return c.Backend.Stat(name) }
func (c *counting) Lstat(name string) (backend.Info, error) { c.calls++; return c.Backend.Lstat(name) }
func (c *counting) Open(name string, a backend.Access) (backend.File, error) {
	c.calls++
	return c.Backend.Open(name, a)
}
func (c *counting) Lock(ctx context.Context) (func(), error) { c.locks++; return c.Backend.Lock(ctx) }

// A name that the next write would sweep away, or that says that a store is encrypted, cannot be given; the names of the SDKs' own can.
func TestReservedNames(t *testing.T) {
	const theirs = "/memories/.tmp-1-3f2504e0-4f89-41d3-9a0c-0305e82c3301"
	for _, d := range Dialects() {
		s := storeOf(t, Options{Dialect: d}, "good.md", "good")
		before := storeTree(t, s, "")
		for _, ours := range []string{"/memories/d/.tmp-4000000-0123456789abcdef", "/memories/.tmp-4000000-0123456789abcdef/below/f.md",
			"/memories/memcurator.agestore", "/memories/Memcurator.AGEstore/below"} {
			for _, c := range []Command{create(ours, "x"), move("/memories/good.md", ours), move("/memories/none", ours)} {
				r := s.Do(t.Context(), c)
				if !errors.Is(r.Err, ErrReserved) || r.Content != "Error: The name of "+ours+" is kept for files of the store itself. "+
					"Choose another name." {
					t.Errorf("%s %s: %q (%v)", d, c.Name, r.Content, r.Err)
				}
			}
		}
		if storeTree(t, s, "") != before {
			t.Errorf("%s: something changed", d)
		}
		if r := s.Do(t.Context(), move("/memories/good.md", theirs)); r.IsError {
			t.Errorf("%s: %q", d, r.Content)
		}
	}
}

// A dialect that shows other text than the bytes of a file holds it in memory: not one
// of any size.
func TestTranslatedViewsAreBounded(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "hole"))
	must(t, err)
	_, err = f.WriteString("\r\n")
	must(t, err)
	must(t, f.Truncate(1<<40))
	must(t, f.Close())
	s, err := Open(dir, Options{Dialect: Python})
	must(t, err)
	defer s.Close()
	// The scan that finds the \r stops at its chunk, so this is quick although the file is not.
	if r := s.View(t.Context(), "/memories/hole", nil); !errors.Is(r.Err, ErrTooBig) {
		t.Errorf("%.200q", r.Content)
	}
}
