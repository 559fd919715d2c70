package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/search"
	"memcurator/tui/curate"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
)

// suggest opens the prompt with a line, unless the user is about something else by now.
func (m *Model) suggest(line string) {
	if _, open := m.boxes.Top(); !open && !m.line.Active() {
		m.line.Open(prompt.Command, line)
	}
}

// closeForPurge closes boxes that may show what a purge removed, and the line that was typed into one.
func (m *Model) closeForPurge() {
	was := m.boxes.Len()
	m.boxes.Keep(func(o kit.Overlay) bool {
		_, is := o.(*overlay.Actions)
		return is
	})
	if m.boxes.Len() < was && m.line.Active() {
		m.line.Close(false)
	}
}

// listSearch is the search of the list with the focus, nil without one.
func (m *Model) listSearch() *kit.Search {
	if m.stage.focus != onList {
		return nil
	}
	return kit.SearchOf(m.stage.screen().List())
}

// searcher is what "/" searches: the list with the focus, else the text in sight, else the view.
func (m *Model) searcher() *kit.Search {
	if s := m.listSearch(); s != nil {
		return s
	}
	if s := kit.SearchOf(m.stage.screen().Detail()); s != nil {
		return s
	}
	return m.browse.View.Search()
}

// searching reports whether the list with the focus, or what the screen shows beside it, has a search.
func (m *Model) searching() bool {
	if s := m.listSearch(); s != nil && s.Query() != "" {
		return true
	}
	s := kit.SearchOf(m.stage.screen().Detail())
	return s != nil && s.Query() != ""
}

// openSearch starts "/" in the list with the focus, else in what the screen shows beside it.
func (m *Model) openSearch() tea.Cmd {
	if m.listSearch() == nil {
		if m.stage.shows(keymap.ScreenBrowse) {
			m.browse.Tabs.ShowSearch()
		}
		m.stage.focus = onDetail
	}
	m.searchBefore = m.searcher().Query()
	m.line.Open(prompt.Search, "")
	return m.stage.relayout()
}

// openFilter starts to narrow the list of the screen, from the filter that it has.
func (m *Model) openFilter(filter string) tea.Cmd {
	m.searchBefore = filter
	focused := m.stage.focusOn(onList)
	m.line.Open(prompt.Filter, filter)
	return focused
}

// completeLine lists the lines that could follow the one being typed.
func (m *Model) completeLine(line string) []string {
	if m.line.Purpose() == prompt.Filter {
		if filtered := m.stage.filtered(); filtered != nil {
			return filtered.CompleteFilter(line)
		}
		return nil
	}
	if m.line.Purpose() == prompt.Identity {
		return m.completePath(line, true)
	}
	if name, rest, ok := strings.Cut(line, " "); ok {
		if arg := m.argNamed(name); arg != nil && arg.Complete != nil {
			lines := arg.Complete(strings.TrimLeft(rest, " "))
			for i := range lines {
				lines[i] = name + " " + lines[i]
			}
			return lines
		}
	}
	takes := func(name string) bool { return m.argNamed(name) != nil }
	return prompt.Complete(line, m.env.Keys, takes, m.browse.Files.Children)
}

// lineChanged lets searches and filters follow what is typed.
func (m *Model) lineChanged() tea.Cmd {
	switch m.line.Purpose() {
	case prompt.Search:
		m.searcher().SetQuery(m.line.Value())
	case prompt.Filter:
		return m.setFilter(m.line.Value())
	case prompt.Choice:
		m.filterTop(m.line.Value())
	}
	return nil
}

// setFilter narrows the list of the screen.
func (m *Model) setFilter(line string) (cmd tea.Cmd) {
	if filtered := m.stage.filtered(); filtered != nil {
		cmd, m.line.Problem = filtered.SetFilter(line)
	}
	return cmd
}

// narrowed is the list on top that the typed line narrows.
func (m *Model) narrowed() (kit.Overlay, bool) {
	top, ok := m.boxes.Top()
	return top.Overlay, ok && m.line.Purpose() == prompt.Choice
}

// filterTop narrows the box on top, if it can be filtered.
func (m *Model) filterTop(line string) {
	top, _ := m.boxes.Top()
	if f, ok := top.Overlay.(kit.Filterable); ok {
		f.SetFilter(line)
	}
}

// editLine does what a key does inside the line; false: it accepts the line.
func (m *Model) editLine(id keymap.ID) (cmd tea.Cmd, edited bool) {
	if p, ok := m.narrowed(); ok && p.Handle(id) {
		return nil, true
	}
	switch id {
	case keymap.Accept:
		return nil, false
	case keymap.Cancel:
		return m.cancelLine(), true
	}
	m.line.Handle(id, m.completeLine)
	return m.lineChanged(), true
}

