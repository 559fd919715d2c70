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
	kept    [][]side // of each conflict, in the order of the text; none: it is unresolved
	side    side     // the one that is to be kept, or no longer
	w       int      // of the box
	text    *kit.Text
	heads   []int // the lines that begin a conflict
	ends    []int // the lines after it
	wanting bool  // it was to be written, and something is unresolved
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
	p := &Pane{env: env, says: says, parts: parts}
	for _, part := range parts {
		if part.Conflict {
			p.kept = append(p.kept, nil)
		}
	}
	p.text = kit.NewText(env, kit.TextSpec{Owner: "merge", Find: func(_ *kit.Doc, line int) int { return line }})
	p.text.Set("", p.doc())
	return p
}

// at is the conflict that the cursor is in, or was in last.
func (p *Pane) at() int {
	_, line, _ := p.text.Lines()
	n, _ := slices.BinarySearch(p.heads, line+1)
	return max(0, n-1)
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
		p.side = current
	case keymap.Right:
		p.side = other
	case keymap.Mark:
		p.keep()
	case keymap.KeepCurrent:
		p.keepAll(current)
	case keymap.KeepRestored:
		p.keepAll(other)
	case keymap.HunkNext:
		p.goTo((p.at() + 1) % len(p.kept))
	case keymap.HunkPrev:
		p.goTo((p.at() + len(p.kept) - 1) % len(p.kept))
	case keymap.Yes:
		if p.Left() == 0 {
			return false
		}
		p.wanting = true
		p.toUndecided()
	default:
		_, done := p.text.Actions().Perform(id)
		return done
	}
	return true
}

// keep keeps the side under the cursor, after the other one if that is kept, or no longer.
func (p *Pane) keep() {
	kept := &p.kept[p.at()]
	if i := slices.Index(*kept, p.side); i >= 0 {
		*kept = slices.Delete(*kept, i, i+1)
	} else {
		*kept = append(*kept, p.side)
	}
}

// keepAll keeps one side of all conflicts.
func (p *Pane) keepAll(s side) {
	for i := range p.kept {
		p.kept[i] = []side{s}
	}
}

func (p *Pane) toUndecided() {
	for i := range p.kept {
		if next := (p.at() + i) % len(p.kept); len(p.kept[next]) == 0 {
			p.goTo(next)
			return
		}
	}
}

// goTo goes to the head of a conflict, and shows all of it, if it fits.
func (p *Pane) goTo(conflict int) {
	if conflict != p.at() {
		p.side = current
	}
	p.text.MoveToBlock(p.heads[conflict], p.ends[conflict]-p.heads[conflict])
}
