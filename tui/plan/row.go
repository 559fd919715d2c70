package plan

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

const memoriesPath = memstore.Root

// Widths at which the rows change.
const (
	wideRow   = 60 // from here on the reason is in the row
	titleRow  = 96 // and from here on the whole titles of sections
	ruleRow   = 110
	doWide    = 11
	doNarrow  = 5
	sizeWidth = 7
	lead      = 6 // cursor, box, blanks
	// countWidth is the number of rows in a heading, and the blanks before the size.
	countWidth = 9
)

// painter draws the rows of an outline for a width.
type painter struct {
	env     *ui.Env
	dialect memstore.Dialect
	outline *outline
	width   int
	cursor  int // the row under the cursor
	span    span
	looking bool // suggestions may follow
	focused bool
}

// row draws a row.
func (d *painter) row(i int) string {
	o, st := d.outline, d.env.Styles
	switch r := o.rows[i]; {
	case r.kind == secretRow:
		return d.line(i, st.Error, "    "+text.Pad("redact", doWide)+o.secret(i).Text)
	case r.kind == restRow:
		return d.line(i, st.Dim, st.Glyphs.Collapsed+" "+o.restText())
	case r.kind == proposalRow:
		box, paint := d.box(i)
		return d.proposal(i, o.action(i), box, paint)
	case r.section == secrets:
		return d.heading(i, secrets, "     "+o.secrets.total())
	default:
		total := d.total(&o.totals()[r.section])
		switch {
		case r.section != suggested:
		case d.looking:
			total += "  looking for more..."
		case o.plan.Unchecked != "":
			total += "  " + text.Clean(o.plan.Unchecked)
		}
		return d.heading(i, r.section, total)
	}
}

// empty explains why the list is empty and what to do next; problem is the reason if planning failed.
func (d *painter) empty(problem string) string {
	o := d.outline
	switch {
	case problem != "":
		return text.Clean(problem)
	case o.plan == nil:
		return "Reading the store..."
	case o.filter.text != "":
		return d.env.Keyed("No proposals match. {global/back} clears the filter")
	case d.looking:
		return "Looking for suggestions..."
	}
	none := d.env.Keyed(fmt.Sprintf("Nothing to curate in %s, %s. {curate/new-rule} makes a rule", ui.Count(o.plan.Files, "file"),
		d.size(o.plan.Bytes)))
	if o.plan.Unchecked != "" {
		none += ". " + text.Clean(o.plan.Unchecked)
	}
	return none
}

// box is the sign of a proposal, and the paint of its row: selected, in the range, being applied, or none of them.
func (d *painter) box(i int) (string, theme.Paint) {
	st, a, s := d.env.Styles, d.outline.action(i), d.outline.selection
	switch {
	case d.outline.rows[i].section == soon:
		return "    ", st.Text
	case s.locks(a):
		return d.lockedBox(), st.Dim
	case d.span.holds(i, d.cursor):
		return " [" + st.Glyphs.Range + "]", st.Text
	case s.has(a):
		return " [x]", st.Marked
	}
	return " [ ]", st.Text
}

func (d *painter) size(bytes int64) string { return memstore.FormatSize(d.dialect, bytes) }

// line draws a whole row in one paint, with the cursor's sign.
func (d *painter) line(i int, paint theme.Paint, line string) string {
	st := d.env.Styles
	lead := " "
	if i == d.cursor {
		lead = st.Glyphs.Cursor
		paint = st.SelectedBlur
		if d.focused {
			paint = st.Selected
		}
	}
	return paint.Apply(text.Pad(lead+text.Truncate(line, max(0, d.width-1), st.Glyphs.Ellipsis), d.width))
}

// heading draws the heading of a section: its name and what it holds.
func (d *painter) heading(i int, s section, total string) string {
	st := d.env.Styles
	fold := st.Glyphs.Expanded
	if d.outline.closed(s) {
		fold = st.Glyphs.Collapsed
	}
	title, room := s.String(), d.sizeEnd()-sizeWidth-countWidth-text.Width(fold)-2
	if text.Width(title) > room {
		title = s.short()
	}
	return d.line(i, st.Heading, fold+" "+text.Pad(title, room)+total)
}

// total says how many rows and bytes a section has.
func (d *painter) total(s *sum) string {
	total := text.PadLeft(ui.Number(s.count), countWidth-2) + "  " + text.PadLeft(d.size(s.bytes), sizeWidth)
	if s.selected > 0 {
		total += "  " + ui.Number(s.selected) + " selected"
	}
	return total
}

