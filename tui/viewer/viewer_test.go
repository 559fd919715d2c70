package viewer

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
	"memcurator/tui/ui/panetest"
)

// stage is a view tab on a directory; jobs run to their end at once.
type stage struct {
	*panetest.Stage
	p   *Pane
	dir string
}

func newStage(t testing.TB, w, h int) *stage {
	t.Helper()
	dir := t.TempDir()
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := stageOver(t, backend, w, h)
	s.dir = dir
	return s
}

func stageOver(t testing.TB, backend memstore.Backend, w, h int) *stage {
	env := panetest.NewEnv(t, theme.Options{Dark: true})
	p := New(env, memstore.New(backend, memstore.Options{}))
	s := &stage{Stage: panetest.New(t, p, env, w, h), p: p}
	t.Cleanup(func() {
		s.p.Close()
		_ = backend.Close()
	})
	return s
}

// done waits for the job of one command.
func (s *stage) done(cmd tea.Cmd) ui.Done {
	s.T.Helper()
	done, ok := cmd().(ui.Done)
	if !ok || done.Err != nil {
		s.T.Fatalf("the job ended with %v", done.Err)
	}
	return done
}

func (s *stage) show(path string) {
	s.T.Helper()
	s.Run(s.p.Show(path))
	if s.p.layout.doc == nil || s.p.layout.doc.path != path {
		s.T.Fatalf("%s is not shown", path)
	}
}

func (s *stage) write(name, content string) {
	s.T.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o600); err != nil {
		s.T.Fatal(err)
	}
}

// rows are the rows on the screen without gutter, scroll bar and padding.
func (s *stage) rows() []string {
	s.T.Helper()
	rows := s.Rows()
	for i, row := range rows {
		r := []rune(row)
		rows[i] = strings.TrimRight(string(r[1:len(r)-1]), " ")
	}
	return rows
}

// Each step sideways shows what follows, over the borders between the parts of a line too.
func TestSidewaysThroughALongLineMissesNothing(t *testing.T) {
	for name, unit := range map[string]string{"ascii": "0123456789", "wide": "日本語の行、", "controls": "\u202ea\x1b", "mixed": "aé日\t", "broken": "a\xff\xfe日"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if brief() && name != "ascii" && name != "wide" {
				t.Skip("like the others")
			}
			s := newStage(t, 100, 5)
			line, size := "", 26_000
			if name != "ascii" && name != "wide" {
				size = 17_500 // these take more cells than bytes, and so more steps
			}
			for i := 0; len(line) < size; i++ {
				line += fmt.Sprint(unit, i, ".")
			}
			line += "END"
			s.write("a.md", line+"\nshort\n")
			s.show("/memories/a.md")
			s.Does(keymap.Wrap, keymap.Down)
			y := s.p.layout.doc.headRows()
			s.Run(s.p.GoTo(1))
			all := strings.ReplaceAll(safeText(line), " ", "")
			at, row := 0, ""
			for {
				row = s.rows()[y]
				shown := clip(strings.ReplaceAll(row, " ", ""))
				near := all[at:min(len(all), at+800)]
				i := strings.Index(near, shown)
				if i < 0 {
					t.Fatalf("after %q the screen shows %q", near[:100], row)
				}
				at += i
				before := s.p.view.pos
				if s.Does(keymap.Right); s.p.view.pos == before {
					break
				}
			}
			if !strings.HasSuffix(row, "END") {
				t.Fatalf("the way ends at %q", row)
			}
			s.Does(keymap.LineStart)
			if row := s.rows()[y]; !strings.Contains(row, clipStart(safeText(line), 20)) {
				t.Errorf("the start of the line is %q", row)
			}
			s.Does(keymap.LineEnd)
			if row := s.rows()[y]; !strings.HasSuffix(row, "END") {
				t.Errorf("its end is %q", row)
			}
			for range 20_000 {
				s.Does(keymap.Left)
				if s.p.view.pos.col == 0 && s.p.view.pos.from.base == 0 {
					break
				}
			}
			if row := s.rows()[y]; !strings.Contains(row, clipStart(safeText(line), 20)) {
				t.Errorf("back at the start the line is %q", row)
			}
		})
	}
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
	s := stageOver(t, failing{backend, 3 << 20}, 80, 10)
	s.show("/memories/a.md")
	if said := s.Said(); len(said) != 1 || said[0] != ui.TextRestUnreadable {
		t.Errorf("it said %q", said)
	}
	if row := s.rows()[1]; row != "     1  some text" {
		t.Errorf("what can be read is not shown: %q", row)
	}
	s.Does(keymap.Bottom, keymap.PageUp, keymap.Bottom, keymap.LineEnd, keymap.Top, keymap.Wrap, keymap.PageDown)
	s.rows()
	s.Forget()
	s.Run(s.p.Finder.SetQuery("nowhere"))
	s.Run(s.p.Finder.Jump())
	if said := s.Said(); len(said) != 1 || said[0] != ui.TextRestUnreadable {
		t.Errorf("the search said %q", said)
	}
}

// safeText is a line as it looks on the screen.
func safeText(line string) string {
	var b strings.Builder
	for _, s := range text.Spans(nil, []byte(line), text.Options{StartCol: numberCells}) {
		b.WriteString(s.Text)
	}
	return b.String()
}

// clip drops what an edge of the screen may have cut.
func clip(s string) string {
	r := []rune(s)
	return string(r[9:min(len(r)-9, 25)])
}

func clipStart(s string, n int) string { return string([]rune(s)[:n]) }

// brief reports whether a test that takes long has to do with a part of its cases.
func brief() bool { return slow || testing.Short() }
