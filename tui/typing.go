package tui

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
)

// typeCommand opens the prompt for an action, with a line to go on with. The name of the action is no part of what is edited.
func (m *Model) typeCommand(line string) {
	name, rest, named := strings.Cut(line, " ")
	if name += " "; !named {
		name, rest = "", line
	}
	spec := prompt.Spec{
		Lead: ":" + name,
		Complete: func(line string) []string {
			list := m.completeCommand(name + line)
			for i := range list {
				list[i] = strings.TrimPrefix(list[i], name)
			}
			return list
		},
		Accept: func(line string) (tea.Cmd, error) {
			if line == "" {
				return nil, nil
			}
			return m.runLine(name + line)
		},
	}
	if arg := m.argNamed(strings.TrimSpace(name)); arg != nil {
		takes := strings.ReplaceAll(arg.Takes, ": "+name, ": ") // it is there already
		spec.Hint = func() string {
			if arg.Hint == nil || m.line.Value() == "" {
				return takes
			}
			return arg.Hint()
		}
		if arg.Changed != nil {
			spec.Changed = func(line string) (tea.Cmd, string) { return arg.Changed(line), "" }
		}
	}
	m.line.Open(spec, rest)
}

// closeForPurge closes boxes that may show what a purge removed, and the line that was typed into one.
func (m *Model) closeForPurge() {
	was := m.boxes.Len()
	m.boxes.Keep(func(o kit.Overlay) bool {
		_, is := o.(*overlay.Actions)
		return is
	})
	if m.boxes.Len() < was && m.line.Active() {
		m.line.Close()
	}
}

// searcher is what "/" searches: the text in sight, else the view.
func (m *Model) searcher() *kit.Search {
	if s := kit.SearchOf(m.stage.screen().Detail()); s != nil {
		return s
	}
	return m.browse.View.Search()
}

// searching reports whether the text in sight has a search.
func (m *Model) searching() bool {
	s := kit.SearchOf(m.stage.screen().Detail())
	return s != nil && s.Query() != ""
}

// openSearch filters the list with the focus, and searches any other pane, or the text that the screen shows beside it.
func (m *Model) openSearch() tea.Cmd {
	if m.stage.focus == onList && m.stage.filtered() != nil {
		return m.perform(keymap.Filter)
	}
	if m.stage.shows(keymap.ScreenBrowse) {
		m.browse.Tabs.ShowSearch()
	}
	m.stage.focus = onDetail
	before := m.searcher().Query()
	m.line.Open(prompt.Spec{
		Lead: "/", State: func() string { return m.searcher().SearchState() },
		Changed: func(query string) (tea.Cmd, string) {
			m.searcher().SetQuery(query)
			return nil, ""
		},
		Accept: func(string) (tea.Cmd, error) { return m.searcher().Jump(), nil },
		Cancel: kit.Do(func() { m.searcher().SetQuery(before) }),
	}, "")
	return m.stage.relayout()
}

// openFilter starts to narrow the list of the screen anew; esc brings the filter back that it has. One with a mistake stays open.
func (m *Model) openFilter() tea.Cmd {
	focused := m.stage.focusOn(onList)
	list := m.stage.filtered()
	if list == nil {
		return focused
	}
	before := list.Filter()
	m.line.Open(prompt.Spec{
		Lead: "filter: ", Changed: list.SetFilter, Complete: list.CompleteFilter,
		State: func() string {
			return list.Matches()
		},
		Accept: func(line string) (tea.Cmd, error) {
			cmd, problem := list.SetFilter(line)
			if problem != "" {
				return cmd, errors.New(problem)
			}
			if m.stage.shows(keymap.ScreenBrowse) {
				path, _ := m.browse.Tree.Selected()
				cmd = tea.Batch(cmd, m.browse.Select(path, false))
			}
			return cmd, nil
		},
		Cancel: func() tea.Cmd {
			cmd, _ := list.SetFilter(before)
			return cmd
		},
	}, "")
	all, _ := list.SetFilter("")
	return tea.Batch(focused, all)
}

