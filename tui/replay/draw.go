package replay

import (
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// glyphs are the signs of the verdicts, and their ASCII twins.
var glyphs = map[transcript.Verdict][2]string{
	transcript.Identical:     {"=", "="},
	transcript.OtherDialect:  {"≈", "~"},
	transcript.Drift:         {"≠", "!"},
	transcript.Divergent:     {"✗", "X"},
	transcript.Cleared:       {"∅", "0"},
	transcript.NoResult:      {"·", "."},
	transcript.NotReplayable: {"⊘", "-"},
	transcript.Unknown:       {"?", "?"},
}

// short are the verdicts in nine cells.
var short = map[transcript.Verdict]string{
	transcript.NotReplayable: "no replay",
	transcript.Unknown:       "unknown",
}

func (p *Pane) glyph(v transcript.Verdict) string {
	g, ok := glyphs[v]
	switch {
	case !ok:
		return " "
	case p.env.ASCII:
		return g[1]
	}
	return g[0]
}

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

// Title is the name of the list, for its frame.
func (p *Pane) Title() string { return "replay" }

// Place is where the cursor is.
func (p *Pane) Place() string {
	at, ok := p.list.At()
	if !ok {
		return ""
	}
	place := fmt.Sprintf("%d/%d", at+1, len(p.shown))
	if len(p.shown) != len(p.rows) {
		place += fmt.Sprintf(" (%d)", len(p.rows))
	}
	if p.play.on {
		place += " " + speedText(p.play.speed)
	}
	return place
}

// speedText is the speed of playing.
func speedText(speed float64) string { return fmt.Sprintf("%gx", speed) }

// Path is the agent path that the call under the cursor is about.
func (p *Pane) Path() string {
	if n := p.Step(); n > 0 {
		return p.rows[n-1].path
	}
	return ""
}

// LineReader is the row under the cursor as it is drawn.
func (p *Pane) LineReader(limit int) func() (string, error) {
	n := p.Step()
	if n == 0 {
		return nil
	}
	line := strings.Join(strings.Fields(p.plain(n-1, 160)), " ")
	return ui.LineOf(line, limit)
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Replay} }

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) { return p.list.Point() }

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	p.sync()
	none := func() []string { return ui.Notice(p.env, p.emptyText(), p.w) }
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string { return p.row(i, focused) })
}

func (p *Pane) emptyText() string {
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

func (p *Pane) verdict(i int) transcript.Verdict {
	if i < len(p.steps) {
		return p.steps[i].Verdict
	}
	return ""
}

// lead is what comes before the path: number, verdict, time, turn, command, as far as they fit.
func (p *Pane) lead(i, width int) (before, verdict, after string) {
	r, v := p.rows[i], p.verdict(i)
	mark := " "
	switch {
	case p.hit(i):
		mark = p.env.Styles.Glyphs.Mark
	case p.changes(i):
		mark = p.env.Styles.Glyphs.Unread
	}
	digits := len(fmt.Sprint(len(p.rows)))
	before = fmt.Sprintf("%*d%s", digits, i+1, mark)
	word := v.Word()
	if s := short[v]; s != "" {
		word = s
	}
	verdict = p.glyph(v)
	if width >= 60 {
		verdict += " " + text.Pad(word, 9)
	}
	clock := p.clock(r, width)
	op := text.Truncate(text.Clean(r.op), 11, p.env.Styles.Glyphs.Ellipsis)
	switch {
	case width >= 100 && p.sessions > 1:
		after = fmt.Sprintf("%s %s t%-5d %s ", clock, text.Pad(text.Truncate(text.Clean(r.session), 8, ""), 8), r.turn, text.Pad(op, 11))
	case width >= 100:
		after = fmt.Sprintf("%s t%-5d %s ", clock, r.turn, text.Pad(op, 11))
	case width >= 60:
		after = fmt.Sprintf("%s %s ", clock, text.Pad(op, 11))
	default:
		after = text.Pad(text.Truncate(op, 6, ""), 6) + " "
	}
	return before, verdict, after
}

func (p *Pane) clock(r row, width int) string {
	if r.when.IsZero() {
		return text.Pad(text.Truncate(text.Clean(r.time), 8, ""), 8)
	}
	at := r.when.In(p.env.Now().Location())
	if width >= 120 {
		return at.Format("01-02 15:04:05")
	}
	return at.Format("15:04:05")
}

// subject is the path, both of a rename, and what is to be said of the call.
func (p *Pane) subject(i, room int) string {
	r, st := p.rows[i], p.env.Styles
	path := text.Clean(r.path)
	if r.to != "" {
		path += " " + st.Glyphs.Arrow + " " + text.Clean(r.to)
	}
	var notes []string
	if r.side {
		notes = append(notes, textSide)
	}
	if r.after != "" {
		notes = append(notes, r.after)
	}
	if i < len(p.steps) && p.steps[i].Result != nil && p.steps[i].Result.IsError && !strings.HasPrefix(p.steps[i].Detail, "failed") {
		notes = append(notes, "failed")
	}
	if why := p.search.hits[i]; why != "" {
		notes = append(notes, why)
	} else if i < len(p.steps) && p.steps[i].Detail != "" {
		notes = append(notes, text.Clean(p.steps[i].Detail))
	}
	note := strings.Join(notes, ", ")
	if note != "" {
		note = "  " + note
	}
	if text.Width(path)+text.Width(note) > room {
		note = text.Truncate(note, max(0, room-text.Width(path)), st.Glyphs.Ellipsis)
	}
	return text.Pad(text.TruncateLeft(path, room-text.Width(note), st.Glyphs.Ellipsis)+note, room)
}

func (p *Pane) plain(i, width int) string {
	before, verdict, after := p.lead(i, width)
	head := before + verdict + " " + after
	return head + p.subject(i, max(0, width-1-text.Width(head)))
}

func (p *Pane) row(at int, focused bool) string {
	st, i := p.env.Styles, p.shown[at]
	cursor, _ := p.list.At()
	if at == cursor {
		paint := st.SelectedBlur
		if focused {
			paint = st.Selected
		}
		return paint.Apply(text.Pad(text.Truncate(st.Glyphs.Cursor+p.plain(i, p.w), p.w, ""), p.w))
	}
	before, verdict, after := p.lead(i, p.w)
	head := text.Width(before + verdict + " " + after)
	if head+1 > p.w {
		return text.Pad(text.Truncate(" "+p.plain(i, p.w), p.w, ""), p.w)
	}
	paint := st.Text
	if !p.changes(i) {
		paint = st.Dim
	}
	return " " + st.Number.Apply(before) + verdictPaint(p.verdict(i), st).Apply(verdict) + " " + st.Text.Apply(after) +
		paint.Apply(p.subject(i, max(0, p.w-1-head)))
}

// Status is the text of the bottom line: what is searched for, or the verdicts of all calls.
func (p *Pane) Status() string {
	if s := p.SearchState(); s != "" {
		return s
	}
	if p.track == nil || len(p.rows) == 0 {
		return ""
	}
	total := p.track.Total().String()
	if p.notes != "" {
		total += "; " + p.notes
	}
	return total
}
