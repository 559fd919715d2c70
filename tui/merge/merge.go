// Package merge is the box in which the conflicts of an undo, a revert or a restore are decided, one
// by one: the file as it is now against what would be restored. It is pure: it gets the parts of the text, keeps what
// is chosen, and returns the text that follows; the root opens it, reads and writes.
package merge

import (
	"bytes"

	"memcurator/keymap"
	"memcurator/memstore/undo"
	"memcurator/tui/ui"
)

// choice is what is taken of a conflict.
type choice uint8

// The choices.
const (
	undecided choice = iota
	takeNow          // what is there now
	takeThen         // what was there before
	takeBoth         // what is there now, and what was there before after it
)

// Pane decides the conflicts of one text. Make it with [New].
type Pane struct {
	env     *ui.Env
	title   string
	parts   []undo.Part
	of      []int // the parts that are conflicts
	chosen  []choice
	at      int // the conflict under the cursor
	view    ui.TextView
	moved   bool // the cursor has moved: its conflict comes into sight
	wanting bool // it was to be written, and something is unresolved
}

// New shows the parts of a text of which at least one is a conflict.
func New(env *ui.Env, title string, parts []undo.Part) *Pane {
	p := &Pane{env: env, title: title, parts: parts, moved: true}
	for i, part := range parts {
		if part.Conflict {
			p.of = append(p.of, i)
		}
	}
	p.chosen = make([]choice, len(p.of))
	p.view = ui.TextView{Count: func() int { return len(p.rows()) }, Height: func(int) int { return 1 }}
	return p
}

// Text is the text as it is decided; ok is false while something is not. Of what is
// unresolved it holds both sides, between marks as other programs write them.
func (p *Pane) Text() (text []byte, ok bool) {
	var out bytes.Buffer
	ok = true
	n := 0
	for _, part := range p.parts {
		if !part.Conflict {
			out.Write(part.Text)
			continue
		}
		switch p.chosen[n] {
		case takeNow:
			out.Write(part.Ours)
		case takeThen:
			out.Write(part.Theirs)
		case takeBoth:
			writeLines(&out, part.Ours)
			out.Write(part.Theirs)
		default:
			ok = false
			out.WriteString("<<<<<<< current\n")
			writeLines(&out, part.Ours)
			out.WriteString("=======\n")
			writeLines(&out, part.Theirs)
			out.WriteString(">>>>>>> restored\n")
		}
		n++
	}
	return out.Bytes(), ok
}

// writeLines writes whole lines: something comes after them.
func writeLines(out *bytes.Buffer, text []byte) {
	out.Write(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		out.WriteByte('\n')
	}
}

// Left counts the unresolved conflicts.
func (p *Pane) Left() int {
	n := 0
	for _, c := range p.chosen {
		if c == undecided {
			n++
		}
	}
	return n
}

// Handle implements [ui.Overlay]. A yes is the root's as soon as everything is decided.
func (p *Pane) Handle(id keymap.ID) bool {
	p.wanting = false
	switch id {
	case keymap.TakeNow:
		p.choose(takeNow)
	case keymap.TakeThen:
		p.choose(takeThen)
	case keymap.TakeBoth:
		p.choose(takeBoth)
	case keymap.TakeAllNow, keymap.TakeAllThen:
		for i := range p.chosen {
			p.chosen[i] = map[keymap.ID]choice{keymap.TakeAllNow: takeNow, keymap.TakeAllThen: takeThen}[id]
		}
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

// choose decides the conflict under the cursor, and goes to the next unresolved one.
func (p *Pane) choose(c choice) {
	p.chosen[p.at] = c
	p.toUndecided()
}

func (p *Pane) toUndecided() {
	for i := range p.of {
		if next := (p.at + i) % len(p.of); p.chosen[next] == undecided {
			p.goTo(next)
			return
		}
	}
	p.moved = true
}

func (p *Pane) goTo(conflict int) { p.at, p.moved = conflict, true }

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
