package rendered

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/pane"
)

// stage is a tab over a store in memory whose jobs run at once.
type stage struct {
	t     testing.TB
	p     *Pane
	env   *pane.Env
	store *memstore.Store
	said  []string
	went  []string
}

func newStage(t testing.TB, w, h int) *stage {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	env := &pane.Env{Styles: theme.New(theme.Options{Name: theme.Dark, Dark: true}), Keys: keymap.Default(), Jobs: pane.NewJobs(ctx)}
	s := &stage{t: t, p: New(env, store), env: env, store: store}
	s.p.Resize(w, h)
	return s
}

func (s *stage) write(path, content string) {
	s.t.Helper()
	_ = s.store.Do(context.Background(), memstore.Command{Name: memstore.CmdDelete, Path: path})
	r := s.store.Do(context.Background(), memstore.Command{Name: memstore.CmdCreate, Path: path, FileText: content})
	if r.IsError {
		s.t.Fatal(r.Content)
	}
}

// run carries out a command and what follows from it.
func (s *stage) run(cmd tea.Cmd) {
	s.t.Helper()
	if cmd != nil {
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for _, c := range msg {
				s.run(c)
			}
		case pane.Done:
			if s.env.Jobs.Current(msg) {
				if msg.Err != nil {
					s.t.Fatal(msg.Err)
				}
				s.run(s.p.Receive(msg))
			}
		}
	}
	for _, intent := range s.env.Drain() {
		switch v := intent.(type) {
		case pane.Say:
			s.said = append(s.said, v.Text)
		case pane.Select:
			s.went = append(s.went, v.Path)
		}
	}
}

func (s *stage) does(ids ...keymap.ID) {
	s.t.Helper()
	for _, id := range ids {
		cmd, ok := s.p.Handle(id)
		if !ok {
			s.t.Fatalf("%s is not handled", id)
		}
		s.run(cmd)
	}
}

// screen is what is shown, checked for its size.
func (s *stage) screen() []string {
	s.t.Helper()
	rows := s.p.Rows(true)
	if len(rows) != s.p.h {
		s.t.Fatalf("%d rows for a height of %d", len(rows), s.p.h)
	}
	out := make([]string, len(rows))
	for i, r := range rows {
		if w := ansi.StringWidth(r); w != s.p.w {
			s.t.Fatalf("row %d is %d cells wide, the pane %d: %q", i, w, s.p.w, r)
		}
		out[i] = strings.TrimRight(string([]rune(ansi.Strip(r))[1:]), " ▐")
	}
	return out
}

// cursorRow is the text of the row under the cursor.
func (s *stage) cursorRow() string {
	s.t.Helper()
	rows := s.screen()
	at, _ := s.p.Cursor()
	return rows[at.Y]
}

func numbered(n int, ext string) string {
	var b strings.Builder
	for i := range n {
		if ext == ".md" {
			fmt.Fprintf(&b, "## Section %d\n\nText of *section* %d with [a link](other.md).\n\n", i, i)
		} else {
			fmt.Fprintf(&b, "line %d of the text\n", i)
		}
	}
	return b.String()
}

func TestKinds(t *testing.T) {
	for _, c := range []struct{ path, content, want string }{
		{"/memories/a.md", "---\ntitle: T\ntags: [a, b]\n---\n# H\ntext", "title: T\ntags : [a, b]\n\n# H\n\ntext"},
		{"/memories/a.json", `{"a":[1,2],"b":{"c":"a text that makes the line long enough to be laid out anew, which is only done when ` + strings.Repeat("x", 150) + `"}}`, "{\n  \"a\": [\n    1,\n    2\n  ],"},
		{"/memories/notes", "one two three four five six seven eight nine ten eleven twelve", "one two three four five six seven eight\nnine ten eleven twelve"},
		{"/memories/a.yaml", "k: v\n", "k: v"},
		{"/memories/bin.dat", "a\x00b", "this is not text: ] goes on to hex,"},
		{"/memories/empty.md", "\n", "the file is empty"},
		{"/memories/long.txt", strings.Repeat("x", lineUpTo+1), "a line of this file is longer than 64"},
		{"/memories/gone.md", "", "the file is not there any more, or is"},
		{"/memories", "", "a folder has no text of its own: ["},
	} {
		s := newStage(t, 42, 12)
		if c.content != "" {
			s.write(c.path, c.content)
		}
		s.run(s.p.Show(c.path))
		if got := strings.Join(s.screen(), "\n"); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.path, got, c.want)
		}
	}
}

