package stores

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
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

// results is the pane that lists what a search of all stores found, store by store, instead of the stores.
type results struct {
	screen  *Screen
	env     *ui.Env
	actions *ui.Actions
	w, h    int

	matcher  *search.Matcher // nil: changes are listed, by time
	filter   timeline.Filter // of changes
	again    func() tea.Cmd  // reads all of it again
	of       int             // stores to search
	done     bool
	searched []Searched // with matches or problems
	stores   int        // that were searched
	rows     []result
	spots    []spot               // of rows, while changes are listed
	asOf     map[string]condition // of each store, by its path, when its changes were read
	cursor   ui.List
	inbox    *inbox

	rowSearch *ui.RowSearch
}

// result is a row: a match of a store, or -1 for the store itself.
type result struct{ store, match int }

// inbox is where the job leaves what it found. Safe for concurrent use.
type inbox struct {
	mu   sync.Mutex
	list []Searched
	news chan struct{} // gets a value when there is some; closed at the end of the job
}

func (b *inbox) add(s Searched) {
	b.mu.Lock()
	b.list = append(b.list, s)
	b.mu.Unlock()
	select {
	case b.news <- struct{}{}:
	default: // the one before is still to be taken
	}
}

func (b *inbox) take() []Searched {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := b.list
	b.list = nil
	return list
}

// SearchAll searches the names and the text of all stores, those that changed last first. What was found is listed instead of the stores.
func (s *Screen) SearchAll(m *search.Matcher) tea.Cmd {
	if s.Search == nil {
		return nil
	}
	find := s.Search
	return s.gather(m, timeline.Filter{}, "searching all stores", func(ctx context.Context, rows []Row, report func(Searched)) error {
		return find(ctx, rows, m, report)
	})
}

// gather lists what a job finds in all stores, instead of the stores.
func (s *Screen) gather(
	m *search.Matcher, f timeline.Filter, label string, find func(context.Context, []Row, func(Searched)) error,
) tea.Cmd {
	r := &results{screen: s, env: s.env, matcher: m, filter: f, inbox: &inbox{news: make(chan struct{}, 1)}}
	r.rowSearch = ui.NewRowSearch(s.env, &r.cursor, r.text, func(i int) tea.Cmd {
		r.cursor.JumpTo(i)
		return s.detail.refresh()
	})
	r.again = func() tea.Cmd { return s.gather(m, r.filter, label, find) }
	bindings := append(r.cursor.Bindings(func(keymap.ID) tea.Cmd { return s.detail.refresh() }),
		ui.Action{ID: keymap.Open, Run: r.open},
		ui.Action{ID: keymap.SearchNext, Run: func() tea.Cmd { return r.step(1) }},
		ui.Action{ID: keymap.SearchPrev, Run: func() tea.Cmd { return r.step(-1) }},
	)
	if m == nil {
		bindings = append(bindings, s.diffBindings()...)
	} else {
		bindings = append(bindings, ui.Action{ID: keymap.HunkNext, Run: func() tea.Cmd { return r.jump(1) }},
			ui.Action{ID: keymap.HunkPrev, Run: func() tea.Cmd { return r.jump(-1) }})
	}
	r.actions = ui.NewActions(s.env, bindings...)
	r.Resize(s.w, s.h)
	s.found = r
	// All of them, whatever the filter, the folding and the order of the list: those that changed last come first.
	rows := slices.DeleteFunc(slices.Clone(s.list.rows), func(r Row) bool { return !readable(r) })
	slices.SortStableFunc(rows, byChange)
	r.of = len(rows)
	r.asOf = make(map[string]condition, len(rows))
	for _, row := range rows {
		r.asOf[row.Path] = conditionOf(row)
	}
	inbox := r.inbox
	job := ui.Start(s.env.Jobs, ui.Job[struct{}]{
		Owner: ownerSearch, Label: label,
		Work: func(ctx context.Context, _ *ui.Progress) (struct{}, error) {
			defer close(inbox.news)
			return struct{}{}, find(ctx, rows, inbox.add)
		},
		Done: func(struct{}) tea.Cmd {
			r.sync()
			r.done = true
			return tea.Batch(s.detail.refresh(), s.follow())
		},
		Failed: func() { r.done = true },
	})
	return tea.Batch(job, r.wait(0), s.shell.Relayout(), s.detail.refresh())
}

