package tui

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
)

// searches types a search and accepts it.
func (d *driver) searches(query string) {
	d.t.Helper()
	d.press("/")
	d.types(query)
	d.press("enter")
}

// cursorRow is the row of the view tab that the terminal's cursor stands on.
func (d *driver) cursorRow() string {
	d.t.Helper()
	_, cursor := d.m.frame()
	if cursor == nil {
		d.t.Fatal("there is no cursor")
	}
	in := below(d.m.stage.layout.detail)
	return strings.TrimRight(d.viewRows()[cursor.Y-in.Y], " ▐")
}

func (d *driver) cursorOn(want string) {
	d.t.Helper()
	if got := d.cursorRow(); got != want {
		d.t.Fatalf("the cursor is on %q, want %q; screen:\n%s", got, want, d.screen())
	}
}

func TestSearchCountsWhileTypingAndGoesAround(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "alpha\nbeta\nalphabet\ngamma\nAlpha\n"})
	d := start(t, setup{dir: dir, w: 90, h: 16, theme: dark})
	d.opens("/memories/a.md")
	d.press("/")
	for _, step := range []struct{ key, want string }{
		{"a", `"a": 9 matches`}, {"l", `"al": 3 matches`}, {"p", `"alp": 3 matches`}, {"h", `"alph": 3 matches`},
		{"a", `"alpha": 3 matches`}, {"b", `"alphab": 1 match`}, {"x", `"alphabx": 0 matches`}, {"backspace", `"alphab": 1 match`}, {"backspace", `"alpha": 3 matches`},
	} {
		d.press(step.key)
		if rows := strings.Split(d.screen(), "\n"); !strings.Contains(rows[len(rows)-1], step.want) {
			t.Errorf("after %q the bottom row is %q, want %q", step.key, rows[len(rows)-1], step.want)
		}
	}
	d.press("enter")
	d.cursorOn("▌     1  alpha")
	d.press("n")
	d.cursorOn("▌     3  alphabet")
	d.press("n")
	d.cursorOn("▌     5  Alpha")
	d.lacks("search went on")
	d.press("n")
	d.cursorOn("▌     1  alpha")
	d.sees("Search went on from the other end")
	d.press("N")
	d.cursorOn("▌     5  Alpha")
	d.sees("Search went on from the other end")
	d.press("N", "N")
	d.cursorOn("▌     1  alpha")
	// From where the cursor was moved to, not from the last match.
	d.press("j", "j", "j", "n")
	d.cursorOn("▌     5  Alpha")
	d.press("k", "N")
	d.cursorOn("▌     3  alphabet")
}

func TestSearchSmartCaseAndScripts(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "todo\nTodo\nTODO\nÜber über\n日本語 日本\n한국어\ne\u0301\na.*b [x] \\d\n"})
	d := start(t, setup{dir: dir, w: 90, h: 16, theme: dark})
	d.opens("/memories/a.md")
	for _, c := range []struct{ query, want, row string }{
		{"todo", "match 1 of 3", "▌     1  todo"},
		{"Todo", "match 1 of 1", "▌     2  Todo"},
		{"über", "match 1 of 2", "▌     4  Über über"},
		{"日本", "match 1 of 2", "▌     5  日本語 日本"},
		{"한국", "match 1 of 1", "▌     6  한국어"},
		{".*b [", "match 1 of 1", "▌     8  a.*b [x] \\d"},
	} {
		d.press("g")
		d.searches(c.query)
		d.cursorOn(c.row)
		d.sees(`"` + c.query + `": ` + c.want)
	}
}

// A match far inside a line must come into sight, cut lines and wrapped ones alike.
func TestSearchShowsMatchesInLongLines(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	wide := func(n int) string { return strings.Repeat("日本語の長い行。", n/24) }
	places := []int{0, 700, 5_000, 9_000, 15_900, 16_380, 24_570, 100_000, 199_990}
	for i, at := range places {
		fill := strings.Repeat("abcdefghij", at/10)
		if i%2 == 1 {
			fill = wide(at)
		}
		fmt.Fprintf(&b, "line\n%sNEEDLE%02d%s\n", fill, i, strings.Repeat("z", 200_000-at))
	}
	d := start(t, setup{dir: files(t, map[string]string{"a.md": b.String()}), w: 80, h: 16, theme: dark})
	for _, wrap := range []bool{true, false} {
		d.opens("/memories/a.md")
		d.press("g")
		d.searches("NEEDLE")
		seen := func(i int) {
			t.Helper()
			whole := fmt.Sprintf("NEEDLE%02d", i)
			screen := strings.NewReplacer("\n", "", " ", "", "┃", "", "▐", "").Replace(d.screen())
			if !strings.Contains(screen, whole) {
				t.Fatalf("wrap %v: %s is not on the screen:\n%s", wrap, whole, d.screen())
			}
		}
		seen(0)
		for i := range len(places) - 1 {
			d.press("n")
			seen(i + 1)
		}
		d.press("n")
		seen(0)
		for i := range len(places) {
			d.press("N")
			seen(len(places) - 1 - i)
		}
		d.press("w")
	}
}

// "/" with the focus on a list finds a row, n and N continue, esc ends it; beside the list it finds text.
func TestRowsAreFoundInEveryList(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\n", "b.md": "two\n", "notes/a2.md": "three\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/b.md", "two", "2"))
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/a.md"})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/notes/c.md", FileText: "c\n"})
	d.arrived(3)
	path := func() string { return d.m.stage.screen().List().(interface{ Path() string }).Path() }
	at := func(want string) {
		t.Helper()
		d.rest()
		got, _ := d.browse().Tree.Selected()
		if !d.m.stage.shows(keymap.ScreenBrowse) {
			got = path()
		}
		if got != want {
			t.Fatalf("the cursor is at %s, want %s", got, want)
		}
	}
	d.press("1", "g", "/")
	d.types("notes/")
	d.sees("2 found")
	d.press("enter")
	at("/memories/notes/a2.md")
	d.press("n")
	d.sees("Nothing to repeat. / searches here, S the whole store")
	d.press("esc")
	for _, c := range []struct{ screen, typed, want string }{
		{"2", "str_replace", "/memories/b.md"}, {"5", "a.md", "/memories/a.md"},
	} {
		d.press(c.screen, "g", "/")
		d.types(c.typed)
		d.press("enter")
		at(c.want)
	}
	d.press("1", "tab", "/")
	d.types("three")
	d.sees(`"three": `)
	if !d.m.stage.shows(keymap.ScreenBrowse) || d.m.stage.focus != onDetail || d.browse().View.Search().Query() != "three" {
		t.Error("the text is not searched")
	}
}
