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
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
	"memcurator/tui/ui"
)

// runLine runs a line typed at the prompt: a memory command, a number, or an action by its name with what it takes. An error is a
// sentence for the user, and then nothing ran.
func (m *Model) runLine(line string) (tea.Cmd, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil, errors.New("type an action or a memory command; tab completes, esc leaves")
	}
	if prompt.IsCommand(line) {
		return m.commands.RunTyped(line)
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
	arg := m.dispatch.arg(a.ID)
	switch {
	case arg == nil && rest != "":
		return nil, fmt.Errorf("%s takes no argument", name)
	case arg != nil && (rest != "" || arg.Needed):
		cmd, err := tea.Cmd(nil), ui.ErrArg
		if rest != "" {
			cmd, err = arg.Run(rest)
		}
		if errors.Is(err, ui.ErrArg) {
			err = fmt.Errorf("%s takes %s", name, arg.Takes)
		}
		return cmd, err
	}
	return m.dispatch.perform(a.ID), nil
}

// typedActions are those that are made to be typed with an argument.
func (m *Model) typedActions() []ui.Action {
	replayed := func(run func(int) tea.Cmd) func(string) (tea.Cmd, error) {
		return ui.NumberArg(func(n int) tea.Cmd { return tea.Batch(m.show(keymap.ScreenReplay), run(n)) })
	}
	var themes []string
	for _, name := range theme.Names() {
		themes = append(themes, string(name))
	}
	return []ui.Action{
		{ID: keymap.GoToLine, Run: ui.TypeArg(m.shell, keymap.GoToLine), Arg: &ui.Arg{
			Takes: "a line number, from 1: line 120", Needed: true,
			Run: ui.NumberArg(func(n int) tea.Cmd { return m.travel.Shown().GoTo(n) }),
		}},
		{ID: keymap.Call, Run: ui.TypeArg(m.shell, keymap.Call), Arg: &ui.Arg{
			Takes: "a number, from 1: call 37", Needed: true, Run: replayed(m.replay.GoTo),
		}},
		{ID: keymap.At, Run: ui.TypeArg(m.shell, keymap.At), Arg: &ui.Arg{
			Takes: "a revision or a time: at 123, at 2d, at 2026-11-20 12:00, at now", Needed: true, Run: ui.AnyArg(m.travel.ToTyped),
		}},
		{ID: keymap.Dialect, Run: ui.TypeArg(m.shell, keymap.Dialect), Arg: &ui.Arg{
			Takes: "a name: " + memstore.DialectNames(), Needed: true,
			Run: func(name string) (tea.Cmd, error) {
				d, err := memstore.ParseDialect(name)
				if err != nil {
					return nil, err
				}
				return m.setDialect(d), nil
			},
			Complete: func(typed string) []string {
				versions := strings.Contains(typed, "@") // they are offered once there is an @
				return begun(typed, memstore.DialectForms(), func(form string) bool { return strings.Contains(form, "@") == versions })
			},
		}},
		{ID: keymap.CycleTheme, Run: ui.Do(m.preferences.cycleTheme), Arg: &ui.Arg{
			Takes: "a name: theme light", Run: ui.AnyArg(m.preferences.chooseTheme),
			Complete: func(typed string) []string { return begun(typed, themes, nil) },
		}},
		{ID: keymap.Find, Run: ui.Do(func() { m.line.Open(prompt.StoreSearch, "") }), Arg: &ui.Arg{
			Takes: "words, or an expression between slashes: find /ferr(y|ies)/", Run: m.line.find, Complete: begunNothing,
		}},
		{ID: keymap.Commit, Run: func() tea.Cmd { return m.edits.Commit("") }, Why: m.edits.WhyNoCommit, Arg: &ui.Arg{
			Takes: "a message", Run: ui.AnyArg(m.edits.Commit), Complete: begunNothing,
		}},
		{ID: keymap.Undo, Run: m.edits.Undo, Why: m.shell.WhyPast, Arg: &ui.Arg{
			Takes: "revisions: undo 118, undo 118 121", Run: m.undoTyped, Complete: begunNothing,
		}},
		{ID: keymap.RestoreAs, Run: func() tea.Cmd { return m.restoreAs("") }, Arg: &ui.Arg{
			Takes: "a path: restore-as /memories/old.md",
			Run:   ui.AnyArg(func(typed string) tea.Cmd { return m.restoreAs(prompt.Word(typed)) }),
		}},
		{ID: keymap.CopyTo, Run: m.transfer(false), Why: func() ui.Say { return m.transfers.WhyNot(false) }},
		{ID: keymap.MoveTo, Run: m.transfer(true), Why: func() ui.Say { return m.transfers.WhyNot(true) }},
		{ID: keymap.AddFolder, Run: ui.TypeArg(m.shell, keymap.AddFolder), Arg: &ui.Arg{
			Takes: "a folder: add-folder ~/notes/memory", Needed: true,
			Run:      ui.AnyArg(func(typed string) tea.Cmd { return m.addFolder(prompt.Word(typed)) }),
			Complete: func(typed string) []string { return m.line.disk(typed, false) },
		}},
		{ID: keymap.Move, Run: m.typeMove, Why: m.edits.WhyNoRemoval, Arg: &ui.Arg{
			Takes: "a name, or a folder for several notes: move new.md, move archive/", Run: ui.AnyArg(m.moveTyped),
		}},
	}
}

