package memstore

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// giant is a backend whose files say that they are bigger than they are, as sparse ones are.
type giant struct {
	Backend
	size int64
}

func (g giant) Open(name string, a Access) (File, error) {
	f, err := g.Backend.Open(name, a)
	return giantFile{f, g.size}, err
}

type giantFile struct {
	File
	size int64
}

func (f giantFile) Info() (Info, error) {
	info, err := f.File.Info()
	info.Size = f.size
	return info, err
}

// A file of any size costs an edit no more than a look at it, in every dialect and in
// every command that would read it whole.
func TestTooBigToEdit(t *testing.T) {
	const size = 4 << 40
	const want = "Error: File /memories/a has 4398046511104 bytes. Files of more than 268435456 bytes cannot be edited."
	for _, d := range Dialects() {
		mem := NewMemory()
		must(t, mem.Create("a", []byte("x")))
		s := New(giant{mem, size}, Options{Dialect: d, Overwrite: true})
		looked := WithExpectation(t.Context(), Expectation{Path: "/memories/a", Digest: Sum([]byte("x"))})
		for _, c := range []Command{
			replace("/memories/a", "x", "y"), insert("/memories/a", 0, "y"), create("/memories/a", "y"), remove("/memories/a"), move("/memories/a", "/memories/b"),
		} {
			r := s.Do(looked, c)
			var big *SizeLimitError
			if r.Content != want || !errors.Is(r.Err, ErrTooBig) || !errors.As(r.Err, &big) || big.Size != size {
				t.Errorf("%s %s: %q (%v)", d, c.Name, r.Content, r.Err)
			}
		}
		if data, err := mem.Open("a", Look); err != nil {
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
