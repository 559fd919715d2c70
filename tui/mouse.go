package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// wheelRows is how far one notch of the wheel scrolls.
const wheelRows = 3

// mouse routes wheel and clicks to what is under the pointer.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(at)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return m.click(at)
		}
	}
	return nil
}

func (m *Model) wheel(at tea.Mouse) tea.Cmd {
	id := keymap.Down
	switch at.Button {
	case tea.MouseWheelUp:
		id = keymap.Up
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if top, ok := m.boxes.Top(); ok {
		for range wheelRows {
			top.Handle(id)
		}
		return nil
	}
	f, ok := m.stage.under(at.X, at.Y)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for range wheelRows {
		cmds = append(cmds, m.stage.pane(f).Actions().Run(id))
	}
	return tea.Batch(cmds...)
}

// click chooses the row or the tab under the pointer; a second click on a row opens it. A question takes keys only.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	if m.line.Active() || m.boxes.Len() > 0 {
		return nil
	}
	if m.stage.layout.tabs.Holds(at.X, at.Y) {
		if id, ok := m.tabUnder(at.X, m.stage.w); ok {
			return m.show(id)
		}
		return nil
	}
	shown, browsing := m.browse, m.stage.shows(keymap.ScreenBrowse)
	if r := m.stage.layout.detail; browsing && !r.Empty() && at.Y == r.Y {
		if t, ok := shown.Tabs.Under(at.X-r.X-3, r.W-titleEnds); ok {
			return shown.Open(t)
		}
	}
	f, ok := m.stage.under(at.X, at.Y)
	if !ok {
		return nil
	}
	relaid, row := m.stage.focusOn(f), at.Y-m.stage.rect(f).Y
	c, ok := m.stage.pane(f).(kit.Clickable)
	if !ok || row < 0 || row >= m.stage.rect(f).H || !c.Click(row) || f == onDetail && !browsing {
		return relaid
	}
	opened, _ := run(keymap.Open, m.stage.tables())
	return tea.Batch(relaid, opened)
}
