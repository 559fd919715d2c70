package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/search"
	"memcurator/tui/form"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
	"memcurator/tui/ui"
)

// lineKey handles a key while a line is being typed.
func (m *Model) lineKey(msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.env.Keys.Lookup([]keymap.Scope{keymap.Input}, msg.String())
	if !ok && msg.String() == "ctrl+c" {
		return m.perform(keymap.ForceQuit)
	}
	if !ok {
		m.line.Type(msg)
		return m.line.changed()
	}
	if cmd, edited := m.line.edit(a.ID); edited {
		return cmd
	}
	return m.accept()
}

// accept takes the typed line.
func (m *Model) accept() tea.Cmd {
	value := m.line.Value()
	switch m.line.Purpose() {
	case prompt.Search:
		m.line.Close(true)
		return m.line.searcher().Jump()
	case prompt.Filter:
		return m.acceptFilter()
	case prompt.OverlayFilter:
		m.line.Close(false)
		return nil
	case prompt.Palette:
		return m.acceptPalette()
	case prompt.Choice:
		return m.acceptChoice()
	case prompt.StoreSearch:
		if value != "" {
			return m.find(value)
		}
	}
	if value == "" {
		m.line.Close(false)
		return nil
	}
	request, err := prompt.Parse(value, m.env.Keys)
	if err != nil {
		m.line.Problem = err.Error()
		return nil
	}
	if request.Find != "" {
		return m.find(request.Find)
	}
	m.line.Close(true)
	return m.carryOut(request)
}

// acceptFilter keeps the filter. One with a mistake stays open, except in the tree, which obeys the other terms.
func (m *Model) acceptFilter() tea.Cmd {
	problem := m.line.Problem
	if !m.stage.shows(keymap.ScreenBrowse) {
		if problem == "" {
			m.line.Close(true)
		}
		return nil
	}
	m.line.Close(true)
	if problem != "" {
		m.say.tell(ui.Warn, problem)
	}
	path, _ := m.travel.Shown().Tree.Selected()
	return m.travel.Shown().Select(path, false)
}

// find starts the search of the store that was typed. An invalid line stays open and says why.
func (m *Model) find(typed string) tea.Cmd {
	matcher, err := search.Compile(search.ParseQuery(typed))
	if err != nil {
		m.line.Problem = err.Error()
		return nil
	}
	m.line.Close(true)
	return m.travel.Shown().Search.Start(matcher)
}

// carryOut does what was typed at the prompt.
func (m *Model) carryOut(r prompt.Request) tea.Cmd {
	browse := m.travel.Shown()
	switch {
	case r.Call > 0:
		return tea.Batch(m.show(keymap.ScreenReplay), m.replay.GoTo(r.Call))
	case r.Turn > 0:
		return tea.Batch(m.show(keymap.ScreenReplay), m.replay.GoToTurn(r.Turn))
	case m.stage.shows(keymap.ScreenReplay) && r.Line > 0:
		return m.replay.GoTo(r.Line)
	case m.stage.shows(keymap.ScreenReplay) && r.At != "":
		return m.replay.GoToTime(r.At)
	case len(r.Replay) > 0:
		return m.replay.Open(replay.Source{Files: r.Replay})
	case r.Command != nil:
		return m.commands.Run(*r.Command)
	case r.Input != nil:
		return m.commands.RunInput(r.Input)
	case r.Form != nil:
		return m.commands.OpenForm(r.Form[0], r.Form[1:]...)
	case r.Open != "":
		return browse.OpenNamed(r.Open)
	case len(r.Compare) > 0:
		return browse.Diff.CompareNamed(r.Compare)
	case r.Move != "":
		return browse.MoveInto(r.Move)
	case len(r.Pattern) > 0:
		return m.secrets.AddPattern(r.Pattern[0], r.Pattern[1])
	case r.RestoreAs != "":
		return m.restoreAs(r.RestoreAs)
	case r.Theme != "":
		return m.preferences.chooseTheme(r.Theme)
	case r.Dialect != nil:
		return m.setDialect(*r.Dialect)
	case r.At != "":
		return m.travel.ToTyped(r.At)
	case r.DiffAt != nil:
		return m.diffAt(r.DiffAt[0], r.DiffAt[1])
	case r.Offset != nil:
		return browse.GoToOffset(*r.Offset)
	case r.Line > 0:
		return browse.GoTo(r.Line)
	default:
		return m.perform(r.Action)
	}
}

// acceptPalette performs the action under the palette's cursor.
func (m *Model) acceptPalette() tea.Cmd {
	top, _ := m.boxes.Top()
	p, ok := top.Overlay.(*overlay.Palette)
	m.line.Close(false)
	if !ok {
		return nil
	}
	m.boxes.CloseTop()
	a, ok := p.Chosen()
	switch {
	case !ok:
	case a.ID == "" && form.Has(a.Name):
		return m.commands.OpenForm(a.Name)
	case a.ID == "":
		m.line.Open(prompt.Command, a.Name+" ")
	default:
		return m.perform(a.ID)
	}
	return nil
}

// choose opens a list; take is called with the row that is chosen.
func (m *Model) choose(title string, options []overlay.Option, at int, take func(row int)) {
	list := overlay.NewChoice(m.env, title, options, at)
	m.boxes.open(ui.Box{Overlay: list, Answers: map[keymap.ID]func() tea.Cmd{keymap.Accept: ui.Do(func() {
		row, _ := list.Chosen()
		take(row)
	})}})
	m.line.Open(prompt.Choice, "")
}

// acceptChoice takes the row under the cursor of the list on top; if nothing matches, the line stays open.
func (m *Model) acceptChoice() tea.Cmd {
	top, _ := m.boxes.Top()
	list, ok := top.Overlay.(*overlay.Choice)
	if !ok {
		return nil
	}
	if _, ok := list.Chosen(); !ok {
		m.line.Problem = overlay.TextChoiceNone
		return nil
	}
	m.line.Close(false)
	return m.answer(top, keymap.Accept)
}
