package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Tip names a key to try. The demo shows one at a time above the bottom bar, until the key was pressed.
type Tip struct {
	Key  string
	Text string
}

// tips is the line of the tips that are left; without any it takes no row.
type tips struct {
	env   *kit.Env
	stage *stage
	left  []Tip
}

// pressed drops the tip of a key, which the user has tried now.
func (t *tips) pressed(key tea.KeyPressMsg) tea.Cmd {
	at := slices.IndexFunc(t.left, func(tip Tip) bool { return tip.Key == key.String() })
	if at < 0 {
		return nil
	}
	t.left = slices.Delete(t.left, at, at+1)
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