func TestMotionsReachBothEnds(t *testing.T) {
	for _, ext := range []string{".md", ".txt"} {
		s := newStage(t, 40, 10)
		s.write("/memories/a"+ext, numbered(500, ext))
		s.run(s.p.Show("/memories/a" + ext))
		first := s.screen()
		s.does(keymap.Bottom)
		if got, _ := s.p.LineReader(1000)(); !strings.Contains(got, "499") {
			t.Errorf("%s: the last row comes from %q", ext, got)
		}
		s.does(keymap.Top)
		if !slices.Equal(s.screen(), first) {
			t.Errorf("%s: the start looks different after a trip to the end", ext)
		}
		var seen []string
		for range 3000 {
			seen = append(seen, s.cursorRow())
			at := s.p.cursor
			if s.does(keymap.Down); s.p.cursor == at {
				break
			}
		}
		for i := range 500 {
			if !slices.ContainsFunc(seen, func(r string) bool {
				return strings.Contains(r, fmt.Sprint(" ", i, " ")) || strings.HasSuffix(r, fmt.Sprint(" ", i))
			}) {
				t.Fatalf("%s: row %d was passed over", ext, i)
			}
		}
		s.does(keymap.HalfUp, keymap.PageUp, keymap.PageDown, keymap.HalfDown, keymap.Left, keymap.Up)
		s.screen()
	}
}

func TestPlaceIsKeptByLine(t *testing.T) {
	s := newStage(t, 40, 10)
	text := numbered(200, ".md")
	s.write("/memories/a.md", text)
	s.run(s.p.Show("/memories/a.md"))
	s.run(s.p.ShowLines(400, 402))
	if got := s.screen()[0]; got != "## Section 100" {
		t.Fatalf("line 400 shows %q", got)
	}
	if top, cursor, ok := s.p.Lines(); !ok || top != 400 || cursor != 402 {
		t.Errorf("the place is told as %d, %d, %v", top, cursor, ok)
	}
	s.p.Resize(25, 14)
	if got := s.screen()[0]; got != "## Section 100" {
		t.Errorf("after a resize %q is at the top", got)
	}
	s.write("/memories/a.md", text+"more\n")
	s.run(s.p.Reload())
	if got := s.screen()[0]; got != "## Section 100" {
		t.Errorf("after a change %q is at the top", got)
	}
	s.write("/memories/a.md", "short\n")
	s.run(s.p.Reload())
	if got := s.cursorRow(); got != "short" {
		t.Errorf("in a text that got shorter the cursor is on %q", got)
	}
}

func TestSearch(t *testing.T) {
	s := newStage(t, 40, 10)
	s.write("/memories/a.md", numbered(300, ".md"))
	s.run(s.p.Show("/memories/a.md"))
	s.run(s.p.SetQuery("section 250"))
	s.run(s.p.Jump())
	if got, state := s.cursorRow(), s.p.SearchState(); got != "## Section 250" || state != `"section 250": 2 matches` {
		t.Errorf("the cursor is on %q, the state is %q", got, state)
	}
	s.does(keymap.SearchNext)
	if got := s.cursorRow(); !strings.HasPrefix(got, "Text of section 250") {
		t.Errorf("the next match is %q", got)
	}
	s.does(keymap.SearchNext)
	if got := s.cursorRow(); got != "## Section 250" || len(s.said) != 1 || s.said[0] != pane.WrappedText(false) {
		t.Errorf("around the end: %q, said %q", got, s.said)
	}
	s.does(keymap.SearchPrev)
	if got := s.said[len(s.said)-1]; got != pane.WrappedText(true) {
		t.Errorf("around the start was told as %q", got)
	}
	s.run(s.p.SetQuery("Nowhere"))
	s.run(s.p.Jump())
	if got := s.said[len(s.said)-1]; got != pane.NotFoundText("Nowhere") {
		t.Errorf("said %q", got)
	}
	s.run(s.p.SetQuery(""))
	if s.p.SearchState() != "" {
		t.Error("the search goes on")
	}
}

