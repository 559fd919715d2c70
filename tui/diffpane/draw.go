package diffpane

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// Rows implements [kit.Pane].
func (p *Pane) Rows(focused bool) []string {
	out := make([]string, 0, p.page.view.H)
	if p.result == nil || p.failure != "" {
		out = p.drawNotes(out, p.stateRows(), p.env.Styles.Dim)
	} else if p.page.view.H > 0 {
		out = p.drawResult(out, focused)
	}
	return kit.FillRows(out, p.page.columns.w, p.page.view.H)
}

const (
	TextNoChangeFile = "No recorded change of this file. {tree/open} shows it"
	textComparing    = "Comparing..."
)

// stateRows explain why the diff is not shown yet.
func (p *Pane) stateRows() []string {
	message := p.env.Keyed(cmp.Or(p.None, TextNoChangeFile))
	switch {
	case p.failure != "":
		message = p.failure
	case p.target.Key != "":
		message = textComparing
	}
	return p.page.columns.wrapNote(message)
}

func (p *Pane) drawNotes(out, notes []string, paint theme.Paint) []string {
	for _, note := range notes {
		out = append(out, paint.Apply(text.Pad(" "+note, p.page.columns.w)))
	}
	return out
}

func (p *Pane) drawResult(out []string, focused bool) []string {
	first := p.page.view.Top.Line - titleRows
	if p.page.view.Top.Line == 0 {
		out, first = append(out, p.drawTitle(focused)), 0
	}
	if p.page.columns.on == nil {
		notes := p.page.noteRows()
		return p.drawNotes(out, notes[min(first, len(notes)):], p.env.Styles.Warning)
	}
	skip := p.page.view.Top.Row
	d := &painter{
		env: p.env, columns: &p.page.columns, search: &p.find.search, match: p.find.match,
		ignore: p.result.ignore, sections: p.result.of.sections,
	}
	lines := p.page.columns.on.lines(first, p.page.view.H-len(out)+1) // one more: a header needs the line below it
	for i, l := range lines {
		if l.kind == diff.HunkHeader && i+1 < len(lines) {
			a, b := lines[i+1].numbers()
			if p.result.of.sections == nil {
				l.below, l.state = p.heading(b), p.revertedIn(a, b)
			} else {
				l.below = p.result.of.sections.introduces(lines[i+1])
			}
		}
		d.selected = l.changed() && p.selected().holds(l.numbers())
		d.reverted = l.changed() && p.revertedBy(l.numbers()) != 0
		rows := d.drawLine(l, focused && first+i+titleRows == p.page.line())
		out = append(out, rows[min(skip, len(rows)):]...)
		skip = 0
		if len(out) >= p.page.view.H {
			break
		}
	}
	return out
}

// drawTitle describes what is compared and, at its right end, in which unusual form.
func (p *Pane) drawTitle(focused bool) string {
	st := p.env.Styles
	paint := st.Title
	if focused && p.page.line() == 0 {
		paint = st.Selected
	}
	flags := p.flags()
	if most := p.page.columns.w * 2 / 3; text.Width(flags) > most {
		flags = text.Truncate(flags, most, st.Glyphs.Ellipsis)
	}
	room := max(0, p.page.columns.w-1-text.Width(flags))
	of := p.result.of
	if of.Key == p.target.Key {
		of = p.target // it may have got another title
	}
	title := text.Truncate(text.Clean(of.Title), room, st.Glyphs.Ellipsis)
	if of.Heading.Path != "" {
		title = of.Heading.Fit(st, room)
	}
	return paint.Apply(text.Pad(" "+text.Pad(title, room)+flags, p.page.columns.w))
}

const (
	textSpaceIgnored = "whitespace ignored"
	textTooNarrow    = "too narrow for two sides"
)

// flags are the words at the right end of the title.
func (p *Pane) flags() string {
	var words []string
	if p.result.result != nil && p.result.of.Subject != "" {
		r, g := p.result.result, p.env.Styles.Glyphs
		words = append(words, fmt.Sprintf("%s%d %s%d", g.Plus, r.Added, g.Minus, r.Removed))
	}
	if said := revertedText(p.reverted.By); said != "" {
		words = append(words, said)
	}
	if p.result.ignore {
		words = append(words, textSpaceIgnored)
	}
	if p.split && p.page.columns.on != nil && p.page.columns.on.sides() == 1 && p.page.columns.w < sidesFrom {
		words = append(words, textTooNarrow)
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, "  ") + " "
}

// painter draws the lines of a sheet.
type painter struct {
	env     *kit.Env
	columns *columns
	search  *kit.Search
	match   diff.Row // the line of the match that was gone to last
	ignore  bool     // white space is ignored

	sections *sections // of several files; nil: one file
	selected bool      // the hunk that the line is of
	reverted bool      // it was, since
}

// drawLine draws one row of the sheet as one screen row or, wrapped, as several.
func (d *painter) drawLine(l line, current bool) []string {
	st := d.env.Styles
	cursor := " "
	switch {
	case current:
		cursor = st.Accent.Apply(st.Glyphs.Cursor)
	case d.selected:
		cursor = st.Marked.Apply(st.Glyphs.Mark)
	case d.reverted:
		cursor = st.Warning.Apply(st.Glyphs.Undone)
	}
	switch {
	case l.kind == diff.HunkHeader:
		return []string{cursor + d.drawHeader(l)}
	case l.kind == diff.Note:
		return d.drawRemark(l, cursor)
	case d.columns.on.sides() == 2:
		return d.drawSides(l, cursor)
	case l.kind == diff.NoNewline:
		return []string{cursor + d.plain(l.sides[0].Text, st.Dim, d.columns.w-1)}
	}
	row := l.sides[0]
	if d.sections != nil && row.ANumber > 0 && d.sections.local(0, row.ANumber) == 0 {
		return []string{cursor + d.plain(row.Text, st.Title, d.columns.w-1)}
	}
	sign, look := d.look(row)
	numbers := d.number(d.sections.local(0, row.ANumber)) + d.number(d.sections.local(1, row.BNumber))
	head := cursor + d.numberPaint().Apply(numbers) + look.line.Apply(sign)
	var out []string
	for _, part := range d.columns.parts(row, 0) {
		out = append(out, head+d.content(row, look, part, 0))
		head = strings.Repeat(" ", 1+len(numbers)) + look.line.Apply(" ")
	}
	return out
}

