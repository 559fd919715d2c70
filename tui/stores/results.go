package stores

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// Match is a place that a search of all stores found, or a change of one.
type Match struct {
	Store  string // [discover.Found.Path]
	Path   string // agent path
	Line   int    // from 1; 0: the name matches, or the file as a whole
	Text   string // the line, with its secrets masked
	Change *past.Revision
	Others int // stores that have the file too: it is searched in this one only
}

// Searched is the outcome for one store.
type Searched struct {
	Store   string
	Matches []Match // as far as they are listed
	Found   int     // lines and names, listed or not
	Problem string  // what could not be searched; "": nothing
}

// ownerSearch is the owner of the job that searches all stores.
const ownerSearch = "stores.search"

// results is the list of what was found in all stores, instead of the stores: matches below their stores, or changes by time.
type results struct {
	*kit.Table[hit]
	screen   *Screen
	matcher  *search.Matcher // nil: changes are listed
	again    func() tea.Cmd  // reads all of it again
	of       int             // stores to search
	stores   int             // that were searched
	done     bool
	searched []*Searched          // with matches or problems
	asOf     map[string]condition // of each store, by its path, when its changes were read
	moved    bool                 // the user has chosen a row: it stays under the cursor
}

// hit is a row: a match, or a store with its matches below it.
type hit struct {
	of    *Searched
	match *Match // nil: the store
}

// key identifies a row.
func (h hit) key() string {
	switch {
	case h.match == nil:
		return h.of.Store
	case h.match.Change != nil:
		return fmt.Sprint(h.of.Store, "\n", h.match.Change.Rev)
	}
	return fmt.Sprint(h.of.Store, "\n", h.match.Path, "\n", h.match.Line)
}

func (h hit) isStore() bool { return h.match == nil }

func (h hit) hasMatch() bool { return h.match != nil }

func (h hit) isUnread() bool { return h.match != nil && h.match.Change.Unread }

func (h hit) change() *past.Revision { return h.match.Change }

// path is that of a store or a note.
func (h hit) path() string {
	if h.match == nil {
		return h.of.Store
	}
	return h.match.Path
}

// below are the matches of a store.
func (h hit) below() (list []hit) {
	if h.match != nil {
		return nil
	}
	for i := range h.of.Matches {
		list = append(list, hit{h.of, &h.of.Matches[i]})
	}
	return list
}

// SearchAll searches the names and the text of all stores, those that changed last first. What was found is listed instead of the stores.
func (s *Screen) SearchAll(m *search.Matcher) tea.Cmd {
	r := &results{screen: s, matcher: m, again: func() tea.Cmd { return s.SearchAll(m) }}
	find, step := s.Source.Search, func(by int) func() tea.Cmd { return func() tea.Cmd { return r.Step(by, hit.hasMatch) } }
	r.Table = kit.NewTable(s.env, kit.Spec[hit]{
		Scope: keymap.Stores, Key: hit.key, Words: r.words, Path: hit.path, Line: hit.line, Open: r.open, Moved: r.choose,
		Below: hit.below, Heading: hit.isStore,
		Columns: []kit.Column[hit]{
			{Most: 40, Ends: true, Text: hit.where, Paint: dimmed[hit]},
			{Text: hit.line, Marks: func(h hit) (marks [][2]int) {
				for _, span := range m.Spans(nil, []byte(h.line())) {
					marks = append(marks, [2]int{span.Start, span.End})
				}
				return marks
			}},
		},
		Whole: r.heading, Above: r.problems, Empty: r.emptyText,
		Paint: func(h hit, st *theme.Styles) theme.Paint {
			if h.match == nil {
				return st.Bold
			}
			return st.Text
		},
		More: []kit.Action{{ID: keymap.SearchNext, Run: step(1)}, {ID: keymap.SearchPrev, Run: step(-1)}},
	})
	return r.start("searching all stores", func(ctx context.Context, rows []Row, report func(Searched)) error {
		return find(ctx, rows, m, report)
	})
}

// start lists what a job finds in all stores, instead of the stores.
func (r *results) start(label string, find func(context.Context, []Row, func(Searched)) error) tea.Cmd {
	s := r.screen
	r.Resize(s.w, s.h)
	s.found = r
	// All of them, whatever the filter, the folding and the order of the list: those that changed last come first.
	rows := slices.DeleteFunc(slices.Clone(s.list.rows), func(row Row) bool { return !readable(row) })
	slices.SortStableFunc(rows, byChange)
	r.of, r.asOf = len(rows), map[string]condition{}
	for _, row := range rows {
		r.asOf[row.Path] = conditionOf(row)
	}
	job := reports[Searched]{
		owner: ownerSearch, label: label, failed: func() { r.done = true },
		work: func(ctx context.Context, report func(Searched)) error { return find(ctx, rows, report) },
		show: func(found []Searched) tea.Cmd {
			if r != s.found {
				return nil
			}
			r.stores += len(found)
			r.take(found)
			return s.detail.refresh()
		},
		done: func() tea.Cmd {
			r.done = true
			return tea.Batch(s.detail.refresh(), s.follow())
		},
	}
	return tea.Batch(job.start(s.env.Jobs), s.shell.Relayout(), s.detail.refresh())
}

