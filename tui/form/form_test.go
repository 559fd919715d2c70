package form

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// blank replaces the pane that draws the diff.
type blank struct{ w, h int }

func (*blank) Actions() *ui.Actions     { return ui.NewActions(nil) }
func (*blank) Receive(ui.Done) tea.Cmd  { return nil }
func (b *blank) Resize(w, h int)        { b.w, b.h = w, h }
func (*blank) Scopes() []keymap.Scope   { return nil }
func (*blank) Cursor() (ui.Point, bool) { return ui.Point{}, false }
func (b *blank) Rows(bool) []string {
	return slices.Repeat([]string{strings.Repeat(" ", b.w)}, b.h)
}

func names(path string) []string {
	return map[string][]string{
		"/memories":          {"notes.md", "projects/", "prefs.md", "two words.md", "bad\x1b.md"},
		"/memories/projects": {"alpha.md"},
	}[path]
}

func newForm(t *testing.T, command string, values ...string) (*Form, *memstore.Store) {
	t.Helper()
	store := memstore.New(memstore.NewMemory(), memstore.Options{})
	f := New(testEnv(t), store, command, values, names, &blank{})
	f.Rows(60, 20)
	return f, store
}

// answer waits for the answer that a command of the form brings.
func answer(t *testing.T, f *Form, cmd tea.Cmd) {
	t.Helper()
	if cmd == nil {
		return
	}
	got := make(chan tea.Msg, 1)
	go func() { got <- cmd() }()
	select {
	case msg := <-got:
		if done := msg.(ui.Done); f.env.Jobs.Current(done) {
			f.Receive(done)
		}
	case <-time.After(time.Minute):
		t.Fatal("no answer")
	}
}

func TestComplete(t *testing.T) {
	for _, c := range []struct {
		path, want string
		choices    []string
	}{
		{"", "/memories/", nil},
		{"/mem", "/memories/", nil},
		{"/memories", "/memories/", nil},
		{"/memories/n", "/memories/notes.md", []string{"notes.md"}},
		{"/memories/p", "/memories/pr", []string{"projects/", "prefs.md"}},
		{"/memories/pr", "", []string{"projects/", "prefs.md"}},
		{"/memories/two", "/memories/two words.md", []string{"two words.md"}},
		{"/memories/bad", "", nil},
		{"/memories/projects/", "/memories/projects/alpha.md", []string{"alpha.md"}},
		{"/memories/projects/alpha.md", "", []string{"alpha.md"}},
		{"elsewhere", "", nil},
	} {
		got, choices := complete(c.path, names)
		if got != c.want || !slices.Equal(choices, c.choices) {
			t.Errorf("%q completes to %q, %q; want %q, %q", c.path, got, choices, c.want, c.choices)
		}
	}
}

func TestTabCompletesThenMovesOn(t *testing.T) {
	f, _ := newForm(t, memstore.CmdStrReplace, "/memories/p")
	f.at = 0
	var seen []string
	for range 3 {
		f.Perform(keymap.FieldNext)
		seen = append(seen, f.value(argPath)+" "+f.focused().name)
	}
	if want := []string{"/memories/pr path", "/memories/pr path", "/memories/pr old_str"}; !slices.Equal(seen, want) {
		t.Errorf("tab gave %q, want %q", seen, want)
	}
}

// The cursor begins in the first empty field.
func TestFocusAtTheStart(t *testing.T) {
	for _, c := range []struct {
		command string
		values  []string
		want    string
	}{
		{memstore.CmdCreate, nil, "path"},
		{memstore.CmdCreate, []string{"/memories/folder/"}, "path"},
		{memstore.CmdCreate, []string{"/memories/a.md"}, "file_text"},
		{memstore.CmdInsert, []string{"/memories/a.md"}, "insert_line"},
		{memstore.CmdInsert, []string{"/memories/a.md", "3"}, "insert_text"},
		{memstore.CmdStrReplace, []string{"/memories/a.md"}, "old_str"},
		{memstore.CmdStrReplace, []string{"/memories/a.md", "x", "x"}, "new_str"},
	} {
		f, _ := newForm(t, c.command, c.values...)
		if got := f.focused().name; got != c.want {
			t.Errorf("%s %q begins in %s, want %s", c.command, c.values, got, c.want)
		}
	}
}

// What is pasted is kept byte for byte; only where a terminal sent "\r" for the ends of
// lines they are turned back.
func TestPaste(t *testing.T) {
	for _, c := range []struct{ paste, want string }{
		{"one\ntwo\n", "one\ntwo\n"},
		{"one\r\ntwo\r\n", "one\r\ntwo\r\n"},
		{"one\rtwo\r", "one\ntwo\n"},
		{"\ta\tb", "\ta\tb"},
		{"\x1b[31m\x00\u202e\u200b\ufeff", "\x1b[31m\x00\u202e\u200b\ufeff"},
		{"a\r\nb\rc\n", "a\r\nb\rc\n"},
	} {
		f, _ := newForm(t, memstore.CmdCreate, "/memories/a.md")
		f.Paste(c.paste)
		if got := f.value("file_text"); got != c.want {
			t.Errorf("%q was pasted, the field holds %q, want %q", c.paste, got, c.want)
		}
	}
}

