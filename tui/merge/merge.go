// Package merge is the box in which the conflicts of an undo, a revert, a restore or an edit are decided, one
// by one: the current file against what would be written. It is pure: it gets the parts of the text, keeps what
// is chosen, and returns the text that follows; the root opens it, reads and writes.
package merge

import (
	"bytes"
	"slices"

	"memcurator/keymap"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// side is one of the two texts of a conflict.
type side uint8

// The sides.
const (
	current side = iota // what is there now
	other               // what would be written
)

// Texts are the words of a box.
type Texts struct {
	Title string
	Other string // names what would be written: "restored", "yours"
	Leave string // what leaving does: "cancel"
	Plain bool   // the text can't be edited elsewhere
	Skips bool   // the text can be skipped; the others follow
	// Stores are where the two sides are, if not in one store: of the current one and of the other.
	Stores [2]string
}

// name names a side.
func (p *Pane) name(s side) string {
	if s == current {
		return "current"
	}
	return p.says.Other
}

// of is the text of the side of a conflict.
func (s side) of(p undo.Part) []byte {
	if s == current {
		return p.Ours
	}
	return p.Theirs
}

// Pane decides the conflicts of one text. Make it with [New].
type Pane struct {
	env     *kit.Env
	says    Texts
	parts   []undo.Part
	of      []int    // the parts that are conflicts
	kept    [][]side // of each conflict, in the order of the text; none: it is unresolved
	at      int      // the conflict under the cursor
	side    side     // of it under the cursor
	w       int      // of the box
	view    kit.TextView
	moved   bool // the cursor has moved: its conflict comes into sight
	wanting bool // it was to be written, and something is unresolved
}

// Title is the title of a box: what is under way, and how many conflicts there are in the text of a path.
func Title(what, path string, parts []undo.Part) string {
	n := 0
	for _, part := range parts {
		if part.Conflict {
			n++
		}
	}
	return what + ": " + kit.Count(n, "conflict") + " in " + text.Clean(kit.PathText(path))
}

// New shows the parts of a text of which at least one is a conflict.
func New(env *kit.Env, says Texts, parts []undo.Part) *Pane {
	p := &Pane{env: env, says: says, parts: parts, moved: true}
	for i, part := range parts {
		if part.Conflict {
			p.of = append(p.of, i)
		}
	}
	p.kept = make([][]side, len(p.of))
	p.view = kit.TextView{Count: func() int { return len(p.rows()) }, Height: func(int) int { return 1 }}
	return p
}

// Text is the text as decided; ok is false while anything is undecided. Of what is
// unresolved it holds both sides, between marks as other programs write them.
func (p *Pane) Text() (decided []byte, ok bool) {
	var out bytes.Buffer
	ok = true
	n := 0
	for _, part := range p.parts {
		if !part.Conflict {
			out.Write(part.Text)
			continue
		}
		switch kept := p.kept[n]; len(kept) {
		case 1:
			out.Write(kept[0].of(part))
		case 2:
			writeLines(&out, kept[0].of(part))
			out.Write(kept[1].of(part))
		default:
			ok = false
			out.WriteString("<<<<<<< current\n")
			writeLines(&out, part.Ours)
			out.WriteString("=======\n")
			writeLines(&out, part.Theirs)
			out.WriteString(">>>>>>> " + p.says.Other + "\n")
		}
		n++
	}
	return out.Bytes(), ok
}

// writeLines writes whole lines: something comes after them.
func writeLines(out *bytes.Buffer, lines []byte) {
	out.Write(lines)
	if len(lines) > 0 && lines[len(lines)-1] != '\n' {
		out.WriteByte('\n')
	}
}

// Left counts the unresolved conflicts.
func (p *Pane) Left() int {
	n := 0
	for _, kept := range p.kept {
		if len(kept) == 0 {
			n++
		}
	}
	return n
}

// Handle implements [kit.Overlay]. A yes is the root's as soon as everything is decided.
func (p *Pane) Handle(id keymap.ID) bool {
	p.wanting = false
	switch id {
	case keymap.Left:
		p.side, p.moved = current, true
	case keymap.Right:
		p.side, p.moved = other, true
	case keymap.Mark:
		p.keep()
	case keymap.KeepCurrent:
		p.keepAll(current)
	case keymap.KeepRestored:
		p.keepAll(other)
	case keymap.HunkNext:
		p.goTo((p.at + 1) % len(p.of))
	case keymap.HunkPrev:
		p.goTo((p.at + len(p.of) - 1) % len(p.of))
	case keymap.Yes:
		if p.Left() == 0 {
			return false
		}
		p.wanting = true
		p.toUndecided()
	default:
		return p.scroll(id)
	}
	return true
}

// keep keeps the side under the cursor, after the other one if that is kept, or no longer.
func (p *Pane) keep() {
	kept := &p.kept[p.at]
	if i := slices.Index(*kept, p.side); i >= 0 {
		*kept = slices.Delete(*kept, i, i+1)
	} else {
		*kept = append(*kept, p.side)
	}
	p.moved = true
}

// keepAll keeps one side of all conflicts.
func (p *Pane) keepAll(s side) {
	for i := range p.kept {
		p.kept[i] = []side{s}
	}
}

func (p *Pane) toUndecided() {
	for i := range p.of {
		if next := (p.at + i) % len(p.of); len(p.kept[next]) == 0 {
			p.goTo(next)
			return
		}
	}
	p.moved = true
}

func (p *Pane) goTo(conflict int) {
	if conflict != p.at {
		p.side = current
	}
	p.at, p.moved = conflict, true
}

func (p *Pane) scroll(id keymap.ID) bool {
	switch id {
	case keymap.PageDown: // a page is half of one: the lines around the conflict stay in sight
		id = keymap.HalfDown
	case keymap.PageUp:
		id = keymap.HalfUp
	}
	if !p.view.Pan(id) {
		return false
	}
	p.moved = false
	return true
}
