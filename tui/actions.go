package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// perform does an action, from a key, the prompt, the palette or a menu.
func (m *Model) perform(id keymap.ID) tea.Cmd {
	for _, h := range m.handlers() {
		if cmd, ok := h.Perform(id); ok {
			return cmd
		}
	}
	return nil
}

// handlers are the tables in which an action is looked up: the screen that is shown, its pane with the focus, the shell, and
// the panes of Browse, for what is asked for by its name.
func (m *Model) handlers() []*ui.Actions {
	var chain []*ui.Actions
	chain = append(chain, m.shownScreen().Actions(), m.focused().Actions())
	if m.screen == onCurate { // ticks and the like are those of the list also while a text is read
		chain = append(chain, m.curate.List().Actions())
	}
	chain = append(chain, m.shellActions, m.tree.Actions(), m.mainTab().Actions())
	for _, t := range m.tabs {
		chain = append(chain, t.Actions())
	}
	return append(chain, m.strip.Actions())
}

// bindActions binds the rows of the key table that are not those of a pane.
func (m *Model) bindActions() {
	var shell []ui.Action
	for _, part := range [][]ui.Action{
		m.programActions(), m.screenKeys(), m.focusActions(), m.changeActions(), m.writeActions(), m.travelActions(),
	} {
		shell = append(shell, part...)
	}
	m.shellActions = ui.NewActions(m.env, shell...)
}

// programActions are those that every screen has.
func (m *Model) programActions() []ui.Action {
	return []ui.Action{
		{ID: keymap.Quit, Run: m.quit},
		{ID: keymap.ForceQuit, Run: func() tea.Cmd { return tea.Quit }},
		{ID: keymap.Suspend, Run: func() tea.Cmd { return tea.Suspend }},
		{ID: keymap.Redraw, Run: func() tea.Cmd { return tea.ClearScreen }},
		{ID: keymap.Back, Run: m.back},
		{ID: keymap.Help, Run: ui.Do(m.openHelp)},
		{ID: keymap.Messages, Run: ui.Do(func() {
			m.open(overlay.NewText(m.env, "messages", "Messages", m.say.logText(), false))
		})},
		{ID: keymap.CopyMenu, Run: ui.Do(func() { m.open(overlay.NewMenu(m.env, "Copy", keymap.Copy)) })},
		{ID: keymap.Prompt, Run: ui.Do(func() { m.line.Open(prompt.Command, "") })},
		{ID: keymap.Search, Run: m.openSearch},
		{ID: keymap.Filter, Run: m.openTreeFilter},
		{ID: keymap.Find, Run: ui.Do(func() { m.line.Open(prompt.StoreSearch, "") })},
		{ID: keymap.FindAgain, Run: m.findAgain},
		{ID: keymap.Palette, Run: ui.Do(func() {
			m.open(overlay.NewPalette(m.env, prompt.Usage()))
			m.line.Open(prompt.Palette, "")
		})},
		{ID: keymap.Mouse, Run: ui.Do(m.toggleMouse)},
		{ID: keymap.CycleTheme, Run: ui.Do(m.cycleTheme)},
		{ID: keymap.Zoom, Run: func() tea.Cmd {
			m.zoom = !m.zoom
			return m.relayout()
		}},
	}
}

// screenKeys show the screens.
func (m *Model) screenKeys() []ui.Action {
	actions := []ui.Action{{ID: keymap.ScreenFindings, Run: func() tea.Cmd { return m.secrets.Open() }}}
	for _, row := range screenRows {
		actions = append(actions, ui.Action{ID: row.id, Run: func() tea.Cmd { return m.goTo(row.screen) }})
	}
	return actions
}

// inBrowse makes a run of what only makes sense in Browse: other screens are left for it.
func (m *Model) inBrowse(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		shown := m.goTo(onBrowse)
		return tea.Batch(shown, run())
	}
}

// leavingStrip makes a run after which the strip, if it is left by it, shows its newest changes again.
func (m *Model) leavingStrip(run func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		was := m.focus
		cmd := run()
		if was == onStrip && m.focus != onStrip {
			m.strip.Newest()
		}
		return cmd
	}
}

