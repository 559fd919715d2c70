package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
)

// Tip names a key to try. The demo shows one at a time above the bottom bar, until the key was pressed.
type Tip struct {
	Key  string
	Text string
}

// dropTip drops the tip of a key, which the user has tried now.
func (m *Model) dropTip(key string) tea.Cmd {
	m.tips = slices.DeleteFunc(m.tips, func(tip Tip) bool { return tip.Key == key })
	m.stage.tip = len(m.tips) > 0
	return m.stage.relayout()
}

// tip is the row of the first tip that is left.
func (m *Model) tip(w int) string {
	st, at := m.env.Styles, 0
	if a, _ := m.env.Keys.Lookup([]keymap.Scope{keymap.Global}, m.tips[0].Key); m.stage.shows(a.ID) && len(m.tips) > 1 {
		at = 1 // the user is there already
	}
	lead := text.Truncate(" try "+st.Glyphs.SplitVertical+" ", w, "")
	tip := text.Truncate(m.tips[at].Text, max(0, w-text.Width(lead)), st.Glyphs.Ellipsis)
	return st.Badge.Apply(lead) + st.Heading.Apply(text.Pad(tip, max(0, w-text.Width(lead))))
}
