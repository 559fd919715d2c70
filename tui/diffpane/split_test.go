package diffpane

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
)

// texts takes the two sides of the screen rows apart, without signs and numbers.
func (b *bench) texts() (left, right []string) {
	b.t.Helper()
	wide, half := 5, (b.w-3)/2
	for _, row := range b.p.Rows(true)[1:] {
		cells := ansi.Strip(row)
		left = append(left, strings.TrimRight(ansi.Cut(cells, 1+wide, 1+half), " "))
		right = append(right, strings.TrimRight(ansi.Cut(cells, 2+half+wide, b.w-1), " "))
	}
	return left, right
}

// row is a screen row with two sides, the left one with the cursor's cell.
func (b *bench) row(left, right string) string {
	return strings.TrimRight(left+strings.Repeat(" ", 1+(b.w-3)/2-ansi.StringWidth(left))+b.env.Styles.Glyphs.SplitVertical+right, " ")
}

func TestSideBySide(t *testing.T) {
	b := newBench(t, 80, 14)
	b.press(keymap.SideBySide)
	b.show("one\nask Ana on Monday\ngone\ntwo\n", "one\nask Bob on Monday\ntwo\nnew\n")
	b.shows(" title", " @@ -1,4 +1,4 @@",
		b.row("   1  one", "  1  one"), b.row("▌  2 -ask Ana on Monday", "  2 +ask Bob on Monday"),
		b.row("   3 -gone", ""), b.row("   4  two", "  3  two"), b.row("", "  4 +new"))
	raw := strings.Join(b.p.Rows(false), "\n")
	for _, want := range []string{b.env.Styles.RemovedWord.Apply("Ana"), b.env.Styles.AddedWord.Apply("Bob")} {
		if !strings.Contains(raw, want) {
			t.Errorf("%q is not marked", want)
		}
	}
	if got, err := b.p.LineReader(100)(); err != nil || got != "ask Bob on Monday" {
		t.Errorf("the line under the cursor is %q %v", got, err)
	}
	b.press(keymap.Down)
	if got, err := b.p.LineReader(100)(); err != nil || got != "gone" {
		t.Errorf("the line under the cursor is %q %v", got, err)
	}
	b.show("a\nb", "a\nb\n")
	b.shows(b.row("▌  2 -b", "  2 +b"), b.row(` \ No newline at end of file`, ""))
}

// Wrapped pairs begin on the same screen row on both sides, whatever is longer.
func TestWrappedPairsStayOpposite(t *testing.T) {
	b := newBench(t, 80, 30)
	b.press(keymap.SideBySide)
	long, other := strings.Repeat("word ", 30), strings.Repeat("term ", 30)
	b.show("head\nfirst "+long+"\nshort one\ntail\n", "head\nfirst\nshort one "+other+"\ntail\n")
	left, right := b.texts()
	for _, start := range []string{"head", "first", "short one", "tail"} {
		at := func(side []string) int {
			for i, row := range side {
				if strings.HasPrefix(row, start) {
					return i
				}
			}
			return -1
		}
		if at(left) < 0 || at(left) != at(right) {
			t.Errorf("%q is in row %d on the left, %d on the right:\n%s", start, at(left), at(right), strings.Join(b.rows(), "\n"))
		}
	}
	if !strings.Contains(strings.Join(left, " "), strings.TrimSpace(long[:60])) {
		t.Error("the long line is not shown whole")
	}
}

// The cursor stays on its line and near its place on the screen however the form changes.
func TestFormsKeepTheCursorOnItsLine(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 5))
	for range 60 {
		a, c := listed("old ", 60), listed("old ", 60)
		for range 12 {
			c[rnd.IntN(60)] = fmt.Sprintf("new %d", rnd.IntN(100))
		}
		b := newBench(t, 100, 8+rnd.IntN(20))
		b.show(joined(a), joined(c))
		for range 20 {
			b.press(keymap.Down)
		}
		for range 12 {
			before, _ := b.p.current()
			na, nb := before.Numbers()
			b.press([]keymap.ID{keymap.SideBySide, keymap.Wrap}[rnd.IntN(2)])
			after, ok := b.p.current()
			ga, gb := after.Numbers()
			if na+nb > 0 && (!ok || !(na > 0 && na == ga || nb > 0 && nb == gb)) {
				t.Fatalf("the cursor went from line %d/%d to %d/%d", na, nb, ga, gb)
			}
		}
	}
}

func TestWhiteSpaceAtTheEndIsShown(t *testing.T) {
	b := newBench(t, 80, 12)
	b.show("same\nplain words\n", "same\nplain words \t\n")
	b.shows("           2 +plain words·→")
	b.show("", "")
	b.shows("▌" + textNoDifference)
}
