package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Tip names a key to try. The demo shows one at a time above the bottom bar, the next one once the key was pressed.
type Tip struct {
	Key  string
	Text string
}

// tips is the line of the tips that are left; without any it takes no row.
type tips struct {
	env   *ui.Env
	stage *stage
	left  []Tip
}

// pressed goes on to the next tip if the key is that of the present one.
func (t *tips) pressed(key tea.KeyPressMsg) tea.Cmd {
	if len(t.left) == 0 || key.String() != t.left[0].Key {
		return nil
	}
	t.left = t.left[1:]
	t.stage.tip = len(t.left) > 0
	return t.stage.relayout()
}

// draw is the row of the tip.
func (t *tips) draw(w int) string {
	st := t.env.Styles
	lead := text.Truncate(" try "+st.Glyphs.SplitVertical+" ", w, "")
	tip := text.Truncate(t.left[0].Text, max(0, w-text.Width(lead)), st.Glyphs.Ellipsis)
	return st.Badge.Apply(lead) + st.Heading.Apply(text.Pad(tip, max(0, w-text.Width(lead))))
}
