package found

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

func newPane(t testing.TB) *Pane {
	env := &ui.Env{Styles: theme.New(theme.Options{Dark: true}), Keys: keymap.Default(), Jobs: ui.NewJobs(t.Context())}
	p := New(env)
	p.Resize(60, 12)
	return p
}

func matcher(t testing.TB, typed string) *search.Matcher {
	t.Helper()
	m, err := search.Compile(search.ParseQuery(typed))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// parts are what a search could find, in a random order except for the parts of one file.
func parts(r *rand.Rand) []search.Found {
	var out []search.Found
	for order := range 40 {
		path := fmt.Sprintf("/memories/n%02d.md", order)
		if r.IntN(3) == 0 {
			out = append(out, search.Found{Path: path, Order: order, Kind: memstore.KindFile, Name: []search.Span{{Start: 10, End: 11}}})
		}
		for part := range r.IntN(4) {
			f := search.Found{Path: path, Order: order, Kind: memstore.KindFile, Lines: 3, Matches: 4}
			for i := range r.IntN(3) + 1 {
				f.Hits = append(f.Hits, search.Hit{Line: 10*part + i + 1, Matches: 1, Text: []byte("a needle"), Spans: []search.Span{{Start: 2, End: 8}}})
			}
			out = append(out, f)
		}
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}

func TestTheListIsInOrderAndTheCursorStays(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := newPane(t)
		p.matcher, p.state, p.feed = matcher(t, "needle"), running, &feed{some: make(chan struct{})}
		p.feed.totals.Store(&search.Totals{})
		var on item
		for found := parts(r); len(found) > 0; {
			n := min(len(found), r.IntN(6)+1)
			p.feed.add(slices.Clone(found[:n]))
			found = found[n:]
			p.Rows(true)
			if it, ok := p.current(); on.file != nil && (!ok || it.file != on.file || it.name != on.name || it.hit != on.hit && on.hit < len(on.file.hits) && it.hit < len(it.file.hits)) {
				t.Fatalf("seed %d: the cursor went from %+v to %+v", seed, on, it)
			}
			for range r.IntN(4) {
				p.Actions().Perform([]keymap.ID{keymap.Down, keymap.PageDown, keymap.Up, keymap.SearchNext, keymap.SearchPrev, keymap.Bottom}[r.IntN(6)])
				if p.moved {
					on, _ = p.current()
				}
			}
		}
		checkList(t, p)
	}
}

// checkList holds what must be true of every list.
func checkList(t *testing.T, p *Pane) {
	t.Helper()
	row, sum := 0, 0
	inOrder := func(list []*file) bool {
		return slices.IsSortedFunc(list, func(a, b *file) int { return a.order - b.order })
	}
	if !inOrder(p.results.names) || !inOrder(p.results.files) {
		t.Fatal("the list is not in the order of the tree")
	}
	for ; row < p.results.rows(); row++ {
		it, ok := p.results.at(row)
		if !ok || p.results.rowOf(it) != row {
			t.Fatalf("row %d: %+v, %v is in row %d", row, it, ok, p.results.rowOf(it))
		}
	}
	for _, f := range p.results.files {
		if of, _, here, ok := p.Rank(f.path, 1); !ok || of != sum+1 || here != f.matches {
			t.Fatalf("the first match of %s is %d of the store, want %d", f.path, of, sum+1)
		}
		sum += f.matches
	}
	if _, ok := p.results.at(row); ok || p.Count() != sum {
		t.Fatalf("%d rows, %d matches, want %d", row, p.Count(), sum)
	}
}

// Whatever is found, every row is exactly as wide as the pane and holds nothing raw.
func FuzzRows(f *testing.F) {
	f.Add([]byte("a\x1b[31mneedle\u202e界e\u0301"), 3, 9, 20, true)
	f.Add([]byte("界界界界界界界界界界"), 6, 12, 5, false)
	f.Add([]byte("needle"), 0, 3, 0, false)
	f.Fuzz(func(t *testing.T, line []byte, start, end, width int, cut bool) {
		if width < 0 || width > 300 || len(line) > 512 || start < 0 || start > end || end > len(line) {
			return
		}
		p := newPane(t)
		p.Resize(width, 6)
		p.matcher, p.state = matcher(t, "x"), done
		from := int64(0)
		if cut {
			from = 7
		}
		hit := search.Hit{Line: 12, Matches: 1, Text: line, From: from, More: cut, Spans: []search.Span{{Start: start, End: end}}}
		p.results.add([]search.Found{
			{Path: "/memories/" + string(line), Order: 1, Kind: memstore.KindDir, Name: []search.Span{{Start: 10, End: 10 + len(line)}}},
			{Path: "/memories/" + string(line), Order: 2, Kind: memstore.KindFile, Hits: []search.Hit{hit}, Lines: 2, Matches: 2},
		})
		for _, row := range p.Rows(true) {
			if w := ansi.StringWidth(row); w != width {
				t.Fatalf("a row of %d cells in a pane of %d: %q", w, width, row)
			}
			for _, r := range ansi.Strip(row) {
				if r < 0x20 || r >= 0x7f && r < 0xa0 {
					t.Fatalf("a raw %q in %q", r, row)
				}
			}
		}
	})
}