// wait delivers the next news, after a pause so that many don't hold up the keys.
func (r *results) wait(pause time.Duration) tea.Cmd {
	inbox := r.inbox
	return func() tea.Msg {
		time.Sleep(pause)
		if _, more := <-inbox.news; !more {
			return nil
		}
		return Message{results: r}
	}
}

// sync lists what was found since.
func (r *results) sync() {
	for _, s := range r.inbox.take() {
		if r.stores++; s.Found == 0 && s.Problem == "" {
			continue
		}
		if r.matcher == nil {
			r.renew(s)
			continue
		}
		r.searched = append(r.searched, s)
		at := len(r.searched) - 1
		r.rows = append(r.rows, result{at, -1})
		for i := range s.Matches {
			r.rows = append(r.rows, result{at, i})
		}
	}
	if r.matcher == nil {
		r.arrange()
	}
	r.cursor.SetCount(len(r.rows))
}

// selected is the row under the cursor.
func (r *results) selected() (of *Searched, m *Match, ok bool) {
	at, ok := r.cursor.At()
	if !ok || at >= len(r.rows) {
		return nil, nil, false
	}
	row := r.rows[at]
	of = &r.searched[row.store]
	if row.match >= 0 {
		m = &of.Matches[row.match]
	}
	return of, m, true
}

// open opens the store of a match at its line.
func (r *results) open() tea.Cmd {
	of, m, ok := r.selected()
	if !ok {
		return nil
	}
	c := Choice{Path: of.Store}
	if row, known := r.screen.list.rowOf(of.Store); known {
		c.Real = row.Real
	}
	if m != nil {
		c.File, c.Line, c.Change = m.Path, m.Line, m.Change
	}
	return r.screen.Open(c)
}

// jump goes to the next store, or to the previous one.
func (r *results) jump(by int) tea.Cmd {
	return r.goTo(by, func(row result) bool { return row.match < 0 }, "No more stores in this direction")
}

// Search implements [ui.searchable].
func (r *results) Search() ui.Searcher { return r.rowSearch }

// text is a row without paint.
func (r *results) text(i int) string {
	of := &r.searched[r.rows[i].store]
	if r.rows[i].match < 0 {
		return of.Store
	}
	m := &of.Matches[r.rows[i].match]
	if c := m.Change; c != nil {
		return of.Store + " " + string(c.Actor) + " " + c.Command + " " + m.Path
	}
	return m.Path + " " + m.Text
}

// step goes to the next match, or to the previous one: to the next row that "/" finds, if something is looked for.
func (r *results) step(by int) tea.Cmd {
	if r.rowSearch.Query() != "" {
		for _, a := range r.rowSearch.Bindings() {
			if (a.ID == keymap.SearchNext) == (by > 0) {
				return a.Run()
			}
		}
	}
	return r.goTo(by, func(row result) bool { return row.match >= 0 }, "No more matches in this direction")
}

func (r *results) goTo(by int, fits func(result) bool, none string) tea.Cmd {
	at, _ := r.cursor.At()
	for i := at + by; i >= 0 && i < len(r.rows); i += by {
		if fits(r.rows[i]) {
			r.cursor.JumpTo(i)
			return r.screen.detail.refresh()
		}
	}
	r.screen.shell.Tell(ui.Info, none)
	return nil
}

// title heads the list.
func (r *results) title(width int) ui.Title {
	found, stores := 0, 0
	for _, s := range r.searched {
		if found += s.Found; s.Found > 0 {
			stores++
		}
	}
	if r.matcher == nil {
		return r.changesTitle(width)
	}
	what, title := ui.CountMatches(found), "all stores: "+text.Clean(r.matcher.Query().String())
	place := what + " in " + ui.Count(stores, "store")
	if !r.done {
		place = fmt.Sprintf("%d of %d stores, ", r.stores, r.of) + place
	}
	return ui.ListTitle(r.env.Styles, title, "", place, width)
}

// Actions implements [ui.Pane].
func (r *results) Actions() *ui.Actions { return r.actions }

// Receive implements [ui.Pane]; its job knows what takes its outcome.
func (r *results) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (r *results) Resize(w, h int) { r.w, r.h = w, h; r.cursor.Resize(h) }

