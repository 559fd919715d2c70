package diffpane

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// bench is a diff tab with its surroundings.
type bench struct {
	t   testing.TB
	env *kit.Env
	p   *Pane
	w   int
	h   int
	key int
}

func newBench(t testing.TB, w, h int) *bench {
	env := &kit.Env{Styles: theme.New(theme.Options{Dark: true}), Jobs: kit.NewJobs(context.Background())}
	b := &bench{t: t, env: env, p: New(env, "diff"), w: w, h: h}
	keys, err := keymap.New(env.Declared)
	if err != nil {
		t.Fatal(err)
	}
	env.Keys = keys
	b.p.Resize(w, h)
	return b
}

func (b *bench) run(cmd tea.Cmd) {
	b.t.Helper()
	if cmd == nil {
		return
	}
	done, ok := cmd().(kit.Done)
	if !ok || done.Err != nil {
		b.t.Fatalf("the job ended with %v %v", done.Value, done.Err)
	}
	next, _ := done.Take()
	b.run(next)
}

// resize is what the root does at a layout.
func (b *bench) resize(w, h int) {
	b.w, b.h = w, h
	b.p.Resize(w, h)
}

func (b *bench) show(before, after string) {
	b.t.Helper()
	b.key++
	c := Of("title", "/memories/a.md", []byte(before), []byte(after))
	c.Key = fmt.Sprint(b.key)
	b.run(b.p.Show(c))
}

func (b *bench) press(ids ...keymap.ID) {
	b.t.Helper()
	for _, id := range ids {
		cmd, ok := b.p.Actions().Perform(id)
		if !ok {
			b.t.Fatalf("%s is not handled", id)
		}
		b.run(cmd)
		b.rows()
	}
}

// rows draws the pane and holds that the rows have their exact size, with nothing raw in
// them, and that the cursor is on the screen.
func (b *bench) rows() []string {
	b.t.Helper()
	rows := b.p.Rows(true)
	if len(rows) != b.h {
		b.t.Fatalf("%d rows in a pane of %d", len(rows), b.h)
	}
	out := make([]string, len(rows))
	for i, row := range rows {
		if w := ansi.StringWidth(row); w != b.w {
			b.t.Fatalf("row %d is %d cells wide in a pane of %d: %q", i, w, b.w, row)
		}
		out[i] = strings.TrimRight(ansi.Strip(row), " ▐")
		if strings.ContainsFunc(out[i], func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
			b.t.Fatalf("row %d is raw: %q", i, out[i])
		}
	}
	if at, ok := b.p.Cursor(); ok && b.h > 0 && (at.Y < 0 || at.Y >= b.h) {
		b.t.Fatalf("the cursor is on row %d of %d", at.Y, b.h)
	}
	return out
}

// shows holds that the rows of lines follow each other on the screen, numbers left out.
func (b *bench) shows(lines ...string) {
	b.t.Helper()
	screen := b.rows()
	all := strings.Join(screen, "\n") + "\n"
	if !strings.Contains(all, strings.Join(lines, "\n")+"\n") {
		b.t.Fatalf("the screen lacks\n%s\nit is\n%s", strings.Join(lines, "\n"), all)
	}
}

func listed(prefix string, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf("%s%d", prefix, i+1)
	}
	return lines
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// changed is text of n lines of which the given ones (from 1) differ.
func changed(n int, at ...int) string {
	lines := listed("line ", n)
	for _, i := range at {
		lines[i-1] = fmt.Sprintf("edit %d", i)
	}
	return joined(lines)
}

func TestHunkMotionsStopAtTheEnds(t *testing.T) {
	b := newBench(t, 40, 8)
	b.show(changed(100), changed(100, 10, 50, 90))
	for _, want := range []string{"line 10", "line 50", "line 90"} {
		if at, _ := b.p.Cursor(); b.rows()[at.Y] != "▌-"+want {
			t.Fatalf("the cursor is on %q, want %s", b.rows()[at.Y], want)
		}
		b.press(keymap.HunkNext)
	}
	if said := b.env.Drain(); len(said) != 1 || said[0].(kit.Say).Text != "No more hunks in this direction" {
		t.Errorf("at the last hunk it said %v", said)
	}
	b.press(keymap.HunkPrev, keymap.HunkPrev)
	if at, _ := b.p.Cursor(); b.rows()[at.Y] != "▌-line 10" {
		t.Errorf("back at the first the cursor is on %q", b.rows()[at.Y])
	}
	b.press(keymap.HunkPrev)
	if said := b.env.Drain(); len(said) != 1 {
		t.Errorf("at the first hunk it said %v", said)
	}
}

// A changed word is in sight in a line of any length: of one side, of the other with the key for the next hunk, of both side by side and
// where lines are cut.
func TestChangeInALongLine(t *testing.T) {
	line := func(word string) string {
		return strings.Repeat("words before ", 1500) + word + strings.Repeat("and words after ", 1500) + "\n"
	}
	b := newBench(t, 90, 12)
	sees := func(what string, words ...string) {
		t.Helper()
		for _, word := range words {
			if screen := strings.Join(b.rows(), "\n"); !strings.Contains(screen, word) {
				t.Errorf("%s: %s is not in sight:\n%s", what, word, screen)
			}
		}
	}
	b.show(line("Monday "), line("Tuesday "))
	sees("at first", "Monday")
	b.press(keymap.HunkNext)
	sees("the other side", "Tuesday")
	b.press(keymap.Wrap)
	sees("cut", "Monday", "Tuesday")
	b.press(keymap.SideBySide)
	sees("cut, side by side", "Monday", "Tuesday")
	b.press(keymap.Wrap)
	sees("side by side", "Monday", "Tuesday")
	b.show(line(""), line("Tuesday "))
	sees("added", "Tuesday")
	b.show(line("Monday "), line(""))
	sees("removed", "Monday")
}

func TestRandomDiffsAndKeysKeepTheirShape(t *testing.T) {
	pieces := []string{"alpha", "日本語", "\t", " ", "\x1b[1m", "\u202e", "e\u0301", "\xff", "beta", "👩\u200d👧"}
	keys := []keymap.ID{
		keymap.Down, keymap.Up, keymap.HalfDown, keymap.HalfUp, keymap.PageDown, keymap.PageUp, keymap.Top, keymap.Bottom,
		keymap.Left, keymap.Right, keymap.Right, keymap.HunkNext, keymap.HunkPrev,
		keymap.SideBySide, keymap.Wrap, keymap.SearchNext, keymap.SearchPrev,
	}
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 9))
		var sides [2][]string
		for range r.IntN(60) {
			line := ""
			for range r.IntN(12) {
				line += pieces[r.IntN(len(pieces))]
			}
			sides[0] = append(sides[0], line)
			switch r.IntN(6) {
			case 0:
			case 1:
				sides[1] = append(sides[1], line+"x")
			case 2:
				sides[1] = append(sides[1], "new", line)
			default:
				sides[1] = append(sides[1], line)
			}
		}
		b := newBench(t, 20+r.IntN(90), 1+r.IntN(30))
		b.show(joined(sides[0]), joined(sides[1]))
		for range 60 {
			if r.IntN(8) == 0 {
				b.resize(max(3, 1+r.IntN(110)), r.IntN(40)) // the frame is never narrower where there is a pane
			}
			if r.IntN(12) == 0 {
				b.p.Search().SetQuery([]string{"a", "BETA", "語", " ", "", "\u0301", "\x1b"}[r.IntN(7)])
				b.run(b.p.Search().Jump())
			}
			b.press(keys[r.IntN(len(keys))])
		}
	}
}
