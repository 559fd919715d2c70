package diffpane

import (
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

func (b *bench) search(query string) {
	b.t.Helper()
	b.run(b.p.Search().SetQuery(query))
	b.run(b.p.Search().Jump())
	b.rows()
}

func TestSearchGoesThroughBothSides(t *testing.T) {
	for _, form := range []string{"unified", "split"} {
		b := newBench(t, 100, 20)
		if form == "split" {
			b.press(keymap.SideBySide)
		}
		b.show("a needle\nkept Needle\nold needle needle\n", "a pin\nkept Needle\nnew needle\n")
		b.press(keymap.Top)
		b.search("needle")
		var walk []string
		for range 6 {
			walk = append(walk, b.p.Search().SearchState())
			b.press(keymap.SearchNext)
		}
		if got := strings.Join(walk, " "); got != `"needle": match 1 of 5 "needle": match 2 of 5 "needle": match 3 of 5 "needle": match 4 of 5 "needle": match 5 of 5 "needle": match 1 of 5` {
			t.Errorf("%s: %s", form, got)
		}
		if said := b.env.Drain(); len(said) == 0 || said[len(said)-1].(ui.Say).Text != ui.WrappedText(false) {
			t.Errorf("%s: going round it said %v", form, said)
		}
		b.press(keymap.SearchPrev, keymap.SearchPrev)
		if got := b.p.Search().SearchState(); got != `"needle": match 5 of 5` {
			t.Errorf("%s: back round the end: %s", form, got)
		}
		// A hunk is still found with a search, and the search continues from there.
		b.press(keymap.HunkPrev, keymap.SearchNext)
		st := b.env.Styles
		raw := strings.Join(b.p.Rows(true), "\n")
		if strings.Count(raw, st.MatchCurrent.Open) != 1 || !strings.Contains(raw, st.Match.Open) {
			t.Errorf("%s: the matches are not marked, or not exactly one as the current one", form)
		}
		b.search("Needle")
		if got := b.p.Search().SearchState(); got != `"Needle": match 1 of 1` {
			t.Errorf("%s: with a capital: %s", form, got)
		}
		b.search("nowhere")
		if said := b.env.Drain(); said[len(said)-1].(ui.Say).Text != ui.NotFoundText("nowhere") {
			t.Errorf("%s: without a match it said %v", form, said)
		}
		b.run(b.p.Search().SetQuery(""))
		if b.p.Search().SearchState() != "" || b.p.Search().Query() != "" {
			t.Errorf("%s: the search did not end", form)
		}
		b.press(keymap.Top, keymap.SearchNext)
		if at, _ := b.p.Cursor(); !strings.Contains(b.rows()[at.Y], "-a needle") {
			t.Errorf("%s: without a search n goes to %q", form, b.rows()[at.Y])
		}
	}
}
