package memstore

import (
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

// sizeless is a backend whose files have no size by their stamps and endless bytes: the files of
// /proc are like that.
type sizeless struct{ backend.Backend }

type sizelessFile struct{ backend.File }

func (b sizeless) Open(name string, a backend.Access) (backend.File, error) {
	f, err := b.Backend.Open(name, a)
	return sizelessFile{f}, err
}

func (f sizelessFile) Info() (backend.Info, error) {
	info, err := f.File.Info()
	info.Size = 0
	return info, err
}

func (sizelessFile) ReadAt(p []byte, _ int64) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// TestFilesWithoutSizeAreEmpty: commands believe the size, and so come to an end.
func TestFilesWithoutSizeAreEmpty(t *testing.T) {
	for _, d := range Dialects() {
		s := New(sizeless{NewMemory()}, Options{Dialect: d})
		must(t, s.Backend().Create("a", nil))
		r := s.View(t.Context(), "/memories/a", nil)
		if r.IsError || strings.Contains(r.Content, "x") {
			t.Errorf("%v: %q", d, r.Content)
		}
		if r := s.StrReplace(t.Context(), "/memories/a", "x", "y"); !r.IsError {
			t.Errorf("%v: %q", d, r.Content)
		}
	}
}
