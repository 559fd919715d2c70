package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// perform runs an action for a key, the prompt or a list of actions: never on what is out of sight.
func (m *Model) perform(id keymap.ID) tea.Cmd {
	m.reads = !m.onlyLooks() && (id == keymap.NextUnread || id == keymap.PrevUnread || id == keymap.Open)
	if a, _ := m.env.Keys.ByID(id); a.Scope != keymap.Motion && a.Scope != keymap.List && id != keymap.Back && id != keymap.Help {
		if list, ok := m.stage.screen().List().(kit.Ranged); ok {
			list.EndRange()
		}
	}
	tables := append(m.actionsInSight(), m.stage.screen().Detail().Actions())
	var shown tea.Cmd
	if m.anywhere(id) {
		shown, tables = m.show(keymap.ScreenBrowse), m.allActions()
	}
	if cmd, ok := run(id, tables); ok {
		if id == keymap.Refresh { // what is on the screen may be what is there already
			m.say.tell(kit.Info, "Reading it again")
		}
		return tea.Batch(shown, cmd)
	}
	a, _ := m.env.Keys.ByID(id)
	m.tellAbsent(a.FirstKey(), a)
	return nil
}

// onlyLooks reports whether the user asked for a store that stays as it is, by --read-only.
func (m *Model) onlyLooks() bool { return m.options.ReadOnly && !m.options.Unwritable }

// argOf is what an action takes at the prompt, nil for nothing, and what prevents the action now.
func (m *Model) argOf(id keymap.ID) (arg *kit.Arg, why string) {
	for _, table := range m.allActions() {
		if arg := table.Arg(id); arg != nil {
			return arg, table.WhyNot(id)
		}
	}
	return nil, ""
}

// argNamed is argOf for the name that was typed.
func (m *Model) argNamed(name string) *kit.Arg {
	a, _ := m.env.Keys.Named(name)
	arg, _ := m.argOf(a.ID)
	return arg
}

// allActions are those in sight first, then those of Browse.
func (m *Model) allActions() []*kit.Actions {
	browse := m.browse
	tables := append(m.stage.tables(), m.own, browse.Actions(), browse.Tree.Actions())
	for _, t := range browse.Tabs.InOrder() {
		tables = append(tables, t.Actions())
	}
	return tables
}

// readShown marks the change as read that the user went to, or opened, once its diff can be read.
func (m *Model) readShown() {
	if rev := m.diffInSight(); m.reads && rev != 0 {
		m.reads = false
		m.feed.Read(rev)
	}
}

// run runs the action of the first table that has it; false: none has.
func run(id keymap.ID, tables []*kit.Actions) (tea.Cmd, bool) {
	for _, table := range tables {
		if cmd, ok := table.Perform(id); ok {
			return cmd, true
		}
	}
	return nil, false
}

// runs reports whether an action runs here now.
func (m *Model) runs(id keymap.ID) bool {
	for _, table := range m.actionsInSight() {
		if table.Has(id) {
			return table.WhyNot(id) == ""
		}
	}
	return m.anywhere(id) && !m.closed(keymap.ScreenBrowse)
}

// anywhere reports whether an action of Browse works on every screen.
func (m *Model) anywhere(id keymap.ID) bool { return m.browse.Actions().Anywhere(id) }

// prevented reports whether the owner of an action in sight says that it can't run now.
func (m *Model) prevented(id keymap.ID) bool {
	return !m.runs(id) && slices.ContainsFunc(m.actionsInSight(), func(table *kit.Actions) bool { return table.Has(id) })
}

// actionsInSight are the tables of what the user sees.
func (m *Model) actionsInSight() []*kit.Actions { return append(m.stage.tables(), m.own) }

const textNothing = " does nothing here. {global/help} shows what does"

// tellAbsent says that an action does nothing here.
func (m *Model) tellAbsent(key string, a keymap.Action) {
	switch {
	case m.closed(keymap.ScreenBrowse) && a.Scope != keymap.Stores:
		m.say.tell(kit.Info, m.env.Keyed(textNoStore))
	case a.Scope == keymap.Global || a.Scope == keymap.Motion || slices.Contains(m.stage.focused().Scopes(), a.Scope):
		m.say.tell(kit.Info, m.env.Keyed(key+" can't "+a.Verb()+" here. {global/help} shows what can be done"))
	default:
		m.say.tell(kit.Info, key+m.env.Keyed(textNothing))
	}
}

// explainKey says why a key does nothing here.
func (m *Model) explainKey(key string) {
	for _, a := range m.env.Keys.Actions() {
		if slices.Contains(a.Keys, key) && a.Scope.OnScreen() {
			m.tellAbsent(key, a)
			return
		}
	}
	m.say.tell(kit.Info, key+m.env.Keyed(textNothing))
}
