// Command minimal is the smallest full-screen Bubble Tea program: a peer that
// shows what of a start belongs to the toolkit and not to what is built on it.
package main

import (
	"fmt"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
)

type model struct {
	w, h   int
	cursor int
}

func (m model) Init() tea.Cmd { return nil }

func (m model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
	case tea.KeyPressMsg:
		switch msg.String() {
		case "q":
			return m, tea.Quit
		case "j":
			m.cursor++
		case "k":
			m.cursor--
		}
	}
	return m, nil
}

func (m model) View() tea.View {
	rows := make([]string, m.h)
	for i := range rows {
		mark := ' '
		if i == m.cursor {
			mark = '>'
		}
		rows[i] = fmt.Sprintf("%c row-%04d %s", mark, i, strings.Repeat("x", max(0, m.w-11)))
	}
	v := tea.NewView(strings.Join(rows, "\n"))
	v.AltScreen = true
	return v
}

func main() {
	if _, err := tea.NewProgram(model{}).Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
