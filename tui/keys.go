package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// key routes a key press: the line being typed, the topmost overlay, the pane with the
// focus, the whole screen.
func (m *Model) key(msg tea.KeyPressMsg) tea.Cmd {
	if !m.asks() { // what is said beside a question is still to be seen
		m.say.hide()
	}
	m.awaited = "" // the user goes elsewhere
	if m.env.Jobs.Running(act.OwnerPlan) && msg.String() != "esc" && msg.String() != "ctrl+c" {
		m.held = append(m.held, msg)
		return nil
	}
	if m.line.Active() {
		a, _ := m.env.Keys.Lookup([]keymap.Scope{keymap.Input}, msg.String())
		return m.line.Take(msg, a.ID)
	}
	a, known := m.env.Keys.Lookup(m.scopes(), msg.String())
	if a.ID != keymap.Reveal {
		m.secrets.Masks.Mask()
	}
	if !known && msg.String() == "ctrl+c" {
		return m.perform(keymap.ForceQuit)
	}
	if m.ignoresKeys() && msg.String() != "esc" {
		return nil
	}
	if top, open := m.boxes.Top(); open {
		if list, is := top.Overlay.(*overlay.Actions); is && a.Scope != keymap.ActionMenu {
			if action, ok := list.Keyed(msg.String()); ok && action.Scope != keymap.Motion {
				m.boxes.CloseTop()
				return m.perform(action.ID)
			}
		}
		if typed, ok := top.Overlay.(kit.Typed); ok && !known {
			typed.Type(msg)
			return nil
		}
		if !known {
			global, is := m.env.Keys.Lookup([]keymap.Scope{keymap.Global}, msg.String())
			if _, informs := top.Overlay.(*overlay.Text); informs && is && len(top.Answers) == 0 { // it asks nothing
				m.boxes.CloseTop()
				return m.perform(global.ID)
			}
			m.say.tell(kit.Info, msg.String()+" does nothing here")
			return nil
		}
		return m.answer(top, a.ID)
	}
	if !known && m.stage.focus == onDetail {
		a, known = m.env.Keys.Lookup(m.stage.screen().List().Scopes(), msg.String())
		// What is typed behind the key of a filter would run as actions if it did nothing. The keys of the tree are about the file too.
		known = known && (a.ID == keymap.Filter || a.Scope == keymap.Tree && a.ID != keymap.Open)
	}
	if !known {
		m.explainKey(msg.String())
		return nil
	}
	if movesAround(a) {
		m.browse.Following.Stop()
	}
	return m.perform(a.ID)
}

// movesAround reports whether an action moves around, which ends following.
func movesAround(a keymap.Action) bool {
	if a.Scope.OnScreen() && a.Scope != keymap.Global {
		return true
	}
	return a.ID == keymap.NextUnread || a.ID == keymap.Search || a.ID == keymap.Listing
}

// scopes lists where a key is looked up now, innermost first.
func (m *Model) scopes() []keymap.Scope {
	if top, ok := m.boxes.Top(); ok {
		return top.Scopes()
	}
	return append(m.stage.focused().Scopes(), keymap.Motion, keymap.Global)
}

// back peels exactly one layer.
func (m *Model) back() tea.Cmd {
	if m.jobs.stop() {
		return nil
	}
	for _, part := range []any{m.stage.screen(), m.stage.focused()} {
		if p, ok := part.(kit.Peeler); ok {
			if cmd, peeled := p.Peel(); peeled {
				return cmd
			}
		}
	}
	switch {
	case m.stage.focus == onDetail && m.searching():
		m.searcher().SetQuery("")
		return nil
	case m.stage.zoom:
		m.stage.zoom = false
		return m.stage.relayout()
	case m.stage.focus != onList:
		return m.stage.focusOn(onList)
	case m.stage.shows(keymap.ScreenStores):
		if !m.closed(m.stage.left) {
			return m.leaveStores()
		}
	case m.closed(keymap.ScreenBrowse):
		return m.show(keymap.ScreenStores)
	case m.browse.Away():
		return m.browse.Back()
	}
	m.say.tell(kit.Info, m.env.Keyed("Nothing to close. {global/quit} quits"))
	return nil
}

// answer performs an action of the box on top.
func (m *Model) answer(box kit.Box, id keymap.ID) tea.Cmd {
	if box.Handle(id) {
		return nil
	}
	if id == keymap.Close {
		id = keymap.No
	}
	if run, ok := box.Answers[id]; ok {
		m.boxes.CloseTop()
		if run == nil { // the answer only closes
			return nil
		}
		return run()
	}
	switch id {
	case keymap.No, keymap.Cancel:
		if m.asks() {
			m.say.tell(kit.Info, "Cancelled")
		}
		m.boxes.CloseTop()
	case keymap.OverlayFind:
		m.narrow("> ")
	case keymap.OverlayCopy:
		if t, ok := box.Overlay.(kit.Copyable); ok {
			return m.copy("text", t.Content())
		}
	}
	return nil
}
