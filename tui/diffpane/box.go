package diffpane

import (
	"memcurator/keymap"
	"memcurator/tui/ui"
)

// Box is a diff over the screen that is to be answered with yes or no. It implements [ui.Overlay].
type Box struct {
	*Pane
	title, footer string
}

// NewBox makes a box whose diff is read in jobs of owner.
func NewBox(env *ui.Env, owner, title, footer string) *Box {
	return &Box{New(env, owner), title, footer}
}

// Title implements [ui.Overlay].
func (b *Box) Title() string { return b.title }

// Scopes implements [ui.Overlay].
func (b *Box) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Confirm, keymap.Motion} }

// Handle implements [ui.Overlay].
func (b *Box) Handle(id keymap.ID) bool {
	_, ok := b.Pane.Handle(id)
	return ok
}

// Size implements [ui.Overlay].
func (b *Box) Size(maxW, maxH int) (w, h int) { return maxW, max(1, maxH) }

// Rows implements [ui.Overlay].
func (b *Box) Rows(w, h int) []string {
	b.Resize(w, h)
	return b.Pane.Rows(true)
}

// Footer implements [ui.Overlay].
func (b *Box) Footer() string { return b.footer }

// Cursor implements [ui.Overlay].
func (b *Box) Cursor() (ui.Point, bool) { return ui.Point{}, false }
