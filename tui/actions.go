package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// bindings are the actions that every screen has.
func (m *Model) bindings() []kit.Action {
	return slices.Concat(m.programActions(), m.stageActions(), m.storeActions(), m.typedActions())
}

// programActions are about the program itself.
func (m *Model) programActions() []kit.Action {
	return []kit.Action{
		{ID: keymap.Quit, Run: m.jobs.quit},
		{ID: keymap.ForceQuit, Run: func() tea.Cmd { return tea.Quit }},
		{ID: keymap.Suspend, Run: func() tea.Cmd { return tea.Suspend }},
		{ID: keymap.Redraw, Run: func() tea.Cmd { return tea.ClearScreen }},
		{ID: keymap.Back, Run: m.back},
		{ID: keymap.Help, Run: kit.Do(m.openActions)},
		{ID: keymap.Messages, Run: kit.Do(func() {
			m.showBox(overlay.NewText(m.env, "messages", "Messages", m.say.logText(), false))
		})},
		{ID: keymap.CopyMenu, Run: kit.Do(m.openCopy)},
		{ID: keymap.Explain, Run: kit.Do(func() {
			m.showBox(overlay.NewText(m.env, "info", "Info", m.stage.facts(), false))
		}), Why: kit.Unless(func() bool { return m.stage.facts() != "" }, textNoFacts)},
		{ID: keymap.Prompt, Run: kit.Do(func() { m.typeCommand("") })},
		{ID: keymap.Search, Run: m.openSearch},
		{ID: keymap.Filter, Run: func() tea.Cmd { return m.openFilter(m.browse.Tree.Filter()) }},
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return m.nextMatch(keymap.SearchNext) }},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return m.nextMatch(keymap.SearchPrev) }},
		{ID: keymap.FindAgain, Run: func() tea.Cmd { return m.browse.Search.Again() }},
		{ID: keymap.Palette, Run: kit.Do(func() {
			m.openActions()
			m.narrow()
		})},
	}
}

const textOneStore = "Only this store is shown here"

const textNoFacts = "Nothing more to say here. The preview shows it"

// facts describe the row under the cursor of the screen in sight; "" if there is no more than the preview.
func (s *stage) facts() string {
	if explained, ok := s.screen().(kit.Explained); ok {
		return explained.Facts()
	}
	return ""
}

// nextMatch goes to a match in the text beside a pane that has no search of its own.
func (m *Model) nextMatch(id keymap.ID) tea.Cmd {
	cmd, ok := m.stage.screen().Detail().Actions().Perform(id)
	if !ok {
		m.say.tell(kit.Warn, m.env.Keyed(kit.TextNoSearch))
	}
	return cmd
}

// stageActions are about what is in sight.
func (m *Model) stageActions() []kit.Action {
	inBrowse := func(f focus) func() tea.Cmd {
		return func() tea.Cmd { return tea.Batch(m.show(keymap.ScreenBrowse), m.stage.focusOn(f)) }
	}
	actions := []kit.Action{
		{ID: keymap.FocusNext, Run: func() tea.Cmd { return m.stage.nextPane(1) }},
		{ID: keymap.FocusPrev, Run: func() tea.Cmd { return m.stage.nextPane(-1) }},
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
		var arg *kit.Arg
		if row.id == keymap.ScreenReplay {
			arg = &kit.Arg{Takes: "transcripts: replay FILE", Run: m.openTranscripts}
		}
		actions = append(actions, kit.Action{ID: row.id, Arg: arg, Run: func() tea.Cmd {
			if back, ok := m.stage.screen().(kit.Returner); ok && m.stage.shows(row.id) {
				return back.Again()
			}
			if m.stage.shows(row.id) {
				return m.stage.focusOn(onList)
			}
			return m.show(row.id)
		}})
	}
	if m.options.Stores == nil {
		actions = append(actions, kit.Action{ID: keymap.ScreenStores, Run: kit.Do(func() { m.say.tell(kit.Info, textOneStore) })})
	}
	return actions
}

// storeActions are about changes of the store.
func (m *Model) storeActions() []kit.Action {
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return m.browse.Step(by) } }
	alerted := kit.Unless(func() bool { return len(m.alerts()) > 0 }, textNoAlert)
	return []kit.Action{
		{ID: keymap.NewFile, Run: m.newNote},
		{ID: keymap.Redo, Run: m.edits.Redo, Why: m.shell.WhyPast},
		{ID: keymap.Alert, Run: m.openAlert, Why: alerted},
		{ID: keymap.FindingReveal, Run: m.secrets.Reveal},
		{ID: keymap.NextUnread, Run: func() tea.Cmd { return m.nextUnread(1) }},
		{ID: keymap.PrevUnread, Run: func() tea.Cmd { return m.nextUnread(-1) }},
		{ID: keymap.TravelOlder, Run: step(-1), Why: m.browse.WhyNoStep},
		{ID: keymap.TravelNewer, Run: step(1), Why: m.browse.WhyNoStep},
	}
}
