package tui

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// fragile panics on request.
type fragile struct{ inUpdate, inView bool }

func (f fragile) Init() tea.Cmd { return nil }

func (f fragile) Update(tea.Msg) (tea.Model, tea.Cmd) {
	if f.inUpdate {
		panic("update")
	}
	return f, nil
}

func (f fragile) View() tea.View {
	if f.inView {
		panic("view")
	}
	return tea.NewView("fine")
}

func TestPanicEndsTheProgramInOrder(t *testing.T) {
	for name, f := range map[string]fragile{"update": {inUpdate: true}, "view": {inView: true}} {
		g := &guarded{model: f}
		g.View()
		_, cmd := g.Update("any message")
		if f.inView && g.failed == nil {
			t.Fatal("the panic in View was not noticed")
		}
		if cmd == nil {
			t.Fatalf("%s: a panic does not end the program", name)
		}
		if _, ok := cmd().(tea.QuitMsg); !ok {
			t.Errorf("%s: the program is not asked to quit", name)
		}
		if g.failed == nil || g.failed.Value != name || len(g.failed.Stack) == 0 {
			t.Errorf("%s: the panic is reported as %+v", name, g.failed)
		}
	}
}
