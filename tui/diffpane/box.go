package diffpane

import (
	"memcurator/keymap"
	"memcurator/tui/kit"
)

// Box is a diff over the screen with a question. It implements [kit.Overlay].
type Box struct {
	*Pane
	Scope         keymap.Scope // of its answers
	title, footer string
}

// NewBox makes a box with a yes-or-no question; footer explains what the answers do. [Pane.Show] fills it.
func NewBox(env *kit.Env, title, footer string) *Box {
	return &Box{New(env, "conflict"), keymap.Confirm, title, footer}
}

// Title implements [kit.Overlay].
func (b *Box) Title() string { return b.title }

// Scopes implements [kit.Overlay].
func (b *Box) Scopes() []keymap.Scope { return []keymap.Scope{b.Scope, keymap.Motion} }

// Handle implements [kit.Overlay].
func (b *Box) Handle(id keymap.ID) bool {
	_, ok := b.Pane.Actions().Perform(id)
	return ok
}

// Size implements [kit.Overlay].
func (b *Box) Size(maxW, maxH int) (w, h int) {
	b.Resize(maxW, maxH)
	return maxW, max(1, min(maxH, b.RowsUpTo(maxH)))
}

// Rows implements [kit.Overlay].
func (b *Box) Rows(w, h int) []string {
	b.Resize(w, h)
	return b.Pane.Rows(true)
}

// Footer implements [kit.Overlay].
func (b *Box) Footer() string { return b.footer }

// Cursor implements [kit.Overlay].
func (b *Box) Cursor() (kit.Point, bool) { return kit.Point{}, false }
