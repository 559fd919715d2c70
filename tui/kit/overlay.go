package kit

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
)

// Overlay is drawn over the screen: a text, a question, a list to choose from. It draws itself and moves; its [Box] decides what an
// answer does. Call all methods on the Bubble Tea goroutine.
type Overlay interface {
	Title() string
	Scopes() []keymap.Scope
	// Handle performs an action; false: it is an answer, or for the shell.
	Handle(id keymap.ID) bool
	// Size is the preferred inner size within a limit.
	Size(maxW, maxH int) (w, h int)
	// Rows draws exactly h rows of exactly w cells.
	Rows(w, h int) []string
	// Footer is the line in the lower border.
	Footer() string
	// Cursor is the position of the terminal's cursor; false: none, so it goes to the top left.
	Cursor() (Point, bool)
}

// Scrolled is an overlay that may have more rows than it shows.
type Scrolled interface {
	// Extent is the first row in sight, from 0, how many there are in sight, and in all.
	Extent() (first, shown, all int)
}

// Typed is an overlay with text input.
type Typed interface{ Type(tea.KeyPressMsg) }

// Copyable is an overlay whose text can be copied.
type Copyable interface{ Content() string }

// Box is an open overlay with the effects of its answers. An answer closes the box first.
type Box struct {
	Overlay
	Answers map[keymap.ID]func() tea.Cmd
}

// Boxes are the open boxes; the last one is on top.
type Boxes struct{ open []Box }

// Top is the box that receives the keys; not ok: none is open.
func (b *Boxes) Top() (box Box, ok bool) {
	if len(b.open) == 0 {
		return Box{}, false
	}
	return b.open[len(b.open)-1], true
}

// Len is the number of open boxes.
func (b *Boxes) Len() int { return len(b.open) }

// Open puts a box on top.
func (b *Boxes) Open(box Box) { b.open = append(b.open, box) }

// CloseTop closes the box on top, which must exist.
func (b *Boxes) CloseTop() { b.open = b.open[:len(b.open)-1] }

// Keep closes all boxes except those that fit.
func (b *Boxes) Keep(fits func(Overlay) bool) {
	b.open = slices.DeleteFunc(slices.Clone(b.open), func(box Box) bool { return !fits(box.Overlay) })
}

// Close closes the box of an overlay, even below others.
func (b *Boxes) Close(o Overlay) { b.Keep(func(open Overlay) bool { return open != o }) }