func TestAPathIsOneLine(t *testing.T) {
	f, _ := newForm(t, memstore.CmdCreate)
	f.Paste("/memories/a.md\r")
	if got := f.value(argPath); got != "/memories/a.md" {
		t.Errorf("a path with the end of its line became %q", got)
	}
	f.Paste("one\ntwo")
	if f.value(argPath) != "/memories/a.md" || f.problem != textOneRow {
		t.Errorf("the path is %q, the problem %q", f.value(argPath), f.problem)
	}
}

// The answer while one types is the handlers' own.
func TestTheAnswerIsTheHandlersOwn(t *testing.T) {
	f, store := newForm(t, memstore.CmdInsert, "/memories/a.md", "x")
	store.Create(t.Context(), "/memories/a.md", "one\ntwo\n")
	for _, c := range []struct{ line, want string }{
		{"x", "Error: The field `insert_line` must be an integer"},
		{"9", store.Do(t.Context(), memstore.Command{Name: memstore.CmdInsert, Path: "/memories/a.md", InsertLine: 9}).Content},
		{"-1", store.Do(t.Context(), memstore.Command{Name: memstore.CmdInsert, Path: "/memories/a.md", InsertLine: -1}).Content},
		{" 2 ", "The file /memories/a.md has been edited."},
	} {
		f.fields[1].replace(c.line)
		answer(t, f, f.check(false))
		if f.seen == nil || f.seen.result.Content != c.want {
			t.Errorf("insert_line %q: %+v, want %q", c.line, f.seen, c.want)
		}
	}
	if r := store.View(t.Context(), "/memories/a.md", nil); strings.Count(r.Content, "\n") != 3 {
		t.Errorf("asking has changed the file: %s", r.Content)
	}
}

// Nothing is asked while a field is missing; the preview key asks nevertheless.
func TestNothingIsAskedOfAnUnfinishedForm(t *testing.T) {
	f, _ := newForm(t, memstore.CmdCreate, "/memories/")
	if cmd := f.Init(); cmd != nil || f.env.Jobs.Busy() {
		t.Error("a path that ends in a slash was asked about")
	}
	if rows := strings.Join(f.Rows(60, 20), "\n"); !strings.Contains(rows, "path is missing") {
		t.Errorf("the form does not say what is missing:\n%s", rows)
	}
	cmd, _ := f.Perform(keymap.Preview)
	answer(t, f, cmd)
	if f.page != editing || !f.seen.result.IsError {
		t.Errorf("page %d, answer %+v", f.page, f.seen)
	}
}

func TestAFormOfAnySizeIsDrawnExactly(t *testing.T) {
	for _, command := range []string{memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert} {
		f, store := newForm(t, command, "/memories/a.md")
		store.Create(t.Context(), "/memories/a.md", "日本語 one\n")
		for i := range f.fields {
			f.at = i
			f.Paste("日\u0301本\t\x1b e\u0301\u202e👩‍👩‍👧")
			for w := 10; w < 70; w += 3 {
				for h := 1; h < 40; h += 2 {
					checkForm(t, f, w, h)
				}
			}
		}
	}
}

func checkForm(t *testing.T, f *Form, w, h int) {
	t.Helper()
	rows := f.Rows(w, h)
	if len(rows) != h {
		t.Fatalf("%s: %d rows in a box of %d", f.name, len(rows), h)
	}
	for _, row := range rows {
		if got := text.Width(plain(row)); got != w {
			t.Fatalf("%s at %dx%d: a row of %d cells: %q", f.name, w, h, got, row)
		}
	}
	if at, ok := f.Cursor(); !ok || at.X < 0 || at.Y < 0 || at.X >= w || at.Y >= h {
		t.Fatalf("%s at %dx%d: the cursor is at %v, %v", f.name, w, h, at, ok)
	}
}

// A tab character that does not fit is refused with a sentence, as any other typed text is.
func TestATabThatDoesNotFitIsRefusedInWords(t *testing.T) {
	f, _ := newForm(t, memstore.CmdCreate, "/memories/a.md", strings.Repeat("x", maxBytes))
	f.Perform(keymap.InsertTab)
	if f.problem != textFieldFull || len(f.value("file_text")) != maxBytes {
		t.Errorf("the problem is %q, the field has %d bytes", f.problem, len(f.value("file_text")))
	}
}
