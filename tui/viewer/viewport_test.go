package viewer

import (
	"strings"
	"testing"

	"memcurator/render/bigfile"
	"memcurator/render/theme"
	"memcurator/tui/ui"
	"memcurator/tui/ui/panetest"
)

// Wrapped lines are scrolled over only when their page was read: their heights are unknown until then.
func TestScrollingWaitsForThePage(t *testing.T) {
	env := panetest.NewEnv(t, theme.Options{})
	d := &document{path: "/memories/a.md", numbered: true}
	d.over(bigfile.Bytes([]byte(strings.Repeat("line\n", 100))))
	if err := d.index(t.Context(), &ui.Progress{}); err != nil {
		t.Fatal(err)
	}
	lay := layout{env: env, w: 40, h: 5, wrap: true, doc: d}
	vp := viewport{env: env, layout: &lay, pos: start, goal: nowhere}
	if vp.scrollBy(7); vp.pos != start || vp.owed != 7 {
		t.Fatalf("before the page was read the place is %+v, with %d rows owed", vp.pos, vp.owed)
	}
	lay.win = vp.request(d.headRows()).read(d)
	if vp.payBack(); vp.pos.top != 7 || vp.owed != 0 {
		t.Errorf("with the page the screen begins at row %d, with %d rows owed", vp.pos.top, vp.owed)
	}
	vp.scrollBy(8) // behind the page, which ends with row 14
	if vp.scrollBy(3); vp.pos.top != 15 || vp.owed != 3 {
		t.Errorf("behind the page the screen begins at row %d, with %d rows owed", vp.pos.top, vp.owed)
	}
}

func TestALayoutCountsWhatIsKnownOfAText(t *testing.T) {
	d := &document{path: "/memories/a.md", header: "head", numbered: true}
	d.over(bigfile.Bytes([]byte("one\n" + strings.Repeat("x", 70) + "\nthree")))
	lay := layout{env: panetest.NewEnv(t, theme.Options{}), w: 40, h: 5, wrap: true, doc: d}
	lay.win = request{count: 15, from: start.from}.read(d)
	if err := d.index(t.Context(), &ui.Progress{}); err != nil {
		t.Fatal(err)
	}
	if n := lay.known(); n != 4 {
		t.Errorf("%d rows are known, want the header and three lines", n)
	}
	for row, want := range []int{1, 1, 3, 1} { // 30 cells remain beside gutter, number and scroll bar
		if got := lay.height(row); got != want {
			t.Errorf("row %d is %d high, want %d", row, got, want)
		}
	}
	if _, ok := lay.bodyLine(0); ok {
		t.Error("the header counts as a line of the file")
	}
}
