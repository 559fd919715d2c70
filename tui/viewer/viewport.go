package viewer

import (
	"bytes"
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/ui"
)

// position is where the user is: rows count from the header.
type position struct {
	line int    // row under the cursor
	top  int    // first row on the screen
	sub  int    // first screen row of top that is shown, when lines wrap
	col  int    // first cell of the content that is shown, when lines are cut
	from origin // byte of the lines where the content starts
}

// start is the position in a text that was opened again.
var start = position{from: origin{line: everyLine}}

// nowhere is the goal when there is none.
const nowhere = -1

// viewport is the part of the text that is on the screen, with the cursor in it. It moves both, and reads the page that they
// come to; what cannot be done before the page is there waits for it.
type viewport struct {
	env    *ui.Env
	layout *layout
	pos    position
	shown  position // last position whose page was there: drawn until the next page is
	goal   int      // row to go to when the lines are counted, or nowhere
	owed   int      // screen rows still to scroll when the page is there
	aim    aim
}

// viewOf is the view of the rows at a position.
func (vp *viewport) viewOf(pos position) ui.TextView {
	return ui.TextView{
		Count: vp.layout.known, Height: vp.layout.height, Centre: true, H: vp.layout.h,
		Cursor: ui.Place{Line: pos.line}, Top: ui.Place{Line: pos.top, Row: pos.sub},
	}
}

// inView moves cursor and screen by rows.
func (vp *viewport) inView(move func(v *ui.TextView)) {
	v := vp.viewOf(vp.pos)
	move(&v)
	vp.pos.line, vp.pos.top, vp.pos.sub = v.Cursor.Line, v.Top.Line, v.Top.Row
}

// moveTo puts the cursor on a row and brings it into sight.
func (vp *viewport) moveTo(row int) {
	if vp.layout.doc != nil {
		vp.inView(func(v *ui.TextView) { v.MoveTo(row) })
	}
}

// reveal brings the cursor into sight.
func (vp *viewport) reveal() {
	if vp.layout.doc != nil {
		vp.inView((*ui.TextView).Reveal)
	}
}

// goTo is moveTo for a row that may not be counted yet: it waits.
func (vp *viewport) goTo(row int) {
	vp.goal = nowhere
	if row >= vp.layout.known() && !vp.layout.doc.counted() {
		vp.goal = row
		return
	}
	vp.moveTo(row)
}

// scrollBy moves screen and cursor together, by screen rows. Where the heights of rows
// are still unknown it waits for the page, so that it skips nothing.
func (vp *viewport) scrollBy(rows int) {
	if vp.layout.wrap && !vp.covered(vp.pos) {
		vp.owed += rows
		return
	}
	vp.inView(func(v *ui.TextView) { v.Scroll(rows) })
}

// payBack scrolls what had to wait for a page.
func (vp *viewport) payBack() {
	for vp.owed != 0 && vp.covered(vp.pos) {
		part := max(-vp.layout.h, min(vp.owed, vp.layout.h))
		vp.owed -= part
		if part == 0 {
			vp.owed = 0
			return
		}
		vp.scrollBy(part)
	}
}

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) {
	if p.layout.doc == nil {
		return ui.Point{}, false
	}
	v := p.view.viewOf(p.view.onScreen())
	return ui.Point{Y: v.CursorRow()}, true
}

// onScreen is the position to draw: the one before as long as the page is not there.
func (vp *viewport) onScreen() position {
	if vp.covered(vp.pos) {
		vp.shown = vp.pos
	}
	return vp.shown
}

// request asks for the screen, the one above it and the one below.
func (vp *viewport) request(head int) request {
	return request{first: max(0, vp.pos.top-head-vp.layout.h), count: 3 * vp.layout.h, from: vp.pos.from}
}

// ensure reads the page around the position if it is not there.
func (vp *viewport) ensure() tea.Cmd {
	d := vp.layout.doc
	if d == nil || d.body == nil || vp.layout.h <= 0 {
		return nil
	}
	d.judge()
	if vp.covered(vp.pos) {
		vp.env.Jobs.Cancel(ownerPage) // an older request would only replace this page by another
		return nil
	}
	r := vp.request(d.headRows())
	return vp.env.Jobs.Start(ownerPage, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		return r.read(d), nil
	})
}

// covered reports whether the page that was read holds every row of the screen at pos.
func (vp *viewport) covered(pos position) bool {
	d, w := vp.layout.doc, vp.layout.win
	if d == nil || d.body == nil {
		return true
	}
	if w == nil || w.of != d || w.count == 0 || w.from != pos.from {
		return false
	}
	if w.err != nil {
		return true // asking again would fail again
	}
	if w.partial && d.counted() {
		return false
	}
	from := max(0, pos.top-d.headRows())
	to := max(0, pos.top+vp.layout.h-d.headRows())
	if d.counted() {
		to = min(to, d.body.Facts().Lines)
	}
	if to <= from {
		return true
	}
	if from < w.first {
		return false
	}
	if to <= w.first+len(w.lines) {
		return true
	}
	// A short page that starts here is all that the file has for now.
	return len(w.lines) < w.count && d.body.Facts().Lines <= w.first+len(w.lines)
}

// moved looks for the lines that were on the screen among those of a file that was replaced,
// and returns by how many rows they moved down (negative: up). It looks as far as the page goes.
func (vp *viewport) moved(w *window) int {
	if vp.layout.win == nil || vp.layout.win.of != vp.layout.doc || w == nil || len(w.lines) == 0 || vp.layout.h <= 0 {
		return 0
	}
	// The text by line number, and the rows that were on the screen.
	now := map[int][]byte{}
	for _, l := range w.lines {
		now[l.Number] = l.Text
	}
	head := vp.layout.doc.headRows()
	var old []piece
	for row := max(vp.pos.top, head); row < vp.pos.top+vp.layout.h; row++ {
		if l, ok := vp.layout.bodyLine(row); ok && len(bytes.TrimSpace(l.Text)) > 0 {
			old = append(old, l)
		}
	}
	score := func(by int) (same int) {
		for _, l := range old {
			if text, ok := now[l.Number+by]; ok && bytes.Equal(text, l.Text) {
				same++
				if l.Number == vp.pos.line-head {
					same += 2 // the line under the cursor is what the user reads
				}
			}
		}
		return same
	}
	best, most := 0, score(0)
	for by := 1; by <= 2*vp.layout.h; by++ {
		for _, d := range []int{by, -by} {
			if s := score(d); s > most {
				best, most = d, s
			}
		}
	}
	return best
}

// settle puts the cursor where it belongs in a text of which more is known now.
func (vp *viewport) settle() {
	vp.layout.doc.judge()
	row := vp.pos.line // beyond the end if the file became shorter
	if vp.goal != nowhere && vp.layout.doc.counted() {
		row, vp.goal = vp.goal, nowhere
	}
	vp.moveTo(row)
}

// recall puts the user back into a text that was opened again. Where its lines are not all
// counted yet, it waits for the line.
func (vp *viewport) recall(s Spot) {
	head := vp.layout.doc.headRows()
	row := head + s.Line
	if row >= vp.layout.known() && !vp.layout.doc.counted() {
		vp.goal = row
		return
	}
	top := head + s.Top
	if s.Top == 0 {
		top = 0 // the header was on the screen with the first line
	}
	vp.pos.line, vp.pos.top = min(row, vp.layout.known()-1), min(top, vp.layout.known()-1)
	vp.shown = vp.pos
}
