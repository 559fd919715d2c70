package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/overlay"
	"memcurator/tui/tour"
	"memcurator/tui/ui"
)

// Tour leads through the screens; see [tour.Tour].
type Tour = tour.Tour

// touring shows the caption of a tour above the bottom bar, and the card at its end. Without a tour it does nothing.
type touring struct {
	*tour.Tour
	env   *ui.Env
	stage *stage
	boxes *boxes
	card  ui.Overlay
}

// endCard closes the tour. It has the two keys that it names, and no others.
type endCard struct{ *overlay.Text }

// Scopes implements [ui.Overlay].
func (endCard) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Input, keymap.Global} }

// Hints are the keys for the bottom bar.
func (endCard) Hints() ui.Hints {
	return ui.Hints{Acts: []ui.Hint{ui.Act("stay", keymap.Accept), ui.Act("quit", keymap.Quit)}}
}

// start begins the tour, if there is one.
func (t *touring) start(after func(time.Duration, tea.Msg) tea.Cmd) tea.Cmd {
	if t.Tour == nil {
		return nil
	}
	return t.Tour.Start(after, t.env.Jobs.Busy)
}

// key asks the tour about a key that the user pressed, before press does what the key does. Enter only closes the card;
// any other key closes it and acts.
func (t *touring) key(msg tea.KeyPressMsg, press func(tea.KeyPressMsg) tea.Cmd) tea.Cmd {
	if t.Tour == nil {
		return press(msg)
	}
	if t.card != nil && t.boxes.OnTop(t.card) && t.boxes.ignoresKeys() {
		return nil
	}
	if t.Dismiss() {
		t.boxes.Close(t.card)
		if msg.String() == t.env.Keys.KeyFor(keymap.Input, keymap.Accept) {
			return nil
		}
		return press(msg)
	}
	cmd, taken := t.Tour.Key(msg.String())
	if taken {
		return cmd
	}
	return tea.Batch(cmd, press(msg))
}

// take handles a message of the tour.
func (t *touring) take(msg tour.Message, press func(tea.KeyPressMsg) tea.Cmd) tea.Cmd {
	switch msg := msg.(type) {
	case tour.Press:
		return press(msg.Key)
	case tour.Ended:
		t.stage.caption = false
		t.card = endCard{overlay.NewText(t.env, "tour", tour.CardTitle, tour.Card+"\n\n"+t.env.Keyed(tour.CardKeys), false)}
		t.boxes.Keep(func(ui.Overlay) bool { return false }) // a box that the last step opened would open again as the card closes
		t.boxes.openUnasked(ui.Box{Overlay: t.card})
		return t.stage.relayout()
	}
	return t.Tour.Take(msg)
}

// draw is the row of the caption.
func (t *touring) draw(w int) string {
	st := t.env.Styles
	lead := text.Truncate(" demo "+st.Glyphs.SplitVertical+" ", w, "")
	caption := text.Truncate(t.Caption(), max(0, w-text.Width(lead)), st.Glyphs.Ellipsis)
	return st.Badge.Apply(lead) + st.Heading.Apply(text.Pad(caption, max(0, w-text.Width(lead))))
}
