package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// choose opens a list; take gets the row that is chosen.
func (m *Model) choose(title string, options []overlay.Option, at int, take func(row int)) {
	list := overlay.NewChoice(m.env, title, options, at)
	m.openBox(ui.Box{Overlay: list, Answers: map[keymap.ID]func() tea.Cmd{keymap.Accept: ui.Do(func() {
		row, _ := list.Chosen()
		take(row)
	})}})
	m.line.Open(prompt.Choice, "")
}

// choiceAccepted takes the row under the cursor of the list on top; where nothing matches the line stays.
func (m *Model) choiceAccepted() tea.Cmd {
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
