package kit

import (
	"context"
	"fmt"
	"sort"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/literal"
	"memcurator/render/text"
)

// step is which match to go to.
type step uint8

const (
	here     step = iota // to the first match from the cursor
	forward              // to the next one
	backward             // to the previous one
)

// Match is a match of a search: bytes of a line, or of a part of it if lines have parts.
type Match struct{ Line, Part, Start, End int }

// Before reports whether m begins before o.
func (m Match) Before(o Match) bool {
	switch {
	case m.Line != o.Line:
		return m.Line < o.Line
	case m.Part != o.Part:
		return m.Part < o.Part
	}
	return m.Start < o.Start
}

// owedMost limits the steps that wait.
const owedMost = 1000

// matchesMost limits the list of matches, to about 40 MB.
const matchesMost = 1 << 20

// Searched connects a [Search] to its pane's text.
type Searched struct {
	// Text identifies the text on the screen, and returns a function that a job uses to read it; nil: no text.
	Text func() (of any, scan Scan)
	// Here returns where to continue, On reports whether the cursor is on a match, Show goes to one.
	Here func() Match
	On   func(Match) bool
	Show func(Match)
	// Listed is called when all matches are known; nil: nobody waits for that.
	Listed func()
}

// Scan passes the lines of a text to add in order, and reports its progress to at. It stops if add returns false.
type Scan func(add func(line, part int, text []byte) bool, at func(done, total int))

// Search is "/" in a text whose matches are all listed, by a job. Make it with [NewSearch].
type Search struct {
	env     *Env
	owner   string
	pane    Searched
	query   string // as the user reads it
	key     any    // what is looked for; comparable
	find    Finder
	of      any     // the text of the listed matches
	Matches []Match // in text order, once the job has ended
	Current int     // the match last gone to; -1 for none
	done    bool    // the list is complete
	more    bool    // there are more than matchesMost
	count   *atomic.Int64
	owed    []step // requested before the matches were known: a key held down loses none
}

// Found is the outcome of a [Search] job.
type Found struct {
	of, key any
	matches []Match
	more    bool
}

// Finder returns the bytes of the matches in a line, from left to right. It must be safe for concurrent use.
type Finder func(line []byte) [][2]int

// NewSearch makes an empty search; its jobs belong to owner, which passes their outcome to [Search.Receive].
func NewSearch(env *Env, owner string, pane Searched) Search {
	return Search{env: env, owner: owner, pane: pane, Current: -1}
}

// Query implements [Searcher].
func (s *Search) Query() string { return s.query }

// SetQuery begins a search, unless the query is the same. A capital makes it match case.
func (s *Search) SetQuery(query string) tea.Cmd {
	q := literal.SmartCase(query)
	return s.Use(query, q, q.Matcher())
}

// Use looks for what find finds, unless it is looked for already: key says what that is, query how the user reads it.
func (s *Search) Use(query string, key any, find Finder) tea.Cmd {
	if key == s.key {
		return nil
	}
	s.query, s.key, s.find, s.owed = query, key, find, nil
	return s.List()
}

// Key is what is looked for, as it was given to [Search.Use].
func (s *Search) Key() any { return s.key }

// Done reports whether all matches are listed.
func (s *Search) Done() bool { return s.done }

// GoTo goes to one of Matches, and on by the steps that were requested before.
func (s *Search) GoTo(i int) {
	s.Current = i
	s.pane.Show(s.Matches[i])
	s.goOn()
}

// goOn takes the steps that were requested before.
func (s *Search) goOn() {
	for len(s.owed) > 0 && s.done {
		by := s.owed[0]
		s.owed = s.owed[1:]
		s.walk(by)
	}
}

// List finds all matches in the present text.
func (s *Search) List() tea.Cmd {
	s.env.Jobs.Cancel(s.owner)
	*s = Search{env: s.env, owner: s.owner, pane: s.pane, query: s.query, key: s.key, find: s.find, owed: s.owed, Current: -1}
	of, scan := s.pane.Text()
	if of == nil || s.query == "" {
		return nil
	}
	s.of, s.count = of, &atomic.Int64{}
	count, match, found := s.count, s.find, Found{of: of, key: s.key}
	work := func(ctx context.Context, progress *Progress) (Found, error) {
		add := func(line, part int, text []byte) bool {
			for _, m := range match(text) {
				if found.more = len(found.matches) == matchesMost; found.more {
					return false
				}
				found.matches = append(found.matches, Match{line, part, m[0], m[1]})
			}
			count.Store(int64(len(found.matches)))
			return ctx.Err() == nil
		}
		scan(add, func(done, total int) { progress.Set(int64(done), int64(total)) })
		return found, ctx.Err()
	}
	return Start(s.env.Jobs, Job[Found]{Owner: s.owner, Label: LabelSearch, Work: work, Done: s.take})
}

