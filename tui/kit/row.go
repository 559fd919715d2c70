package kit

import (
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Row is a screen row under construction, filled piece by piece.
type Row struct {
	Room int // free cells
	out  strings.Builder
}

// Put adds clean text, and cuts it if it doesn't fit.
func (r *Row) Put(s string, paint theme.Paint) {
	s = text.Truncate(s, max(0, r.Room), "")
	r.Room -= text.Width(s)
	r.out.WriteString(paint.Apply(s))
}

// PutPadded is Put for a text that takes width cells, or the rest of the row.
func (r *Row) PutPadded(s string, width int, paint theme.Paint) {
	r.Put(text.Pad(text.Truncate(s, width, ""), width), paint)
}

// PutPainted adds a text that is painted already and takes width cells, if it fits.
func (r *Row) PutPainted(s string, width int) {
	if width <= r.Room {
		r.Room -= width
		r.out.WriteString(s)
	}
}

// String returns the row, padded with blanks.
func (r *Row) String() string {
	r.out.WriteString(strings.Repeat(" ", max(0, r.Room)))
	r.Room = 0
	return r.out.String()
}

// Counts are the numbers of added and removed lines of a change. Both 0 means unknown: nothing is drawn.
type Counts struct{ Added, Removed int }

// Text returns the counts, "" if unknown.
func (c Counts) Text(st *theme.Styles) string {
	if c == (Counts{}) {
		return ""
	}
	return st.Glyphs.Plus + Number(c.Added) + " " + st.Glyphs.Minus + Number(c.Removed)
}
