package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
)

// showDamage puts up the banner, which stays.
func (m *Model) showDamage(why string) tea.Cmd {
	m.damage = why
	return m.relayout()
}

// bannerHeight is the rows that the banner takes from the panes.
func (m *Model) bannerHeight() int {
	if m.damage == "" || m.h <= minHeight {
		return 0
	}
	return 1
}

const textDamageShort = "Journal damaged: memcurator doctor" // what the banner of a damaged journal says where nothing else has room.

// banner is the row that says that the journal is damaged, above the bottom bar.
func (m *Model) banner() string {
	st := m.env.Styles
	for _, line := range damageTexts(m.damage) {
		line = " " + st.Glyphs.Warning + " " + line
		if text.Width(line) <= m.w {
			return st.BadgeReadOnly.Apply(text.Pad(line, m.w))
		}
	}
	return st.BadgeReadOnly.Apply(text.Pad(text.Truncate(textDamageShort, m.w, st.Glyphs.Ellipsis), m.w))
}

// damageTexts are what the banner of a damaged journal says, the longest first.
func damageTexts(why string) []string {
	const next = "Quit and run: memcurator doctor"
	return []string{
		"The journal is damaged: " + why + ". Edits are not recorded and cannot be undone. " + next,
		"The journal is damaged: edits are not recorded, undo is off. " + next,
		"Journal damaged, nothing is recorded. Run: memcurator doctor",
		textDamageShort,
	}
}
