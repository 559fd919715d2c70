package tui

import (
	"runtime/debug"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/kit"
)

// guarded turns a panic of the model into an ordinary end: the terminal is restored
// first, then Run reports it and the stack goes to the log. The toolkit's own guard
// would print the stack on the screen.
type guarded struct {
	model  tea.Model
	failed *kit.PanicError
	quit   func() // ends the program; called on a goroutine of its own
}

func (g *guarded) Init() tea.Cmd { return g.model.Init() }

func (g *guarded) Update(msg tea.Msg) (next tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			next, cmd = g, g.end(r)
		}
	}()
	if g.failed != nil {
		return g, tea.Quit
	}
	_, cmd = g.model.Update(msg)
	return g, cmd
}

func (g *guarded) View() (v tea.View) {
	defer func() {
		if r := recover(); r != nil {
			g.end(r)
			v = tea.NewView("")
		}
	}()
	if g.failed != nil {
		return tea.NewView("")
	}
	return g.model.View()
}

func (g *guarded) end(value any) tea.Cmd {
	if g.failed == nil {
		g.failed = &kit.PanicError{Value: value, Stack: debug.Stack()}
		if g.quit != nil {
			// A panic in View has no command to quit with, and the event loop must not
			// send to itself.
			go g.quit()
		}
	}
	return tea.Quit
}
