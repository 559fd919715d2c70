package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/search"
	"memcurator/tui/browse"
	"memcurator/tui/command"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
)

// typing is the line being typed at the bottom, and what it narrows or searches meanwhile.
type typing struct {
	prompt.Line
	env      *kit.Env
	stage    *stage
	boxes    *boxes
	travel   *browse.Travel
	say      *messages
	dispatch *dispatch
	commands *command.Runner
	answer   func(kit.Box, keymap.ID) tea.Cmd
	run      func(line string) (tea.Cmd, error) // runs what was typed at the prompt
	// disk completes a path of the disk to the folders there, and the files if they are wanted.
	disk func(typed string, files bool) []string

	unlock func(typed string) tea.Cmd // opens an encrypted store with the key that is typed
	before string                     // search or filter from before the line was opened
}

// suggest opens the prompt with a line, unless the user is about something else by now.
func (t *typing) suggest(line string) {
	if _, open := t.boxes.Top(); !open && !t.Active() {
		t.Open(prompt.Command, line)
	}
}

// closeForPurge closes boxes that may show what a purge removed, and the line that was typed into one.
func (t *typing) closeForPurge() {
	was := t.boxes.Len()
	t.boxes.Keep(func(o kit.Overlay) bool {
		_, is := o.(*overlay.Actions)
		return is
	})
	if t.boxes.Len() < was && t.Active() {
		t.Close(false)
	}
}

// rows is the search of the list with the focus, nil without one.
func (t *typing) rows() kit.Searcher {
	if t.stage.focus != onList {
		return nil
	}
	return kit.SearchOf(t.stage.screen().List())
}

// searcher is what "/" searches: the list with the focus, else the text in sight, else the view.
func (t *typing) searcher() kit.Searcher {
	if s := t.rows(); s != nil {
		return s
	}
	if s := kit.SearchOf(t.stage.screen().Detail()); s != nil {
		return s
	}
	return t.travel.Shown().View.Search()
}

// searching reports whether the list with the focus, or what the screen shows beside it, has a search.
func (t *typing) searching() bool {
	if s := t.rows(); s != nil && s.Query() != "" {
		return true
	}
	s := kit.SearchOf(t.stage.screen().Detail())
	return s != nil && s.Query() != ""
}

// openSearch starts "/" in the list with the focus, else in what the screen shows beside it.
func (t *typing) openSearch() tea.Cmd {
	if t.rows() == nil {
		if t.stage.shows(keymap.ScreenBrowse) {
			t.travel.Shown().Tabs.ShowSearched()
		}
		t.stage.focus = onDetail
	}
	t.before = t.searcher().Query()
	t.Open(prompt.Search, "")
	return t.stage.relayout()
}

// openFilter starts to narrow the list of the screen, from the filter that it has.
func (t *typing) openFilter(filter string) tea.Cmd {
	t.before = filter
	focused := t.stage.focusOn(onList)
	t.Open(prompt.Filter, filter)
	return focused
}

// complete lists the lines that could follow the one being typed.
func (t *typing) complete(line string) []string {
	if t.Purpose() == prompt.Filter {
		if filtered := t.stage.filtered(); filtered != nil {
			return filtered.CompleteFilter(line)
		}
		return nil
	}
	if t.Purpose() == prompt.Identity {
		return t.disk(line, true)
	}
	if name, rest, ok := strings.Cut(line, " "); ok {
		if arg := t.dispatch.argOf(name); arg != nil && arg.Complete != nil {
			lines := arg.Complete(strings.TrimLeft(rest, " "))
			for i := range lines {
				lines[i] = name + " " + lines[i]
			}
			return lines
		}
	}
	takes := func(name string) bool { return t.dispatch.argOf(name) != nil }
	return prompt.Complete(line, t.env.Keys, takes, t.travel.Shown().Files.Children)
}

// changed lets searches and filters follow what is typed.
func (t *typing) changed() tea.Cmd {
	switch t.Purpose() {
	case prompt.Search:
		return t.searcher().SetQuery(t.Value())
	case prompt.Filter:
		return t.setFilter(t.Value())
	case prompt.Choice:
		t.filterTop(t.Value())
	}
	return nil
}

// setFilter narrows the list of the screen.
func (t *typing) setFilter(line string) (cmd tea.Cmd) {
	if filtered := t.stage.filtered(); filtered != nil {
		cmd, t.Problem = filtered.SetFilter(line)
	}
	return cmd
}

// narrowed is the list on top that the typed line narrows.
func (t *typing) narrowed() (kit.Overlay, bool) {
	top, ok := t.boxes.Top()
	return top.Overlay, ok && t.Purpose() == prompt.Choice
}

// filterTop narrows the box on top, if it can be filtered.
func (t *typing) filterTop(line string) {
	top, _ := t.boxes.Top()
	if f, ok := top.Overlay.(kit.Filterable); ok {
		f.SetFilter(line)
	}
}

