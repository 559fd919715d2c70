package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/theme"
)

// Preferences are what the configuration says about the screen, after flags and variables.
type Preferences struct {
	Keys       *keymap.Map // nil: the built-in keys
	MouseOff   bool
	NoWrap     bool
	HideHidden bool
	Sort       string // name, size, age or links; empty is name
	// Bell rings after a bulk delete, a secret, or damage of the journal.
	Bell bool
}

// prefer applies the preferences, before anything is drawn.
func (m *Model) prefer(p Preferences) {
	if p.Keys != nil {
		m.env.Keys = p.Keys
	}
	m.browse.View.SetWrap(!p.NoWrap)
	m.browse.Diff.SetWrap(!p.NoWrap)
	m.browse.Tree.Prefer(p.Sort, !p.HideHidden)
}

// askBackground asks the terminal for its background if the theme follows it. The answer
// may never come; the default holds until it does.
func (m *Model) askBackground() tea.Cmd {
	if m.theme.Name == theme.Auto || m.theme.Name == theme.Contrast {
		return tea.RequestBackgroundColor
	}
	return nil
}

// measure follows the terminal's answer to the question how it counts the cells of
// composed characters; the renderer changes its own count at the same answer.
func (m *Model) measure(msg tea.ModeReportMsg) {
	if msg.Mode != ansi.ModeUnicodeCore {
		return
	}
	switch msg.Value {
	case ansi.ModeSet, ansi.ModeReset, ansi.ModePermanentlySet:
		m.env.Clusters = true
	}
}