// focusActions move between the panes and tabs of Browse.
func (m *Model) focusActions() []ui.Action {
	move := func(to func() focus) func() tea.Cmd {
		return m.leavingStrip(func() tea.Cmd {
			m.focus = to()
			return m.relayout()
		})
	}
	tab := func(by int) func() tea.Cmd {
		return m.inBrowse(func() tea.Cmd {
			m.stepTab(by)
			m.leaveTree()
			return m.relayout()
		})
	}
	toTree := m.inBrowse(move(func() focus { return onTree }))
	return []ui.Action{
		{ID: keymap.FocusNext, Run: move(func() focus { return (m.focus + 1) % 3 })},
		{ID: keymap.FocusPrev, Run: move(func() focus { return (m.focus + 2) % 3 })},
		{ID: keymap.FocusTree, Run: func() tea.Cmd {
			if m.travel != nil && m.screen == onBrowse {
				return m.comeBack()
			}
			return toTree()
		}},
		{ID: keymap.FocusLive, Run: m.inBrowse(move(func() focus { return onStrip }))},
		{ID: keymap.TabNext, Run: m.leavingStrip(tab(1))},
		{ID: keymap.TabPrev, Run: m.leavingStrip(tab(-1))},
		{ID: keymap.Listing, Run: m.leavingStrip(m.inBrowse(func() tea.Cmd {
			return tea.Batch(m.selectPath(memstore.Root, true), m.relayout())
		}))},
	}
}

// changeActions are about changes that were made, and about copies of what is shown.
func (m *Model) changeActions() []ui.Action {
	list := []ui.Action{
		{ID: keymap.NextUnread, Run: m.nextUnread},
		{ID: keymap.Follow, Run: m.inBrowse(m.toggleFollow)},
		{ID: keymap.MarkRead, Run: func() tea.Cmd {
			return tea.Batch(m.toggleRead(), m.relayout())
		}},
		{ID: keymap.ReadAll, Run: func() tea.Cmd {
			m.readAll()
			return m.relayout()
		}},
		{ID: keymap.Compare, Run: m.compareMarked},
		{ID: keymap.DiffAt, Run: ui.Do(func() { m.line.Open(prompt.Command, string(keymap.DiffAt)+" ") })},
		{ID: keymap.OpenFile, Run: m.openFromDiff},
		{ID: keymap.CallOf, Run: m.jumpToCall},
		{ID: keymap.Like, Run: m.showLike},
	}
	for _, id := range []keymap.ID{keymap.CopyPath, keymap.CopyLine, keymap.CopyOutput, keymap.CopyDiff, keymap.CopyHunk} {
		list = append(list, ui.Action{ID: id, Run: func() tea.Cmd { return m.copy(id) }})
	}
	for i := range list {
		list[i].Run = m.leavingStrip(list[i].Run)
	}
	return list
}

// writeActions change the store.
func (m *Model) writeActions() []ui.Action {
	return []ui.Action{
		{ID: keymap.Undo, Run: m.edits.Undo},
		{ID: keymap.Redo, Run: m.edits.Redo},
		{ID: keymap.PutBack, Run: m.putBack},
		{ID: keymap.Delete, Run: m.deleteMarked, Why: m.edits.WhyNoRemoval},
		{ID: keymap.Move, Run: m.moveMarked, Why: m.edits.WhyNoRemoval},
		{ID: keymap.Revert, Run: m.revert},
		{ID: keymap.RevertHunk, Run: m.revertHunk},
		{ID: keymap.RestoreAt, Run: m.restoreAt},
		{ID: keymap.RestoreAs, Run: ui.Do(m.askRestoreAs)},
		{ID: keymap.Edit, Run: m.edit, Why: m.whyNoWrite},
		{ID: keymap.DropDraft, Run: func() tea.Cmd { return m.drafts.Drop(m.pathAtCursor()) }},
		{ID: keymap.NewFile, Run: func() tea.Cmd { return m.openForm(memstore.CmdCreate, m.folder()) }},
		{ID: keymap.InsertHere, Run: m.insertHere},
		{ID: keymap.ReplaceLine, Run: m.replaceLine, Why: m.whyNoWrite},
	}
}

// travelActions go to other points in time.
func (m *Model) travelActions() []ui.Action {
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return m.stepInTime(by) } }
	change := func(by int) func() tea.Cmd {
		return func() tea.Cmd {
			if m.travel != nil && m.screen == onBrowse {
				return m.stepInTime(by)
			}
			return m.stepChange(by < 0)
		}
	}
	return []ui.Action{
		{ID: keymap.Travel, Run: m.travelToSelected},
		{ID: keymap.TravelOlder, Run: step(-1), Why: m.whyNoStepInTime},
		{ID: keymap.TravelNewer, Run: step(1), Why: m.whyNoStepInTime},
		{ID: keymap.ChangeOlder, Run: m.leavingStrip(change(-1))},
		{ID: keymap.ChangeNewer, Run: m.leavingStrip(change(1))},
	}
}
