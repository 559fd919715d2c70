package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
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
		return m.lineChanged()
	}
	if p, ok := m.narrowed(); ok && p.Handle(a.ID) {
		return nil
	}
	switch a.ID {
	case keymap.Accept:
		return m.lineAccepted()
	case keymap.Cancel:
		return m.lineCancelled()
	}
	m.line.Handle(a.ID, m.complete)
	return m.lineChanged()
}

// complete lists the lines that could follow the one being typed.
func (m *Model) complete(line string) []string {
	if m.line.Purpose() == prompt.Filter {
		return m.shownScreen().CompleteFilter(line)
	}
	return prompt.Complete(line, m.env.Keys, m.children)
}

// lineChanged lets searches and filters follow what is typed.
func (m *Model) lineChanged() tea.Cmd {
	switch m.line.Purpose() {
	case prompt.Search:
		return m.searcher().SetQuery(m.line.Value())
	case prompt.Filter:
		return m.setFilter(m.line.Value())
	case prompt.OverlayFilter, prompt.Palette, prompt.Choice:
		m.filterTop(m.line.Value())
	}
	return nil
}

// setFilter narrows the list of the screen.
func (m *Model) setFilter(line string) (cmd tea.Cmd) {
	cmd, m.line.Problem = m.shownScreen().SetFilter(line)
	return cmd
}

// narrowed is the list on top that the typed line narrows.
func (m *Model) narrowed() (ui.Overlay, bool) {
	top, ok := m.boxes.Top()
	p := m.line.Purpose()
	return top.Overlay, ok && (p == prompt.Palette || p == prompt.Choice)
}

// filterTop narrows the box on top, if it can be filtered.
func (m *Model) filterTop(line string) {
	top, _ := m.boxes.Top()
	if f, ok := top.Overlay.(ui.Filterable); ok {
		f.SetFilter(line)
	}
}

func (m *Model) lineCancelled() tea.Cmd {
	purpose := m.line.Purpose()
	m.line.Close(false)
	switch purpose {
	case prompt.Search:
		if m.looked != nil && m.tab == tabView {
			return m.viewer.SetMatcher(m.looked)
		}
		return m.searcher().SetQuery(m.before)
	case prompt.Filter:
		return m.setFilter(m.before)
	case prompt.OverlayFilter:
		m.filterTop("")
	case prompt.Palette, prompt.Choice:
		m.boxes.CloseTop()
	}
	return nil
}

func (m *Model) lineAccepted() tea.Cmd {
	value := m.line.Value()
	switch m.line.Purpose() {
	case prompt.Search:
		m.line.Close(true)
		return m.searcher().Jump()
	case prompt.Filter:
		problem := m.line.Problem
		if m.screen != onBrowse {
			if problem == "" { // else it stays, with what is wrong with it
				m.line.Close(true)
			}
			return nil
		}
		m.line.Close(true)
		if problem != "" {
			m.tell(ui.Warn, problem) // the other terms are obeyed
		}
		path, _ := m.tree.Selected()
		return m.selectPath(path, false)
	case prompt.OverlayFilter:
		m.line.Close(false)
		return nil
	case prompt.Palette:
		return m.paletteAccepted()
	case prompt.Choice:
		return m.choiceAccepted()
	}
	if value == "" {
		m.line.Close(false)
		return nil
	}
	if m.line.Purpose() == prompt.StoreSearch {
		return m.findTyped(value)
	}
	request, err := prompt.Parse(value, m.env.Keys)
	if err != nil {
		m.line.Problem = err.Error()
		return nil
	}
	if request.Find != "" {
		return m.findTyped(request.Find)
	}
	m.line.Close(true)
	if cmd, ok := m.goToCall(request); ok {
		return cmd
	}
	switch {
	case len(request.Replay) > 0:
		return m.replay.Open(replay.Source{Files: request.Replay})
	case request.Command != nil:
		return m.runCommand(*request.Command)
	case request.Input != nil:
		return m.showResult(string(request.Input), m.options.Store.DoJSON(context.Background(), request.Input))
	case request.Form != nil:
		return m.openForm(request.Form[0], request.Form[1:]...)
	case request.Open != "":
		return m.selectPath(backendPath(request.Open), true)
	case len(request.Compare) > 0:
		return m.compareNamed(request.Compare)
	case request.Move != "":
		return m.moveInto(request.Move)
	case request.RestoreAs != "":
		return m.restoreAs(request.RestoreAs)
	case request.Theme != "":
		return m.setTheme(request.Theme)
	case request.Dialect != nil:
		return m.setDialect(*request.Dialect)
	case request.At != "":
		return m.travelWhere(request.At)
	case request.DiffAt != nil:
		return m.diffAt(request.DiffAt[0], request.DiffAt[1])
	case request.Offset != nil:
		return m.goToOffset(*request.Offset)
	case request.Line > 0:
		m.tab, m.focus = tabView, onMain
		return tea.Batch(m.relayout(), m.viewer.GoTo(request.Line))
	default:
		return m.perform(request.Action)
	}
}

// paletteAccepted performs the action under the palette's cursor.
func (m *Model) paletteAccepted() tea.Cmd {
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
		return m.openForm(a.Name)
	case a.ID == "":
		m.line.Open(prompt.Command, a.Name+" ")
	default:
		return m.perform(a.ID)
	}
	return nil
}

// openTreeFilter starts the filter of the tree.
func (m *Model) openTreeFilter() tea.Cmd {
	m.focus, m.before = onTree, m.tree.Filter()
	m.line.Open(prompt.Filter, m.tree.Filter())
	return m.relayout()
}

// openSearch starts "/" in the tab that is shown, or in the view where that has no search.
func (m *Model) openSearch() tea.Cmd {
	if _, ok := m.mainTab().(ui.Searcher); !ok {
		m.tab = tabView
	}
	m.focus, m.before = onMain, m.searcher().Query()
	_, m.looked = m.viewer.Rank()
	m.line.Open(prompt.Search, "")
	return m.relayout()
}

// children lists the names in an agent folder for the completion, folders with a slash.
func (m *Model) children(path string) []string {
	if m.shown() == nil {
		return nil
	}
	n := m.shown().Find(path)
	if n == nil {
		return nil
	}
	names := make([]string, 0, len(n.Children))
	for _, c := range n.Children {
		name := c.Name
		if c.Kind == memstore.KindDir {
			name += "/"
		}
		names = append(names, name)
	}
	return names
}

// toClipboard copies by OSC 52; only keys of the user ever get here.
func (m *Model) toClipboard(what, content string) tea.Cmd {
	if content == "" {
		m.tell(ui.Info, "there is nothing to copy here")
		return nil
	}
	if len(content) > ui.CopyLimit {
		m.tell(ui.Info, textTooLongToCopy)
		return nil
	}
	m.tell(ui.Info, fmt.Sprintf("copied the %s (%d bytes)", what, len(content)))
	return tea.SetClipboard(content)
}

// goToCall goes to a call of a replay, a turn, or the time of day of one.
func (m *Model) goToCall(r prompt.Request) (tea.Cmd, bool) {
	switch {
	case r.Call > 0:
		return tea.Batch(m.goTo(onReplay), m.replay.GoTo(r.Call)), true
	case r.Turn > 0:
		return tea.Batch(m.goTo(onReplay), m.replay.GoToTurn(r.Turn)), true
	case m.screen != onReplay:
		return nil, false
	case r.Line > 0:
		return m.replay.GoTo(r.Line), true
	case r.At != "":
		return m.replay.GoToTime(r.At), true
	}
	return nil, false
}
