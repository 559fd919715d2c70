package diffpane

import (
	"strings"
	"testing"

	"memcurator/keymap"
)

func TestWrappedDiffShowsWholeLinesAndKeepsTheCursorInSight(t *testing.T) {
	words := strings.Repeat("word ", 40)
	var before, after strings.Builder
	for range 20 {
		before.WriteString(words + "old\n")
		after.WriteString(words + "new\n")
	}
	b := newBench(t, 60, 9)
	b.show(before.String(), after.String())
	if screen := strings.Join(b.rows(), "\n"); !strings.Contains(screen, "old") {
		t.Errorf("the end of the line is not on the screen:\n%s", screen)
	}
	for range 45 {
		b.press(keymap.Down)
		at, _ := b.p.Cursor()
		found := false
		for _, row := range b.rows() {
			found = found || strings.HasPrefix(row, b.env.Styles.Glyphs.Cursor)
		}
		if !found {
			t.Fatalf("the cursor of line %d is not on the screen (top %d, cursor row %d):\n%s", b.p.page.line(), b.p.page.view.Top.Line, at.Y, strings.Join(b.rows(), "\n"))
		}
	}
	b.press(keymap.Wrap)
	if screen := strings.Join(b.rows(), "\n"); !strings.Contains(screen, b.env.Styles.Glyphs.More) {
		t.Errorf("a cut line does not say that it continues:\n%s", screen)
	}
}