// take takes the outcome of the job, and the steps requested meanwhile, unless it belongs to another search.
func (s *Search) take(found Found) tea.Cmd {
	if found.of != s.of || found.key != s.key || s.done {
		return nil
	}
	s.Matches, s.more, s.done = found.matches, found.more, true
	if s.pane.Listed != nil {
		s.pane.Listed()
	}
	s.goOn()
	return nil
}

// Jump implements [Searcher].
func (s *Search) Jump() tea.Cmd {
	s.walk(here)
	return nil
}

// Next goes to the next match, or the previous one; without a search it says how to begin one.
func (s *Search) Next(back bool) {
	switch {
	case s.query == "":
		s.env.Emit(Say{Level: Warn, Text: s.env.Keyed(TextNoSearch)})
	case back:
		s.walk(backward)
	default:
		s.walk(forward)
	}
}

// Bindings are n and N.
func (s *Search) Bindings() []Action {
	return []Action{
		On(keymap.SearchNext, func() { s.Next(false) }),
		On(keymap.SearchPrev, func() { s.Next(true) }),
	}
}

// walk goes to a match relative to the cursor, and says so if it wraps around or there is none. The match last gone to counts as current
// while the pane confirms that the cursor is on it. A step waits until the matches are known.
func (s *Search) walk(by step) {
	switch {
	case s.query == "" || s.count == nil:
		return
	case !s.done:
		if len(s.owed) < owedMost {
			s.owed = append(s.owed, by)
		}
		return
	case len(s.Matches) == 0:
		s.env.Emit(Say{Level: Warn, Text: NotFoundText(text.Clean(s.query))})
		return
	}
	from := s.pane.Here()
	at := sort.Search(len(s.Matches), func(i int) bool { return !s.Matches[i].Before(from) })
	if by != here && s.Current >= 0 && s.pane.On(s.Matches[s.Current]) {
		at = s.Current + 1
		if by == backward {
			at = s.Current
		}
	}
	if by == backward {
		at--
	}
	if at < 0 || at >= len(s.Matches) {
		s.env.Emit(Say{Text: WrappedText(by == backward)})
		at = (at + len(s.Matches)) % len(s.Matches)
	}
	s.GoTo(at)
}

// In returns the matches in a line, even before they are listed.
func (s *Search) In(line []byte) [][2]int {
	if s.query == "" {
		return nil
	}
	return s.find(line)
}

// On returns the matches in a line and the index of the one last gone to, or -1.
func (s *Search) On(line, part int) (matches []Match, current int) {
	from := sort.Search(len(s.Matches), func(i int) bool { return !s.Matches[i].Before(Match{Line: line, Part: part}) })
	to := from
	for to < len(s.Matches) && s.Matches[to].Line == line && s.Matches[to].Part == part {
		to++
	}
	if s.Current >= from && s.Current < to {
		return s.Matches[from:to], s.Current - from
	}
	return s.Matches[from:to], -1
}

// SearchState implements [Searcher].
func (s *Search) SearchState() string {
	switch {
	case s.query == "" || s.count == nil:
		return ""
	case s.done && s.Current >= 0:
		return MatchPlaceText(text.Clean(s.query), s.Current+1, len(s.Matches), s.more)
	}
	return MatchText(text.Clean(s.query), int(s.count.Load()), !s.done)
}

// Texts of a search in a pane.
const (
	LabelSearch   = "searching"
	TextNoSearch  = "No search yet. {global/search} starts one"
	LabelFind     = "searching the store"
	TextSearching = "searching... {global/back} cancels"
)

// MatchPlaceText describes a search with the cursor on a match. more: there are more than were counted.
func MatchPlaceText(query string, at, count int, more bool) string {
	plus := ""
	if more {
		plus = "+"
	}
	return fmt.Sprintf("%q: match %s of %s%s", query, Number(at), Number(count), plus)
}

// MatchText describes a search without a match under the cursor.
func MatchText(query string, count int, counting bool) string {
	if counting {
		return fmt.Sprintf("%q: %s so far", query, Number(max(0, count)))
	}
	return fmt.Sprintf("%q: %s", query, CountMatches(count))
}

// NotFoundText says that a search has no match.
func NotFoundText(query string) string { return fmt.Sprintf("no match for %q", query) }

// WrappedText says that the search wrapped around at the end of the file.
func WrappedText(backward bool) string {
	if backward {
		return "search went on from the end"
	}
	return "search went on from the start"
}
