package browse

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

func newPane(t testing.TB) *foundPane {
	env := &kit.Env{Styles: theme.New(theme.Options{Dark: true}), Keys: keymap.Default(), Jobs: kit.NewJobs(t.Context())}
	p := newFoundPane(env)
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
		p.list()
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
