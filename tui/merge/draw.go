package merge

import (
	"bytes"
	"fmt"
	"slices"

	"memcurator/keymap"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// around is how many sure lines are shown on each side of a conflict.
const around = 3

// wide is how wide the box is, in cells, on a screen of 100: then the sides of a conflict are side by side, else one above the other.
const wide = 96

// wrapUpTo is how much of one line is shown, in bytes.
const wrapUpTo = 16 << 10

// row is one row of the box before it is painted.
type row struct {
	mark     string // in front of the line
	line     []byte
	part     text.Row // of the line that the row shows
	paint    theme.Paint
	right    *row // the row beside it, of the other side
	conflict int  // of which it is a row; -1: of none
	side     side // of it
	head     bool // the row above both sides
}

// Title implements [kit.Overlay].
func (p *Pane) Title() string { return p.says.Title }

// Scopes implements [kit.Overlay].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Merge, keymap.Motion} }

// Cursor implements [kit.Overlay].
func (p *Pane) Cursor() (kit.Point, bool) { return kit.Point{}, false }

// Size implements [kit.Overlay].
func (p *Pane) Size(maxW, maxH int) (int, int) {
	p.w = maxW
	return maxW, max(1, min(maxH, len(p.rows())))
}

// Footer implements [kit.Overlay].
func (p *Pane) Footer() string {
	if p.wanting {
		return p.unresolved() + ": " + p.env.Keyed("{merge/mark} keeps a side")
	}
	keys := "{merge/left} {merge/right} side  {merge/mark} keep  {merge/keep-current} {merge/keep-restored} keep all  {merge/hunk-next} next  "
	if !p.says.Plain {
		keys += "{merge/edit} edit  "
	}
	if p.says.Skips {
		keys += "{merge/skip} skip  "
	}
	return p.env.Keyed(keys+"{merge/yes} write  {merge/no} ") + p.says.Leave
}

// Hints implements [kit.Hinted]. A yes that came too early is answered first.
func (p *Pane) Hints() kit.Hints {
	h := kit.Hints{Acts: []kit.Hint{
		kit.Act("side", keymap.Left, keymap.Right), kit.Act("keep", keymap.Mark), kit.Act("next", keymap.HunkNext),
	}}
	if p.says.Skips {
		h.Acts = append(h.Acts, kit.Act("skip", keymap.Skip))
	}
	if !p.says.Plain {
		h.Acts = append(h.Acts, kit.Act("edit", keymap.Edit))
	}
	h.Acts = append(h.Acts, kit.Act("write", keymap.Yes), kit.Act(p.says.Leave, keymap.No))
	if p.wanting {
		h.Lead = p.unresolved()
	}
	return h
}

// unresolved counts what keeps the text from being written.
func (p *Pane) unresolved() string { return kit.Count(p.Left(), "conflict") + " unresolved" }

var _ kit.Hinted = (*Pane)(nil)

// Rows implements [kit.Overlay].
func (p *Pane) Rows(w, h int) []string {
	p.w = w
	rows := p.rows()
	p.view.H = h
	if p.moved {
		p.show(rows, h)
	}
	p.view.Fill()
	out := make([]string, 0, h)
	for i := p.view.Top.Line; i < len(rows) && len(out) < h; i++ {
		out = append(out, p.draw(rows[i], w))
	}
	return kit.FillRows(out, w, h)
}

// show brings the conflict under the cursor into sight: whole, or its beginning.
func (p *Pane) show(rows []row, h int) {
	first, last := -1, 0
	for i, r := range rows {
		if r.conflict == p.at {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	top := &p.view.Top.Line
	if last >= *top+h {
		*top = last - h + 1
	}
	*top = min(*top, max(0, first-1))
}

func (p *Pane) draw(r row, w int) string {
	if r.right != nil {
		bar := p.env.Styles.Border.Apply(p.env.Styles.Glyphs.SplitVertical)
		right := *r.right
		r.right = nil
		return p.draw(r, p.sideWidth()) + bar + p.draw(right, w-p.sideWidth()-1)
	}
	st := p.env.Styles
	lead := " "
	if r.conflict == p.at && !r.head && r.side == p.side {
		lead = st.Glyphs.Cursor
	}
	prefix := lead + r.mark
	room := max(0, w-text.Width(prefix))
	return text.Pad(prefix, min(w, text.Width(prefix))) +
		r.paint.Apply(text.Pad(p.env.Row(r.line, r.part.Start, r.part.End, room, r.part.Col), room))
}

// sideWidth is the width of a side with its cursor and mark.
func (p *Pane) sideWidth() int {
	if p.w < wide {
		return p.w
	}
	return (p.w - 1) / 2
}

// beside joins the rows of the two sides, where the box is wide enough, else it puts them one above the other.
func (p *Pane) beside(left, right []row) []row {
	if p.w < wide {
		return append(left, right...)
	}
	empty := func(like row) row {
		like.mark, like.line, like.part, like.paint, like.head = "", nil, text.Row{}, p.env.Styles.Text, true
		return like
	}
	out := make([]row, max(len(left), len(right)))
	for i := range out {
		l, r := empty(left[0]), empty(right[0])
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			r = right[i]
		}
		l.right = &r
		out[i] = l
	}
	return out
}

// whole is all of a line as one row.
func whole(line []byte) text.Row { return text.Row{End: len(line)} }

// rows lays the text out: of what is sure only what is near a conflict.
func (p *Pane) rows() []row {
	st := p.env.Styles
	out := p.storeRows()
	n := 0
	for i, part := range p.parts {
		if !part.Conflict {
			out = append(out, p.sure(part.Text, i > 0, i < len(p.parts)-1)...)
			continue
		}
		head := []byte(p.headText(n))
		out = append(out, row{line: head, part: whole(head), paint: st.Hunk, conflict: n, head: true})
		out = append(out, p.beside(p.sideRows(part, current, n), p.sideRows(part, other, n))...)
		n++
	}
	return out
}

// sideMarks are in front of the lines of the sides.
var sideMarks = [...]string{"< ", "> "}

// storeRows name the stores of the sides.
func (p *Pane) storeRows() []row {
	if p.says.Stores[current] == "" {
		return nil
	}
	var rows [2][]row
	for s, store := range p.says.Stores {
		name, w, dots := p.name(side(s))+", ", max(1, p.sideWidth()-5), p.env.Styles.Glyphs.Ellipsis
		line := text.Truncate(name+fitStore(text.Clean(store), w-text.Width(name), dots), w, dots)
		rows[s] = []row{{mark: "  " + sideMarks[s], line: []byte(line), part: whole([]byte(line)), paint: p.env.Styles.Dim, conflict: -1}}
	}
	return p.beside(rows[current], rows[other])
}

// fitStore shortens the name of a store from the front: the names of two stores differ at the end.
func fitStore(name string, width int, ellipsis string) string {
	if text.Width(name) <= width {
		return name
	}
	return text.TruncateLeft(name, max(1, width), ellipsis)
}

// headText heads one conflict, from 0.
func (p *Pane) headText(n int) string {
	kept := p.kept[n]
	says := "unresolved: < current, > " + p.says.Other
	switch len(kept) {
	case 1:
		says = p.name(kept[0])
	case 2:
		says = "both: " + p.name(kept[0]) + ", then " + p.name(kept[1])
	}
	return fmt.Sprintf("conflict %d of %d, %s", n+1, len(p.of), says)
}

// sideRows lists the lines of one side of a conflict; what is not kept is dim once the conflict is resolved, and what is has a mark.
func (p *Pane) sideRows(part undo.Part, s side, n int) []row {
	st := p.env.Styles
	sign, paint := "  ", st.Removed
	if s == other {
		paint = st.Added
	}
	switch {
	case slices.Contains(p.kept[n], s):
		sign = st.Glyphs.Mark + " "
	case len(p.kept[n]) > 0:
		paint = st.Dim
	}
	list := split(s.of(part))
	if len(list) == 0 {
		none := []byte("(no line)")
		return []row{{mark: sign + sideMarks[s], line: none, part: whole(none), paint: st.Dim, conflict: n, side: s}}
	}
	var out []row
	for _, l := range list {
		for i, piece := range text.Wrap(nil, l[:min(len(l), wrapUpTo)], max(1, p.sideWidth()-5), p.env.Text(0)) {
			mark := sideMarks[s]
			if i > 0 {
				mark = "  "
			}
			out = append(out, row{mark: sign + mark, line: l, part: piece, paint: paint, conflict: n, side: s})
		}
	}
	return out
}

// sure lists the lines beside conflicts; after and before tell on which side there is one.
func (p *Pane) sure(t []byte, after, before bool) []row {
	st := p.env.Styles
	list := split(t)
	head, tail := 0, 0
	if after {
		head = min(around, len(list))
	}
	if before {
		tail = min(around, len(list)-head)
	}
	var out []row
	add := func(lines [][]byte) {
		for _, l := range lines {
			out = append(out, row{mark: "    ", line: l, part: whole(l), paint: st.Text, conflict: -1})
		}
	}
	add(list[:head])
	if hidden := len(list) - head - tail; hidden > 0 {
		line := []byte(hiddenText(hidden))
		out = append(out, row{mark: "    ", line: line, part: whole(line), paint: st.Dim, conflict: -1})
	}
	add(list[len(list)-tail:])
	return out
}

// hiddenText replaces lines that are the same either way.
func hiddenText(lines int) string { return "... " + kit.Count(lines, "line") + " ..." }

// split is a text in lines without their ends.
func split(t []byte) [][]byte {
	if len(t) == 0 {
		return nil
	}
	return bytes.Split(bytes.TrimSuffix(t, []byte{'\n'}), []byte{'\n'})
}
