package stores

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/load"
	"memcurator/memstore/overview"
	"memcurator/tui/kit"
	"memcurator/tui/loaded"
)

// ownerLoad begins the names of the jobs of the page with the text that a session starts with.
const ownerLoad = "stores.load"

// start is the text that a session of the store under the cursor starts with, in place of the page of facts.
type start struct {
	screen *Screen
	pane   *loaded.Pane
	path   string // of the store that it was read of
	shown  bool
}

func newStart(s *Screen) *start {
	t := &start{screen: s}
	t.pane = loaded.New(s.env, loaded.Options{Owner: ownerLoad, Open: func(agentPath string, line int) tea.Cmd {
		r, ok := s.row()
		if !ok {
			return nil
		}
		return s.Open(Choice{Path: r.Path, Real: r.Real, File: agentPath, Line: line})
	}})
	return t
}

// take shows what was read of a store.
func (t *start) take(r *reading) tea.Cmd {
	t.path = r.row.Path
	s := r.start
	if s == nil {
		s = &load.Start{}
	}
	t.pane.Set(r.row.Path, s)
	return nil
}

// toggle shows the text, or the facts again.
func (t *start) toggle() tea.Cmd {
	s := t.screen
	if t.inSight() {
		t.shown = false
		return s.shell.FocusList()
	}
	t.shown = true
	return s.shell.FocusDetail()
}

// whyNot is the reason why there is no text to show.
func (t *start) whyNot() kit.Say {
	s := t.screen
	r, ok := s.row()
	switch {
	case s.changes() != nil:
		return kit.Say{Text: s.env.Keyed("{stores/changes-all} goes back to the list of stores first")}
	case !ok:
		return kit.Say{Text: "No store under the cursor"}
	case r.Row.Start != nil:
		return kit.Say{}
	case !readable(r):
		return kit.Say{Text: "Nothing to show: the store can't be read"}
	case r.Done&overview.LoadPart == 0:
		return kit.Say{Text: "What a session starts with is still being read"}
	}
	return kit.Say{Text: "Nothing to show: this agent reads its notes on demand"}
}

// inSight reports whether the text is that of the store under the cursor.
func (t *start) inSight() bool {
	r, ok := t.screen.row()
	return t.shown && ok && r.Path == t.path && t.screen.changes() == nil
}
