package tui

import (
	"memcurator/render/text"
	"memcurator/render/theme"
)

// damage is why the journal is damaged; empty: it is not.
type damage string

const textDamageShort = "Journal damaged: memcurator doctor" // if nothing longer fits

// banner is the row above the bottom bar that reports a damaged journal, as long as it fits.
func (d damage) banner(st *theme.Styles, w int) string {
	const next = "Quit and run: memcurator doctor"
	for _, line := range []string{
		"The journal is damaged: " + string(d) + ". Edits are not recorded and cannot be undone. " + next,
		"The journal is damaged: edits are not recorded, undo is off. " + next,
		"Journal damaged, nothing is recorded. Run: memcurator doctor",
		textDamageShort,
	} {
		line = " " + st.Glyphs.Warning + " " + line
		if text.Width(line) <= w {
			return st.BadgeReadOnly.Apply(text.Pad(line, w))
		}
	}
	return st.BadgeReadOnly.Apply(text.Pad(text.Truncate(textDamageShort, w, st.Glyphs.Ellipsis), w))
}
