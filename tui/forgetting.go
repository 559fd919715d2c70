package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/overlay"
	"memcurator/tui/session"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// ownerForget names the job that forgets what a purge took out.
const ownerForget = "purges.forget"

const textPurgedElsewhere = "Another program has purged values from this store: what was shown of before is dropped."

// purgedElsewhere drops what was shown of before a purge, unless it is one of this program, which knows when that ends.
func (m *Model) purgedElsewhere(count int64) tea.Cmd {
	if !m.secrets.PurgedElsewhere(count) {
		return nil
	}
	m.closeForPurge()
	cmds := []tea.Cmd{m.forgetPurged(), m.secrets.ScanSoon()}
	m.tell(ui.Warn, textPurgedElsewhere)
	return tea.Batch(append(cmds, m.secrets.ScanShown())...)
}

// closeForPurge closes what is open over the screen and may show what was there before.
func (m *Model) closeForPurge() {
	was := m.boxes.Len()
	m.boxes.Keep(func(o ui.Overlay) bool {
		t, ok := o.(*overlay.Text)
		return o == ui.Overlay(m.secrets.Box()) || ok && t.Purpose == "help"
	})
	if m.boxes.Len() < was && m.line.Active() {
		m.line.Close(false)
	}
}

// forgetPurged drops all that was read of the store and of its journal before a purge, wherever this process has it.
// What can be shown is read anew.
func (m *Model) forgetPurged() tea.Cmd {
	m.secrets.Forget()
	var cmds []tea.Cmd
	if m.travel != nil {
		cmds = append(cmds, m.comeBack())
	}
	if m.changes != nil {
		cmds = append(cmds, m.changes.ListRevisions())
	}
	cmds = append(cmds, m.feed.Forget(), m.forgetShown())
	m.rendered.Forget()
	m.hex.Forget()
	m.blame.Forget()
	m.found.Forget()
	if m.tab == tabSearch {
		m.tab = tabView
	}
	m.looked, m.before = nil, ""
	for _, b := range m.boards {
		b.Diff().Clear()
	}
	m.curate.Forget()
	m.curate.SetValues(nil, 0)
	m.drafts.Forget()
	m.alarm = alarm{}
	m.say.log, m.say.showing = nil, 0 // names may have been values
	cmds = append(cmds, m.viewer.SetQuery(""), m.reloadFiles(), m.curate.Replan(), m.forgetRemembered())
	for _, list := range m.openLists() {
		cmds = append(cmds, list.Anew())
	}
	return tea.Batch(cmds...)
}

// forgetShown takes from the screen what the feed does not hold any more.
func (m *Model) forgetShown() tea.Cmd {
	m.strip.SetChanges(m.feed.Revisions())
	m.unreadChanged()
	m.pinned = pinnedDiff{}
	m.diff.Clear()
	return m.showLastChange(m.viewer.Path())
}

// forgotten is what of the remembered lines and places is left.
type forgotten struct {
	state session.State
	kept  bool // state says it
}

const labelRemember = "remembering the layout"

// forgetRemembered drops what is remembered of lines and places that the purge has taken out.
func (m *Model) forgetRemembered() tea.Cmd {
	o, keeper, state := m.options, m.memory.keeper, m.state()
	return m.env.Jobs.Start(ownerForget, labelRemember, func(context.Context, *ui.Progress) (any, error) {
		defer giveBack()
		var out forgotten
		if keeper != nil {
			var err error
			out.state, err = keeper.Purged(state)
			if out.kept = err == nil; err != nil {
				o.Log.Warn("what is remembered is not cleaned", "error", err)
			}
		}
		return out, nil
	})
}

func (m *Model) rememberedForgotten(done ui.Done) tea.Cmd {
	v, ok := done.Value.(forgotten)
	if !ok || !v.kept {
		return nil
	}
	m.line.SetHistory(v.state.History)
	spots := make([]viewer.Spot, len(v.state.Places))
	for i, p := range v.state.Places {
		spots[i] = viewer.Spot{Path: p.Path, Top: p.Top, Line: p.Line}
	}
	m.viewer.SetSpots(spots)
	return nil
}
