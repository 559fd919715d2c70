package tui

import (
	"context"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/backend/mem"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/stores"
)

// Keys is the table of the built-in keys: what all parts of the interface declare. They are made once more for that, over an empty store
// and never shown.
func Keys() *keymap.Map {
	builtin.Do(func() {
		env := &kit.Env{}
		m := New(context.Background(), Options{
			Handlers: memstore.New(mem.New(), memstore.Options{}), Stores: stores.New(env, nil, nil), declaring: true,
		})
		var err error
		if builtin.keys, err = keymap.New(append(m.env.Declared, env.Declared...)); err != nil {
			panic("tui: " + err.Error()) // the same in every run; a test loads it
		}
	})
	return builtin.keys
}

var builtin struct {
	sync.Once
	keys *keymap.Map
}

// bindings are the actions that every screen has.
func (m *Model) bindings() []kit.Action {
	return slices.Concat(m.programActions(), m.stageActions(), m.storeActions(), m.typedActions(), screenActions(), m.leaveActions())
}

// programActions are about what every screen has.
func (m *Model) programActions() []kit.Action {
	return []kit.Action{
		{ID: keymap.Undo, Keys: "u", Help: "undo your last act, even one from an earlier run",
			Run: m.edits.Undo, Why: m.edits.WhyNoUndo},
		{ID: keymap.Redo, Keys: "ctrl+r", Help: "redo what you last undid",
			Run: m.edits.Redo, Why: m.edits.WhyNoUndo},
		{ID: keymap.Help, Keys: "?", Help: "list what you can do here, with the keys", Hint: "keys",
			Run: kit.Do(m.openActions)},
		{ID: keymap.Messages, Keys: "M", Help: "recall earlier messages",
			Run: kit.Do(func() {
				m.showBox(overlay.NewText(m.env, "Messages", m.say.logText(), false))
			})},
		{ID: "prompt", Keys: ":", Help: "run an action by name",
			Run: kit.Do(m.openPrompt)},
		{ID: keymap.Search, Keys: "/", Help: "find in the text with the focus, or filter the list", Hint: "find",
			Run: m.openSearch},
		{ID: keymap.Filter, Run: m.openFilter},
		{ID: keymap.SearchNext, Keys: "n", Help: "find the next match",
			Run: func() tea.Cmd { return m.nextMatch(keymap.SearchNext) }},
		{ID: keymap.SearchPrev, Keys: "N", Help: "find the previous match",
			Run: func() tea.Cmd { return m.nextMatch(keymap.SearchPrev) }},
	}
}

// leaveActions leave something, or repair the screen.
func (m *Model) leaveActions() []kit.Action {
	return []kit.Action{
		{ID: keymap.Quit, Keys: "q", Help: "quit memcurator", Hint: "quit",
			Run: m.jobs.quit},
		{ID: keymap.ForceQuit, Keys: "ctrl+c", Help: "quit now; while you type, cancel the text",
			Run: func() tea.Cmd { return tea.Quit }},
		{ID: "suspend", Keys: "ctrl+z", Help: "suspend to the shell; fg returns",
			Run: m.suspend},
		{ID: "redraw", Keys: "ctrl+l", Help: "redraw the screen",
			Run: func() tea.Cmd { return tea.ClearScreen }},
		{ID: keymap.Back, Keys: "esc", Help: "leave one layer: range, selection, filter, search, pane, past",
			Run: m.back},
	}
}

// suspend stops the process until the shell continues it.
func (m *Model) suspend() tea.Cmd {
	if inShell() {
		return tea.Suspend
	}
	m.say.tell(kit.Info, "No shell to return to")
	return nil
}

const textOneStore = "Only this store is shown here"

// nextMatch goes to a match in the text beside a pane that has no search of its own.
func (m *Model) nextMatch(id keymap.ID) tea.Cmd {
	cmd, ok := m.stage.screen().Detail().Actions().Perform(id)
	if !ok {
		m.say.tell(kit.Warn, m.env.Keyed(kit.TextNoSearch))
	}
	return cmd
}

