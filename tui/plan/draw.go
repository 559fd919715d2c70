package plan

import (
	"fmt"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "curate" }

// Path is the agent path of the action under the cursor.
func (p *Pane) Path() string {
	a, _ := p.Selected()
	return a.Path
}

// Place is where the cursor is, and how the list is sorted where that is not by group.
func (p *Pane) Place() string {
	i, ok := p.list.At()
	if !ok {
		return ""
	}
	place := fmt.Sprintf("%d/%d", i+1, len(p.rows))
	if p.order != byGroup {
		place = "by " + p.order.String() + " " + place
	}
	return place
}

// LineReader implements [ui.Tab]: the row in words.
func (p *Pane) LineReader(limit int) func() (string, error) {
	a, ok := p.Selected()
	if id := p.value(); id != "" {
		i, _ := p.list.At()
		return ui.LineOf(p.values[p.rows[i].value-1].Text, limit)
	}
	if !ok {
		return nil
	}
	line := string(a.Do) + "  " + a.Path + "  " + a.Reason
	return ui.LineOf(line, limit)
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Curate} }

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) { return p.list.Point() }

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	none := func() []string { return ui.Notice(p.env, p.emptyText(), p.w) }
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string {
		switch r := p.rows[i]; {
		case r.value > 0:
			return p.line(i, focused, p.env.Styles.Warning, "  "+p.values[r.value-1].Text)
		case r.action < 0:
			return p.heading(i, focused)
		default:
			return p.row(i, focused)
		}
	})
}

// emptyText explains why the list is empty and what to do next.
func (p *Pane) emptyText() string {
	switch {
	case p.problem != "":
		return text.Clean(p.problem)
	case p.plan == nil:
		return "working out what is proposed..."
	case p.filter.text != "":
		return p.env.Keyed("nothing fits the filter; {global/back} clears it")
	}
	return nothingDueText(p.plan.Files, memstore.FormatSize(p.dialect, p.plan.Bytes))
}

// nothingDueText says that nothing is proposed, and how to get proposals.
func nothingDueText(files int, bytes string) string {
	return fmt.Sprintf("Nothing is proposed: %s, %s. Rules for expiry and caps stand in the configuration; "+
		"memcurator config init writes one to begin with.", ui.Count(files, "file"), bytes)
}

// heading draws the heading of a group: its name, how many actions, their bytes, the ticked ones.
func (p *Pane) heading(i int, focused bool) string {
	g := p.rows[i].group
	st := p.env.Styles
	fold := st.Glyphs.Expanded
	if p.folded[g] && p.filter.text == "" {
		fold = st.Glyphs.Collapsed
	}
	line := fold + " " + p.headingText(g, func(bytes int64) string { return memstore.FormatSize(p.dialect, bytes) })
	return p.line(i, focused, st.Heading, line)
}

// line draws a whole row in one paint, with the cursor's sign.
func (p *Pane) line(i int, focused bool, paint theme.Paint, line string) string {
	st := p.env.Styles
	at, _ := p.list.At()
	lead := " "
	if i == at {
		lead = st.Glyphs.Cursor
		paint = st.SelectedBlur
		if focused {
			paint = st.Selected
		}
	}
	return paint.Apply(text.Pad(lead+text.Truncate(line, max(0, p.w-1), st.Glyphs.Ellipsis), p.w))
}

// Widths at which the rows change.
const (
	wideRow   = 60 // from here on what is done is a whole word, and the reason is in the row
	doWide    = 10
	doNarrow  = 4
	sizeWidth = 7
)

// row draws an action: tick, what is done, path, size, reason.
func (p *Pane) row(i int, focused bool) string {
	st, a := p.env.Styles, &p.plan.Actions[p.rows[i].action]
	mark := " "
	switch {
	case p.inRange(i):
		mark = st.Glyphs.Range
	case p.ticks[tickOf(a)]:
		mark = st.Glyphs.Mark
	}
	do, path := text.Pad(string(a.Do), doWide), 0
	size := text.PadLeft(memstore.FormatSize(p.dialect, a.Bytes), sizeWidth)
	switch {
	case p.w >= wideRow:
		path = max(12, min(p.longest, p.w*2/5))
	default:
		do = text.Pad(shortDo(string(a.Do)), doNarrow)
		path = max(0, p.w-4-doNarrow-1-sizeWidth)
	}
	name := text.Pad(text.TruncateLeft(text.Clean(a.Path), path, st.Glyphs.Ellipsis), path)
	reason := ""
	if room := p.w - 3 - text.Width(do) - 1 - path - sizeWidth - 2; room > 0 && p.w >= wideRow {
		reason = text.Truncate(text.Clean(a.Reason), room, st.Glyphs.Ellipsis)
	}
	at, _ := p.list.At()
	paint := st.Text
	if p.ticks[tickOf(a)] {
		paint = st.Marked
	}
	if i == at || 3+text.Width(do)+1+path+sizeWidth > p.w {
		return p.line(i, focused, paint, strings.TrimRight(mark+" "+do+" "+name+size+"  "+reason, " "))
	}
	row := " " + paint.Apply(mark+" ") + p.doPaint(a).Apply(do) + " " + paint.Apply(name+size) + "  " + st.Dim.Apply(reason)
	width := 3 + text.Width(do) + 1 + path + sizeWidth + 2 + text.Width(reason)
	if width > p.w {
		return p.line(i, focused, paint, mark+" "+do+" "+name+size)
	}
	return row + strings.Repeat(" ", p.w-width)
}

// shortDo is what an action does in four cells.
func shortDo(do string) string {
	if short, ok := map[string]string{"delete": "del", "archive": "arch", "quarantine": "quar"}[do]; ok {
		return short
	}
	return do
}

// doPaint is the paint of what is done: it only repeats what the word says.
func (p *Pane) doPaint(a *policy.Action) theme.Paint {
	st := p.env.Styles
	switch a.Do {
	case policy.Delete:
		return st.Removed
	case policy.Quarantine:
		return st.Warning
	case policy.Archive:
		return st.Accent
	}
	return st.Dim
}
