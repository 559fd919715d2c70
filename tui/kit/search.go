package kit

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
)

// Match is a match of a search: bytes of a line, or of a part of it if lines have parts.
type Match struct{ Line, Part, Start, End int }

func compareMatches(a, b Match) int {
	return cmp.Or(a.Line-b.Line, a.Part-b.Part, a.Start-b.Start)
}

// Finder returns the bytes of the matches in a line, from left to right.
type Finder func(line []byte) [][2]int

// Search is "/" in a text. It finds the query as it is typed; a capital in it makes it match case. The cursor moves on
// enter, not while the user types.
type Search struct {
	env *Env
	in  *Text

	query   string // as the user reads it
	key     any    // what is looked for; comparable
	find    Finder
	current Match // last gone to
	gone    bool  // there is one
	counted bool
	all     []Match // the first ones
	more    bool    // there may be more than all of them
}

// Counting the matches ends after so many bytes of text, or so many matches: it is done again while the user types.
const (
	countBytes = 2 << 20
	countMost  = 1 << 17
)

// Query implements [Searcher].
func (s *Search) Query() string { return s.query }

// Key is what is looked for, as it was given to [Search.Use].
func (s *Search) Key() any { return s.key }

// SetQuery implements [Searcher].
func (s *Search) SetQuery(query string) {
	s.Use(query, query, text.NewFinder(query).All)
}

// Use looks for what find finds, unless it is looked for already: key says what that is, query how the user reads it.
func (s *Search) Use(query string, key any, find Finder) {
	if s.key != key {
		*s = Search{env: s.env, in: s.in, query: query, key: key, find: find}
	}
}

// changed forgets what was found: the lines are other ones now.
func (s *Search) changed() { s.gone, s.counted, s.all = false, false, nil }

// matches are those in a text.
func (s *Search) matches(text []byte) [][2]int {
	if s.query == "" || len(text) == 0 {
		return nil
	}
	return s.find(text)
}

// inLine are the matches of a line.
func (s *Search) inLine(line int) (list []Match) {
	for part, text := range s.in.searchParts(line) {
		for _, m := range s.matches(text) {
			list = append(list, Match{line, part, m[0], m[1]})
		}
	}
	return list
}

// count lists the first matches.
func (s *Search) count() {
	if s.counted || s.query == "" {
		return
	}
	s.counted, s.more, s.all = true, false, nil
	bytes := 0
	for line := range s.in.lines() {
		if bytes > countBytes || len(s.all) > countMost {
			s.more = true
			return
		}
		for _, text := range s.in.searchParts(line) {
			bytes += len(text)
		}
		s.all = append(s.all, s.inLine(line)...)
	}
}

// Jump implements [Searcher]: it goes to the first match from the cursor on.
func (s *Search) Jump() tea.Cmd {
	if s.query == "" {
		return nil
	}
	s.gone = false
	return s.step(1)
}

// Bindings are n and N.
func (s *Search) Bindings() []Action {
	return []Action{
		{ID: keymap.SearchNext, Run: func() tea.Cmd { return s.Step(1) }},
		{ID: keymap.SearchPrev, Run: func() tea.Cmd { return s.Step(-1) }},
	}
}

// Step goes to the next match, by 1, or to the previous one, by -1.
func (s *Search) Step(by int) tea.Cmd {
	if s.query == "" {
		s.env.Emit(Say{Level: Warn, Text: s.env.Keyed(TextNoSearch)})
		return nil
	}
	return s.step(by)
}

// Ahead reports whether Step finds a match before it goes on from the other end.
func (s *Search) Ahead(by int) bool {
	on := s.onCurrent()
	for line := s.in.cursor; line >= 0 && line < s.in.lines(); line += by {
		for _, m := range s.inLine(line) {
			if line != s.in.cursor || on && compareMatches(m, s.current)*by > 0 || !on && by > 0 {
				return true
			}
		}
	}
	return false
}

// onCurrent reports whether the cursor is on the match last gone to.
func (s *Search) onCurrent() bool { return s.gone && s.current.Line == s.in.cursor }

// step goes to the next match, by 1, or to the previous one, by -1, and on from the other end. A line under the cursor without the match
// last gone to is where the matches from the cursor on begin.
func (s *Search) step(by int) tea.Cmd {
	n, from, on := s.in.lines(), s.in.cursor, s.onCurrent()
	for i := 0; n > 0 && i <= n; i++ {
		line := ((from+by*i)%n + n) % n
		list := s.inLine(line)
		if by < 0 {
			slices.Reverse(list)
		}
		for _, m := range list {
			if i == 0 && (on && compareMatches(m, s.current)*by <= 0 || !on && by < 0) {
				continue // passed already
			}
			if i > 0 && (line-from)*by <= 0 {
				s.env.Emit(Say{Text: "Search went on from the other end"})
			}
			s.current, s.gone = m, true
			return s.in.goToMatch(m)
		}
	}
	s.env.Emit(Say{Level: Warn, Text: notFoundText(text.Clean(s.query))})
	return nil
}

// SearchState implements [Searcher].
func (s *Search) SearchState() string {
	if s.query == "" || s.in.lines() == 0 {
		return ""
	}
	s.count()
	more := ""
	if s.more {
		more = "+"
	}
	if at, found := slices.BinarySearchFunc(s.all, s.current, compareMatches); found && s.onCurrent() {
		return fmt.Sprintf("%q: match %s of %s%s", text.Clean(s.query), Number(at+1), Number(len(s.all)), more)
	}
	return fmt.Sprintf("%q: %s%s %s", text.Clean(s.query), Number(len(s.all)), more, text.Plural(len(s.all), "match", "matches"))
}

// TextNoSearch says how a search begins.
const TextNoSearch = "Nothing to repeat. {global/search} searches here, {global/find} the whole store"

// notFoundText says that a search has no match.
func notFoundText(query string) string { return fmt.Sprintf("No match for %q", query) }