// Scopes implements [ui.Pane].
func (r *results) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Stores} }

// Cursor implements [ui.Pane].
func (r *results) Cursor() (ui.Point, bool) { return r.cursor.Point() }

// Click implements [ui.Clickable].
func (r *results) Click(row int) (again bool) {
	hit, again := r.cursor.Click(row)
	if hit {
		r.screen.detail.fill()
	}
	return again
}

// Path implements [ui.Listed].
func (r *results) Path() string {
	of, m, ok := r.selected()
	switch {
	case !ok:
		return ""
	case m == nil:
		return of.Store
	}
	return m.Path
}

// LineReader implements [ui.Listed].
func (r *results) LineReader(limit int) func() (string, error) {
	if _, m, ok := r.selected(); ok && m != nil {
		return ui.LineOf(m.Text, limit)
	}
	return nil
}

// Rows implements [ui.Pane].
func (r *results) Rows(focused bool) []string {
	none := func() []string {
		said := "Searching..."
		switch {
		case r.filter.Text() != "" && len(r.searched) > 0:
			said = fmt.Sprintf("No rows match %q. {global/back} clears", r.filter.Text())
		case r.matcher == nil && !r.done:
			said = "Reading the journals..."
		case r.matcher == nil:
			said = "No store has recorded changes. Opening a store begins its journal"
		case r.done:
			said = fmt.Sprintf("No match for %q in %s. {global/back} returns", text.Clean(r.matcher.Query().String()), ui.Count(r.of, "store"))
		}
		return ui.Notice(r.env, r.env.Keyed(said), r.w)
	}
	return r.cursor.Draw(nil, r.w, r.h, none, func(i int) string { return r.row(i, focused) })
}

// row draws a row: a store, or below it a match.
func (r *results) row(i int, focused bool) string {
	st := r.env.Styles
	at, _ := r.cursor.At()
	row := ui.Row{Room: r.w}
	selected := st.SelectedBlur
	if focused {
		selected = st.Selected
	}
	mark, plain, dim := " ", st.Text, st.Dim
	if i == at {
		mark, plain, dim = st.Glyphs.Cursor, selected, selected
	}
	row.Put(mark, plain)
	of := &r.searched[r.rows[i].store]
	if r.rows[i].match < 0 {
		bold := st.Bold
		if i == at {
			bold = selected
		}
		name := of.Store
		if store, known := r.screen.list.rowOf(of.Store); known {
			name = r.screen.list.project(store)
			row.Put(text.Clean(agentName(store.Agent))+"  ", dim)
		}
		row.Put(text.Truncate(text.Clean(name), max(0, row.Room-2), st.Glyphs.Ellipsis)+"  ", bold)
		said := ui.CountMatches(of.Found)
		if listed := len(of.Matches); listed < of.Found {
			said += ", " + ui.Number(listed) + " listed"
		}
		switch problem := text.Clean(of.Problem); {
		case problem != "" && of.Found == 0:
			said = problem
		case problem != "":
			said += ". " + problem
		}
		row.PutPadded(text.Truncate(said, row.Room, st.Glyphs.Ellipsis), row.Room, dim)
		return row.String()
	}
	m := &of.Matches[r.rows[i].match]
	if m.Change != nil {
		var on *theme.Paint
		if i == at {
			on = &selected
		}
		r.putChange(&row, m, on)
		return row.String()
	}
	where := "  " + ui.FitPath(m.Path, max(8, r.w/3), st)
	if m.Line > 0 {
		where += ":" + fmt.Sprint(m.Line)
	}
	if m.Others > 0 {
		where += " (also in " + ui.Count(m.Others, "other store") + ")"
	}
	row.Put(text.Truncate(where, max(0, row.Room-2), st.Glyphs.Ellipsis)+"  ", dim)
	line := text.Clean(strings.TrimSpace(m.Text))
	if i == at {
		row.PutPadded(text.Truncate(line, row.Room, st.Glyphs.Ellipsis), row.Room, plain)
		return row.String()
	}
	line = text.Truncate(line, row.Room, st.Glyphs.Ellipsis)
	r.putMatches(&row, line, text.Row{End: len(line)}, st.Text, st.Match)
	return row.String()
}
