package replay

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

func verdictPaint(v transcript.Verdict, st *theme.Styles) theme.Paint {
	switch v {
	case transcript.Identical:
		return st.Success
	case transcript.Drift:
		return st.Warning
	case transcript.Divergent:
		return st.Error
	case transcript.OtherDialect:
		return st.Info
	default:
		return st.Dim
	}
}

// Title names the list for its frame: whose calls they are, where they are of one session.
func (p *callList) Title() string {
	if p.calls.sessions != 1 || len(p.calls.rows) == 0 || p.calls.rows[0].session == "" {
		return "calls"
	}
	return "calls of " + text.ShortID(p.calls.rows[0].session)
}

// Place is where the cursor is.
func (p *callList) Place() string {
	at, ok := p.list.At()
	if !ok {
		return ""
	}
	place := fmt.Sprintf("%d/%d", at+1, len(p.shown))
	if len(p.shown) != len(p.calls.rows) {
		place += fmt.Sprintf(" (%d)", len(p.calls.rows))
	}
	return place
}

// Path is the agent path that the call under the cursor is about.
func (p *callList) Path() string {
	if n := p.Step(); n > 0 {
		return p.calls.rows[n-1].path
	}
	return ""
}

// LineReader is the row under the cursor as drawn.
func (p *callList) LineReader(limit int) func() (string, error) {
	n := p.Step()
	if n == 0 {
		return nil
	}
	line := strings.Join(strings.Fields(p.calls.plain(n-1, 160)), " ")
	return ui.LineOf(line, limit)
}

// Resize implements [ui.Pane].
func (p *callList) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *callList) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Replay} }

// Cursor implements [ui.Pane].
func (p *callList) Cursor() (ui.Point, bool) { return p.list.Point() }

// Rows implements [ui.Pane].
func (p *callList) Rows(focused bool) []string {
	p.sync()
	none := func() []string { return ui.Notice(p.env, p.emptyText(), p.w) }
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string { return p.row(i, focused) })
}

func (p *callList) emptyText() string {
	switch {
	case p.session == nil:
		return p.env.Keyed(textNone)
	case p.state == loading:
		return "Reading the transcript..."
	case p.state == failed:
		return p.env.Keyed("Can't read the transcript. {global/messages} shows why")
	case p.filter.text != "":
		return p.env.Keyed(fmt.Sprintf("No calls match %q. {global/back} clears", p.filter.text))
	}
	return text.Clean(p.empty)
}

func (p *callList) row(at int, focused bool) string {
	st, i := p.env.Styles, p.shown[at]
	cursor, _ := p.list.At()
	if at == cursor {
		paint := st.SelectedBlur
		if focused {
			paint = st.Selected
		}
		return paint.Apply(text.Pad(text.Truncate(st.Glyphs.Cursor+p.calls.plain(i, p.w), p.w, ""), p.w))
	}
	before, verdict, after := p.calls.lead(i, p.w)
	head := text.Width(before + verdict + " " + after)
	if head+1 > p.w {
		return text.Pad(text.Truncate(" "+p.calls.plain(i, p.w), p.w, ""), p.w)
	}
	paint := st.Text
	if !p.calls.changes(i) {
		paint = st.Dim
	}
	return " " + st.Number.Apply(before) + verdictPaint(p.calls.verdict(i), st).Apply(verdict) + " " + st.Text.Apply(after) +
		paint.Apply(p.calls.subject(i, max(0, p.w-1-head)))
}

// heading is the title with the verdicts of all calls, as far as they fit. About is what the session was about, "" if unknown.
func (p *callList) heading(about string, width int) ui.Title {
	title, total := p.Title(), p.total()
	if room := width - text.Width(title+p.filter.text+total+p.Place()) - 10; about != "" && room >= aboutLeast {
		title += ", " + text.Truncate(text.Clean(about), room, p.env.Styles.Glyphs.Ellipsis)
	}
	t := ui.ListTitle(p.env.Styles, title, p.filter.text, p.Place(), width)
	room := width - text.Width(ansi.Strip(t.Left)) - text.Width(p.Place()) - 4
	if total := text.Truncate(total, max(0, room), p.env.Styles.Glyphs.Ellipsis); room > 8 && total != "" {
		t.Left += p.env.Styles.Dim.Apply("  " + total)
	}
	return t
}

// aboutLeast is how many cells of what a session was about must fit to be of use.
const aboutLeast = 12

// total counts the verdicts of all calls.
func (p *callList) total() string {
	if p.calls.track == nil || len(p.calls.rows) == 0 {
		return ""
	}
	total := p.calls.track.Total().Counts() // a key goes to the first that differs
	if p.notes != "" {
		total += "; " + p.notes
	}
	return text.Clean(total)
}
