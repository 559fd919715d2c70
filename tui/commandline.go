package tui

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
)

// runLine runs a line typed at the prompt: an action by its name with what it takes, or the number of a line. An error is a sentence for
// the user, and then nothing ran.
func (m *Model) runLine(line string) (tea.Cmd, error) {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil, errors.New("Type an action; tab completes, esc leaves")
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
	case arg == nil && rest != "" && (m.runs(a.ID) || m.prevented(a.ID)):
		return nil, fmt.Errorf("%s takes no argument", name)
	case arg == nil, rest == "" && !arg.Needed:
	case why != "":
		m.say.tell(kit.Info, why)
		return nil, nil
	case rest == "":
		return nil, fmt.Errorf("%s takes %s", name, arg.Takes)
	default:
		cmd, err := arg.Run(rest)
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
	return []kit.Action{
		{Scope: keymap.View, ID: keymap.GoToLine, Help: "go to a line: :line 120, or :120",
			Run: kit.TypeArg(m.shell, keymap.GoToLine), Arg: &kit.Arg{
				Takes: "a line number, from 1: line 120", Needed: true,
				Run: kit.NumberArg(func(n int) tea.Cmd { return m.browse.GoTo(n) }),
			}},
		{Scope: keymap.Replay, ID: keymap.Call, Help: "go to a call by number: :call 12, or :12",
			Run: kit.TypeArg(m.shell, keymap.Call), Arg: &kit.Arg{
				Takes: "the number of a call: call 3", Needed: true, Run: replayed(m.replay.GoTo), Complete: noCompletions,
			}},
		{ID: keymap.At, Keys: "@", Help: "go to a point in time: 123, 2d, 2026-11-20 12:00, now",
			Run: kit.TypeArg(m.shell, keymap.At), Arg: &kit.Arg{
				Takes: "a revision or a time: at 123, at 2d, at 2026-11-20 12:00, at now", Needed: true, Run: m.browse.ToTyped,
				Complete: noCompletions,
			}},
		{ID: keymap.Find, Keys: "S", Help: "search names and text of the store, deleted text too: a phrase, or /a regular expression/",
			Run: kit.Do(m.openFind), Arg: &kit.Arg{
				Takes: "words, or an expression between slashes: find /ferr(y|ies)/", Run: m.findInStore, Complete: noCompletions,
			}},
		{Scope: keymap.Stores, ID: keymap.AddFolder, Keys: "c",
			Help: "create a row for a folder in this list; shows the change to the configuration first: :add-folder DIR",
			Run:  kit.TypeArg(m.shell, keymap.AddFolder), Arg: &kit.Arg{
				Takes: "a folder: add-folder ~/notes/memory", Needed: true,
				Run:      func(typed string) (tea.Cmd, error) { return m.addFolder(prompt.Word(typed)) },
				Complete: func(typed string) []string { return m.completePath(typed, false) },
			}},
		{Scope: keymap.Tree, ID: keymap.NewFile, Keys: "c", Help: "create a file in this folder; your editor opens for its text",
			Run: m.typeNote, Why: m.edits.WhyNoWrite, Arg: &kit.Arg{
				Takes: "a path in this folder, or from /memories with / in front: new-file a.md", Run: func(typed string) (tea.Cmd, error) {
					to, err := m.newPath(typed, m.browse.Tree.Folder())
					if strings.HasSuffix(to, "/") && err == nil {
						err = errors.New(kit.PathText(to) + " is a folder. Name a file in it")
					}
					if m.browse.Files.Node(to) != nil && err == nil {
						err = errors.New(kit.PathText(to) + " exists already")
					}
					if err != nil {
						return nil, err
					}
					return m.editor.Create(act.AgentPath(to)), nil
				},
			}},
		{Scope: keymap.Tree, ID: keymap.Move, Keys: "m", Help: "move or rename the file; selected ones into a folder: :move FOLDER",
			Run: m.typeMove, Why: m.edits.WhyNoRemoval, Arg: &kit.Arg{
				Takes: "a path in its folder, or from /memories with / in front: move /archive/", Run: m.moveTyped,
			}},
	}
}

// noCompletions completes what is free text.
func noCompletions(string) []string { return nil }

// openTranscripts replays transcripts whose paths were typed.
func (m *Model) openTranscripts(typed string) (tea.Cmd, error) {
	files, err := prompt.Words(typed)
	if err != nil {
		return nil, err
	}
	return m.replay.Open(replay.Source{Files: files}), nil
}
