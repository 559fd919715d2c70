package browse

import (
	"fmt"
	"strconv"
	"strings"

	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// numberCells is the room of a line number with the two blanks behind it.
const numberCells = 8

// head are the rows above the list: what was found, and what has to be known about it.
func (p *FoundPane) head() []string {
	if p.state == none {
		return nil
	}
	rows := []string{p.Summary()}
	if note := p.note(); note != "" {
		rows = append(rows, note)
	}
	return rows
}

// Summary is what was searched for and how that stands, in one line.
func (p *FoundPane) Summary() string {
	if p.matcher == nil {
		return ""
	}
	t := &p.totals
	line := text.Clean(strconv.Quote(p.matcher.Query().String()))
	if p.matcher.Query().Regexp {
		line = text.Clean(p.matcher.Query().String())
	}
	line = text.Truncate(line, max(12, p.w/3), p.env.Styles.Glyphs.Ellipsis) + ": " + foundText(t.Matches, t.Matched, t.Names)
	percent := int(t.Bytes * 100 / max(t.AllBytes, 1))
	switch p.state {
	case running:
		line += ", " + fmt.Sprintf("searching %d%%", min(percent, 100))
	case cancelled:
		line += ", " + fmt.Sprintf("canceled at %d%%", min(percent, 100))
	case failed:
		line += ", failed"
	}
	return line
}

// foundText is how much a search of the store has found.
func foundText(count, files, names int) string {
	line := ui.CountMatches(count)
	if count > 0 {
		line += " in " + ui.CountGrouped(files, "file")
	}
	if names > 0 {
		line += ", " + ui.CountGrouped(names, "name")
	}
	return line
}

const (
	textAgain      = "Search stopped early. {found/find-again} searches again"
	textFindFailed = "Can't read the store. {found/find-again} searches again"
)

// note is what the counts do not tell.
func (p *FoundPane) note() string {
	var notes []string
	switch p.state {
	case cancelled:
		notes = append(notes, p.env.Keyed(textAgain))
	case failed:
		notes = append(notes, p.env.Keyed(textFindFailed))
	}
	if p.stale && p.state == done {
		notes = append(notes, p.env.Keyed("files changed since. {found/find-again} searches again"))
	}
	if p.state != running && p.totals.Kept < p.totals.Lines {
		notes = append(notes, listedText(p.totals.Kept, p.totals.Lines))
	}
	if p.totals.Skips > 0 {
		notes = append(notes, ui.CountGrouped(p.totals.Skips, "file")+" unreadable")
	}
	if p.totals.CutLines > 0 {
		notes = append(notes, ui.CountGrouped(p.totals.CutLines, "long line")+" searched in the first 256 KiB only")
	}
	return strings.Join(notes, " "+p.env.Styles.Glyphs.Separator+" ")
}

// listedText says that not all lines are listed.
func listedText(kept, lines int) string {
	return fmt.Sprintf("%s of %s lines listed, counts complete", ui.Number(kept), ui.Number(lines))
}

// room is how many rows the list has.
func (p *FoundPane) room() int { return max(1, p.h-len(p.head())) }

// Rows implements [ui.Pane].
func (p *FoundPane) Rows(focused bool) []string {
	p.sync()
	p.fit()
	st := p.env.Styles
	out := make([]string, 0, p.h)
	for i, row := range p.head() {
		paint := st.Title
		if i > 0 {
			paint = st.Warning
		}
		out = append(out, paint.Apply(text.Pad(" "+text.Truncate(row, max(0, p.w-1), st.Glyphs.Ellipsis), p.w)))
	}
	cursor, _ := p.list.At()
	none := func() []string { return ui.Notice(p.env, p.emptyText(), p.w) }
	return p.list.Draw(out, p.w, p.h, none, func(row int) string {
		it, _ := p.results.at(row)
		return p.row(it, row == cursor, focused)
	})
}

const textNothing = "No search yet. {global/find} searches all names and text"

// emptyText is shown instead of a list without rows.
func (p *FoundPane) emptyText() string {
	switch {
	case p.state == none:
		return p.env.Keyed(textNothing)
	case p.state == running:
		return p.env.Keyed(ui.TextSearching)
	case p.state == done && p.totals.AllFiles == 0:
		return "No files in this store yet"
	case p.state == done:
		return nothingFoundText(p.env, text.Clean(p.matcher.Query().String()), !p.matcher.Fold())
	case p.state == failed:
		return p.env.Keyed(textFindFailed)
	default:
		return p.env.Keyed(textAgain)
	}
}

// nothingFoundText says that neither a name nor a line matches, and what to do.
func nothingFoundText(e *ui.Env, query string, exact bool) string {
	line := "No match for " + query + e.Keyed(". {global/find} searches again, {global/back} closes")
	if exact {
		line += ". Lowercase ignores case"
	}
	return line
}

// Where names the file and the line under the cursor, for the status line.
func (p *FoundPane) Where() string {
	it, ok := p.current()
	switch {
	case !ok:
		return p.Summary()
	case it.hit >= 0 && it.hit < len(it.file.hits) && !it.file.binary:
		return ui.PathText(it.file.path) + ":" + strconv.Itoa(it.file.hits[it.hit].Line)
	default:
		return ui.PathText(it.file.path)
	}
}

func (p *FoundPane) row(it item, cursor, focused bool) string {
	st := p.env.Styles
	lead, base := " ", st.Text
	if cursor {
		lead, base = st.Glyphs.Cursor, st.SelectedBlur
		if focused {
			base = st.Selected
		}
	}
	lead = text.Truncate(lead, p.w, "")
	width := max(0, p.w-1)
	switch {
	case it.name:
		return base.Apply(lead) + p.path(it.file, "name", width, base, !cursor, it.file.name)
	case it.hit < 0:
		return base.Apply(lead) + p.path(it.file, ui.CountMatches(it.file.matches), width, base, !cursor, nil)
	case it.hit >= len(it.file.hits):
		note := moreLinesText(p.env, it.file.lines-len(it.file.hits))
		note = text.Truncate(note, max(0, width-numberCells), st.Glyphs.Ellipsis)
		return base.Apply(text.Pad(lead+strings.Repeat(" ", numberCells)+note, p.w))
	}
	return base.Apply(lead) + p.hit(it, width, base, cursor)
}

// moreLinesText says how many lines of a file are not listed.
func moreLinesText(e *ui.Env, n int) string {
	return ui.CountGrouped(n, "line") + e.Keyed(" more; {found/open} opens the file, {view/search-next} goes to the next")
}

// path draws a path with its marks and what is to be said of it at the right.
func (p *FoundPane) path(f *file, right string, width int, base theme.Paint, plain bool, marks []search.Span) string {
	st := p.env.Styles
	switch {
	case f.gone:
		right = "gone  " + right
	case f.changed:
		right = "changed  " + right
	}
	right = "  " + right + " "
	if text.Width(right) > width/2 {
		right = ""
	}
	room := max(0, width-text.Width(right))
	paint, side := base, base
	if plain {
		paint, side = st.Path, st.Dim
		if f.folder {
			paint = st.Directory
		}
	}
	name := f.path
	if f.folder {
		name += "/"
	}
	l := line{p: p, base: paint, mark: base.With(st.MatchCurrent), room: room, tail: len(marks) == 0}
	return l.draw([]byte(name), marks, false, false) + side.Apply(right)
}

// hit draws a line with matches.
func (p *FoundPane) hit(it item, width int, base theme.Paint, cursor bool) string {
	st := p.env.Styles
	f := it.file
	h := &f.hits[it.hit]
	number := strings.Repeat(" ", max(0, numberCells-2-len(strconv.Itoa(h.Line)))) + strconv.Itoa(h.Line) + "  "
	paint := base
	if !cursor {
		paint = st.Number
	}
	number = text.Truncate(number, width, "")
	width -= text.Width(number)
	l := line{p: p, base: base, mark: base.With(st.MatchCurrent), room: width}
	if f.binary {
		return paint.Apply(number) + base.Apply(text.Pad("binary file matches", width))
	}
	if !cursor && f.changed {
		l.base = st.Dim
	}
	return paint.Apply(number) + l.draw(h.Text, h.Spans, h.From > 0, h.More)
}

// line draws one line of content with its matches into exactly room cells.
type line struct {
	p          *FoundPane
	base, mark theme.Paint
	room       int
	hidden     bool // secrets of the line are hidden
	tail       bool // where it is too long its end is shown, not the first match
	out        strings.Builder
}

// draw shows the part with the first match. cutLeft and cutRight say that the line continues.
func (l *line) draw(b []byte, spans []search.Span, cutLeft, cutRight bool) string {
	o := l.p.env.Text(0)
	b, l.hidden = l.p.env.Masked(b)
	o.Hidden = l.hidden
	dots := l.p.env.Styles.Glyphs.Ellipsis
	cut := text.Width(dots)
	all, from := text.Column(b, len(b), o), 0
	switch {
	case all <= l.room:
	case l.tail:
		from = all - l.room + cut
	case len(spans) > 0:
		if end := text.Column(b, min(spans[0].End, len(b)), o); end > l.room-cut {
			from = max(0, min(text.Column(b, spans[0].Start, o)-l.room/4, all-l.room+cut))
		}
	}
	if (from > 0 || cutLeft) && l.room > cut {
		l.out.WriteString(l.base.Apply(dots))
		l.room -= cut
	}
	more := (cutRight || all-from > l.room) && l.room > cut
	if more {
		l.room -= cut
	}
	at, cell := 0, 0
	for _, s := range spans {
		start, end := max(at, min(s.Start, len(b))), min(s.End, len(b))
		if end <= start {
			continue
		}
		cell = l.part(b[at:start], cell, from, l.base)
		cell = l.part(b[start:end], cell, from, l.mark)
		at = end
	}
	l.part(b[at:], cell, from, l.base)
	if l.room > 0 {
		l.out.WriteString(l.base.Apply(strings.Repeat(" ", l.room)))
	}
	if more {
		l.out.WriteString(l.base.Apply(dots))
	}
	return l.out.String()
}

// part draws the next bytes, which begin in a cell of the line, from the cell from on; it
// returns where the bytes behind them begin.
func (l *line) part(b []byte, cell, from int, paint theme.Paint) int {
	if len(b) == 0 {
		return cell
	}
	st, o := l.p.env.Styles, l.p.env.Text(cell)
	o.Hidden = l.hidden
	end := cell + text.Column(b, len(b), o)
	if l.room <= 0 || end <= from {
		return end
	}
	for _, s := range text.Window(b, max(0, from-cell), l.room, o) {
		look := paint
		if paint == l.base && (s.Kind == text.Control || s.Kind == text.Invisible) {
			look = paint.With(st.Control)
		} else if paint == l.base && s.Kind == text.Invalid {
			look = paint.With(st.Invalid)
		}
		l.out.WriteString(look.Apply(s.Text))
		l.room -= s.Width
	}
	return end
}
