package plan

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

const memoriesPath = memstore.Root

// Title implements [ui.Tab].
func (p *Pane) Title() string { return "proposals" }

// Path is the agent path of the action under the cursor.
func (p *Pane) Path() string {
	a, _ := p.Selected()
	return a.Path
}

// Place is what is selected, and how the list is ordered where that is not by group.
func (p *Pane) Place() string {
	if p.plan == nil {
		return ""
	}
	rules, suggestions, values := p.Counts()
	all := rules + suggestions + values
	place := ui.Number(all)
	if n, bytes := p.Ticks(); n > 0 {
		place = fmt.Sprintf("%s selected of %s, %s", ui.Number(n), place, p.size(bytes))
	} else if p.filter.text == "" && all > 0 {
		place += " to decide"
	}
	if p.order != byGroup {
		place = "by " + p.order.String() + ", " + place
	}
	return place
}

func (p *Pane) size(bytes int64) string { return memstore.FormatSize(p.dialect, bytes) }

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
			return p.line(i, focused, p.env.Styles.Warning, "    "+text.Pad("redact", doWide)+p.values[r.value-1].Text)
		case r.rest:
			return p.line(i, focused, p.env.Styles.Dim, p.env.Styles.Glyphs.Collapsed+" "+p.restText())
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
		return "Reading the store..."
	case p.filter.text != "":
		return p.env.Keyed("No proposals match. {global/back} clears the filter")
	case p.looking:
		return "Looking for suggestions..."
	}
	return p.env.Keyed(fmt.Sprintf("Nothing to curate in %s, %s. {curate/new-rule} makes a rule", ui.Count(p.plan.Files, "file"),
		p.size(p.plan.Bytes)))
}

// heading draws the heading of a section: its name, how many rows and bytes it has.
func (p *Pane) heading(i int, focused bool) string {
	s, st := p.rows[i].section, p.env.Styles
	fold := st.Glyphs.Expanded
	if p.folded[s] && p.filter.text == "" {
		fold = st.Glyphs.Collapsed
	}
	if s == secrets {
		return p.line(i, focused, st.Heading, fold+" "+text.Pad(s.String(), p.headingWidth())+p.valuesTotal())
	}
	sum := &p.counted()[s]
	total := text.PadLeft(ui.Number(sum.count), 5) + "  " + text.PadLeft(p.size(sum.bytes), sizeWidth)
	if sum.ticked > 0 {
		total += "  " + ui.Number(sum.ticked) + " selected"
	}
	if s == suggested && p.looking {
		total += "  looking for more..."
	}
	return p.line(i, focused, st.Heading, fold+" "+text.Pad(s.String(), p.headingWidth()-5)+total)
}

// headingWidth is where the totals of headings end before the sizes: above the sizes of the rows.
func (p *Pane) headingWidth() int {
	return max(len(sectionTitles[suggested])+5, min(p.pathWidth()+doWide, p.w/2))
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
	wideRow   = 60 // from here on the reason is in the row
	ruleRow   = 110
	doWide    = 11
	doNarrow  = 5
	sizeWidth = 7
	lead      = 6 // cursor, box, blanks
)

// pathWidth is the room for paths.
func (p *Pane) pathWidth() int {
	if p.w >= wideRow {
		return max(12, min(p.longest, p.w*2/5))
	}
	return max(0, p.w-lead-doNarrow-sizeWidth-2)
}

// nameOf is the path of an action relative to the store, with the line that it is about, and the other file of a merge.
func (p *Pane) nameOf(a *policy.Action) string {
	if a.Path == memstore.Root {
		return a.Path
	}
	name := strings.TrimPrefix(a.Path, memstore.Root+"/")
	switch {
	case a.Do == policy.Merge:
		return name + " into " + path.Base(a.Found.Others[0])
	case a.Found != nil && a.Found.Line > 0:
		return fmt.Sprintf("%s:%d", name, a.Found.Line)
	}
	return name
}

// row draws an action: box, what is done, path, size, reason, and the place of the rule.
func (p *Pane) row(i int, focused bool) string {
	st, a := p.env.Styles, &p.plan.Actions[p.rows[i].action]
	t := tickOf(a)
	do, wide := text.Pad(string(a.Do), doWide), p.pathWidth()
	if p.w < wideRow {
		do = text.Pad(shortDo(string(a.Do)), doNarrow)
	}
	size := strings.Repeat(" ", sizeWidth)
	if a.Bytes > 0 || a.Do.Removes() {
		size = text.PadLeft(p.size(a.Bytes), sizeWidth)
	}
	name := text.Pad(text.TruncateLeft(text.Clean(p.nameOf(a)), wide, st.Glyphs.Ellipsis), wide)
	box := p.box(i, t)
	used := lead + text.Width(do) + wide + sizeWidth // two blanks and the reason follow
	reason := ""
	if room := p.w - used - 2; room > 0 && p.w >= wideRow {
		reason = p.reason(a, room)
	}
	at, _ := p.list.At()
	paint := st.Text
	switch {
	case p.busy[t]:
		paint = st.Dim
	case p.ticks[t]:
		paint = st.Marked
	}
	if i == at || used > p.w || p.busy[t] {
		return p.line(i, focused, paint, strings.TrimRight(box+" "+do+name+size+"  "+reason, " "))
	}
	row := " " + paint.Apply(box+" ") + p.doPaint(a).Apply(do) + paint.Apply(name+size) + "  " + st.Dim.Apply(reason)
	return row + strings.Repeat(" ", max(0, p.w-used-2-text.Width(reason)))
}

// box is the sign of a row: selected, in the range, being applied, or none of them.
func (p *Pane) box(i int, t tick) string {
	st := p.env.Styles
	switch {
	case p.rows[i].section == soon:
		return "    "
	case p.busy[t]:
		return " " + text.Pad(st.Glyphs.Ellipsis, 3)
	case p.inRange(i):
		return " [" + st.Glyphs.Range + "]"
	case p.ticks[t]:
		return " [x]"
	}
	return " [ ]"
}

// reason is the clause of a row: without the clock, which the preview names, and with the place of the rule where there is room.
func (p *Pane) reason(a *policy.Action, room int) string {
	reason := text.Clean(a.Reason)
	if i := strings.Index(reason, " (by "); i >= 0 {
		reason = reason[:i]
	}
	if a.To != "" {
		reason = p.env.Styles.Glyphs.Arrow + " " + text.Clean(strings.TrimPrefix(a.To, memstore.Root+"/")) + ", " + reason
	}
	from := ""
	if p.w >= ruleRow && a.Rule.Line > 0 {
		from = "  " + text.Clean(fmt.Sprintf("%s:%d", filepath.Base(a.Rule.File), a.Rule.Line))
	}
	if room-text.Width(from) < 20 {
		from = ""
	}
	return text.Pad(text.Truncate(reason, room-text.Width(from), p.env.Styles.Glyphs.Ellipsis), room-text.Width(from)) + from
}

// shortDo is what an action does in four cells.
func shortDo(do string) string {
	if short, ok := map[string]string{"delete": "del", "archive": "arch", "quarantine": "quar", "split": "splt", "merge": "mrge",
		"review": "rev"}[do]; ok {
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
	case policy.Archive, policy.Split, policy.Merge, policy.Link:
		return st.Accent
	}
	return st.Dim
}
