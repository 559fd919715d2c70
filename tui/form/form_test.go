package form

import (
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
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
