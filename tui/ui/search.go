package ui

import (
	"context"
	"fmt"
	"math"
	"sort"
	"sync/atomic"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/bigfile"
	"memcurator/render/text"
)

// Step is which match of a search to go to.
type Step uint8

// The steps.
const (
	Stay     Step = iota
	Here          // to the first match from the cursor on
	Forward       // to the next one
	Backward      // to the one before
)

// StepBy is the step of n, or of N for back.
func StepBy(back bool) Step {
	if back {
		return Backward
	}
	return Forward
}

// Match is a match of a search: bytes of a line, or of a part of it where lines have parts.
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

// matchesMost bounds the matches that are kept to go through, about 40 MB.
const matchesMost = 1 << 20

// Search is the state of "/" in a text whose matches are listed whole, in a job. The pane that
// owns it defines what is searched ([Search.List]) and where the cursor is ([Search.Go]).
type Search struct {
	Query   bigfile.Query
	Matches []Match // in the order of the text, when the job has ended
	Current int     // the match that was gone to last, -1 for none
	Done    bool    // every match is listed
	more    bool    // there are more than matchesMost
	find    func(line []byte) [][2]int
	count   *atomic.Int64
	owed    Step // a step that was requested before the matches were known
}

// Found is the outcome of the job of a [Search].
type Found struct {
	of      any
	query   bigfile.Query
	matches []Match
	more    bool
}

// NewSearch is a search for nothing.
func NewSearch() Search { return Search{Current: -1} }

// SetQuery begins a search; capitals make it exact. false: it is the one that there is.
func (s *Search) SetQuery(query string) bool {
	q := bigfile.SmartCase(query)
	if q == s.Query {
		return false
	}
	*s = Search{Query: q, Current: -1, find: q.Matcher()}
	return true
}

// Drop forgets the matches of a text that is not shown any more.
func (s *Search) Drop(env *Env, owner string) {
	env.Jobs.Cancel(owner)
	*s = Search{Query: s.Query, Current: -1, find: s.find}
}

// Scan hands the lines of a text over in their order, and says how far it is. It ends early when
// add returns false.
type Scan func(add func(line, part int, text []byte) bool, at func(done, total int))

// List looks for all matches in of, which identifies the text, in a job of owner.
func (s *Search) List(env *Env, owner string, of any, scan Scan) tea.Cmd {
	s.Drop(env, owner)
	if s.Query.Text == "" {
		return nil
	}
	s.count = &atomic.Int64{}
	count, match, found := s.count, s.find, Found{of: of, query: s.Query}
	return env.Jobs.Start(owner, LabelSearch, func(ctx context.Context, progress *Progress) (any, error) {
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
	})
}

// In returns the matches in a line, whether they are listed by now or not.
func (s *Search) In(line []byte) [][2]int {
	if s.Query.Text == "" {
		return nil
	}
	return s.find(line)
}

// Known takes the outcome of the job. It returns the step requested meanwhile;
// false: the outcome is that of another search.
func (s *Search) Known(found Found, of any) (Step, bool) {
	if found.of != of || found.query != s.Query || s.Done {
		return Stay, false
	}
	owed := s.owed
	s.Matches, s.more, s.Done, s.owed = found.matches, found.more, true, Stay
	return owed, true
}

// Go chooses the match of a step as seen from the cursor, and says so where it goes around the
// end or where there is none. The cursor is on the match that was gone to last as long as on
// says so, else at from. false: there is nowhere to go, or not yet.
func (s *Search) Go(env *Env, step Step, from Match, on func(Match) bool) (Match, bool) {
	switch {
	case s.Query.Text == "" || s.count == nil || step == Stay:
		return Match{}, false
	case !s.Done:
		s.owed = step
		return Match{}, false
	case len(s.Matches) == 0:
		env.Emit(Say{Level: Warn, Text: NotFoundText(text.Clean(s.Query.Text))})
		return Match{}, false
	}
	at := sort.Search(len(s.Matches), func(i int) bool { return !s.Matches[i].Before(from) })
	if step != Here && s.Current >= 0 && on(s.Matches[s.Current]) {
		at = s.Current + 1
		if step == Backward {
			at = s.Current
		}
	}
	if step == Backward {
		at--
	}
	if at < 0 || at >= len(s.Matches) {
		env.Emit(Say{Text: WrappedText(step == Backward)})
		at = (at + len(s.Matches)) % len(s.Matches)
	}
	s.Current = at
	return s.Matches[at], true
}

// Next is [Search.Go] for n and N; without a search it says how to begin one.
func (s *Search) Next(env *Env, back bool, from Match, on func(Match) bool) (Match, bool) {
	if s.Query.Text == "" {
		env.Emit(Say{Level: Warn, Text: env.Keyed(TextNoSearch)})
		return Match{}, false
	}
	return s.Go(env, StepBy(back), from, on)
}

// On returns the matches in a line and which of them was gone to last, -1 for none.
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

// State says in a few words how the search stands; "" without one.
func (s *Search) State() string {
	if s.Query.Text == "" || s.count == nil {
		return ""
	}
	return MatchText(text.Clean(s.Query.Text), int(s.count.Load()), !s.Done)
}

// PlaceState is State with the number of the match that was gone to last.
func (s *Search) PlaceState() string {
	if s.Done && s.Current >= 0 {
		return MatchPlaceText(text.Clean(s.Query.Text), s.Current+1, len(s.Matches), s.more)
	}
	return s.State()
}

// Find looks for the next match from a byte on, or backward for the last one before it.
type Find[H any] func(from int64, backward bool) (H, bool, error)

// FindAround is for a text too large to list its matches: it looks for the next one from a byte
// on, and goes around the end once.
func FindAround[H any](find Find[H], from int64, backward bool) (hit H, ok, around bool, err error) {
	if hit, ok, err = find(from, backward); ok || err != nil {
		return hit, ok, false, err
	}
	from = 0
	if backward {
		from = math.MaxInt64 / 2
	}
	hit, ok, err = find(from, backward)
	return hit, ok, true, err
}

// Texts of a search in a pane.
const (
	LabelSearch   = "searching"
	TextNoSearch  = "nothing to search for yet: {global/search} starts a search"
	LabelFind     = "searching the store"
	TextSearching = "searching... {global/back} cancels"
)

// MatchPlaceText is the state of a search with its cursor on a match. more: there are more than were counted.
func MatchPlaceText(query string, at, count int, more bool) string {
	plus := ""
	if more {
		plus = "+"
	}
	return fmt.Sprintf("%q: match %s of %s%s", query, Number(at), Number(count), plus)
}

// MatchText is the state of a search that has no match under its cursor.
func MatchText(query string, count int, counting bool) string {
	if counting {
		return fmt.Sprintf("%q: %s so far", query, Number(max(0, count)))
	}
	return fmt.Sprintf("%q: %s", query, CountMatches(count))
}

// NotFoundText says that a search has no match.
func NotFoundText(query string) string { return fmt.Sprintf("no match for %q", query) }

// WrappedText says that the search went around the end of the file.
func WrappedText(backward bool) string {
	if backward {
		return "search went on from the end"
	}
	return "search went on from the start"
}
