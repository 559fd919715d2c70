// Package overlay holds the boxes that open over the screen: texts (the result of a
// command, the message log) and questions. An overlay draws itself and moves; what a
// choice means is the root's business.
package overlay

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// wrapUpTo is how much of a text is shown, in bytes: enough for every result that a
// person reads; the whole can be copied.
const wrapUpTo = 64 << 10

// Text shows lines that can be scrolled and copied.
type Text struct {
	env    *kit.Env
	title  string
	body   string
	failed bool
	footer string
	rows   []string // wrapped for width
	width  int
	top, h int    // the first of rows that is in sight, and how many are
	full   string // what copying takes; empty: the body
	Diff   bool   // rows that begin with "  + " and "  - " are lines of a diff
}

// NewText makes a box; failed draws the text as an error.
func NewText(env *kit.Env, title, body string, failed bool) *Text {
	full := ""
	if len(body) > wrapUpTo {
		full = body
		body = fmt.Sprintf("%s\n... %d bytes more", whole(body[:wrapUpTo]), len(full)-wrapUpTo) + env.Keyed("; {overlay/overlay-copy} copies all of it")
	}
	return &Text{env: env, title: title, body: body, failed: failed, full: full}
}

// whole drops a character that the end of s cuts; bytes that are none stay.
func whole(s string) string {
	for n := 1; n < utf8.UTFMax && n <= len(s); n++ {
		if tail := s[len(s)-n:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return s[:len(s)-n]
			}
			break
		}
	}
	return s
}

// Title implements [kit.Overlay].
func (t *Text) Title() string { return t.title }

// Content is what copying takes.
func (t *Text) Content() string {
	if t.full != "" {
		return t.full
	}
	return t.body
}

// Scopes implements [kit.Overlay].
func (t *Text) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Overlay, keymap.Motion} }

// Cursor implements [kit.Overlay].
func (t *Text) Cursor() (kit.Point, bool) { return kit.Point{}, false }

// Extent implements [kit.Scrolled].
func (t *Text) Extent() (first, shown, all int) { return t.top, t.h, len(t.rows) }

// SetFooter adds a line to the lower border.
func (t *Text) SetFooter(footer string) { t.footer = footer }

// Footer implements [kit.Overlay].
func (t *Text) Footer() string { return t.footer }

func (t *Text) wrap(width int) {
	if t.rows != nil && t.width == width {
		return
	}
	t.width, t.rows = width, []string{}
	for line := range strings.SplitSeq(t.body, "\n") {
		for _, part := range text.Wrap(nil, []byte(line), width, t.env.Text(0)) {
			t.rows = append(t.rows, t.env.Row([]byte(line), part.Start, part.End, width, part.Col))
		}
	}
}

// leastWidth is how narrow a box gets where there is room, in cells.
const leastWidth = 24

// margin is the blank cells on both sides of a text in a box of a width.
func margin(w int) int {
	if w < leastWidth {
		return 0
	}
	return 1
}

// Size implements [kit.Overlay].
func (t *Text) Size(maxW, maxH int) (int, int) {
	widest := text.Width(text.Clean(t.title)) + 4
	for line := range strings.SplitSeq(t.body, "\n") {
		widest = max(widest, text.Column([]byte(line), len(line), t.env.Text(0)))
	}
	w := max(1, min(maxW, max(widest+2, leastWidth)))
	t.wrap(w - 2*margin(w))
	return w, max(1, min(maxH, len(t.rows)))
}

// Rows implements [kit.Overlay].
func (t *Text) Rows(w, h int) []string {
	blank := strings.Repeat(" ", margin(w))
	t.wrap(w - 2*len(blank))
	t.h = h
	t.scrollTo(t.top)
	paint := t.env.Styles.Text
	if t.failed {
		paint = t.env.Styles.Error
	}
	out := make([]string, 0, h)
	for _, row := range t.rows[t.top:min(len(t.rows), t.top+h)] {
		paint := paint
		switch {
		case t.Diff && strings.HasPrefix(row, "  + "):
			paint = t.env.Styles.Added
		case t.Diff && strings.HasPrefix(row, "  - "):
			paint = t.env.Styles.Removed
		}
		out = append(out, paint.Apply(text.Pad(blank+row, w)))
	}
	return kit.FillRows(out, w, h)
}

// Handle implements [kit.Overlay].
func (t *Text) Handle(id keymap.ID) bool {
	to, ok := kit.Motion(id, t.top, len(t.rows), t.h)
	t.scrollTo(to)
	return ok || id == keymap.Left || id == keymap.Right
}

// scrollTo brings a row to the top, as far as that leaves no room below the last one.
func (t *Text) scrollTo(row int) { t.top = max(0, min(row, len(t.rows)-t.h)) }
