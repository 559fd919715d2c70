package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// wheelRows is how far one notch of the wheel scrolls.
const wheelRows = 3

// pointer routes wheel, clicks and drags to what is under it on the screen.
type pointer struct {
	stage  *stage
	boxes  *boxes
	line   *typing
	travel *browse.Travel
	say    *messages
	tabs   *tabBar
	alerts *alerts
	show   func(keymap.ID) tea.Cmd
	answer func(kit.Box, keymap.ID) tea.Cmd
	hints  func(x int) tea.Cmd // presses the key of the hint at a column

	off      bool // the terminal has the mouse, for its own selection
	dragging bool // it moves the divider between list and detail
}

// take routes what the mouse did.
func (p *pointer) take(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseWheelMsg:
		return p.wheel(at)
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return p.click(at)
		}
	case tea.MouseMotionMsg:
		if p.dragging {
			p.stage.width = at.X
			return p.stage.relayout()
		}
	case tea.MouseReleaseMsg:
		p.dragging = false
	}
	return nil
}

func (p *pointer) wheel(at tea.Mouse) tea.Cmd {
	id := keymap.Down
	switch at.Button {
	case tea.MouseWheelUp:
		id = keymap.Up
	case tea.MouseWheelDown:
	default:
		return nil
	}
	if top, ok := p.boxes.Top(); ok {
		for range wheelRows {
			top.Handle(id)
		}
		return nil
	}
	f, ok := p.stage.under(at.X, at.Y)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	for range wheelRows {
		cmd, _ := p.stage.pane(f).Actions().Perform(id)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// clickBox chooses the answer of a question under the pointer.
func (p *pointer) clickBox(top kit.Box, at tea.Mouse) tea.Cmd {
	in := inner(p.boxes.rect(top.Overlay))
	if !in.Holds(at.X, at.Y) {
		return nil
	}
	if box, ok := top.Overlay.(*overlay.Question); ok {
		if id, ok := box.AnswerAt(at.X-in.X, at.Y-in.Y, in.W, in.H); ok && !p.boxes.ignoresKeys() {
			return p.answer(top, id)
		}
	}
	return nil
}

// click chooses the row under the pointer; a second click on it opens it. On the
// divider between list and detail it begins to move the divider.
func (p *pointer) click(at tea.Mouse) tea.Cmd {
	if p.line.Active() {
		return nil
	}
	if p.stage.layout.bottom.Holds(at.X, at.Y) {
		return p.hints(at.X)
	}
	if top, ok := p.boxes.Top(); ok {
		return p.clickBox(top, at)
	}
	shown, browsing := p.travel.Shown(), p.stage.shows(keymap.ScreenBrowse)
	switch {
	case p.stage.layout.tabs.Holds(at.X, at.Y):
		if id, ok := p.tabs.under(at.X, p.stage.w); ok {
			return p.show(id)
		}
		return nil
	case p.stage.layout.banner.Holds(at.X, at.Y):
		return p.alerts.open()
	}
	if browsing && p.stage.onDivider(at.X, at.Y) {
		p.dragging = true
		return nil
	}
	if r := p.stage.layout.detail; browsing && !r.Empty() && at.Y == r.Y {
		if t, ok := shown.Tabs.Under(at.X-r.X-3, r.W-titleEnds); ok {
			return shown.OpenTab(t)
		}
	}
	f, ok := p.stage.under(at.X, at.Y)
	if !ok {
		return nil
	}
	relaid, row := p.stage.focusOn(f), at.Y-p.stage.rect(f).Y
	c, ok := p.stage.pane(f).(kit.Clickable)
	if !ok || row < 0 || row >= p.stage.rect(f).H || !c.Click(row) || f == onDetail && !browsing {
		return relaid
	}
	opened, _ := run(keymap.Open, p.stage.tables())
	return tea.Batch(relaid, opened)
}

// toggle captures the mouse for the program, or releases it to the terminal.
func (p *pointer) toggle() {
	if p.off = !p.off; p.off {
		p.say.tell(kit.Info, "The terminal has the mouse now. :mouse switches back")
		return
	}
	p.say.tell(kit.Info, "The mouse works here: click, wheel, drag the divider")
}
