package tui

import (
	"bytes"
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/editor"
	"memcurator/tui/ui"
)

// ownerLeftover names the job that looks for texts that an earlier start has left in an editor's copy.
const ownerLeftover = "leftover"

// leftText is a text that was in an editor when its process was killed.
type leftText struct {
	draft *draft
	now   []byte // what the file holds
	text  []byte
	gone  bool // there is no such file now
}

// findLeftovers looks for the copies of editors that a killed process has left. What holds nothing new goes.
func (m *Model) findLeftovers() tea.Cmd {
	base, store := m.options.StateDir, m.options.Store
	if base == "" || m.options.ReadOnly || base != m.options.CopyDir {
		return nil
	}
	return m.env.Jobs.Start(ownerLeftover, ui.LabelOpen, func(context.Context, *ui.Progress) (any, error) {
		list, err := editor.Leftovers(base)
		var found []leftText
		for _, l := range list {
			data, err := l.Copy.Read(editUpTo)
			now, why := readToEdit(store, l.Path)
			if err != nil || memstore.Sum(data) == l.Filled || why == "" && bytes.Equal(data, now) {
				_ = l.Copy.Remove() // nothing of the user's is in it
				continue
			}
			found = append(found, leftText{draft: &draft{path: l.Path, copy: l.Copy, opened: now}, now: now, text: data, gone: why != ""})
		}
		return found, err
	})
}

// leftFound offers a text: to be written, to be taken up again, or to be dropped. Of more than one the others
// wait like any text that was not written.
func (m *Model) leftFound(done ui.Done) tea.Cmd {
	list, _ := done.Value.([]leftText)
	var offer tea.Cmd
	for _, l := range list {
		m.keepDraft(l.draft)
		if offer == nil && !l.gone && max(len(l.now), len(l.text)) <= conflictUpTo {
			offer = m.offerLeft(l)
		}
	}
	return offer
}

const (
	textLeftTitle  = "An edit was not finished"
	textLeftFooter = "as it is now against the text that was left: {confirm/yes} writes it, {confirm/no} keeps it for {global/edit}; {global/drop-draft} drops it"
)

func (m *Model) offerLeft(l leftText) tea.Cmd {
	box := diffpane.NewBox(m.env, textLeftTitle, m.env.Keyed(textLeftFooter))
	m.openUnasked(ui.Box{Overlay: box, Answers: ui.Answers(func() tea.Cmd { return m.writeDraft(l.draft, true, false) }, nil)})
	return box.Compare(l.draft.path, l.draft.path, diffpane.InMemory(l.now), diffpane.InMemory(l.text))
}
