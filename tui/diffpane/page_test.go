package diffpane

import (
	"strings"
	"testing"

	"memcurator/keymap"
)

// line is the one under the cursor, from 0.
func (b *bench) line() int {
	_, cursor, _ := b.p.Lines()
	return cursor
}

func (b *bench) atEnd() bool {
	at, all, _ := strings.Cut(b.p.Text.Place(), "/")
	return at == all
}

// A line that is higher than the screen is scrolled through, so that all of it can be read.
func TestTallWrappedLinesAreScrolledThrough(t *testing.T) {
	words := make([]string, 400)
	for i := range words {
		words[i] = strings.Repeat(string(rune('a'+i%26)), 1+i%7) + strings.Repeat("x", i/26)
	}
	for _, form := range [][]keymap.ID{{}, {keymap.SideBySide}} {
		b := newBench(t, 72, 8)
		b.press(form...)
		b.show("first\nlast\n", "first\n"+strings.Join(words, " ")+"\nlast\n")
		b.press(keymap.Top)
		seen := map[string]bool{}
		look := func() {
			for _, row := range b.rows() {
				for _, w := range strings.Fields(row) {
					seen[w] = true
				}
			}
		}
		for steps := 0; !b.atEnd(); steps++ {
			look()
			b.press(keymap.Down)
			if steps > 2000 {
				t.Fatal("the end is never reached")
			}
		}
		look()
		missing := 0
		for _, w := range words {
			if !seen[w] && !seen["+"+w] {
				missing++
			}
		}
		if missing > len(words)/8 { // words that a row breaks
			t.Errorf("%d of %d words were never on the screen", missing, len(words))
		}
		for range 2000 {
			b.press(keymap.Up)
		}
		if top, cursor, _ := b.p.Lines(); top != 0 || cursor != 0 {
			t.Errorf("all the way up line %d is at the top", top)
		}
	}
}

// A hunk beyond the screen is shown whole in both directions, with its heading above it; one that doesn't fit is shown from its start.
func TestTheNextHunkIsShownWhole(t *testing.T) {
	b := newBench(t, 60, 15)
	b.show(joined(listed("line ", 90)), changed(90, 10, 11, 12, 40, 70, 71))
	for _, way := range []struct {
		key   keymap.ID
		texts []string
	}{
		{keymap.HunkNext, []string{"@@ -37,7", "-line 40", "+edit 40"}},
		{keymap.HunkNext, []string{"@@ -67,8", "-line 70", "+edit 71"}},
		{keymap.HunkPrev, []string{"@@ -37,7", "-line 40", "+edit 40"}},
		{keymap.HunkPrev, []string{"@@ -7,9", "-line 10", "+edit 12"}},
	} {
		b.press(way.key)
		screen := strings.Join(b.rows(), "\n")
		for _, text := range way.texts {
			if !strings.Contains(screen, text) {
				t.Fatalf("after %s the screen lacks %q:\n%s", way.key, text, screen)
			}
		}
	}
	b.show(joined(listed("line ", 90)), joined(listed("line ", 20))+joined(listed("other ", 60)))
	b.press(keymap.Top, keymap.HunkNext)
	if at, _ := b.p.Cursor(); at.Y > 6 {
		t.Errorf("a hunk taller than the screen starts on row %d", at.Y)
	}
}

func TestClickFindsTheRowOfAWrappedLine(t *testing.T) {
	b := newBench(t, 60, 12)
	b.show("", strings.Repeat("words ", 20)+"\nsecond\n")
	b.rows()
	if b.p.Click(3); b.line() != 1 {
		t.Errorf("a click on the second screen row of a line goes to row %d", b.line())
	}
	if !b.p.Click(4) {
		t.Error("a click on the same line is not told")
	}
	if b.p.Click(5); b.line() != 2 {
		t.Errorf("a click below it goes to row %d", b.line())
	}
	if b.p.Click(9) || b.p.Click(-1) || b.line() != 2 {
		t.Error("a click beside the diff moved the cursor")
	}
}
