package tui

import tea "charm.land/bubbletea/v2"

func windowSize(w, h int) tea.Msg { return tea.WindowSizeMsg{Width: w, Height: h} }