func (m *Model) cancelLine() tea.Cmd {
	purpose := m.line.Purpose()
	m.line.Close(false)
	switch purpose {
	case prompt.Search:
		m.searcher().SetQuery(m.searchBefore)
	case prompt.Filter:
		return m.setFilter(m.searchBefore)
	case prompt.Choice:
		m.boxes.CloseTop()
	}
	return nil
}

// askKey asks for the key of an encrypted store, unless the user is about something else by now.
func (m *Model) askKey(c StoreChoice, l StoreLocked, open func(StoreChoice) tea.Cmd) {
	if _, asks := m.boxes.Top(); asks || m.line.Active() {
		return
	}
	purpose := prompt.Identity
	if l.Passphrase {
		purpose = prompt.Passphrase
	}
	m.line.Open(purpose, "")
	if l.Wrong {
		m.line.Problem = l.Why
	}
	m.unlock = func(typed string) tea.Cmd {
		if l.Passphrase {
			c.Passphrase = typed
		} else {
			c.Identity = typed
		}
		return open(c)
	}
}

// forgetLines discards what was searched for before.
func (m *Model) forgetLines() {
	m.searchBefore = ""
	m.line.Forget()
}

// lineKey handles a key while a line is being typed.
func (m *Model) lineKey(msg tea.KeyPressMsg) tea.Cmd {
	a, ok := m.env.Keys.Lookup([]keymap.Scope{keymap.Input}, msg.String())
	if !ok {
		m.line.Type(msg)
		return m.lineChanged()
	}
	if cmd, edited := m.editLine(a.ID); edited {
		return cmd
	}
	return m.acceptLine()
}

// acceptLine takes the typed line.
func (m *Model) acceptLine() tea.Cmd {
	value := m.line.Value()
	switch m.line.Purpose() {
	case prompt.Search:
		m.line.Close(true)
		return m.searcher().Jump()
	case prompt.Filter:
		return m.acceptFilter()
	case prompt.Choice:
		return m.acceptChoice()
	case prompt.Passphrase, prompt.Identity:
		unlock := m.unlock
		m.unlock = nil
		if m.line.Close(true); value == "" || unlock == nil {
			return nil
		}
		return unlock(value)
	}
	if value == "" {
		m.line.Close(false)
		return nil
	}
	purpose := m.line.Purpose()
	run := m.runLine
	if purpose == prompt.StoreSearch {
		run = m.findInStore
	}
	m.line.Close(true)
	cmd, err := run(value)
	if err != nil {
		m.line.Open(purpose, value)
		m.line.Problem = err.Error()
	}
	return cmd
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
		m.say.tell(kit.Warn, problem)
	}
	path, _ := m.browse.Tree.Selected()
	return m.browse.Select(path, false)
}

// findInStore starts the search of the store that was typed.
func (m *Model) findInStore(typed string) (tea.Cmd, error) {
	matcher, err := search.Compile(search.ParseQuery(typed))
	if err != nil {
		return nil, err
	}
	if all, ok := m.stage.screen().(interface{ SearchAll(*search.Matcher) tea.Cmd }); ok {
		return all.SearchAll(matcher), nil
	}
	if m.closed(keymap.ScreenBrowse) {
		m.say.tell(kit.Info, m.env.Keyed(textNoStore))
		return nil, nil
	}
	return m.browse.Search.Start(matcher), nil
}

// choose opens a list; take is called with the row that is chosen.
func (m *Model) choose(title string, options []overlay.Option, at int, take func(row int) tea.Cmd) {
	list := overlay.NewChoice(m.env, title, options, at)
	m.openBox(kit.Box{Overlay: list, Answers: map[keymap.ID]func() tea.Cmd{keymap.Accept: func() tea.Cmd {
		row, _ := list.Chosen()
		return take(row)
	}}})
	m.line.Open(prompt.Choice, "")
}

// acceptChoice takes the row under the cursor of the list on top; if nothing matches, the line stays open.
func (m *Model) acceptChoice() tea.Cmd {
	top, _ := m.boxes.Top()
	list, ok := top.Overlay.(interface{ Chosen() (int, bool) })
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

// completePath completes a path of the disk to the folders there, and the files if they are wanted.
func (m *Model) completePath(typed string, files bool) []string {
	return curate.Folders(typed, m.options.listConfig.Home, files)
}