// edit does what a key does inside the line; false: it accepts the line.
func (t *typing) edit(id keymap.ID) (cmd tea.Cmd, edited bool) {
	if p, ok := t.narrowed(); ok && p.Handle(id) {
		return nil, true
	}
	switch id {
	case keymap.Accept:
		return nil, false
	case keymap.Cancel:
		return t.cancelled(), true
	}
	t.Handle(id, t.complete)
	return t.changed(), true
}

func (t *typing) cancelled() tea.Cmd {
	purpose := t.Purpose()
	t.Close(false)
	switch purpose {
	case prompt.Search:
		return t.searcher().SetQuery(t.before)
	case prompt.Filter:
		return t.setFilter(t.before)
	case prompt.Choice:
		t.boxes.CloseTop()
	}
	return nil
}

// askKey asks for the key of an encrypted store, unless the user is about something else by now.
func (t *typing) askKey(c StoreChoice, l StoreLocked, open func(StoreChoice) tea.Cmd) {
	if _, asks := t.boxes.Top(); asks || t.Active() {
		return
	}
	purpose := prompt.Identity
	if l.Passphrase {
		purpose = prompt.Passphrase
	}
	t.Open(purpose, "")
	if l.Wrong {
		t.Problem = l.Why
	}
	t.unlock = func(typed string) tea.Cmd {
		if l.Passphrase {
			c.Passphrase = typed
		} else {
			c.Identity = typed
		}
		return open(c)
	}
}

// forget discards what was searched for before.
func (t *typing) forget() {
	t.before = ""
	t.Forget()
}

// key handles a key while a line is being typed.
func (t *typing) key(msg tea.KeyPressMsg) tea.Cmd {
	a, ok := t.env.Keys.Lookup([]keymap.Scope{keymap.Input}, msg.String())
	if !ok {
		t.Type(msg)
		return t.changed()
	}
	if cmd, edited := t.edit(a.ID); edited {
		return cmd
	}
	return t.accept()
}

// accept takes the typed line.
func (t *typing) accept() tea.Cmd {
	value := t.Value()
	switch t.Purpose() {
	case prompt.Search:
		t.Close(true)
		return t.searcher().Jump()
	case prompt.Filter:
		return t.acceptFilter()
	case prompt.Choice:
		return t.acceptChoice()
	case prompt.Passphrase, prompt.Identity:
		unlock := t.unlock
		t.unlock = nil
		if t.Close(true); value == "" || unlock == nil {
			return nil
		}
		return unlock(value)
	}
	if value == "" {
		t.Close(false)
		return nil
	}
	purpose := t.Purpose()
	run := t.run
	if purpose == prompt.StoreSearch {
		run = t.find
	}
	t.Close(true)
	cmd, err := run(value)
	if err != nil {
		t.Open(purpose, value)
		t.Problem = err.Error()
	}
	return cmd
}

// acceptFilter keeps the filter. One with a mistake stays open, except in the tree, which obeys the other terms.
func (t *typing) acceptFilter() tea.Cmd {
	problem := t.Problem
	if !t.stage.shows(keymap.ScreenBrowse) {
		if problem == "" {
			t.Close(true)
		}
		return nil
	}
	t.Close(true)
	if problem != "" {
		t.say.tell(kit.Warn, problem)
	}
	path, _ := t.travel.Shown().Tree.Selected()
	return t.travel.Shown().Select(path, false)
}

// find starts the search of the store that was typed.
func (t *typing) find(typed string) (tea.Cmd, error) {
	matcher, err := search.Compile(search.ParseQuery(typed))
	if err != nil {
		return nil, err
	}
	if all, ok := t.stage.screen().(interface{ SearchAll(*search.Matcher) tea.Cmd }); ok {
		return all.SearchAll(matcher), nil
	}
	if t.stage.closed != nil && t.stage.closed(keymap.ScreenBrowse) {
		t.say.tell(kit.Info, t.env.Keyed(textNoStore))
		return nil, nil
	}
	return t.travel.Shown().Search.Start(matcher), nil
}

// choose opens a list; take is called with the row that is chosen.
func (t *typing) choose(title string, options []overlay.Option, at int, take func(row int) tea.Cmd) {
	list := overlay.NewChoice(t.env, title, options, at)
	t.boxes.open(kit.Box{Overlay: list, Answers: map[keymap.ID]func() tea.Cmd{keymap.Accept: func() tea.Cmd {
		row, _ := list.Chosen()
		return take(row)
	}}})
	t.Open(prompt.Choice, "")
}

// acceptChoice takes the row under the cursor of the list on top; if nothing matches, the line stays open.
func (t *typing) acceptChoice() tea.Cmd {
	top, _ := t.boxes.Top()
	list, ok := top.Overlay.(interface{ Chosen() (int, bool) })
	if !ok {
		return nil
	}
	if _, ok := list.Chosen(); !ok {
		t.Problem = overlay.TextChoiceNone
		return nil
	}
	t.Close(false)
	return t.answer(top, keymap.Accept)
}
