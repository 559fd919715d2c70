package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Overlay is what is drawn over the screen: a text, a question, a list to choose from. It draws itself and moves; what an answer
// to it does is up to its [Box]. All methods run on the Bubble Tea goroutine.
type Overlay interface {
	Title() string
	Scopes() []keymap.Scope
	// Handle performs an action; false: it is an answer, or the shell's.
	Handle(id keymap.ID) bool
	// Size is the wanted inner size within a limit.
	Size(maxW, maxH int) (w, h int)
	// Rows draws exactly h rows of exactly w cells.
	Rows(w, h int) []string
	// Footer is the line in the lower border.
	Footer() string
	// Cursor is where the terminal's own cursor belongs; false: nowhere, so that it is at the top left.
	Cursor() (Point, bool)
}

// Filterable is an overlay whose rows a typed line narrows.
type Filterable interface{ SetFilter(line string) }

// Typed is an overlay in which text is typed.
type Typed interface{ Type(tea.KeyPressMsg) }

// Copyable is an overlay whose text can be copied.
type Copyable interface{ Content() string }

// Box is an overlay that is open, with what answers to it do. An answer closes the box first.
type Box struct {
	Overlay
	Answers map[keymap.ID]func() tea.Cmd
}

// Boxes are the open boxes, the last one on top.
type Boxes struct{ open []Box }

// Top is the box that has the keys; not ok: none is open.
func (b *Boxes) Top() (box Box, ok bool) {
	if len(b.open) == 0 {
		return Box{}, false
	}
	return b.open[len(b.open)-1], true
}

// Len is how many are open.
func (b *Boxes) Len() int { return len(b.open) }

// Open puts a box on top.
func (b *Boxes) Open(box Box) { b.open = append(b.open, box) }

// CloseTop closes the box on top, which must exist.
func (b *Boxes) CloseTop() { b.open = b.open[:len(b.open)-1] }

// Keep closes all boxes but those that fit.
func (b *Boxes) Keep(fits func(Overlay) bool) {
	b.open = slices.DeleteFunc(slices.Clone(b.open), func(box Box) bool { return !fits(box.Overlay) })
}

// Close closes the box of an overlay, also below others.
func (b *Boxes) Close(o Overlay) { b.Keep(func(open Overlay) bool { return open != o }) }

// OnTop reports whether the overlay has the keys.
func (b *Boxes) OnTop(o Overlay) bool {
	top, ok := b.Top()
	return ok && top.Overlay == o
}

// Holds reports whether the overlay is open, also below others.
func (b *Boxes) Holds(o Overlay) bool {
	return slices.ContainsFunc(b.open, func(box Box) bool { return box.Overlay == o })
}

// OpenOverlay finds the topmost open overlay of a type.
func OpenOverlay[T Overlay](b *Boxes) (found T, ok bool) {
	for _, box := range slices.Backward(b.open) {
		if found, ok = box.Overlay.(T); ok {
			return found, true
		}
	}
	return found, false
}
