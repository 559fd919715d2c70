package stores

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/memstore/search/fuzzy"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// kind is the kind of a row of the list.
type kind uint8

const (
	store kind = iota
	heading
	offer
)

// entry is a row of the list: a store or an offer, by its place among them, or the heading of an agent.
type entry struct {
	kind  kind
	at    int
	agent string
}

// list is the pane of the stores.
type list struct {
	screen  *Screen
	env     *ui.Env
	actions *ui.Actions
	w, h    int

	rows    []Row             // as they were found
	labels  map[string]string // of the rows, by path
	entries []entry           // as they are listed
	cursor  ui.List
	search  *ui.RowSearch
	mended  string // the store whose index was mended last, while the user has not moved the cursor since; "": none
	away    bool   // and a filter hides it since it was mended
	moved   bool   // by the user: the cursor stays on its row when others come in front of it
	filter  string
	order   order
	folded  map[string]bool // agents, in the order by agent
	empty   bool            // stores without notes are listed, too
	hidden  int             // how many are not
}

func newList(s *Screen) *list {
	l := &list{screen: s, env: s.env, order: orders[0], folded: map[string]bool{}}
	l.search = ui.NewRowSearch(l.env, &l.cursor, func(i int) string { return l.text(l.entries[i]) }, func(i int) tea.Cmd {
		l.cursor.JumpTo(i)
		return l.went(keymap.Down)
	})
	l.actions = ui.NewActions(l.env, slices.Concat(l.search.Bindings(), l.cursor.Bindings(l.went), []ui.Action{
		{ID: keymap.Open, Run: s.open},
		{ID: keymap.Sort, Run: l.nextOrder},
		{ID: keymap.ShowHidden, Run: l.toggleEmpty},
		{ID: keymap.HunkNext, Run: func() tea.Cmd { return l.jump(1) }},
		{ID: keymap.HunkPrev, Run: func() tea.Cmd { return l.jump(-1) }},
		{ID: keymap.ExpandAll, Run: func() tea.Cmd { return l.foldAll(false) }},
		{ID: keymap.CollapseAll, Run: func() tea.Cmd { return l.foldAll(true) }},
		{ID: keymap.Left, Run: func() tea.Cmd { return l.foldOne(true) }},
		{ID: keymap.Right, Run: l.right},
	})...)
	return l
}

// Actions implements [ui.Pane].
func (l *list) Actions() *ui.Actions { return l.actions }

// Receive implements [ui.Pane]; the job of the screen knows what takes its outcome.
func (l *list) Receive(ui.Done) tea.Cmd { return nil }

// Resize implements [ui.Pane].
func (l *list) Resize(w, h int) {
	l.w, l.h = w, h
	l.cursor.Resize(max(1, h-1)) // below the heads of the columns
}

// Scopes implements [ui.Pane].
func (l *list) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Stores} }

// Cursor implements [ui.Pane].
func (l *list) Cursor() (ui.Point, bool) {
	at, ok := l.cursor.Point()
	at.Y++
	return at, ok && l.h > 1
}

// Click implements [ui.Clickable].
func (l *list) Click(row int) (again bool) {
	hit, again := l.cursor.Click(row - 1)
	if hit {
		l.moved = true
		l.screen.detail.fill()
	}
	return again
}

// Search implements [ui.searchable].
func (l *list) Search() ui.Searcher { return l.search }

// Path implements [ui.Listed]: where the store under the cursor is; "" for none.
func (l *list) Path() string {
	if e, ok := l.selected(); ok && e.kind == store {
		return cmp.Or(l.rows[e.at].Real, l.rows[e.at].Path)
	}
	return ""
}

// Name implements [ui.Named].
func (l *list) Name() string {
	e, ok := l.selected()
	switch {
	case !ok:
		return ""
	case e.kind == heading:
		return text.Clean(agentName(e.agent))
	case e.kind == offer:
		return l.screen.Offers[e.at].Name
	}
	return text.Clean(l.project(l.rows[e.at]))
}

// LineReader implements [ui.Listed].
func (l *list) LineReader(limit int) func() (string, error) {
	e, ok := l.selected()
	if !ok {
		return nil
	}
	return ui.LineOf(strings.Join(strings.Fields(l.text(e)), " "), limit)
}

func (l *list) selected() (entry, bool) {
	at, ok := l.cursor.At()
	if !ok || at >= len(l.entries) {
		return entry{}, false
	}
	return l.entries[at], true
}

// went is called when the cursor has moved.
func (l *list) went(keymap.ID) tea.Cmd {
	l.moved, l.screen.fresh, l.screen.wanted = true, false, ""
	l.mended, l.away = "", false
	return l.screen.detail.refresh()
}

