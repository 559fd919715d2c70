package stores

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// Match is a place that a search of all stores found.
type Match struct {
	Path string // agent path
	Line int    // from 1; 0: the name matches, or the file as a whole
	Text string // the line, with its secrets masked
}

// Searched is the outcome for one store.
type Searched struct {
	Store   string  // [discover.Found.Path]
	Matches []Match // as far as they are listed
	Found   int     // lines and names, listed or not
	Problem string  // what could not be searched; "": nothing
}

// ownerSearch is the owner of the job that searches all stores.
const ownerSearch = "stores.search"

// results is the list of what was found in all stores, instead of the stores.
type results struct {
	*kit.Table[hit]
	screen   *Screen
	matcher  *search.Matcher
	of       int // stores to search
	searched []Searched
	done     bool
}

// hit is a row: a match, or a store with its matches below it.
type hit struct {
	of    Searched
	match int // of Matches; -1: the store
}

func (h hit) isStore() bool { return h.match < 0 }

func (h hit) hasMatch() bool { return h.match >= 0 }

// key identifies a row.
func (h hit) key() string { return fmt.Sprint(h.of.Store, "\n", h.match) }

// at is the match of a row; the zero Match for a store.
func (h hit) at() Match {
	if h.isStore() {
		return Match{}
	}
	return h.of.Matches[h.match]
}

// below are the matches of a store.
func (h hit) below() (list []hit) {
	if h.isStore() {
		for i := range h.of.Matches {
			list = append(list, hit{h.of, i})
		}
	}
	return list
}

// SearchAll searches the names and the text of all stores, those that changed last first. What was found is listed instead of the stores.
func (s *Screen) SearchAll(m *search.Matcher) tea.Cmd {
	r := &results{screen: s, matcher: m}
	step := func(by int) func() tea.Cmd { return func() tea.Cmd { return r.Step(by, hit.hasMatch) } }
	r.Table = kit.NewTable(s.env, kit.Spec[hit]{
		Scope: keymap.Stores, Key: hit.key, Words: r.words, Path: func(h hit) string { return h.at().Path }, Line: hit.line, Open: r.open,
		Below: hit.below, Heading: hit.isStore,
		Moved: kit.Do(s.detail.fill),
		Columns: []kit.Column[hit]{
			{Most: 40, Ends: true, Text: hit.where, Paint: func(_ hit, st *theme.Styles) theme.Paint { return st.Dim }},
			{Text: hit.line, Marks: func(h hit) (marks [][2]int) {
				for _, span := range m.Spans(nil, []byte(h.line())) {
					marks = append(marks, [2]int{span.Start, span.End})
				}
				return marks
			}},
		},
		Whole: r.heading, Above: r.problems, Empty: r.emptyText,
		Paint: func(h hit, st *theme.Styles) theme.Paint {
			if h.isStore() {
				return st.Bold
			}
			return st.Text
		},
		More: []kit.Action{{ID: keymap.SearchNext, Run: step(1)}, {ID: keymap.SearchPrev, Run: step(-1)}},
	})
	r.Resize(s.w, s.h)
	rows := slices.DeleteFunc(slices.Clone(s.list.rows), func(row Row) bool { return !readable(row) })
	slices.SortStableFunc(rows, func(a, b Row) int { return b.Newest.Compare(a.Newest) })
	r.of = len(rows)
	source := s.source
	cmd, from := s.stream(ownerSearch, "searching all stores", func(ctx context.Context, say func(Message)) error {
		return source.Search(ctx, rows, m, func(of Searched) { say(Message{found: []Searched{of}}) })
	})
	s.found, s.searching = r, from
	s.detail.fill()
	return tea.Batch(cmd, s.shell.Relayout())
}

// take lists what was found in more stores.
func (r *results) take(m Message) {
	r.searched, r.done = append(r.searched, m.found...), r.done || m.end
	var rows []hit
	for _, s := range r.searched {
		if s.Found > 0 {
			rows = append(rows, hit{s, -1})
		}
	}
	r.Set(rows)
}

// open opens the store of a match at its line, or all its matches.
func (r *results) open(h hit) tea.Cmd {
	row, _ := r.screen.list.rowOf(h.of.Store)
	return r.screen.opener.Choose(Choice{Path: h.of.Store, Real: row.Real, File: h.at().Path, Line: h.at().Line, Find: r.matcher})
}

// words are what a filter and "/" look for words in.
func (r *results) words(h hit) string {
	return strings.ToLower(strings.Join([]string{h.of.Store, r.nameOf(h.of), h.at().Path, h.at().Text}, "\n"))
}

// nameOf is the agent and the project of a store.
func (r *results) nameOf(of Searched) string {
	row, known := r.screen.list.rowOf(of.Store)
	if !known {
		return of.Store
	}
	return agentName(row.Agent) + "  " + r.screen.list.project(row)
}

// where is the place of a match.
func (h hit) where() string {
	m := h.at()
	where := kit.PathText(m.Path)
	if m.Line > 0 {
		where += ":" + fmt.Sprint(m.Line)
	}
	return where
}

func (h hit) line() string {
	if h.isStore() {
		return h.of.Store
	}
	return strings.TrimSpace(h.at().Text)
}

// heading is the row of a store.
func (r *results) heading(h hit) string {
	if h.hasMatch() {
		return ""
	}
	said := r.nameOf(h.of) + "  " + kit.CountMatches(h.of.Found)
	if listed := len(h.of.Matches); listed < h.of.Found {
		said += ", " + kit.Number(listed) + " listed"
	}
	return said
}

// problems are the stores that could not be searched, and why.
func (r *results) problems() string {
	var said []string
	for _, s := range r.searched {
		if s.Problem != "" {
			said = append(said, r.nameOf(s)+": "+s.Problem)
		}
	}
	return strings.Join(said, ". ")
}

// title heads the list.
func (r *results) title(width int) kit.Title {
	found, stores := 0, 0
	for _, s := range r.searched {
		if found += s.Found; s.Found > 0 {
			stores++
		}
	}
	place := kit.CountMatches(found) + " in " + kit.Count(stores, "store")
	if r.Filter() != "" {
		place = r.Matches()
	}
	if !r.done {
		place = fmt.Sprintf("%d of %d stores, ", len(r.searched), r.of) + place
	}
	return kit.ListTitle(r.screen.env.Styles, "all stores, current notes: "+text.Clean(r.matcher.Query().String()), r.Filter(), place, width)
}

// emptyText says why nothing is listed.
func (r *results) emptyText() string {
	if !r.done {
		return "Searching..."
	}
	return r.screen.env.Keyed("No match in the current notes of " + kit.Count(r.of, "store") + "; history is not searched. {global/back} returns")
}