// sizeEnd is the column where the sizes end, of rows and of headings.
func (d *painter) sizeEnd() int {
	if d.width >= wideRow {
		return lead + doWide + d.pathWidth() + sizeWidth
	}
	return lead + doNarrow + d.pathWidth() + sizeWidth
}

// pathWidth is the room for paths.
func (d *painter) pathWidth() int {
	switch {
	case d.width >= titleRow:
		return max(24, min(d.outline.longest, d.width*2/5)) // below, titles would be cut
	case d.width >= wideRow:
		return max(12, min(d.outline.longest, d.width*2/5))
	}
	return max(0, d.width-lead-doNarrow-sizeWidth-2)
}

// proposal draws an action: box, what is done, path, size, reason, and the place of the rule.
func (d *painter) proposal(i int, a *policy.Action, box string, paint theme.Paint) string {
	st := d.env.Styles
	do, wide := text.Pad(string(a.Do), doWide), d.pathWidth()
	if d.width < wideRow {
		do = text.Pad(shortDo(string(a.Do)), doNarrow)
	}
	size := strings.Repeat(" ", sizeWidth)
	if a.Bytes > 0 || a.Do.Removes() {
		size = text.PadLeft(d.size(a.Bytes), sizeWidth)
	}
	name := text.Pad(text.TruncateLeft(text.Clean(nameOf(a)), wide, st.Glyphs.Ellipsis), wide)
	used := lead + text.Width(do) + wide + sizeWidth // two blanks and the reason follow
	reason := ""
	if room := d.width - used - 2; room > 0 && d.width >= wideRow {
		reason = d.reason(a, room)
	}
	if i == d.cursor || used > d.width || box == d.lockedBox() {
		return d.line(i, paint, strings.TrimRight(box+" "+do+name+size+"  "+reason, " "))
	}
	verb := doPaint(st, a)
	if paint == st.Dim {
		verb = paint
	}
	row := " " + paint.Apply(box+" ") + verb.Apply(do) + paint.Apply(name+size) + "  " + st.Dim.Apply(reason)
	return row + strings.Repeat(" ", max(0, d.width-used-2-text.Width(reason)))
}

// lockedBox is the sign of a proposal that is being applied.
func (d *painter) lockedBox() string { return " " + text.Pad(d.env.Styles.Glyphs.Ellipsis, 3) }

// reason is the clause of a row: without the clock, which the preview names, and with the place of the rule where there is room.
func (d *painter) reason(a *policy.Action, room int) string {
	st := d.env.Styles
	reason := text.Clean(a.Reason)
	if i := strings.Index(reason, " (by "); i >= 0 {
		reason = reason[:i]
	}
	if a.To != "" {
		to := strings.TrimPrefix(a.To, memstore.Root+"/")
		if folder, same := strings.CutSuffix(to, "/"+nameOf(a)); same {
			to = folder + "/"
		}
		reason = st.Glyphs.Arrow + " " + text.Clean(to) + ", " + reason
	}
	from := ""
	if d.width >= ruleRow && a.Rule.Line > 0 {
		from = "  " + text.Clean(fmt.Sprintf("%s:%d", filepath.Base(a.Rule.File), a.Rule.Line))
	}
	if room-text.Width(from) < 20 {
		from = ""
	}
	return text.Pad(text.Truncate(reason, room-text.Width(from), st.Glyphs.Ellipsis), room-text.Width(from)) + from
}

// nameOf is the path of an action relative to the store, with the line that it is about, and the other file of a merge.
func nameOf(a *policy.Action) string {
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

// shortDo is what an action does in four cells.
func shortDo(do string) string {
	if short, ok := map[string]string{"delete": "del", "archive": "arch", "quarantine": "quar", "merge": "mrge",
		"review": "rev"}[do]; ok {
		return short
	}
	return do
}

// doPaint is the paint of what is done: it only repeats what the word says.
func doPaint(st *theme.Styles, a *policy.Action) theme.Paint {
	switch a.Do {
	case policy.Delete:
		return st.Removed
	case policy.Quarantine:
		return st.Warning
	case policy.Archive, policy.Merge, policy.Link, policy.Mend:
		return st.Accent
	}
	return st.Dim
}