// take lists the stores found so far. The cursor stays on its row.
func (l *list) take(rows []Row) {
	at := make(map[string]int, len(l.rows))
	for i, r := range l.rows {
		at[r.Path] = i
	}
	for _, r := range rows {
		i, known := at[r.Path]
		if !known {
			at[r.Path] = len(l.rows)
			l.rows = append(l.rows, r)
			continue
		}
		r.Row = r.Row.Renewed(l.rows[i].Row)
		l.rows[i] = r
	}
	l.arrange()
}

// keep drops the rows of stores that are gone.
func (l *list) keep(listed func(Row) bool) {
	l.rows = slices.DeleteFunc(slices.Clone(l.rows), func(r Row) bool { return !listed(r) })
	l.arrange()
}

// nextUnread goes to the next store with unread changes, or with -1 to the previous one; false: no store has any.
func (l *list) nextUnread(by int) bool {
	at, _ := l.cursor.At()
	n := len(l.entries)
	for i := 1; i <= n; i++ {
		to := ((at+i*by)%n + n) % n
		if e := l.entries[to]; e.kind == store && count(l.rows[e.at].Unread) > 0 {
			l.moved = true
			l.cursor.JumpTo(to)
			return true
		}
	}
	return false
}

// rowOf is the row of a store.
func (l *list) rowOf(path string) (Row, bool) {
	for _, r := range l.rows {
		if r.Path == path {
			return r, true
		}
	}
	return Row{}, false
}

// goTo moves the cursor to a store.
func (l *list) goTo(path string) {
	for i, e := range l.entries {
		if e.kind == store && l.rows[e.at].Path == path {
			l.moved = true
			l.cursor.JumpTo(i)
			return
		}
	}
}

// goToReal moves the cursor to the store that is at a place on the disk; false: it is not listed.
func (l *list) goToReal(real string) bool {
	for _, e := range l.entries {
		if e.kind == store && real != "" && l.rows[e.at].Real == real {
			l.goTo(l.rows[e.at].Path)
			return true
		}
	}
	return false
}

// key identifies the row that the cursor stays on.
func (l *list) key(e entry) string {
	switch e.kind {
	case heading:
		return "heading " + e.agent
	case offer:
		return "offer " + l.screen.Offers[e.at].Name
	}
	return "store " + l.rows[e.at].Path
}

// arrange lists the stores in their order, as far as the filter lets them through, and the offers. was is the row of the cursor before.
func (l *list) arrange() { l.arrangeFrom("") }

func (l *list) arrangeFrom(to string) {
	found := make([]discover.Found, len(l.rows))
	for i := range l.rows {
		found[i] = l.rows[i].Found
	}
	l.labels = make(map[string]string, len(l.rows))
	for i, label := range discover.Labels(found, l.screen.Title) {
		l.labels[found[i].Path] = label
	}
	if to == "" && l.moved {
		to = l.last()
	}
	words, narrow, _ := narrowed(l.filter) // a mistake was told when it was typed
	pattern := fuzzy.Parse(words)
	fits := func(n int, names func(i int) []string) []int {
		list := pattern.Best(n, func(i int) fuzzy.Entry { return fuzzy.Entry{Names: names(i)} })
		if best := list; words == "" || len(best) == 0 {
			slices.Sort(list)
		}
		return list
	}
	shown := fits(len(l.rows), func(i int) []string {
		r := l.rows[i]
		return []string{r.Name, r.Agent, l.project(r), l.screen.Title(r.Path)}
	})
	shown = slices.DeleteFunc(shown, func(i int) bool { return !narrow(l.rows[i]) })
	l.hidden = 0
	if !l.empty && l.filter == "" {
		shown = slices.DeleteFunc(shown, func(i int) bool {
			hides := l.isEmpty(l.rows[i])
			if hides {
				l.hidden++
			}
			return hides
		})
	}
	if words == "" {
		l.sort(shown)
	}
	l.entries = l.entries[:0]
	last := ""
	for n, i := range shown {
		if agent := l.rows[i].Agent; l.grouped() {
			if n == 0 || agent != last {
				l.entries = append(l.entries, entry{heading, n, agent})
				last = agent
			}
			if l.folded[agent] {
				continue
			}
		}
		l.entries = append(l.entries, entry{store, i, l.rows[i].Agent})
	}
	offers := len(l.screen.Offers)
	if len(strings.Fields(words)) != len(strings.Fields(l.filter)) { // conditions are those of stores
		offers = 0
	}
	for _, i := range fits(offers, func(i int) []string { return []string{l.screen.Offers[i].Name, l.screen.Offers[i].Text} }) {
		l.entries = append(l.entries, entry{offer, i, ""})
	}
	at, listed := 0, false
	for i, e := range l.entries {
		if l.key(e) == to {
			at = i
		}
		listed = listed || l.mended != "" && e.kind == store && l.rows[e.at].Path == l.mended
	}
	if l.mended != "" && l.away && listed { // undone: it is the one to mend next, and not the row that took its place
		defer l.goTo(l.mended)
	}
	l.away = !listed
	l.cursor.SetCount(len(l.entries))
	if to != "" {
		l.cursor.MoveTo(at)
	}
}

