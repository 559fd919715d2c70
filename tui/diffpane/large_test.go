package diffpane

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// A line of a megabyte is drawn, searched and walked in every form; what the keys cost is
// what is on the screen.
func TestLineOfAMegabyteInEveryForm(t *testing.T) {
	line := strings.Repeat("0123456789 abcde", 1<<16)
	for _, form := range [][]keymap.ID{{}, {keymap.Wrap}, {keymap.SideBySide}, {keymap.SideBySide, keymap.Wrap}, {keymap.Whitespace}} {
		b := newBench(t, 100, 20)
		b.press(form...)
		b.show("head\n"+line+"\n", "head\n"+line[:1<<19]+"NEEDLE"+line[1<<19:]+"\n")
		b.press(keymap.Down, keymap.Down, keymap.Right, keymap.Up, keymap.Bottom, keymap.HalfUp, keymap.PageDown, keymap.Top)
		b.search("NEEDLE")
		if b.p.Search().SearchState() != kit.MatchPlaceText("NEEDLE", 1, 1, false) {
			t.Errorf("after %v the search says %s", form, b.p.Search().SearchState())
		}
		if slices.Contains(form, keymap.Wrap) && !strings.Contains(strings.Join(b.rows(), "\n"), "NEEDLE") {
			t.Errorf("after %v the match in the middle of the line is not on the screen", form)
		}
	}
}

func TestFilesOfManyLines(t *testing.T) {
	const n = 100_000
	before, after := listed("some words of line ", n), listed("some words of line ", n)
	for i := 50; i < n; i += 100 {
		after[i] = "edited words of line " + fmt.Sprint(i)
	}
	b := newBench(t, 120, 40)
	b.press(keymap.SideBySide)
	b.show(joined(before), joined(after))
	b.env.Drain()
	hunks := 0
	for {
		hunks++
		b.press(keymap.HunkNext)
		if len(b.env.Drain()) > 0 || hunks > n {
			break
		}
	}
	if hunks != n/100 {
		t.Errorf("%d hunks, want %d", hunks, n/100)
	}
	b.search("edited")
	// The cursor is on the last hunk, and the search continues from there.
	if got, want := b.p.Search().SearchState(), kit.MatchPlaceText("edited", n/100, n/100, false); got != want {
		t.Errorf("the search says %s, want %s", got, want)
	}
	for range 3 {
		b.press(keymap.SideBySide, keymap.Bottom, keymap.Top)
	}
}
