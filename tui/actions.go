package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// bindings are the actions that every screen has.
func (m *Model) bindings() []ui.Action {
	return slices.Concat(m.programActions(), m.stageActions(), m.storeActions(), m.typedActions())
}

// programActions are about the program itself.
func (m *Model) programActions() []ui.Action {
	return []ui.Action{
		{ID: keymap.Quit, Run: m.jobs.quit},
		{ID: keymap.ForceQuit, Run: func() tea.Cmd { return tea.Quit }},
		{ID: keymap.Suspend, Run: func() tea.Cmd { return tea.Suspend }},
		{ID: keymap.Redraw, Run: func() tea.Cmd { return tea.ClearScreen }},
		{ID: keymap.Back, Run: m.back},
		{ID: keymap.Help, Run: ui.Do(m.openHelp)},
		{ID: keymap.Menu, Run: ui.Do(m.menu.open)},
		{ID: keymap.Messages, Run: ui.Do(func() {
			m.boxes.show(overlay.NewText(m.env, "messages", "Messages", m.say.logText(), false))
		})},
		{ID: keymap.CopyMenu, Run: ui.Do(m.menu.openCopy)},
		{ID: keymap.Explain, Run: ui.Do(func() {
			m.boxes.show(overlay.NewText(m.env, "info", "Info", m.stage.facts(), false))
		}), Why: ui.Unless(func() bool { return m.stage.facts() != "" }, textNoFacts)},
		{ID: keymap.Prompt, Run: ui.Do(func() { m.line.Open(prompt.Command, "") })},
		{ID: keymap.Search, Run: m.line.openSearch},
		{ID: keymap.Filter, Run: func() tea.Cmd { return m.line.openFilter(m.travel.Shown().Tree.Filter()) }},
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return m.nextMatch(keymap.SearchNext) }},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return m.nextMatch(keymap.SearchPrev) }},
		{ID: keymap.FindAgain, Run: func() tea.Cmd { return m.travel.Shown().Search.Again() }},
		{ID: keymap.Palette, Run: ui.Do(func() {
			m.boxes.show(overlay.NewPalette(m.env, m.scopes(), prompt.Usage()))
			m.line.Open(prompt.Palette, "")
		})},
		{ID: keymap.Mouse, Run: ui.Do(m.pointer.toggle)},
	}
}

const textOneStore = "Only this store is shown here"

const textNoFacts = "Nothing more to say here. The preview shows it"

// facts describe the row under the cursor of the screen in sight; "" if there is no more than the preview.
func (s *stage) facts() string {
	if explained, ok := s.screen().(ui.Explained); ok && explained.Explains() {
		return explained.Facts()
	}
	return ""
}

// nextMatch goes to a match in the text beside a pane that has no search of its own.
func (m *Model) nextMatch(id keymap.ID) tea.Cmd {
	cmd, ok := m.stage.screen().Detail().Actions().Perform(id)
	if !ok {
		m.say.tell(ui.Warn, m.env.Keyed(ui.TextNoSearch))
	}
	return cmd
}

// stageActions are about what is in sight.
func (m *Model) stageActions() []ui.Action {
	inBrowse := func(f focus) func() tea.Cmd {
		return func() tea.Cmd { return tea.Batch(m.show(keymap.ScreenBrowse), m.stage.focusOn(f)) }
	}
	actions := []ui.Action{
		{ID: keymap.FocusNext, Run: func() tea.Cmd { return m.stage.nextPane(1) }},
		{ID: keymap.FocusPrev, Run: func() tea.Cmd { return m.stage.nextPane(-1) }},
		{ID: keymap.FocusTree, Run: inBrowse(onList)},
		{ID: keymap.Left, Run: func() tea.Cmd { return m.stage.focusOn(onList) }},
		{ID: keymap.Right, Run: m.stage.intoDetail},
		{ID: keymap.PreviewDown, Run: func() tea.Cmd { return m.stage.scrollPreview(keymap.HalfDown) }},
		{ID: keymap.PreviewUp, Run: func() tea.Cmd { return m.stage.scrollPreview(keymap.HalfUp) }},
		{ID: keymap.FocusLive, Run: inBrowse(onStrip)},
		{ID: keymap.Zoom, Run: func() tea.Cmd {
			m.stage.zoom = !m.stage.zoom
			return m.stage.relayout()
		}},
	}
	for _, row := range m.stage.screens {
		var arg *ui.Arg
		if row.id == keymap.ScreenReplay {
			arg = &ui.Arg{Takes: "transcripts: replay FILE", Run: m.openTranscripts}
		}
		actions = append(actions, ui.Action{ID: row.id, Arg: arg, Run: func() tea.Cmd {
			if back, ok := m.stage.screen().(ui.Returner); ok && m.stage.shows(row.id) {
				return back.Again()
			}
			if m.stage.shows(row.id) {
				return m.stage.focusOn(onList)
			}
			return m.show(row.id)
		}})
	}
	if m.options.Stores == nil {
		actions = append(actions, ui.Action{ID: keymap.ScreenStores, Run: ui.Do(func() { m.say.tell(ui.Info, textOneStore) })})
	}
	return actions
}

// storeActions are about changes of the store.
func (m *Model) storeActions() []ui.Action {
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return m.travel.Step(by) } }
	alerted := ui.Unless(func() bool { return len(m.alerts.list()) > 0 }, textNoAlert)
	return []ui.Action{
		{ID: keymap.NewFile, Run: m.commands.NewFile},
		{ID: keymap.Redo, Run: m.edits.Redo, Why: m.shell.WhyPast},
		{ID: keymap.PutBack, Run: m.alerts.open, Why: alerted},
		{ID: keymap.Alert, Run: m.alerts.open, Why: alerted},
		ui.On(keymap.FindingReveal, m.secrets.Reveal.Show),
		{ID: keymap.NextUnread, Run: func() tea.Cmd { return m.nextUnread(1) }},
		{ID: keymap.PrevUnread, Run: func() tea.Cmd { return m.nextUnread(-1) }},
		{ID: keymap.MendIndex, Run: func() tea.Cmd { return m.edits.MendIndex(m.here()) }, Why: m.edits.WhyNoRemoval},
		{ID: keymap.TravelOlder, Run: step(-1), Why: m.travel.WhyNoStep},
		{ID: keymap.TravelNewer, Run: step(1), Why: m.travel.WhyNoStep},
	}
}