// take lists what was found in stores, in place of what was found in them before. Until the user has moved, the cursor is on the first row.
func (r *results) take(found []Searched) {
	for _, s := range found {
		at := slices.IndexFunc(r.searched, func(was *Searched) bool { return was.Store == s.Store })
		switch {
		case at >= 0:
			r.searched[at] = &s
		case s.Found > 0 || s.Problem != "":
			r.searched = append(r.searched, &s)
		}
	}
	var rows []hit
	for _, s := range r.searched {
		if store := (hit{of: s}); r.matcher != nil {
			rows = append(rows, store)
		} else {
			rows = append(rows, store.below()...)
		}
	}
	if r.matcher == nil {
		slices.SortStableFunc(rows, func(a, b hit) int { return b.change().Time.Compare(a.change().Time) })
	}
	r.Set(rows)
	if !r.moved {
		r.First()
	}
}

// choose shows the row that the user came to.
func (r *results) choose() tea.Cmd {
	r.moved = true
	return r.screen.detail.refresh()
}

// open opens the store of a match at its line.
func (r *results) open(h hit) tea.Cmd {
	c := Choice{Path: h.of.Store}
	if row, known := r.screen.list.rowOf(h.of.Store); known {
		c.Real = row.Real
	}
	if m := h.match; m != nil {
		c.File, c.Line, c.Change = m.Path, m.Line, m.Change
	}
	return r.screen.Open(c)
}

// words are what a filter and "/" look for words in.
func (r *results) words(h hit) string {
	said := []string{h.of.Store, r.nameOf(h)}
	if m := h.match; m != nil {
		said = append(said, m.Path, m.Text)
		if c := m.Change; c != nil {
			said = append(said, string(c.Actor), c.Command, c.Session)
		}
	}
	return strings.ToLower(strings.Join(said, "\n"))
}

// nameOf is the agent and the project of a row's store.
func (r *results) nameOf(h hit) string {
	row, known := r.screen.list.rowOf(h.of.Store)
	if !known {
		return h.of.Store
	}
	return agentName(row.Agent) + "  " + r.screen.list.project(row)
}

// where is the place of a match.
func (h hit) where() string {
	where := kit.PathText(h.match.Path)
	if h.match.Line > 0 {
		where += ":" + fmt.Sprint(h.match.Line)
	}
	if h.match.Others > 0 {
		where += " (also in " + kit.Count(h.match.Others, "other store") + ")"
	}
	return where
}

func (h hit) line() string {
	if h.match == nil {
		return h.of.Store
	}
	return strings.TrimSpace(h.match.Text)
}

// heading is the row of a store.
func (r *results) heading(h hit) string {
	if h.match != nil {
		return ""
	}
	said := r.nameOf(h) + "  " + kit.CountMatches(h.of.Found)
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
			said = append(said, r.nameOf(hit{of: s})+": "+s.Problem)
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
	title, place := "changes of all stores", kit.CountGrouped(found, "change")
	if r.matcher != nil {
		title, place = "all stores: "+text.Clean(r.matcher.Query().String()), kit.CountMatches(found)
	}
	place += " in " + kit.Count(stores, "store")
	if r.Filter() != "" {
		place = strings.TrimSpace(r.Matches())
	}
	if !r.done {
		place = fmt.Sprintf("%d of %d stores, ", r.stores, r.of) + place
	}
	return kit.ListTitle(r.screen.env.Styles, title, r.Filter(), place, width)
}

// emptyText says why nothing is listed.
func (r *results) emptyText() string {
	switch {
	case r.matcher == nil && !r.done:
		return "Reading the journals..."
	case r.matcher == nil:
		return "No store has recorded changes. Opening a store begins its journal"
	case r.done:
		return r.screen.env.Keyed(fmt.Sprintf("No match for %q in %s. {global/back} returns", text.Clean(r.matcher.Query().String()), kit.Count(r.of, "store")))
	}
	return "Searching..."
}

// dimmed paints a column that matters less.
func dimmed[T any](_ T, st *theme.Styles) theme.Paint { return st.Dim }
