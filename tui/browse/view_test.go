package browse

import (
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/kit"
	"memcurator/tui/kit/panetest"
)

// viewStage is a view tab on a directory; jobs run to their end at once.
type viewStage struct {
	*panetest.Stage
	p   *viewPane
	dir string
}

func newViewStage(t testing.TB, w, h int) *viewStage {
	t.Helper()
	dir := t.TempDir()
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := viewStageOver(t, backend, w, h)
	s.dir = dir
	return s
}

func viewStageOver(t testing.TB, backend memstore.Backend, w, h int) *viewStage {
	env := panetest.NewEnv(t, theme.Options{Dark: true})
	p := newView(&Screen{Options: Options{Store: memstore.New(backend, memstore.Options{})}, Env: env, Files: &Files{}})
	s := &viewStage{Stage: panetest.New(t, p, env, w, h), p: p}
	t.Cleanup(func() {
		_ = backend.Close()
	})
	return s
}

func (s *viewStage) show(path string) {
	s.T.Helper()
	s.Run(s.p.Show(path))
	if s.p.doc == nil || s.p.doc.path != path {
		s.T.Fatalf("%s is not shown", path)
	}
}

func (s *viewStage) writes(name, content string) {
	s.T.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
		s.T.Fatal(err)
	}
}

// rows are the rows on the screen without gutter, scroll bar and padding.
func (s *viewStage) rows() []string {
	s.T.Helper()
	rows := s.Rows()
	for i, row := range rows {
		r := []rune(row)
		rows[i] = strings.TrimRight(string(r[1:len(r)-1]), " ")
	}
	return rows
}

// failing is a backend whose files cannot be read beyond a byte.
type failing struct {
	memstore.Backend
	good int64
}

var errDisk = errors.New("input/output error")

func (f failing) Open(name string, a memstore.Access) (memstore.File, error) {
	file, err := f.Backend.Open(name, a)
	return failingFile{file, f.good}, err
}

type failingFile struct {
	memstore.File
	good int64
}

func (f failingFile) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) <= f.good {
		return f.File.ReadAt(p, off)
	}
	if off >= f.good {
		return 0, errDisk
	}
	n, err := f.File.ReadAt(p[:f.good-off], off)
	if err == nil || errors.Is(err, io.EOF) {
		err = errDisk
	}
	return n, err
}

func TestDiskThatFailsIsSaidOnceAndEndsNothing(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(strings.Repeat("some text\n", 1<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := viewStageOver(t, failing{backend, 3 << 20}, 80, 10)
	s.show("/memories/a.md")
	if row := s.rows()[1]; row != "     1  some text" {
		t.Errorf("what can be read is not shown: %q", row)
	}
	s.Does(keymap.Bottom, keymap.PageUp, keymap.Bottom, keymap.LineEnd, keymap.Top, keymap.Wrap, keymap.PageDown)
	s.Does(keymap.Bottom)
	if rows := s.rows(); rows[len(rows)-1] != kit.TextRestUnreadable {
		t.Errorf("the last row is %q", rows[len(rows)-1])
	}
}

// The beginning of a large file is shown before the rest is read; who asked for the end meanwhile gets that of the file.
func TestTheBeginningOfALargeFileComesFirst(t *testing.T) {
	s := newViewStage(t, 40, 6)
	const lines = 600_000
	s.writes("big.md", strings.Repeat("a line\n", lines))
	begun, _ := s.p.begin("/memories/big.md")(t.Context())
	if n := begun.Of.(*document).rowOf(0) + len(begun.Of.(*document).starts); n >= lines || n < 1_000 {
		t.Fatalf("the beginning has %d rows", n)
	}
	for _, end := range []bool{false, true} {
		s.p.Set("/memories/big.md", begun)
		if end {
			s.p.MoveTo(math.MaxInt32, math.MaxInt32)
		}
		whole, err := s.p.read("/memories/big.md")(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.p.Set("/memories/big.md", whole)
		if n, _ := s.p.Line(); end && n != lines || !end && n > 1 {
			t.Errorf("the cursor is on line %d", n)
		}
		s.p.Forget()
	}
	s.writes("small.md", "a line\n")
	if begun, _ := s.p.begin("/memories/small.md")(t.Context()); begun != nil {
		t.Error("a small file is read in parts")
	}
}