// stageActions are about what is in sight.
func (m *Model) stageActions() []kit.Action {
	actions := []kit.Action{
		{ID: keymap.FocusNext, Keys: "tab", Help: "focus the next pane",
			Run: func() tea.Cmd { return m.stage.nextPane() }},
		{ID: keymap.FocusPrev, Keys: "shift+tab", Help: "focus the previous pane",
			Run: func() tea.Cmd { return m.stage.nextPane() }},
		{Scope: keymap.Motion, ID: keymap.Left, Keys: "h left", Help: "left: fold, scroll, or go to the pane beside",
			Run: m.shell.FocusList},
		{Scope: keymap.Motion, ID: keymap.Right, Keys: "l right", Help: "right: unfold, scroll, or go to the pane beside",
			Run: m.shell.FocusDetail},
		{Scope: keymap.Motion, ID: "preview-down", Keys: "J", Help: "scroll the preview down",
			Run: func() tea.Cmd { return m.stage.screen().Detail().Actions().Run(keymap.HalfDown) }},
		{Scope: keymap.Motion, ID: "preview-up", Keys: "K", Help: "scroll the preview up",
			Run: func() tea.Cmd { return m.stage.screen().Detail().Actions().Run(keymap.HalfUp) }},
		{ID: keymap.TabNext, Keys: "]", Help: "switch to the next tab", Hint: "next tab"},
		{ID: keymap.TabPrev, Keys: "[", Help: "switch to the previous tab"},
		{ID: "zoom", Keys: "z", Help: "zoom into the pane with the focus, or out",
			Why: kit.Unless(func() bool { return m.stage.w >= bothWidth && m.stage.h >= bothHeight }, "This pane has the whole screen already"),
			Run: func() tea.Cmd {
				m.stage.zoom = !m.stage.zoom
				return m.stage.relayout()
			}},
	}
	for _, row := range m.stage.screens {
		var arg *kit.Arg
		if row.id == keymap.ScreenReplay {
			arg = &kit.Arg{
				Takes: "transcripts: replay FILE", Run: m.openTranscripts,
				Complete: func(typed string) []string { return m.completePath(typed, true) },
			}
		}
		show := func() tea.Cmd {
			if m.stage.shows(row.id) {
				return m.stage.focusOn(onList)
			}
			return m.show(row.id)
		}
		actions = append(actions, kit.Action{
			ID: row.id, Keys: row.key, Help: "show " + row.name + ": " + row.shows, Arg: arg, Run: show,
		})
	}
	if m.options.Stores == nil {
		actions = append(actions, kit.Action{ID: keymap.ScreenStores, Run: kit.Do(func() { m.say.tell(kit.Info, textOneStore) })})
	}
	return actions
}

// storeActions are about changes of the store.
func (m *Model) storeActions() []kit.Action {
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return m.browse.Step(by) } }
	alerted := kit.Unless(func() bool { return len(m.alerts()) > 0 }, textNoAlert)
	return []kit.Action{
		{ID: keymap.Alert, Keys: "!", Help: "resolve the alert: open its remedy",
			Run: m.openAlert, Why: alerted},
		{ID: keymap.Reveal, Keys: "*", Help: "reveal masked values while the key is held",
			Run: m.secrets.Reveal},
		{ID: keymap.NextUnread, Keys: ".", Help: "review the next unread change", Hint: "review",
			Run: func() tea.Cmd { return m.review(1) }},
		{ID: keymap.PrevUnread, Keys: ",", Help: "review the change that you read before this one again",
			Run: func() tea.Cmd { return m.review(-1) }},
		{ID: keymap.Follow, Keys: "F", Help: "follow the agent: show the diff of each change as it is made", Hint: "follow"},
		{ID: keymap.CopyMenu, Keys: "y", Help: "copy the path, the line, the tool's output or the diff", Hint: "copy",
			Run: kit.Do(m.openCopy)},
		{ID: keymap.TravelOlder, Keys: "<", Help: "step to the older version",
			Run: step(-1), Why: m.browse.WhyNoStep},
		{ID: keymap.TravelNewer, Keys: ">", Help: "step to the newer version",
			Run: step(1), Why: m.browse.WhyNoStep},
	}
}

// screenActions are those that a screen in sight answers, and most of them Browse.
func screenActions() []kit.Action {
	return []kit.Action{
		{ID: keymap.Travel, Keys: "t", Help: "travel to this revision, of a deletion to before it: view the whole store; again returns"},
		{ID: keymap.MarkRead, Keys: "a", Help: "approve: mark the changes of this path as read"},
		{ID: keymap.Edit, Keys: "e", Help: "edit the file in $VISUAL or $EDITOR", Hint: "edit"},
		{ID: keymap.Refresh, Keys: "f5", Help: "refresh: reload what the screen shows"},
		{ID: keymap.RestoreAt, Keys: "R", Help: "restore the file as of the revision shown"},
		{ID: keymap.CallOf, Keys: "T", Help: "trace the change to its call in the transcript"},
	}
}
