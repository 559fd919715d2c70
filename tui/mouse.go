package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
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
		if m.dragging {
			m.treeWidth = at.X + 1
			return m.relayout()
		}
	case tea.MouseReleaseMsg:
		m.dragging = false
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
	p, _, ok := m.paneAt(at.X, at.Y)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for range wheelRows {
		cmd, _ := p.Actions().Perform(id)
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
	if in := inner(m.boxRect(o)); at.X >= in.X && at.X < in.X+in.W && at.Y >= in.Y && at.Y < in.Y+in.H && box.Click(at.Y-in.Y) {
		box.Handle(keymap.FindingOpen)
	}
}

// click chooses the row under the pointer; a second click on it opens it. On the
// border between the panes it begins to move the border.
func (m *Model) click(at tea.Mouse) tea.Cmd {
	if box := m.formOnTop(); box != nil {
		if in := inner(m.boxRect(box)); at.X >= in.X && at.X < in.X+in.W && at.Y >= in.Y && at.Y < in.Y+in.H {
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
	if t := m.layout.tree; m.screen == onBrowse && !m.layout.main.Empty() && !t.Empty() && (at.X == t.X+t.W-1 || at.X == t.X+t.W) && at.Y > t.Y && at.Y < t.Y+t.H {
		m.dragging = true
		return nil
	}
	if t, ok := m.tabAt(at.X, at.Y); ok {
		m.tab, m.focus, m.stepped = t, onMain, t
		return m.relayout()
	}
	p, r, ok := m.paneAt(at.X, at.Y)
	if !ok {
		return nil
	}
	m.focus = r.focus
	relaid := m.relayout()
	c, isClicker := p.(clicker)
	row := at.Y - r.rect.Y
	if extend := at.Mod.Contains(tea.ModShift); m.screen == onBrowse && r.focus == onTree && (extend || at.Mod.Contains(tea.ModCtrl)) {
		// Most terminals keep shift for their own selection.
		return tea.Batch(relaid, m.tree.ClickMark(row, extend))
	}
	if !isClicker || row < 0 || row >= r.rect.H {
		return relaid
	}
	open := map[focus]keymap.ID{onTree: keymap.Open, onStrip: keymap.OpenChange}[r.focus]
	if r.focus == onMain && m.screen == onBrowse && m.tab == tabSearch {
		open = keymap.OpenMatch
	}
	if m.screen != onBrowse && r.focus == onTree {
		open = keymap.OpenChange
	}
	if c.Click(row) && open != "" {
		cmd, _ := p.Actions().Perform(open)
		return tea.Batch(relaid, cmd)
	}
	return relaid
}

// region is a part of the screen that takes the mouse.
type region struct {
	rect  ui.Rect
	focus focus
}

// paneAt finds the pane under a cell of the frame that is on the screen.
func (m *Model) paneAt(x, y int) (ui.Pane, region, bool) {
	for _, r := range []region{{inner(m.layout.tree), onTree}, {inner(m.layout.main), onMain}, {m.layout.strip, onStrip}} {
		if r.rect.Empty() || x < r.rect.X || x >= r.rect.X+r.rect.W || y < r.rect.Y || y >= r.rect.Y+r.rect.H {
			continue
		}
		switch r.focus {
		case onTree:
			return m.firstPane(), r, true
		case onStrip:
			return m.strip, r, true
		default:
			return m.secondPane(), r, true
		}
	}
	return nil, region{}, false
}

// toggleMouse gives the mouse to the program, or back to the terminal for its own selection.
func (m *Model) toggleMouse() {
	m.mouseOff = !m.mouseOff
	m.tell(ui.Info, mouseText(!m.mouseOff))
}

// mouseText says who has the mouse.
func mouseText(on bool) string {
	if on {
		return "the mouse works here: click, wheel, drag the border"
	}
	return "the mouse belongs to the terminal; :mouse takes it back"
}
