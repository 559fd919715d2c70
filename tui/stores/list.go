package stores

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/discover"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// kind is the kind of a row of the list.
type kind uint8

const (
	store kind = iota
	heading
	offer
)

// entry is a row of the list: a store, the heading of an agent with its stores below it, or an offer.
type entry struct {
	kind  kind
	agent string // of a store or a heading
	row   Row
	below []entry
	offer Offer
}

// key identifies a row.
func (e entry) key() string {
	switch e.kind {
	case heading:
		return "heading " + e.agent
	case offer:
		return "offer " + e.offer.Name
	}
	return storeKey(e.row.Path)
}

// storeKey is the key of a store.
func storeKey(path string) string { return "store " + path }

// list is the pane of the stores.
type list struct {
	*kit.Table[entry]
	screen *Screen
	env    *kit.Env

	rows   []Row             // as they were found
	labels map[string]string // of the rows, by path
	moved  bool              // by the user: the cursor stays on its row when others come in front of it
}

func newList(s *Screen) *list {
	l := &list{screen: s, env: s.env}
	l.Table = kit.NewTable(s.env, kit.Spec[entry]{
		Title:   "stores",
		Scope:   keymap.Stores,
		Key:     entry.key,
		Words:   l.words,
		Below:   func(e entry) []entry { return e.below },
		Heading: func(e entry) bool { return e.kind == heading },
		Hidden:  func(e entry) bool { return e.kind == store && l.isEmpty(e.row) },
		HiddenText: func(n int) string {
			return kit.Count(n, "store without notes", "stores without notes") + "  ({list/show-hidden} shows)"
		},
		NoTodo:  "No store has unread changes",
		Terms:   []kit.Term[entry]{{Key: "is", Values: needNames(), Fits: fitsNeed}},
		Orders:  l.orders(),
		Columns: l.columns(),
		Whole:   l.whole,
		Paint:   l.paint,
		Empty:   s.emptyText,
		Path:    func(e entry) string { return cmp.Or(e.row.Real, e.row.Path) },
		Open:    s.openEntry,
		Moved: func() tea.Cmd {
			l.moved, s.wanted = true, ""
			return s.detail.refresh()
		},
		More: []kit.Action{{ID: keymap.Right, Run: l.right}},
	})
	return l
}

// words are what a filter and "/" look for words in.
func (l *list) words(e entry) string {
	said := []string{e.row.Name, e.agent, l.project(e.row), l.screen.Title(e.row.Path)}
	switch e.kind {
	case heading:
		said = []string{agentName(e.agent)}
	case offer:
		said = []string{e.offer.Name, e.offer.Text}
	}
	return strings.ToLower(strings.Join(said, "\n"))
}

// Name implements [kit.Named].
func (l *list) Name() string {
	e, ok := l.Current()
	switch {
	case !ok:
		return ""
	case e.kind == heading:
		return text.Clean(agentName(e.agent))
	case e.kind == offer:
		return e.offer.Name
	}
	return text.Clean(l.project(e.row))
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
	l.show()
}

// keep drops the rows of stores that are gone.
func (l *list) keep(listed func(Row) bool) {
	l.rows = slices.DeleteFunc(slices.Clone(l.rows), func(r Row) bool { return !listed(r) })
	l.show()
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

// goTo moves the cursor to a store, by its path or its place on the disk; false: it is not listed.
func (l *list) goTo(at string) bool {
	i := slices.IndexFunc(l.rows, func(r Row) bool { return at != "" && (r.Path == at || r.Real == at) })
	if i < 0 || !l.GoTo(storeKey(l.rows[i].Path)) {
		return false
	}
	l.moved = true
	return true
}

// show lists the stores below their agents, and the offers.
func (l *list) show() {
	found := make([]discover.Found, len(l.rows))
	for i := range l.rows {
		found[i] = l.rows[i].Found
	}
	l.labels = make(map[string]string, len(l.rows))
	for i, label := range discover.Labels(found, l.screen.Title) {
		l.labels[found[i].Path] = label
	}
	var entries []entry
	at := map[string]int{} // the headings, by agent
	for _, r := range l.rows {
		i, known := at[r.Agent]
		if !known {
			i = len(entries)
			at[r.Agent] = i
			entries = append(entries, entry{kind: heading, agent: r.Agent})
		}
		entries[i].below = append(entries[i].below, entry{agent: r.Agent, row: r})
	}
	for _, o := range l.screen.Offers {
		entries = append(entries, entry{kind: offer, offer: o})
	}
	l.Set(entries)
	if !l.moved {
		l.First()
	}
}

// isEmpty reports whether a store has no notes, and no other reason to be listed: the user named it, it can't be read, or it is open.
func (l *list) isEmpty(r Row) bool {
	return r.Files == 0 && !r.More && !r.Missing && r.Problem == "" && r.Name == "" && (r.Real == "" || r.Real != l.screen.Opened())
}

// right unfolds an agent, else goes to the pane beside.
func (l *list) right() tea.Cmd {
	if e, ok := l.Current(); ok && e.kind == heading {
		l.Fold(e, false)
		return l.screen.detail.refresh()
	}
	return l.screen.shell.FocusDetail()
}

// place counts what is listed.
func (l *list) place() string {
	switch {
	case !l.screen.known:
		return ""
	case l.Filter() != "":
		return strings.TrimSpace(l.Matches())
	}
	return kit.CountGrouped(len(l.rows), "store")
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

// paint is that of a row.
func (l *list) paint(e entry, st *theme.Styles) theme.Paint {
	switch r := e.row; {
	case e.kind == heading:
		return st.Bold
	case e.kind == offer:
		return st.Text
	case !readable(r) || l.screen.problem[r.Path] != "":
		return st.Warning
	case l.isEmpty(r):
		return st.Dim
	case r.Real != "" && r.Real == l.screen.Opened():
		return st.Bold
	}
	return st.Text
}

// whole is the text of a row without columns.
func (l *list) whole(e entry) string {
	switch e.kind {
	case heading:
		return agentName(e.agent) + "  " + kit.Count(len(e.below), "store")
	case offer:
		return text.Pad(e.offer.Name, agentWidth) + "  " + e.offer.Text
	}
	return ""
}
