package stores

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/overview"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Match is a place that a search of all stores found.
type Match struct {
	Store string // [discover.Found.Path]
	Path  string // agent path
	Line  int    // from 1; 0: the name matches, or the file as a whole
	Text  string // the line, with its secrets masked
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

	matcher  *search.Matcher
	of       int // stores to search
	done     bool
	searched []Searched // with matches or problems
	stores   int        // that were searched
	rows     []result
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
	r := &results{screen: s, env: s.env, matcher: m, inbox: &inbox{news: make(chan struct{}, 1)}}
	r.rowSearch = ui.NewRowSearch(s.env, &r.cursor, r.text, func(i int) tea.Cmd {
		r.cursor.JumpTo(i)
		return s.detail.refresh()
	})
	r.actions = ui.NewActions(s.env, append(r.cursor.Bindings(func(keymap.ID) tea.Cmd { return s.detail.refresh() }),
		ui.Action{ID: keymap.Open, Run: r.open},
		ui.Action{ID: keymap.HunkNext, Run: func() tea.Cmd { return r.jump(1) }},
		ui.Action{ID: keymap.HunkPrev, Run: func() tea.Cmd { return r.jump(-1) }},
		ui.Action{ID: keymap.SearchNext, Run: func() tea.Cmd { return r.step(1) }},
		ui.Action{ID: keymap.SearchPrev, Run: func() tea.Cmd { return r.step(-1) }},
		ui.Action{ID: keymap.Refresh, Run: func() tea.Cmd { return s.SearchAll(m) }},
	)...)
	r.Resize(s.list.w, s.list.h)
	s.found = r
	var rows []Row
	for _, e := range s.list.entries {
		if e.kind == store && s.list.rows[e.at].State != overview.Unreadable {
			rows = append(rows, s.list.rows[e.at])
		}
	}
	r.of = len(rows)
	inbox, find := r.inbox, s.Search
	job := ui.Start(s.env.Jobs, ui.Job[struct{}]{
		Owner: ownerSearch, Label: "searching all stores",
		Work: func(ctx context.Context, _ *ui.Progress) (struct{}, error) {
			defer close(inbox.news)
			return struct{}{}, find(ctx, rows, m, inbox.add)
		},
		Done: func(struct{}) tea.Cmd {
			r.sync()
			r.done = true
			return s.detail.refresh()
		},
		Failed: func() { r.done = true },
	})
	return tea.Batch(job, r.wait(0), s.detail.refresh())
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
		r.searched = append(r.searched, s)
		at := len(r.searched) - 1
		r.rows = append(r.rows, result{at, -1})
		for i := range s.Matches {
			r.rows = append(r.rows, result{at, i})
		}
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
		c.File, c.Line = m.Path, m.Line
	}
	return r.screen.Open(c)
}

// jump goes to the next store, or to the previous one.
func (r *results) jump(by int) tea.Cmd {
	return r.goTo(by, func(row result) bool { return row.match < 0 }, "No more stores in this direction")
}

// Search implements [ui.Searchable].
func (r *results) Search() ui.Searcher { return r.rowSearch }

// text is a row without paint.
func (r *results) text(i int) string {
	of := &r.searched[r.rows[i].store]
	if r.rows[i].match < 0 {
		return of.Store
	}
	return of.Matches[r.rows[i].match].Path + " " + of.Matches[r.rows[i].match].Text
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
	place := fmt.Sprintf("%s in %s", ui.CountMatches(found), ui.Count(stores, "store"))
	if !r.done {
		place = fmt.Sprintf("%d of %d stores, ", r.stores, r.of) + place
	}
	return ui.ListTitle(r.env.Styles, "all stores: "+text.Clean(r.matcher.Query().String()), "", place, width)
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
		if r.done {
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
		row.Put(text.Clean(name)+"  ", bold)
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
	where := "  " + ui.FitPath(m.Path, max(8, r.w/3), st)
	if m.Line > 0 {
		where += ":" + fmt.Sprint(m.Line)
	}
	row.Put(where+"  ", dim)
	line := text.Clean(strings.TrimSpace(m.Text))
	if i == at {
		row.PutPadded(text.Truncate(line, row.Room, st.Glyphs.Ellipsis), row.Room, plain)
		return row.String()
	}
	r.putMatches(&row, text.Truncate(line, row.Room, st.Glyphs.Ellipsis))
	return row.String()
}

// putMatches draws a line with its matches.
func (r *results) putMatches(row *ui.Row, line string) {
	st, from := r.env.Styles, 0
	for _, span := range r.matcher.Spans(nil, []byte(line)) {
		if span.Start < from || span.End > len(line) {
			continue
		}
		row.Put(line[from:span.Start], st.Text)
		row.Put(line[span.Start:span.End], st.Match)
		from = span.End
	}
	row.Put(line[from:], st.Text)
}
