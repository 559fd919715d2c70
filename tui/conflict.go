package tui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/ui"
)

// conflictUpTo bounds the file read for a conflict's diff, in bytes.
const conflictUpTo = 1 << 20

// conflict is the box that opens when a file changed between the user's look and the
// user's edit: it shows what changed and runs the command only after an explicit yes.
type conflict struct {
	env  *ui.Env
	diff *diffpane.Pane
	of   commandDone
	run  func() tea.Cmd
	foot string
	// title heads the box; empty: it is about what the user looked at.
	title string
	// no is what no does beside closing; nil: nothing.
	no func() tea.Cmd
}

const textConflictFooter = "what you saw against what is there now: {confirm/yes} runs the command all the same, {confirm/no} leaves it"

func (m *Model) openConflict(d commandDone, seen func() ([]byte, string)) tea.Cmd {
	again := func() tea.Cmd {
		again := commandDone{command: d.command, path: d.path, form: d.form, expected: d.expected}
		return m.run(again, func() *memstore.Digest { return nil })
	}
	return m.showConflict(d, textConflictFooter, seen, again)
}

// showConflict shows what the user saw of a path against what is there now; run is what yes
// does, which foot says.
func (m *Model) showConflict(d commandDone, foot string, seen func() ([]byte, string), run func() tea.Cmd) tea.Cmd {
	box := &conflict{env: m.env, diff: diffpane.New(m.env, ownerConflict), of: d, run: run, foot: m.env.Keyed(foot)}
	m.commands++
	m.openUnasked(box)
	store := m.options.Store
	return box.diff.Show(diffpane.Comparison{
		Key: fmt.Sprintf("conflict %d", m.commands), Title: d.path, Path: d.path,
		Before: seen,
		After:  func() ([]byte, string) { return readSmall(store, d.path) },
	})
}

const textFileTooLarge = "the file is too large now to be compared here"

// readSmall reads what a path holds now; missing is empty.
func readSmall(store *memstore.Store, path string) ([]byte, string) {
	name, err := memstore.ParsePath(path)
	if err != nil {
		return nil, textBadPath
	}
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, ui.TextFileGone
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil || info.Size > conflictUpTo {
		return nil, textFileTooLarge
	}
	data := make([]byte, info.Size)
	n, _ := f.ReadAt(data, 0)
	return data[:n], ""
}

func (m *Model) conflictReceived(done ui.Done) tea.Cmd {
	for _, o := range m.overlays {
		if box, ok := o.(*conflict); ok {
			return box.diff.Receive(done)
		}
	}
	return nil
}

const textConflictTitle = "Changed since you looked"

// Title implements overlay.Overlay.
func (c *conflict) Title() string { return cmp.Or(c.title, textConflictTitle) }

// Scopes implements overlay.Overlay.
func (c *conflict) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Confirm, keymap.Motion} }

// Handle implements overlay.Overlay.
func (c *conflict) Handle(id keymap.ID) bool {
	_, ok := c.diff.Handle(id)
	return ok
}

// Size implements overlay.Overlay.
func (c *conflict) Size(maxW, maxH int) (int, int) { return maxW, max(1, maxH) }

// Rows implements overlay.Overlay.
func (c *conflict) Rows(w, h int) []string {
	c.diff.Resize(w, h)
	return c.diff.Rows(true)
}

// Footer implements overlay.Overlay.
func (c *conflict) Footer() string { return c.foot }

// Dismissed is called by the root after no: a form comes back with what was typed in it.
func (c *conflict) Dismissed() tea.Cmd {
	if c.no != nil {
		return c.no()
	}
	if c.of.form == nil {
		return nil
	}
	return c.of.form.Resume()
}

// Confirmed is called by the root after yes.
func (c *conflict) Confirmed() tea.Cmd { return c.run() }
