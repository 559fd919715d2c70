package browse

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"

	"memcurator/tui/kit"
	"memcurator/tui/viewer"
)

// StoreSearch is the search of the whole store: its tab, and the view as far as it goes through the same matches.
type StoreSearch struct {
	screen *Screen
	pane   *foundPane
}

// Start searches the store and shows the search tab.
func (f *StoreSearch) Start(matcher *search.Matcher) tea.Cmd {
	s := f.screen
	var whole *memstore.Snapshot
	if s.Files.snapshot != nil && s.Files.snapshot.Complete {
		whole = s.Files.snapshot
	}
	shown := s.shell.Show(keymap.ScreenBrowse) // the search may have been typed on any screen
	s.Tabs.at = Search
	s.Opening.leave()
	return tea.Batch(shown, f.unmark(), f.pane.start(s.Store, matcher, whole), s.shell.FocusDetail())
}

// Again repeats the search.
func (f *StoreSearch) Again() tea.Cmd {
	if f.pane.matcher == nil {
		f.screen.shell.Tell(kit.Warn, f.screen.Env.Keyed(textNothing))
		return nil
	}
	return f.Start(f.pane.matcher)
}

// unmark removes the marks of the store's search from the view.
func (f *StoreSearch) unmark() tea.Cmd {
	if _, matcher := f.screen.View.Finder.Rank(); matcher != nil {
		return f.screen.View.Finder.SetQuery("")
	}
	return nil
}

// inView reports whether the view shows matches of the search.
func (f *StoreSearch) inView() bool {
	_, matcher := f.screen.View.Finder.Rank()
	return f.screen.Tabs.at == View && matcher != nil && matcher == f.pane.matcher
}

// Peel implements [kit.Peeler]: esc first means the shown tab. Of a search of the store it goes from a match back to the list, then
// ends the running search, then removes the list.
func (s *Screen) Peel() (tea.Cmd, bool) {
	if s.Opening.leave() {
		return s.shell.Relayout(), true
	}
	if !s.shell.OnDetail() {
		return nil, false
	}
	if tab, ok := s.Tabs.Shown().(kit.Peeler); ok {
		if cmd, peeled := tab.Peel(); peeled {
			return cmd, true
		}
	}
	f := s.Search
	switch {
	case f.inView():
		s.Tabs.at = Search
		return tea.Batch(f.unmark(), s.shell.Relayout()), true
	case s.Tabs.at != Search:
		return nil, false
	}
	stopped, cleared := f.pane.end()
	if cleared {
		s.Tabs.at = View
		return tea.Batch(f.unmark(), s.shell.Relayout()), true
	}
	return nil, stopped
}

// open shows a match in the view, which continues the same search.
func (f *StoreSearch) open(v kit.OpenMatch) tea.Cmd {
	s, matcher := f.screen, f.pane.matcher
	if matcher == nil {
		return nil
	}
	selected := s.Select(v.Path, true)
	s.Tabs.at = View
	if v.Name {
		return tea.Batch(selected, s.View.Finder.SetMatcher(matcher), s.shell.FocusDetail())
	}
	goTo := s.View.Finder.GoToMatch(viewer.Target{Matcher: matcher, Start: v.Start, End: v.End, Text: v.Text, Last: v.Last})
	return tea.Batch(selected, goTo, s.shell.FocusDetail())
}

// goOn goes to the next file with matches, or the one before.
func (f *StoreSearch) goOn(v kit.PastMatches) tea.Cmd {
	tell := f.screen.shell.Tell
	next, rank, around, ok := f.pane.neighbor(v.Path, v.Backward)
	if f.pane.count() == 0 || !ok {
		f.screen.View.Finder.Stay()
	}
	switch {
	case f.pane.count() == 0:
		tell(kit.Info, "Only names match, no lines")
		return nil
	case !ok:
		tell(kit.Warn, f.screen.Env.Keyed(viewer.TextMatchGone))
		return nil
	}
	line := rankText(rank, f.pane.count()) + ", " + text.Clean(next.Path)
	if around {
		line = kit.WrappedText(v.Backward) + ": " + line
	}
	tell(kit.Info, line)
	return f.open(next)
}

// State is the place of the match under the view's cursor among those of the store;
// "" if the view looks for something else, or the file has changed since.
func (f *StoreSearch) State() string {
	if !f.inView() {
		return ""
	}
	path := f.screen.View.Path()
	rank, matcher := f.screen.View.Finder.Rank()
	of, count, here, ok := f.pane.rank(path, rank)
	query := text.Clean(matcher.Query().String())
	switch {
	case ok:
		return fmt.Sprintf("%q: %s, %s of %s here", query, rankText(of, count), kit.Number(rank), kit.Number(here))
	case f.pane.onlyName(path):
		return fmt.Sprintf("%q: only the name matches", query)
	}
	return ""
}

// Activity is what the search has to report in the status line, "" if nothing, and what can be done next: it runs, or its results
// have the focus.
func (f *StoreSearch) Activity() (string, theme.Paint, []kit.Hint) {
	s, st := f.screen, f.screen.Env.Styles
	switch {
	case f.pane.state == running:
		return f.pane.summary(), st.Accent, []kit.Hint{kit.Act("stop", keymap.Back)}
	case s.isShown() && s.Tabs.at == Search && s.shell.OnDetail():
		return f.pane.where(), st.StatusBar, s.Tabs.hints().Acts
	}
	return "", st.StatusBar, nil
}

// rankText is the place of a match among those of the whole store.
func rankText(rank, count int) string {
	return fmt.Sprintf("match %s of %s in the store", kit.Number(rank), kit.Number(count))
}
