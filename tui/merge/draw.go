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

// Title implements [kit.Overlay].
func (p *Pane) Title() string { return p.says.Title }

// Scopes implements [kit.Overlay].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Merge, keymap.Motion} }

// Cursor implements [kit.Overlay].
func (p *Pane) Cursor() (kit.Point, bool) { return p.text.Cursor() }

// Size implements [kit.Overlay].
func (p *Pane) Size(maxW, maxH int) (int, int) {
	p.layOut(maxW, maxH)
	return maxW, p.text.Extent(maxH)
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
	p.layOut(w, h)
	return p.text.Rows(true)
}

// layOut lays the text out. Where the width is another, the cursor goes to the head of its conflict.
func (p *Pane) layOut(w, h int) {
	at, was := p.at(), p.w
	p.w = w
	p.text.Resize(w, h)
	p.text.Set("", p.doc())
	if w != was {
		p.goTo(at)
	}
}

// doc lists the lines of the text: of what is sure only what is near a conflict.
func (p *Pane) doc() *kit.Doc {
	var lines []kit.Line
	at := p.at()
	p.heads, p.ends = nil, nil
	for i, part := range p.parts {
		if !part.Conflict {
			lines = append(lines, sure(part.Text, i > 0, i < len(p.parts)-1)...)
			continue
		}
		n := len(p.heads)
		p.heads = append(p.heads, len(lines))
		lines = append(lines, kit.Line{Text: []byte(p.headText(n)), Look: func(st *theme.Styles) theme.Paint { return st.Hunk }})
		left, right := p.sideLines(part, current, n, n == at), p.sideLines(part, other, n, n == at)
		if p.w >= wide {
			left, right = beside(left, right), nil
		}
		lines = append(append(lines, left...), right...)
		p.ends = append(p.ends, len(lines))
	}
	doc := kit.Lines(lines)
	if p.says.Stores[current] != "" {
		doc.Above = p.storesText
	}
	return doc
}

// beside puts each line of the other side beside one of the current side.
func beside(left, right []kit.Line) []kit.Line {
	for len(left) < len(right) {
		left = append(left, kit.Line{})
	}
	for i := range left {
		left[i].Right = &kit.Line{}
		if i < len(right) {
			left[i].Right = &right[i]
		}
	}
	return left
}

// sideMarks are in front of the lines of the sides.
var sideMarks = [...]string{"< ", "> "}

// storesText names the stores of the sides.
func (p *Pane) storesText(width int) string {
	said, dots := "", p.env.Styles.Glyphs.Ellipsis
	for s, store := range p.says.Stores {
		name := sideMarks[s] + p.name(side(s)) + ", "
		said += text.Pad(name+fitStore(text.Clean(store), width/2-text.Width(name)-1, dots), width/2)
	}
	return said
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
	return fmt.Sprintf("conflict %d of %d, %s", n+1, len(p.kept), says)
}

// sideLines lists the lines of one side of a conflict; what is not kept is dim once the conflict is resolved, and what is has a mark.
func (p *Pane) sideLines(part undo.Part, s side, n int, here bool) []kit.Line {
	look := func(st *theme.Styles) theme.Paint {
		switch {
		case len(p.kept[n]) > 0 && !slices.Contains(p.kept[n], s):
			return st.Dim
		case s == other:
			return st.Added
		}
		return st.Removed
	}
	chosen, kept := " ", " "
	if here && s == p.side {
		chosen = p.env.Styles.Glyphs.Cursor
	}
	if slices.Contains(p.kept[n], s) {
		kept = p.env.Styles.Glyphs.Mark
	}
	list := split(s.of(part))
	if len(list) == 0 {
		list = [][]byte{[]byte("(no line)")}
	}
	lines := make([]kit.Line, len(list))
	for i, l := range list {
		lines[i] = kit.Line{Text: l, Mark: chosen + kept + sideMarks[s], Look: look}
	}
	return lines
}

// sure lists the lines beside conflicts; after and before tell on which side there is one.
func sure(t []byte, after, before bool) []kit.Line {
	list := split(t)
	head, tail := 0, 0
	if after {
		head = min(around, len(list))
	}
	if before {
		tail = min(around, len(list)-head)
	}
	var out []kit.Line
	add := func(lines [][]byte) {
		for _, l := range lines {
			out = append(out, kit.Line{Text: l, Mark: "    "})
		}
	}
	add(list[:head])
	if hidden := len(list) - head - tail; hidden > 0 {
		add([][]byte{[]byte(hiddenText(hidden))})
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
