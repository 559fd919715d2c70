package ui

import (
	"strings"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Row is a row of the screen that is put together from pieces until it is full.
type Row struct {
	Room int // free cells
	out  strings.Builder
}

// Put adds a text, which is clean already, and cuts it if it does not fit.
func (r *Row) Put(s string, paint theme.Paint) {
	s = text.Truncate(s, max(0, r.Room), "")
	r.Room -= text.Width(s)
	r.out.WriteString(paint.Apply(s))
}

// PutPadded is Put for a text that takes width cells, or the rest of the row.
func (r *Row) PutPadded(s string, width int, paint theme.Paint) {
	r.Put(text.Pad(text.Truncate(s, width, ""), width), paint)
}

// String fills the row with blanks.
func (r *Row) String() string {
	r.out.WriteString(strings.Repeat(" ", max(0, r.Room)))
	r.Room = 0
	return r.out.String()
}

// Counts are the added and removed lines of a change, in their colours. Both 0 draw nothing: they are unknown.
type Counts struct{ Added, Removed int }

// Text writes them.
func (c Counts) Text(st *theme.Styles) string {
	if c == (Counts{}) {
		return ""
	}
	return st.Glyphs.Plus + Number(c.Added) + " " + st.Glyphs.Minus + Number(c.Removed)
}

// Put draws them at the right of width cells. With plain, such as in the row under the cursor, they have its paint.
func (c Counts) Put(r *Row, width int, st *theme.Styles, plain *theme.Paint) {
	added, removed := st.Added, st.Removed
	if plain != nil {
		added, removed = *plain, *plain
	}
	said := c.Text(st)
	if said == "" {
		r.PutPadded("", width, removed)
		return
	}
	plus, minus, _ := strings.Cut(said, " ")
	r.Put(strings.Repeat(" ", max(0, width-text.Width(said))), removed)
	r.Put(plus, added)
	r.Put(" ", removed)
	r.Put(minus, removed)
}