func TestLinks(t *testing.T) {
	s := newStage(t, 60, 20)
	s.write("/memories/d/a.md", "[rel](b.md)\n\n[[wiki]]\n\n[abs](/memories/top.md#x)\n\n[out](https://x.y)\n\n[up](../../../etc/passwd)\n\nplain")
	for _, path := range []string{"/memories/d/b.md", "/memories/wiki.md", "/memories/top.md", "/memories/etc/passwd"} {
		s.write(path, "x")
	}
	s.run(s.p.Show("/memories/d/a.md"))
	for range 6 {
		s.does(keymap.OpenLink, keymap.Down, keymap.Down)
	}
	if want := []string{"/memories/d/b.md", "/memories/wiki.md", "/memories/top.md"}; !slices.Equal(s.went, want) {
		t.Errorf("went to %q", s.went)
	}
	if len(s.said) != 3 || s.said[2] != pane.TextNoLink {
		t.Errorf("said %q", s.said)
	}
}

func TestLineOfTheFileIsCopied(t *testing.T) {
	s := newStage(t, 20, 10)
	s.write("/memories/a.md", "# H\n\na **bold** word and more that wraps\n")
	s.run(s.p.Show("/memories/a.md"))
	s.does(keymap.Bottom)
	if got, err := s.p.LineReader(1000)(); err != nil || got != "a **bold** word and more that wraps" {
		t.Errorf("copied %q, %v", got, err)
	}
	if _, err := s.p.LineReader(3)(); err == nil || err.Error() != pane.TextLineTooLong {
		t.Errorf("a long line: %v", err)
	}
}

func FuzzPane(f *testing.F) {
	f.Add("a.md", []byte("---\na: \x1b[31m\n---\n# \u202eh\n|日|本|\n|-|-|\n|\t|e\u0301|\n"), uint8(30), uint8(8), []byte("jjGgdu"))
	f.Add("a.json", []byte(`{"a":"\u001b"}`), uint8(3), uint8(1), []byte("Gn"))
	f.Fuzz(func(t *testing.T, name string, content []byte, w, h uint8, keys []byte) {
		if len(content) > 4<<10 || len(keys) > 20 || w < 3 || h == 0 {
			return
		}
		s := newStage(t, int(w), int(h))
		d := &document{path: name}
		d.fill(content)
		s.p.target = name
		s.run(s.p.adopt(d))
		s.run(s.p.SetQuery("a"))
		ids := []keymap.ID{keymap.Down, keymap.Up, keymap.Bottom, keymap.Top, keymap.HalfDown, keymap.PageUp, keymap.SearchNext, keymap.SearchPrev}
		for _, k := range keys {
			s.does(ids[int(k)%len(ids)])
			s.screen()
		}
		s.p.Resize(max(3, int(h)), int(w))
		s.screen()
	})
}

func bigMarkdown() string {
	return strings.Repeat("## Section\n\nSome *text* with a [link](http://a.b) and `code`, long enough to wrap at the edge of the pane.\n\n- item one\n- item two\n\n```go\nx := 1\n```\n\n", 35_000)
}

func benchStage(b *testing.B) *stage {
	s := newStage(b, 120, 50)
	d := &document{path: "/memories/a.md"}
	d.fill([]byte(bigMarkdown()))
	s.p.target = d.path
	s.run(s.p.adopt(d))
	s.p.Rows(true)
	return s
}

func BenchmarkPageDown5MB(b *testing.B) {
	s := benchStage(b)
	s.run(s.p.ShowLines(200_000, 200_000))
	for b.Loop() {
		s.does(keymap.PageDown)
		s.p.Rows(true)
	}
}

func BenchmarkOpen5MB(b *testing.B) {
	data := []byte(bigMarkdown())
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		d := &document{path: "/memories/a.md"}
		d.fill(data)
	}
}
