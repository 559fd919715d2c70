package form

import (
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// previewAction performs an action while the preview is shown.
func (f *Form) previewAction(id keymap.ID) (tea.Cmd, bool) {
	switch id {
	case keymap.Accept:
		f.writing = true
		f.env.Emit(Write{
			Command: f.seen.command, Path: f.Path(), Digest: f.seen.digest, Before: load(f.seen.before), Result: f.seen.result,
		})
	case keymap.Cancel:
		return f.Resume(), true
	case keymap.FieldNext:
		f.whole = !f.whole
	default:
		return f.diff.Actions().Perform(id)
	}
	return nil, true
}

// leastDiff is how many rows the diff keeps beside a long result.
const leastDiff = 4

// previewRows draws the result as the agent would get it, and below it what changes.
func (f *Form) previewRows(w, h int) []string {
	st := f.env.Styles
	heading, paint := textWouldGet, st.Title
	if f.changed {
		heading, paint = "The file changed meanwhile: writing asks first", st.Warning
	}
	out := []string{f.heading(" "+heading, "", paint, w)}
	body := wrapText(f.seen.result.Content, w-1, f.env)
	room := max(2, min(len(body), h-1-leastDiff))
	if !f.whole {
		room = max(1, min(room, (h-1)/2))
	}
	for _, row := range fitEnd(body, room, w-1, st.Glyphs.Ellipsis) {
		out = append(out, " "+st.Text.Apply(text.Pad(row, w-1)))
	}
	out = append(out, f.heading(" "+"what changes", f.counts(), st.Title, w))
	f.diffTop = len(out)
	f.diff.Resize(w, max(0, h-len(out)))
	return append(out, f.diff.Rows(true)...)
}

// shownUpTo bounds how much of a result is laid out, in bytes.
const shownUpTo = 16 << 10

// wrapText breaks the beginning of a text into rows.
func wrapText(s string, width int, env *ui.Env) []string {
	return env.Wrapped(s[:whole(s, shownUpTo)], width)
}

// fitEnd keeps the first rows; an ellipsis says that more follow.
func fitEnd(rows []string, n, w int, ellipsis string) []string {
	if len(rows) <= n {
		return rows
	}
	if n <= 0 {
		return nil
	}
	out := append([]string(nil), rows[:n]...)
	out[n-1] = marked(out[n-1], w, ellipsis)
	return out
}

// fitMiddle keeps the first and the last rows: an error begins with what is wrong and
// ends with where, and between them it may repeat all that was typed.
func fitMiddle(rows []string, n, w int, ellipsis string) []string {
	if len(rows) <= n || n < 2 {
		return fitEnd(rows, n, w, ellipsis)
	}
	head := n / 2
	out := append([]string(nil), rows[:head]...)
	out[head-1] = marked(out[head-1], w, ellipsis)
	return append(out, rows[len(rows)-(n-head):]...)
}

func marked(row string, w int, ellipsis string) string {
	return text.Truncate(row, max(0, w-text.Width(ellipsis)), "") + ellipsis
}

// sentence is a result without what it repeats at length: the ends of a long one.
func sentence(r memstore.Result) string {
	const end = shownUpTo / 4
	if len(r.Content) <= shownUpTo {
		return r.Content
	}
	return r.Content[:whole(r.Content, end)] + "\n" + r.Content[whole(r.Content, len(r.Content)-end):]
}

// whole is the last place up to n at which a character of s begins, or its end.
func whole(s string, n int) int {
	if n >= len(s) {
		return len(s)
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