// headingRoom is the least room in which a heading is of use, in cells.
const headingRoom = 10

// drawHeader draws the line that introduces a hunk, with the heading that the hunk is below.
func (d *painter) drawHeader(l line) string {
	st := d.env.Styles
	if d.sections != nil {
		if l.below != "" { // else a blank row sets the path below it apart
			l.below = "@@ " + l.below
		}
		return d.plain([]byte(l.below), st.Hunk, d.columns.w-1)
	}
	row := kit.Row{Room: max(0, d.columns.w-1)}
	row.Put(text.Truncate(text.Clean(d.env.MaskedText(string(l.sides[0].Text))), row.Room, st.Glyphs.Ellipsis), st.Hunk)
	if l.state != "" {
		row.Put(text.Truncate("  "+l.state+" ", row.Room, st.Glyphs.Ellipsis), st.Warning)
	} else if l.below == "" || row.Room < headingRoom {
		return d.plain(l.sides[0].Text, st.Hunk, d.columns.w-1)
	}
	if row.Room < headingRoom {
		l.below = ""
	}
	row.Put(text.Pad(text.Truncate(" "+text.Clean(d.env.MaskedText(l.below)), max(0, row.Room), st.Glyphs.Ellipsis), row.Room), st.Dim)
	return row.String()
}

// drawRemark draws a sentence about the comparison.
func (d *painter) drawRemark(l line, cursor string) []string {
	st := d.env.Styles
	if !d.columns.wrap {
		return []string{cursor + d.plain(l.sides[0].Text, st.Dim, d.columns.w-1)}
	}
	var out []string
	for _, row := range d.columns.wrapNote(string(l.sides[0].Text)) {
		out = append(out, cursor+st.Dim.Apply(text.Pad(row, max(0, d.columns.w-1))))
		cursor = " "
	}
	return out
}

// drawSides draws a line of each side beside each other; the shorter one is filled up.
func (d *painter) drawSides(l line, cursor string) []string {
	st := d.env.Styles
	var sides [2][]string
	for i, row := range l.sides {
		sides[i] = d.drawSide(row, i)
	}
	bar := st.Border.Apply(st.Glyphs.SplitVertical)
	out := make([]string, max(len(sides[0]), len(sides[1])))
	for k := range out {
		var cells [2]string
		for i := range cells {
			if cells[i] = strings.Repeat(" ", d.columns.sideWidth(i)); k < len(sides[i]) {
				cells[i] = sides[i][k]
			}
		}
		out[k] = cursor + cells[0] + bar + cells[1]
		cursor = " "
	}
	return out
}

func (d *painter) drawSide(row diff.Row, side int) []string {
	st := d.env.Styles
	switch row.Kind {
	case diff.Filler:
		return nil
	case diff.NoNewline:
		return []string{d.plain(row.Text, st.Dim, d.columns.sideWidth(side))}
	}
	sign, look := d.look(row)
	number := d.number(d.sections.local(side, max(row.ANumber, row.BNumber)))
	head := d.numberPaint().Apply(number) + look.line.Apply(sign)
	var out []string
	for _, part := range d.columns.parts(row, side) {
		out = append(out, head+d.content(row, look, part, side))
		head = strings.Repeat(" ", len(number)) + look.line.Apply(" ")
	}
	return out
}

// look is how a line and the changed words in it are painted.
type look struct{ line, word theme.Paint }

// look returns the sign of a line, which shows its state without color, and its paints.
func (d *painter) look(row diff.Row) (sign string, l look) {
	st := d.env.Styles
	switch {
	case d.reverted && row.Kind == diff.Added:
		return "+", look{st.Dim, st.Dim}
	case d.reverted && row.Kind == diff.Removed:
		return "-", look{st.Dim, st.Dim}
	case row.Kind == diff.Added && row.Moved > 0:
		return st.Glyphs.MovedHere, look{st.Moved, st.Moved}
	case row.Kind == diff.Added:
		return "+", look{st.Added, st.AddedWord}
	case row.Kind == diff.Removed && row.Moved > 0:
		return st.Glyphs.MovedAway, look{st.Moved, st.Moved}
	case row.Kind == diff.Removed:
		return "-", look{st.Removed, st.RemovedWord}
	default:
		return " ", look{st.Text, st.Text}
	}
}

// number draws a line number, nothing for 0, with the space behind it.
func (d *painter) number(n int) string {
	wide := d.columns.numberWidth()
	if wide == 0 {
		return ""
	}
	s := ""
	if n > 0 {
		s = strconv.Itoa(n)
	}
	return text.PadLeft(s, wide-1) + " "
}

// numberPaint is how the numbers of a line are painted, which show that it is selected.
func (d *painter) numberPaint() theme.Paint {
	if d.selected {
		return d.env.Styles.Marked
	}
	return d.env.Styles.Number
}

func (d *painter) plain(line []byte, paint theme.Paint, width int) string {
	return paint.Apply(text.Pad(text.Clean(d.env.MaskedText(string(line))), max(0, width)))
}