// begun are the completions of what is typed, those left out that don't count.
func begun(typed string, all []string, counts func(string) bool) (out []string) {
	for _, s := range all {
		if strings.HasPrefix(s, typed) && (counts == nil || counts(s)) {
			out = append(out, s)
		}
	}
	return out
}

// begunNothing completes what is free text.
func begunNothing(string) []string { return nil }

// undoTyped undoes revisions by their numbers.
func (m *Model) undoTyped(typed string) (tea.Cmd, error) {
	var revs []int64
	for _, w := range strings.Fields(typed) {
		n, err := strconv.ParseInt(strings.TrimPrefix(w, "#"), 10, 64)
		if err != nil || n <= 0 {
			return nil, ui.ErrArg
		}
		revs = append(revs, n)
	}
	return m.edits.RevertNumbered(revs...), nil
}

// openTranscripts replays transcripts whose paths were typed.
func (m *Model) openTranscripts(typed string) (tea.Cmd, error) {
	files, err := prompt.Words(typed)
	if err != nil {
		return nil, err
	}
	return m.replay.Open(replay.Source{Files: files}), nil
}

// transfer copies or moves what is chosen to another store.
func (m *Model) transfer(move bool) func() tea.Cmd {
	return func() tea.Cmd { return m.transfers.Send(m.travel.Shown().Tree.Selection.Chosen(), move) }
}

// typeMove opens the prompt for the new name of the note that is chosen, or for the folder of several.
func (m *Model) typeMove() tea.Cmd {
	list, shown := m.travel.Shown().Tree.Selection.Chosen(), m.show(keymap.ScreenBrowse)
	if len(list) == 0 {
		return shown
	}
	to := prompt.Quote(path.Base(list[0]))
	if len(list) > 1 {
		to = path.Dir(list[0]) + "/"
	}
	return tea.Batch(shown, m.shell.TypeCommand(string(keymap.Move)+" "+to))
}

// moveTyped renames the note that is chosen to a name in its folder or a path, or moves what is chosen into a folder.
func (m *Model) moveTyped(typed string) tea.Cmd {
	browse, to := m.travel.Shown(), prompt.Word(typed)
	list, shown := browse.Tree.Selection.Chosen(), m.show(keymap.ScreenBrowse)
	if len(list) == 0 {
		return shown
	}
	if !path.IsAbs(to) {
		to = path.Join(path.Dir(list[0]), to) + to[len(strings.TrimRight(to, "/")):]
	}
	folder := browse.Files.Node(strings.TrimRight(to, "/"))
	if len(list) > 1 || strings.HasSuffix(to, "/") || folder != nil && folder.Kind == memstore.KindDir {
		return tea.Batch(shown, browse.MoveInto(to))
	}
	return tea.Batch(shown, m.commands.Run(memstore.Command{Name: memstore.CmdRename, OldPath: list[0], NewPath: to}))
}
