package tui

import (
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
)

// runLine runs a line typed at the prompt: a memory command, a number, or an action by its name with what it takes. An error is a
// sentence for the user, and then nothing ran.
func (m *Model) runLine(line string) (tea.Cmd, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil, errors.New("type an action or a memory command; tab completes, esc leaves")
	}
	if prompt.IsCommand(line) {
		return m.runTyped(line)
	}
	name, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if _, err := strconv.Atoi(line); err == nil {
		name, rest = string(keymap.GoToLine), line
	}
	if name == "q" {
		name = string(keymap.Quit)
	}
	a, ok := m.env.Keys.Named(name)
	if !ok {
		return nil, prompt.Unknown(name, m.env.Keys)
	}
	arg, why := m.argOf(a.ID)
	switch {
	case arg == nil && rest != "":
		return nil, fmt.Errorf("%s takes no argument", name)
	case arg != nil && (rest != "" || arg.Needed):
		cmd, err := tea.Cmd(nil), kit.ErrArg
		if why != "" {
			m.say.tell(kit.Info, why)
			return nil, nil
		}
		if rest != "" {
			cmd, err = arg.Run(rest)
		}
		if errors.Is(err, kit.ErrArg) {
			err = fmt.Errorf("%s takes %s", name, arg.Takes)
		}
		return cmd, err
	}
	return m.perform(a.ID), nil
}

// typedActions are those that are made to be typed with an argument.
func (m *Model) typedActions() []kit.Action {
	replayed := func(run func(int) tea.Cmd) func(string) (tea.Cmd, error) {
		return kit.NumberArg(func(n int) tea.Cmd { return tea.Batch(m.show(keymap.ScreenReplay), run(n)) })
	}
	var themes []string
	for _, name := range theme.Names() {
		themes = append(themes, string(name))
	}
	return []kit.Action{
		{Scope: keymap.View, ID: keymap.GoToLine, Help: "go to a line: :line 120, or :120",
			Run: kit.TypeArg(m.shell, keymap.GoToLine), Arg: &kit.Arg{
				Takes: "a line number, from 1: line 120", Needed: true,
				Run: kit.NumberArg(func(n int) tea.Cmd { return m.browse.GoTo(n) }),
			}},
		{Scope: keymap.Replay, ID: keymap.Call, Help: "go to a call by number: :call 12, or :12",
			Run: kit.TypeArg(m.shell, keymap.Call), Arg: &kit.Arg{
				Takes: "a number, from 1: call 37", Needed: true, Run: replayed(m.replay.GoTo), Complete: begunNothing,
			}},
		{ID: keymap.At, Keys: "@", Help: "go to a point in time: 123, 2d, 2026-11-20 12:00, now",
			Run: kit.TypeArg(m.shell, keymap.At), Arg: &kit.Arg{
				Takes: "a revision or a time: at 123, at 2d, at 2026-11-20 12:00, at now", Needed: true, Run: m.browse.ToTyped,
				Complete: begunNothing,
			}},
		{ID: keymap.Theme, Help: "switch the theme: :theme light",
			Run: kit.TypeArg(m.shell, keymap.Theme), Arg: &kit.Arg{
				Takes: "a name: theme light", Needed: true, Run: kit.AnyArg(m.chooseTheme),
				Complete: func(typed string) []string { return begun(typed, themes) },
			}},
		{ID: keymap.Find, Keys: "S", Help: "search names and text of the store: words, or /a regular expression/",
			Run: kit.Do(m.openFind), Arg: &kit.Arg{
				Takes: "words, or an expression between slashes: find /ferr(y|ies)/", Run: m.findInStore, Complete: begunNothing,
			}},
		{Scope: keymap.Stores, ID: keymap.AddFolder, Keys: "c",
			Help: "create a row for a folder; shows the change to the configuration first: :add-folder DIR",
			Run:  kit.TypeArg(m.shell, keymap.AddFolder), Arg: &kit.Arg{
				Takes: "a folder: add-folder ~/notes/memory", Needed: true,
				Run:      kit.AnyArg(func(typed string) tea.Cmd { return m.addFolder(prompt.Word(typed)) }),
				Complete: func(typed string) []string { return m.completePath(typed, false) },
			}},
		{Scope: keymap.Tree, ID: keymap.Move, Keys: "m", Help: "move or rename the file; selected ones into a folder: :move FOLDER",
			Run: m.typeMove, Why: m.edits.WhyNoRemoval, Arg: &kit.Arg{
				Takes: "a name, or a folder for several notes: move new.md, move archive/", Run: kit.AnyArg(m.moveTyped),
			}},
	}
}

// begun are the completions of what is typed.
func begun(typed string, all []string) (out []string) {
	for _, s := range all {
		if strings.HasPrefix(s, typed) {
			out = append(out, s)
		}
	}
	return out
}

// begunNothing completes what is free text.
func begunNothing(string) []string { return nil }

// openTranscripts replays transcripts whose paths were typed.
func (m *Model) openTranscripts(typed string) (tea.Cmd, error) {
	files, err := prompt.Words(typed)
	if err != nil {
		return nil, err
	}
	return m.replay.Open(replay.Source{Files: files}), nil
}

// typeMove opens the prompt for the new name of the note that is chosen, or for the folder of several.
func (m *Model) typeMove() tea.Cmd {
	list, shown := m.browse.Tree.Chosen(), m.show(keymap.ScreenBrowse)
	if len(list) == 0 {
		return shown
	}
	to := prompt.Quote(list[0]) // whole, so that it says where it is
	if len(list) > 1 {
		to = path.Dir(list[0]) + "/"
	}
	return tea.Batch(shown, m.shell.TypeCommand(string(keymap.Move)+" "+to))
}

// moveTyped renames the note that is chosen to a name in its folder or a path, or moves what is chosen into a folder.
func (m *Model) moveTyped(typed string) tea.Cmd {
	browse, to := m.browse, prompt.Word(typed)
	list, shown := browse.Tree.Chosen(), m.show(keymap.ScreenBrowse)
	if len(list) == 0 {
		return shown
	}
	if !path.IsAbs(to) {
		to = path.Join(path.Dir(list[0]), to) + to[len(strings.TrimRight(to, "/")):]
	}
	if to == list[0] {
		m.say.tell(kit.Info, "It has that name already")
		return shown
	}
	folder := browse.Files.Node(strings.TrimRight(to, "/"))
	if len(list) > 1 || strings.HasSuffix(to, "/") || folder != nil && folder.Kind == memstore.KindDir {
		return tea.Batch(shown, browse.MoveInto(to))
	}
	return tea.Batch(shown, m.runCommand(memstore.Command{Name: memstore.CmdRename, OldPath: list[0], NewPath: to}))
}
