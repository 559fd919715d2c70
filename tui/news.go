package tui

import (
	"errors"
	"maps"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/tui/act"
	"memcurator/tui/browse"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// takeNews brings whatever shows revisions up to date.
func (m *Model) takeNews(msg feed.Message) tea.Cmd {
	news, next := m.feed.Take(msg)
	cmds := []tea.Cmd{next}
	if news.Err != nil {
		if errors.Is(news.Err, past.ErrCorrupt) && m.store.Damaged == "" {
			m.store.Damaged = journal.DamageText
			m.env.Emit(act.Urgent{})
		}
	}
	if news.Purges > 0 {
		cmds = append(cmds, m.purgedElsewhere(news.Purges))
	}
	if news.Damaged {
		m.store.Damaged = journal.DamageText
		m.env.Emit(act.Urgent{})
	}
	list := news.Revisions
	if len(list) == 0 && !news.Flags {
		return tea.Batch(cmds...)
	}
	cmds = append(cmds, m.browse.Summary.Changed())
	m.browse.Tabs.Outdate(browse.Blame)
	cmds = append(cmds, m.browse.Diff.Recheck())
	for _, s := range m.revisionScreens {
		cmds = append(cmds, s.Diff().Recheck())
	}
	cmds = append(cmds, m.rereadRevisions())
	if len(list) > 0 {
		m.alarm.check()
		for _, screen := range m.stage.opened() {
			if watcher, ok := screen.(feed.Watcher); ok {
				cmds = append(cmds, watcher.Changed(list))
			}
		}
	}
	return tea.Batch(cmds...)
}

// unreadChanged shows what is unread.
func (m *Model) unreadChanged() {
	m.browse.Tree.SetUnread(maps.Clone(m.feed.UnreadPaths()))
	for _, list := range m.openRevisions() {
		list.MarkUnread()
	}
	m.alarm.check()
}

// review shows the unread change after the one that is shown, the oldest first, by 1, or goes back to the one that was read before it,
// by -1, with the focus on its diff.
func (m *Model) review(by int) tea.Cmd {
	if r, ok := m.feed.Step(m.browse.Diff.Reviewed(), by); ok {
		return tea.Batch(m.browse.Back(), m.show(keymap.ScreenBrowse), m.browse.ShowChange(r), m.stage.focusOn(onDetail))
	}
	m.marks.TellNoUnread()
	return nil
}

const textPurgedElsewhere = "Another program purged secrets from this store. Older views were cleared"

// purgedElsewhere drops what was read before a purge by another program. Purges by this program are handled when they end.
func (m *Model) purgedElsewhere(count int64) tea.Cmd {
	if !m.secrets.PurgedElsewhere(count) {
		return nil
	}
	m.closeForPurge()
	cmds := []tea.Cmd{m.forgetPurged(), m.secrets.ScanSoon()}
	m.say.report(kit.Warn, textPurgedElsewhere)
	return tea.Batch(append(cmds, m.secrets.ScanAgain())...)
}

// forgetPurged drops everything that was read of the store and of its journal before a purge, wherever this process holds it,
// and reads again what is in sight.
func (m *Model) forgetPurged() tea.Cmd {
	cmds := []tea.Cmd{m.browse.Back(), m.feed.Forget(), m.forgetShown()}
	m.line.Forget()
	m.alarm.forget()
	m.say.forget() // names may have been values
	for _, screen := range m.stage.opened() {
		if forgetter, ok := screen.(kit.Forgetter); ok {
			cmds = append(cmds, forgetter.Forget())
		}
	}
	return tea.Batch(cmds...)
}

// forgetShown removes from the screen what the feed no longer holds.
func (m *Model) forgetShown() tea.Cmd {
	return m.browse.Diff.Forget()
}
