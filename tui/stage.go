package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/kit"
)

// focus is the pane that gets the keys.
type focus uint8

const (
	onList focus = iota
	onDetail
)

// screenTab is a screen with the action that shows it, the key of that, its name in the top bar, and what it shows.
type screenTab struct {
	id     keymap.ID
	key    string
	name   string
	shows  string
	screen kit.Screen // nil: it can't be opened without a journal
}

// stage is what is in sight: one of the screens, the places of its panes, and which of them has the focus.
type stage struct {
	w, h    int
	layout  layout
	banner  bool // there is an alert to show
	zoom    bool
	focus   focus
	screens []screenTab // in the order of their keys
	at      int         // the one in sight
	resume  map[keymap.ID]focus
	left    keymap.ID // the screen from which the user went to Stores
}

// row is the place of a screen among the others.
func (s *stage) row(id keymap.ID) int {
	return slices.IndexFunc(s.screens, func(r screenTab) bool { return r.id == id })
}

// replace replaces one screen by another.
func (s *stage) replace(id keymap.ID, screen kit.Screen) { s.screens[s.row(id)].screen = screen }

// opened are the screens that can be opened.
func (s *stage) opened() []kit.Screen {
	var out []kit.Screen
	for _, r := range s.screens {
		if r.screen != nil {
			out = append(out, r.screen)
		}
	}
	return out
}

// filtered is the list in sight; nil if it can't be filtered.
func (s *stage) filtered() kit.Filtered {
	list, _ := s.screen().List().(kit.Filtered)
	return list
}

// screen is the one in sight.
func (s *stage) screen() kit.Screen { return s.screens[s.at].screen }

// shows reports whether a screen is in sight.
func (s *stage) shows(id keymap.ID) bool { return s.screens[s.at].id == id }

// show shows a screen that can be opened. The previous screen keeps its focus.
func (s *stage) show(id keymap.ID) tea.Cmd {
	if s.shows(id) {
		return nil
	}
	s.resume[s.screens[s.at].id] = s.focus
	if id == keymap.ScreenStores {
		s.left = s.screens[s.at].id
	}
	s.at, s.focus = s.row(id), s.resume[id]
	relaid := s.relayout()
	if entered, ok := s.screen().(kit.Enterer); ok {
		return tea.Batch(relaid, entered.Enter())
	}
	return relaid
}

// place returns what leads back to the screen and the pane in sight.
func (s *stage) place() func() tea.Cmd {
	id, at := s.screens[s.at].id, s.focus
	browse := at
	if id != keymap.ScreenBrowse {
		browse = s.resume[keymap.ScreenBrowse]
	}
	return func() tea.Cmd {
		shown := s.show(keymap.ScreenBrowse)
		s.focus = browse
		return tea.Batch(shown, s.show(id), s.relayout())
	}
}

// pane is the one that would have the focus.
func (s *stage) pane(f focus) kit.Pane {
	switch f {
	case onList:
		return s.screen().List()
	default:
		return s.screen().Detail()
	}
}

// focused is the pane with the focus.
func (s *stage) focused() kit.Pane { return s.pane(s.focus) }

// tables are the actions of the screen, its focused pane and its list.
func (s *stage) tables() []*kit.Actions {
	shown := s.screen()
	tables := []*kit.Actions{shown.Actions(), s.focused().Actions()}
	if !s.shows(keymap.ScreenBrowse) { // its list takes only what is meant for it
		tables = append(tables, shown.List().Actions())
	}
	return tables
}

// focusOn moves the focus.
func (s *stage) focusOn(f focus) tea.Cmd {
	s.focus = f
	return s.relayout()
}

// nextPane moves the focus to the other pane.
func (s *stage) nextPane() tea.Cmd { return s.focusOn(onList + onDetail - s.focus) }

// rect is the inner place of a pane.
func (s *stage) rect(f focus) kit.Rect {
	switch f {
	case onList:
		return below(s.layout.list)
	default:
		return below(s.layout.detail)
	}
}

// under finds the pane under a cell of the frame.
func (s *stage) under(x, y int) (focus, bool) {
	for _, f := range []focus{onList, onDetail} {
		if s.rect(f).Holds(x, y) {
			return f, true
		}
	}
	return 0, false
}

// relayout recomputes the places of the panes and passes them on.
func (s *stage) relayout() tea.Cmd {
	if s.w <= 0 || s.h <= 0 {
		return nil
	}
	all := 0
	if wide, is := s.screen().(kit.Wide); is {
		all = wide.ListWidth()
	}
	s.layout = arrangement{
		allList: all,
		w:       s.w, h: s.h, focus: s.focus, zoom: s.zoom, browse: s.shows(keymap.ScreenBrowse),
		banner: s.banner,
	}.layout()
	return s.screen().Resize(below(s.layout.list), below(s.layout.detail))
}
