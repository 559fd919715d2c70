package memstore

import (
	"errors"
	"io"
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
		for _, c := range []Command{
			replace("/memories/a", "x", "y"), insert("/memories/a", 0, "y"), create("/memories/a", "y"),
		} {
			r := s.Do(t.Context(), c)
			var big *backend.SizeLimitError
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

// A name that the next write would sweep away, or that says that a store is encrypted, cannot be given; the names of the SDKs' own can.
func TestReservedNames(t *testing.T) {
	const theirs = "/memories/.tmp-1-3f2504e0-4f89-41d3-9a0c-0305e82c3301"
	for _, d := range Dialects() {
		s := storeOf(t, Options{Dialect: d}, "good.md", "good")
		before := storeTree(t, s)
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
		if storeTree(t, s) != before {
			t.Errorf("%s: something changed", d)
		}
		if r := s.Do(t.Context(), move("/memories/good.md", theirs)); r.IsError {
			t.Errorf("%s: %q", d, r.Content)
		}
	}
}
