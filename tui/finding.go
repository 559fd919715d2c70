package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/tui/found"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// findTyped starts the search of the store that was typed. A line that means nothing stays
// open and says why.
func (m *Model) findTyped(typed string) tea.Cmd {
	matcher, err := search.Compile(search.ParseQuery(typed))
	if err != nil {
		m.line.Problem = err.Error()
		return nil
	}
	m.line.Close(true)
	return m.find(matcher)
}

// find searches the store and shows the search tab.
func (m *Model) find(matcher *search.Matcher) tea.Cmd {
	var whole *memstore.Snapshot
	if s := m.shown(); s != nil && s.Complete {
		whole = s
	}
	m.tab, m.focus = tabSearch, onMain
	return tea.Batch(m.endStoreMatches(), m.found.Search(m.options.Store, matcher, whole), m.relayout())
}

// findAgain searches for the same once more.
func (m *Model) findAgain() tea.Cmd {
	if m.found.Matcher() == nil {
		m.tell(ui.Warn, m.env.Keyed(found.TextNothing))
		return nil
	}
	return m.find(m.found.Matcher())
}

// endStoreMatches takes the marks of the store's search from the view.
func (m *Model) endStoreMatches() tea.Cmd {
	if _, matcher := m.viewer.Rank(); matcher != nil {
		return m.viewer.SetQuery("")
	}
	return nil
}

// peelSearch is esc where the search of the store is a layer: from a match back to the
// list, then the running search ends, then the list goes.
func (m *Model) peelSearch() (tea.Cmd, bool) {
	_, matcher := m.viewer.Rank()
	switch {
	case m.tab == tabView && matcher != nil && matcher == m.found.Matcher():
		m.tab = tabSearch
		return tea.Batch(m.endStoreMatches(), m.relayout()), true
	case m.tab != tabSearch:
		return nil, false
	}
	stopped, cleared := m.found.Peel()
	if cleared {
		m.tab = tabView
		return tea.Batch(m.endStoreMatches(), m.relayout()), true
	}
	return nil, stopped
}

// openMatch shows a match in the view, which goes on looking for the same.
func (m *Model) openMatch(v ui.OpenMatch) tea.Cmd {
	matcher := m.found.Matcher()
	if matcher == nil {
		return nil
	}
	selected := m.selectPath(v.Path, true)
	m.tab, m.focus = tabView, onMain
	m.feed.ReadPath(v.Path)
	if v.Name {
		return tea.Batch(selected, m.viewer.SetMatcher(matcher), m.relayout())
	}
	goTo := m.viewer.GoToMatch(viewer.Target{Matcher: matcher, Start: v.Start, End: v.End, Text: v.Text, Last: v.Last})
	return tea.Batch(selected, goTo, m.relayout())
}

const textOnlyNames = "only names match; there is no line to go on to"

// pastMatches goes on in the next file with matches, or the one before.
func (m *Model) pastMatches(v ui.PastMatches) tea.Cmd {
	next, rank, around, ok := m.found.Neighbour(v.Path, v.Backward)
	switch {
	case m.found.Count() == 0:
		m.tell(ui.Info, textOnlyNames)
		return nil
	case !ok:
		m.tell(ui.Warn, viewer.TextMatchGone)
		return nil
	}
	m.tell(ui.Info, nextFileText(text.Clean(next.Path), rank, m.found.Count(), around, v.Backward))
	return m.openMatch(next)
}

// nextFileText says that the matches go on in another file.
func nextFileText(path string, rank, count int, around, backward bool) string {
	line := storeRankText(rank, count) + ", " + path
	if around {
		line = ui.WrappedText(backward) + ": " + line
	}
	return line
}

// storeState is the place of the match under the view's cursor among those of the store;
// "" where the view looks for something else, or the file has changed since.
func (m *Model) storeState() string {
	rank, matcher := m.viewer.Rank()
	if m.tab != tabView || matcher == nil || matcher != m.found.Matcher() {
		return ""
	}
	of, count, here, ok := m.found.Rank(m.viewer.Path(), rank)
	query := text.Clean(matcher.Query().String())
	switch {
	case ok:
		return fmt.Sprintf("%q: %s, %s of %s here", query, storeRankText(of, count), ui.Number(rank), ui.Number(here))
	case m.found.OnlyName(m.viewer.Path()):
		return fmt.Sprintf("%q: only the name matches", query)
	}
	return ""
}

// storeRankText is the place of a match among those of the whole store.
func storeRankText(rank, count int) string {
	return fmt.Sprintf("match %s of %s in the store", ui.Number(rank), ui.Number(count))
}