// last is the key of the row under the cursor.
func (l *list) last() string {
	if e, ok := l.selected(); ok && (e.kind != store || e.at < len(l.rows)) {
		return l.key(e)
	}
	return ""
}

// grouped reports whether the agents have headings.
func (l *list) grouped() bool { return l.order.name == agentOrder && l.filter == "" }

// isEmpty reports whether a store has no notes, and no other reason to be listed: the user named it, it can't be read, or it is open.
func (l *list) isEmpty(r Row) bool {
	return r.Files == 0 && !r.More && !r.Missing && r.Problem == "" && r.Name == "" && (r.Real == "" || r.Real != l.screen.Opened())
}

// setFilter lists the rows that fit, the best first, with the cursor there. Without a filter it returns to its row.
func (l *list) setFilter(line string) {
	to := l.last()
	l.filter = strings.TrimSpace(line)
	l.arrangeFrom(to)
	if l.filter != "" {
		l.cursor.MoveTo(0)
	}
}

// words complete a filter.
func (l *list) words() []string {
	out := terms()
	for _, r := range l.rows {
		for _, word := range strings.Fields(strings.ToLower(r.Agent + " " + r.Name + " " + r.Project)) {
			if !slices.Contains(out, word) {
				out = append(out, word)
			}
		}
	}
	return out
}

// stores counts those that are listed.
func (l *list) stores() int {
	n := 0
	for _, e := range l.entries {
		if e.kind == store {
			n++
		}
	}
	return n
}

func (l *list) toggleEmpty() tea.Cmd {
	to := l.last()
	l.empty = !l.empty
	l.arrangeFrom(to)
	empty := 0
	for _, r := range l.rows {
		if l.isEmpty(r) {
			empty++
		}
	}
	switch {
	case empty == 0:
		l.screen.shell.Tell(ui.Info, "No empty stores")
	case l.empty:
		l.screen.shell.Tell(ui.Info, "Showing stores without notes")
	default:
		l.screen.shell.Tell(ui.Info, "Hiding "+ui.Count(l.hidden, "store without notes", "stores without notes"))
	}
	return l.screen.detail.refresh()
}

// foldAll folds the agents, or unfolds them. The list is grouped for it.
func (l *list) foldAll(fold bool) tea.Cmd {
	to := l.last()
	if e, ok := l.selected(); fold && ok && e.kind == store {
		to = l.key(entry{heading, 0, e.agent})
	}
	clear(l.folded)
	for _, r := range l.rows {
		if fold {
			l.folded[r.Agent] = true
		}
	}
	l.order = orders[1]
	l.arrangeFrom(to)
	return l.screen.detail.refresh()
}

// toggle folds an agent, or unfolds it.
func (l *list) toggle(agent string) {
	l.folded[agent] = !l.folded[agent]
	l.arrangeFrom(l.key(entry{heading, 0, agent}))
}

// foldOne folds the agent of the row under the cursor, or unfolds it.
func (l *list) foldOne(fold bool) tea.Cmd {
	if e, ok := l.selected(); ok && l.grouped() && e.kind != offer && l.folded[e.agent] != fold {
		l.toggle(e.agent)
	}
	return l.screen.detail.refresh()
}

// right unfolds an agent, else goes to the pane beside.
func (l *list) right() tea.Cmd {
	if e, ok := l.selected(); ok && e.kind == heading {
		return l.foldOne(false)
	}
	return l.screen.shell.FocusDetail()
}

// jump goes to the first row of the next agent, or of the previous one.
func (l *list) jump(by int) tea.Cmd {
	at, ok := l.cursor.At()
	if !ok {
		return nil
	}
	begins := func(i int) bool {
		e := l.entries[i]
		if l.grouped() {
			return e.kind == heading
		}
		return e.kind == store && (i == 0 || l.entries[i-1].agent != e.agent)
	}
	for i := at + by; i >= 0 && i < len(l.entries); i += by {
		if begins(i) {
			l.cursor.JumpTo(i)
			return l.went(keymap.Down)
		}
	}
	l.screen.shell.Tell(ui.Info, "No more agents in this direction")
	return nil
}

