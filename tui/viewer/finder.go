package viewer

import (
	"bytes"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/search"
	"memcurator/tui/kit"
)

// Finder is "/" in the open file, or the store's search in it.
type Finder struct {
	pane    *Pane
	landing *Target // the match to go to as soon as its file is open
}

// Target is a match that the search of the store found in the open file, or in the one that is being opened.
type Target struct {
	Matcher    *search.Matcher
	Start, End int64  // bytes of the file
	Text       []byte // of the line, around the match; nil: the match itself is unknown
	Last       bool   // the last match of the file is meant, whatever Start says
}

func (f *Finder) search() *kit.Search { return f.pane.Searched() }

// Query is the text that is looked for; "" for none.
func (f *Finder) Query() string { return f.search().Query() }

// SetQuery looks for a text. "" ends the search.
func (f *Finder) SetQuery(query string) tea.Cmd {
	f.landing = nil
	return f.search().SetQuery(query)
}

// SetMatcher looks for what the search of the store looks for, from where the user is.
func (f *Finder) SetMatcher(m *search.Matcher) tea.Cmd {
	return f.search().Use(m.Query().String(), m, func(line []byte) (found [][2]int) {
		for _, s := range m.Spans(nil, line) {
			found = append(found, [2]int{s.Start, s.End})
		}
		return found
	})
}

// GoToMatch looks for what the matcher looks for and goes to a match as soon as the file is open. Where the file has changed since, it
// goes to the match that is nearest to where it was, in a line of the same text if there is one.
func (f *Finder) GoToMatch(t Target) tea.Cmd {
	cmd := f.SetMatcher(t.Matcher)
	f.landing = &t
	f.land()
	return cmd
}

// Stay ends the search in the next file, which has no match to go to.
func (f *Finder) Stay() { f.search().Stay() }

// Rank is the number of the match under the cursor among those of the file, from 1; 0 when the cursor is on none. matcher is what the
// search of the store gave the view to look for, nil for what was typed here.
func (f *Finder) Rank() (rank int, matcher *search.Matcher) {
	s := f.search()
	matcher, _ = s.Key().(*search.Matcher)
	_, cursor, ok := f.pane.Text.Lines()
	if !ok || s.Current < 0 || s.Current >= len(s.Matches) || s.Matches[s.Current].Line != cursor {
		return 0, matcher
	}
	return s.Current + 1, matcher
}

// TextMatchGone says that a match of the store is no longer where it was found.
const TextMatchGone = "The match is gone. {global/refresh} in the search tab searches again"

// land goes to the match that is waited for, when its file is open and its matches are listed.
func (f *Finder) land() {
	t, s := f.landing, f.search()
	d, ok := f.pane.current()
	if t == nil || !ok || !s.Done() {
		return
	}
	f.landing = nil
	if len(s.Matches) == 0 {
		s.Stay()
		f.pane.env.Emit(kit.Say{Level: kit.Warn, Text: f.pane.env.Keyed(TextMatchGone)})
		return
	}
	s.GoTo(t.among(d, s.Matches))
}

// among is the match that most likely is the one meant: the nearest, in a line of the same text if there is one.
func (t *Target) among(d *document, matches []kit.Match) (best int) {
	if t.Last {
		return len(matches) - 1
	}
	same, distance := false, int64(-1)
	for i, m := range matches {
		line := d.at(m.Line).line
		start := int64(d.starts[line] + m.Start)
		alike := bytes.Contains(d.line(line), t.Text)
		if away := max(start-t.Start, t.Start-start); distance < 0 || alike && !same || alike == same && away < distance {
			best, same, distance = i, alike, away
		}
	}
	return best
}

// past goes on in the next file with matches, where the search is that of the store; false: it goes on from the other end of the text.
func (p *Pane) past(backward bool) bool {
	_, matcher := p.Finder.Rank()
	if matcher == nil {
		return false
	}
	p.env.Emit(kit.PastMatches{Path: p.Path(), Backward: backward})
	return true
}
