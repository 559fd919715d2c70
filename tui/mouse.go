package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/browse"
	findingsbox "memcurator/tui/findings"
	"memcurator/tui/ui"
)

// wheelRows is how far one notch of the wheel scrolls.
const wheelRows = 3

// clicker is a pane whose rows can be chosen with the mouse.
type clicker interface {
	// Click moves the cursor to a row of the pane, counted from its top; it
	// reports whether the cursor was there already, which makes the click an "open".
	Click(row int) (again bool)
}

// mouse routes wheel, clicks and drags to what is under the pointer on the screen.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	if _, moved := msg.(tea.MouseMotionMsg); !moved {
		m.secrets.Box().Mask()
	}
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return m.wheel(at)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return m.click(at)
		}
	case tea.MouseMotionMsg:
		if m.pointer.dragging {
			m.stage.width = at.X + 1
			return m.stage.relayout()
		}
	case tea.MouseReleaseMsg:
		m.pointer.dragging = false
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
		cmd, _ := m.stage.pane(f).Actions().Perform(id)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// clickBox chooses the row of a box under the pointer; a second click on it opens it.
func (m *Model) clickBox(o ui.Overlay, at tea.Mouse) {
	box, ok := o.(*findingsbox.Box)
	if !ok {
		return
	}
	if in := inner(m.boxRect(o)); in.Holds(at.X, at.Y) && box.Click(at.Y-in.Y) {
		box.Handle(keymap.FindingOpen)
	}
}

// click chooses the row under the pointer; a second click on it opens it. On the
// border between the panes it begins to move the border.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	if box := m.commands.FormOnTop(); box != nil {
		top, _ := m.boxes.Top()
		if in := inner(m.boxRect(top.Overlay)); in.Holds(at.X, at.Y) {
			box.Click(at.X-in.X, at.Y-in.Y)
		}
		return nil
	}
	if m.line.Active() {
		return nil
	}
	if top, ok := m.boxes.Top(); ok {
		m.clickBox(top.Overlay, at)
		return nil
	}
	shown, browsing := m.travel.Shown(), m.stage.shows(keymap.ScreenBrowse)
	if browsing && m.stage.onBorder(at.X, at.Y) {
		m.pointer.dragging = true
		return nil
	}
	if r := m.stage.layout.detail; browsing && !r.Empty() && at.Y == r.Y {
		if t, ok := shown.Tabs.Under(at.X-r.X-2, r.W-4); ok {
			return shown.OpenTab(t)
		}
	}
	f, ok := m.stage.under(at.X, at.Y)
	if !ok {
		return nil
	}
	relaid, row := m.stage.focusOn(f), at.Y-m.stage.rect(f).Y
	if extend := at.Mod.Contains(tea.ModShift); browsing && f == onList && (extend || at.Mod.Contains(tea.ModCtrl)) {
		// Most terminals keep shift for their own selection.
		return tea.Batch(relaid, shown.Tree.ClickMark(row, extend))
	}
	p, isClicker := m.stage.pane(f).(clicker)
	if !isClicker || row < 0 || row >= m.stage.rect(f).H || !p.Click(row) {
		return relaid
	}
	if id := m.opener(f); id != "" {
		cmd, _ := m.stage.pane(f).Actions().Perform(id)
		return tea.Batch(relaid, cmd)
	}
	return relaid
}

// opener is the action of a second click on a row of a pane; "": there is none.
func (m *Model) opener(f focus) keymap.ID {
	switch {
	case !m.stage.shows(keymap.ScreenBrowse):
		if f == onList {
			return keymap.OpenChange
		}
	case f == onList:
		return keymap.Open
	case f == onStrip:
		return keymap.OpenChange
	case m.travel.Shown().Tabs.At() == browse.Search:
		return keymap.OpenMatch
	}
	return ""
}

// pointer is what the mouse is used for.
type pointer struct {
	off      bool // the terminal has it, for its own selection
	dragging bool // it moves the border between the panes
	say      *messages
}

// toggle gives the mouse to the program, or back to the terminal.
func (p *pointer) toggle() {
	if p.off = !p.off; p.off {
		p.say.tell(ui.Info, "the mouse belongs to the terminal; :mouse takes it back")
		return
	}
	p.say.tell(ui.Info, "the mouse works here: click, wheel, drag the border")
}
