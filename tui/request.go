package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
)

// carryOut does what was typed at the prompt.
func (m *Model) carryOut(r prompt.Request) tea.Cmd {
	browse := m.travel.Shown()
	switch {
	case r.Call > 0:
		return tea.Batch(m.show(keymap.ScreenReplay), m.replay.GoTo(r.Call))
	case r.Turn > 0:
		return tea.Batch(m.show(keymap.ScreenReplay), m.replay.GoToTurn(r.Turn))
	case m.stage.shows(keymap.ScreenReplay) && r.Line > 0:
		return m.replay.GoTo(r.Line)
	case m.stage.shows(keymap.ScreenReplay) && r.At != "":
		return m.replay.GoToTime(r.At)
	case len(r.Replay) > 0:
		return m.replay.Open(replay.Source{Files: r.Replay})
	case r.Command != nil:
		return m.commands.Run(*r.Command)
	case r.Input != nil:
		return m.commands.RunInput(r.Input)
	case r.Create != "":
		return m.commands.Create(r.Create)
	case r.Open != "":
		return browse.OpenNamed(r.Open)
	case len(r.Compare) > 0:
		return browse.Diff.CompareNamed(r.Compare)
	case r.Commit != "":
		return m.edits.Commit(r.Commit)
	case r.TTL != "":
		return browse.Lifetimes.SetTyped(r.TTL)
	case r.Move != "":
		return browse.MoveInto(r.Move)
	case r.Folder != "":
		return m.addFolder(r.Folder)
	case len(r.Undo) > 0:
		return m.edits.RevertNumbered(r.Undo...)
	case r.RestoreAs != "":
		return m.restoreAs(r.RestoreAs)
	case r.Theme != "":
		return m.preferences.chooseTheme(r.Theme)
	case r.Dialect != nil:
		return m.setDialect(*r.Dialect)
	case r.At != "":
		return m.travel.ToTyped(r.At)
	case r.Line > 0:
		return browse.GoTo(r.Line)
	default:
		return m.dispatch.perform(r.Action)
	}
}