// place counts what is listed.
func (l *list) place() string {
	if !l.screen.known {
		return ""
	}
	_, twice := l.shared("").Twice()
	bytes, more := -twice, ""
	for _, r := range l.rows {
		bytes += r.Bytes
		if r.More {
			more = "+"
		}
	}
	if l.filter != "" {
		return l.screen.Matches()
	}
	out := fmt.Sprintf("%d, %s%s", len(l.rows), memstore.FormatSize(memstore.Docs, bytes), more)
	if l.hidden > 0 {
		out += fmt.Sprintf(", %d empty", l.hidden)
	}
	if l.order.name != orders[0].name {
		out = "by " + l.order.name + "  " + out
	}
	return out
}

// project is what the memory is about.
func (l *list) project(r Row) string {
	if label, listed := l.labels[r.Path]; listed {
		return label
	}
	return r.Label(l.screen.Title)
}

// agentName is the agent of a store.
func agentName(agent string) string { return cmp.Or(agent, "other") }

// Rows implements [ui.Pane].
func (l *list) Rows(focused bool) []string {
	st := l.env.Styles
	none := func() []string { return ui.Notice(l.env, l.screen.emptyText(), l.w) }
	var above []string
	if len(l.entries) > 0 && l.h > 1 {
		heads := " " + joined(l.cells(func(c column, _ int) string { return c.head }))
		above = append(above, st.Dim.Apply(text.Pad(text.Truncate(heads, l.w, ""), l.w)))
	}
	return l.cursor.Draw(above, l.w, l.h, none, func(i int) string { return l.row(i, focused) })
}

// row draws a row of the list.
func (l *list) row(i int, focused bool) string {
	st, e := l.env.Styles, l.entries[i]
	at, _ := l.cursor.At()
	mark, paint := " ", st.Text
	if e.kind == store {
		switch r := l.rows[e.at]; {
		case !readable(r) || l.screen.problem[r.Path] != "":
			paint = st.Warning
		case l.isEmpty(r):
			paint = st.Dim
		case r.Real != "" && r.Real == l.screen.Opened():
			paint = st.Bold
		}
	} else if e.kind == heading {
		paint = st.Bold
	}
	if i == at {
		mark, paint = st.Glyphs.Cursor, st.SelectedBlur
		if focused {
			paint = st.Selected
		}
	}
	row := ui.Row{Room: l.w}
	row.Put(mark, paint)
	if e.kind != store {
		row.PutPadded(text.Truncate(l.text(e), row.Room, st.Glyphs.Ellipsis), row.Room, paint)
		return row.String()
	}
	r := l.rows[e.at]
	for n, cell := range l.cells(l.of(r)) {
		own := paint
		if cell.paint != nil && i != at {
			own = cell.paint(l, r, paint)
		}
		if n > 0 {
			row.Put("  ", paint)
		}
		row.Put(cell.says, own)
	}
	row.PutPadded("", row.Room, paint)
	return row.String()
}

// text is a row without paint.
func (l *list) text(e entry) string {
	switch e.kind {
	case heading:
		return l.headingText(e)
	case offer:
		o := l.screen.Offers[e.at]
		return text.Pad(o.Name, agentWidth) + "  " + o.Text
	}
	r := l.rows[e.at]
	return joined(l.cells(l.of(r)))
}

// shared are the documents that several stores have, of all agents or of one: sums count them once.
func (l *list) shared(agent string) *overview.Shared {
	var rows []overview.Row
	for _, r := range l.rows {
		if agent == "" || r.Agent == agent {
			rows = append(rows, r.Row)
		}
	}
	return overview.SharedBy(rows)
}

// headingText sums up an agent.
func (l *list) headingText(e entry) string {
	st := l.env.Styles
	sign := st.Glyphs.Expanded
	if l.folded[e.agent] {
		sign = st.Glyphs.Collapsed
	}
	shared := l.shared(e.agent)
	files, twice := shared.Twice()
	stores, notes, bytes := 0, -files, -twice
	var rows []overview.Row
	for _, r := range l.rows {
		if r.Agent == e.agent && (l.empty || !l.isEmpty(r)) {
			stores, notes, bytes = stores+1, notes+r.Files, bytes+r.Bytes
			rows = append(rows, r.Row)
		}
	}
	out := fmt.Sprintf("%s %s  %s, %s, %s", sign, text.Clean(agentName(e.agent)), ui.Count(stores, "store"),
		ui.CountGrouped(notes, "note"), memstore.FormatSize(memstore.Docs, bytes))
	if sum := shared.Sum(rows); sum != (overview.Tally{}) {
		out += ", " + waiting(sum)
	}
	return out
}
