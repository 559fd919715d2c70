package drafts

import (
	"bytes"
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/diffpane"

	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// leftText is a text that was in an editor when its process was killed.
type leftText struct {
	draft *Draft
	now   []byte // current content of the file
	text  []byte
	gone  bool // the file no longer exists
}

// Recover finds the copies that a killed process left behind, and removes those with nothing new in them.
func (l *List) Recover() tea.Cmd {
	base, store := l.StateDir, l.edits.Handlers
	if base == "" || l.edits.ReadOnly || base != l.Dir {
		return nil
	}
	work := func(context.Context, *kit.Progress) (found []leftText, err error) {
		list, err := leftovers(base)
		for _, one := range list {
			data, err := one.Copy.Read(Limit)
			now, why := Read(store, one.Path)
			if err != nil || memstore.Sum(data) == one.Filled || why == "" && bytes.Equal(data, now) {
				_ = one.Copy.Remove() // the user has typed nothing into it
				continue
			}
			draft := &Draft{Path: one.Path, Copy: one.Copy}
			if why == "" && memstore.Sum(now) == one.Filled {
				draft.Opened = now // else the text is an edit of what is no longer there
			}
			found = append(found, leftText{draft: draft, now: now, text: data, gone: why != ""})
		}
		return found, err
	}
	return kit.Start(l.env.Jobs, kit.Job[[]leftText]{Owner: ownerLeftover, Label: kit.LabelOpen, Work: work, Done: l.leftFound})
}

// leftFound offers to write a text, to edit it again, or to drop it. If there are several, the others
// wait like any unsaved text.
func (l *List) leftFound(found []leftText) tea.Cmd {
	var offer tea.Cmd
	for _, left := range found {
		l.keep(left.draft)
		if offer == nil && !left.gone && max(len(left.now), len(left.text)) <= act.ReadLimit {
			offer = l.offer(left)
		}
	}
	return offer
}

const (
	textLeftTitle  = "Unsaved edit"
	textLeftFooter = "current against your text: {confirm/yes} saves it, {confirm/no} keeps it for {global/edit}, {global/drop-draft} drops it"
)

func (l *List) offer(left leftText) tea.Cmd {
	box := diffpane.NewBox(l.env, textLeftTitle, l.env.Keyed(textLeftFooter))
	write := func() tea.Cmd {
		seen := *left.draft
		seen.Opened = left.now
		return l.Write(&seen)
	}
	l.shell.OpenUnasked(kit.Box{Overlay: box, Answers: kit.Answers(write, nil)})
	return box.Compare(left.draft.Path, left.draft.Path, diffpane.InMemory(left.now), diffpane.InMemory(left.text))
}