// completeCommand lists the lines that could follow one that names an action and begins what it takes.
func (m *Model) completeCommand(line string) (lines []string) {
	name, rest, begun := strings.Cut(line, " ")
	arg := m.argNamed(name)
	switch {
	case !begun || arg == nil:
		return nil
	case arg.Complete == nil:
		return prompt.CompletePath(line, m.browse.Files.Children)
	}
	for _, typed := range arg.Complete(strings.TrimLeft(rest, " ")) {
		lines = append(lines, name+" "+typed)
	}
	return lines
}

// openFind asks for what to search the store for.
func (m *Model) openFind() {
	lead, hint := "search store: ", "/re/ is a regular expression; capitals match case"
	if m.stage.shows(keymap.ScreenStores) {
		lead, hint = "search all stores: ", "leaves out history; "+hint
	}
	m.line.Open(prompt.Spec{
		Lead: lead, Hint: func() string { return hint },
		Accept: func(typed string) (tea.Cmd, error) {
			if typed == "" {
				return nil, nil
			}
			return m.findInStore(typed)
		},
	}, "")
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

// openPrompt lists what can be done here, narrowed by what is typed behind ":".
func (m *Model) openPrompt() {
	m.openActions()
	m.narrow(":")
}

// narrow opens the line that narrows the list on top. It may also name an action with what that takes, or be the number of a line. While
// nothing can be run by it, it stays open.
func (m *Model) narrow(lead string) {
	top, _ := m.boxes.Top()
	list, ok := top.Overlay.(*overlay.Actions)
	if !ok {
		return
	}
	m.line.Open(prompt.Spec{
		Lead: lead, Handle: list.Handle, Cancel: kit.Do(m.boxes.CloseTop),
		Hint: func() string {
			if arg := m.argNamed(firstWord(m.line.Value())); arg != nil {
				return arg.Takes
			}
			return ""
		},
		Changed: func(typed string) (tea.Cmd, string) {
			if name := firstWord(typed); m.argNamed(name) != nil {
				typed = name
			}
			list.SetFilter(typed)
			return nil, ""
		},
		Complete: func(typed string) []string {
			if lines := m.completeCommand(typed); lines != nil {
				return lines
			}
			if action, ok := list.Chosen(); ok {
				return []string{string(action.ID) + " "}
			}
			return nil
		},
		Accept: func(typed string) (tea.Cmd, error) {
			action, chosen := list.Chosen()
			m.boxes.CloseTop()
			_, isName := m.env.Keys.Named(firstWord(typed))
			_, err := strconv.Atoi(typed)
			if isNumber := err == nil; chosen && !isName && !isNumber {
				return m.perform(action.ID), nil
			}
			cmd, err := m.runLine(typed)
			if err != nil {
				m.openBox(top)
			}
			return cmd, err
		},
	}, "")
}

// firstWord is what stands before the first blank.
func firstWord(line string) string {
	word, _, _ := strings.Cut(line, " ")
	return word
}

// completePath completes a path of the disk to the folders there, and the files if they are wanted, written as the path is.
func (m *Model) completePath(typed string, files bool) (list []string) {
	if typed == "~" {
		return []string{"~" + string(os.PathSeparator)}
	}
	cut := strings.LastIndexByte(filepath.ToSlash(typed), '/') + 1
	dir, _ := folderOf(typed[:cut], m.options.listConfig.Home)
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, typed[cut:]) || typed[cut:] == "" && name[0] == '.' ||
			strings.ContainsAny(name, " \t\"'\\") || text.Clean(name) != name { // the line couldn't hold it unchanged
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() {
			list = append(list, typed[:cut]+name+string(os.PathSeparator))
		} else if files {
			list = append(list, typed[:cut]+name)
		}
	}
	return list
}

// folderOf is the directory that was typed, and how the configuration names it.
func folderOf(typed, home string) (dir, written string) {
	dir = typed
	if rest, ok := text.CutTilde(dir); ok && home != "" {
		dir = filepath.Join(home, rest)
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	if rel, err := filepath.Rel(home, dir); home != "" && err == nil && filepath.IsLocal(rel) && rel != "." {
		return dir, "~/" + filepath.ToSlash(rel)
	}
	return dir, dir
}
