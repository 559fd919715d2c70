package diffpane

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/render/diff"
	"memcurator/tui/ui"
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
		if b.p.Search().SearchState() != ui.MatchPlaceText("NEEDLE", 1, 1, false) {
			t.Errorf("after %v the search says %s", form, b.p.Search().SearchState())
		}
		if !b.p.page.columns.wrap && !strings.Contains(strings.Join(b.rows(), "\n"), "NEEDLE") {
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
	if got, want := b.p.Search().SearchState(), ui.MatchPlaceText("edited", n/100, n/100, false); got != want {
		t.Errorf("the search says %s, want %s", got, want)
	}
	for range 3 {
		b.press(keymap.SideBySide, keymap.ContextMore, keymap.Bottom, keymap.Top)
	}
}

// A rewritten text says so in a sentence that is whole at every width.
func TestRewrittenTextIsSaid(t *testing.T) {
	b := newBench(t, 40, 12)
	b.show("a\n", "b\n")
	r := *b.p.result.result
	r.Approximate, r.Rewritten = true, true
	b.p.result.unified = diff.NewView(&r, b.p.result.texts[0], b.p.result.texts[1], diff.Options{})
	b.run(b.p.Settle())
	b.press(keymap.Top, keymap.Down)
	var said []string
	for _, row := range b.rows()[1:] {
		if strings.Contains(row, "@@") {
			break
		}
		said = append(said, strings.TrimLeft(row, " ▌"))
	}
	if got := strings.Join(said, " "); got != diff.NoteRewritten {
		t.Errorf("it says %q", got)
	}
	b.press(keymap.Down)
	if at, _ := b.p.Cursor(); !strings.Contains(b.rows()[at.Y], "@@") {
		t.Errorf("below it the cursor is on %q", b.rows()[at.Y])
	}
}

func TestStatesSayWhatToDo(t *testing.T) {
	b := newBench(t, 80, 8)
	b.shows(b.p.env.Keyed(" " + TextNoChangeFile))
	cmd := b.p.Show(Comparison{Key: "x", Title: "t", Before: side("a", ""), After: side("b", "")})
	b.shows(" " + textComparing)
	b.p.Failed()
	b.shows(" " + b.env.Keyed(textDiffFailed))
	b.run(cmd)
	b.shows("▌    1       -a")
	b.p.Clear()
	b.run(b.p.Show(Comparison{Key: "y", Title: "t", Before: side(strings.Repeat("\x00\x01", 20), ""), After: side(strings.Repeat("\x00\x01", 20)+"x", "")}))
	b.shows(" "+binaryText(40, 41, 40)[0], " "+binaryText(40, 41, 40)[1])
	if read := b.p.TextReader(1 << 20); read != nil {
		t.Error("binary sides can be copied as a patch")
	}
	b.press(keymap.SideBySide, keymap.Whitespace, keymap.Down, keymap.SearchNext, keymap.Right, keymap.ContextMore)
	b.shows(" " + binaryText(40, 41, 40)[0])
}

func TestPatchOfARename(t *testing.T) {
	b := newBench(t, 80, 8)
	b.run(b.p.Show(Comparison{Key: "r", Title: "t", Path: "/memories/new name.md", OldPath: "/memories/old.md", Before: side("a\n", ""), After: side("b\n", "")}))
	got, err := b.p.TextReader(1 << 20)()
	want := "diff --git a/memories/old.md b/memories/new name.md\nrename from memories/old.md\nrename to memories/new name.md\n" +
		"--- a/memories/old.md\n+++ b/memories/new name.md\t\n@@ -1 +1 @@\n-a\n+b\n"
	if err != nil || got != want {
		t.Errorf("%v\n%s\nwant\n%s", err, got, want)
	}
}

// What keeps both sides from being compared is said once.
func TestAReasonForBothSidesIsOneNote(t *testing.T) {
	c := compared{of: OfParts(Comparison{}, func() ([]Part, string) { return nil, textRunTooLarge })}
	if c.load() || len(c.notes) != 1 || c.notes[0] != textRunTooLarge {
		t.Errorf("notes %q", c.notes)
	}
}

// The bar offers the next hunk only where there is one.
func TestNextHunkIsHintedWhereThereIsOne(t *testing.T) {
	for _, c := range []struct {
		after string
		want  int
	}{{"A\nb\nc\nd\n", 1}, {"A\nb\nc\nD\n", 2}} {
		b := newBench(t, 100, 20)
		b.show("a\nb\nc\nd\n", c.after)
		if got := len(b.p.HunkHints("", ui.Act("next hunk", keymap.HunkNext)).Acts); got != c.want {
			t.Errorf("%q: %d hints, want %d", c.after, got, c.want)
		}
	}
}
