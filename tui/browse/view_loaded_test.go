package browse

import (
	"strings"
	"testing"

	"memcurator/memstore/load"
	"memcurator/render/loadlimit"
)

// limited loads every file to a limit of the user's.
func limited(lines, bytes int64) load.Source {
	return load.Source{Limits: func(string) loadlimit.Extent { return loadlimit.Extent{Lines: lines, Bytes: bytes} }}
}

func TestWhatIsNotLoadedIsMarked(t *testing.T) {
	ten := strings.Repeat("line\n", 10)
	for _, c := range []struct {
		name, text   string
		lines, bytes int64
		cut          int
	}{
		{"no limit", ten, 0, 0, 0},
		{"fewer lines", ten, 11, 0, 0},
		{"as many lines", ten, 10, 0, 0},
		{"a line more", ten + "x", 10, 0, 10},
		{"more lines", ten, 4, 0, 4},
		{"as many bytes", ten, 0, 50, 0},
		{"at the end of a line", ten, 0, 15, 3},
		{"inside a line", ten, 0, 17, 4},
		{"inside the first line", ten, 0, 1, 1},
		{"bytes come first", ten, 9, 15, 3},
		{"lines come first", ten, 2, 15, 2},
		{"nothing there", "", 1, 1, 0},
	} {
		s := newViewStage(t, 70, 14)
		s.writes("MEMORY.md", c.text)
		s.p.load = limited(c.lines, c.bytes)
		s.show("/memories/MEMORY.md")
		if gap := s.p.doc.gap; gap.From != c.cut || gap.Some != (c.cut > 0) {
			t.Errorf("%s: %+v, want a cut before line %d", c.name, gap, c.cut)
		}
	}
}
