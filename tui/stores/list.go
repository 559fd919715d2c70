package stores

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
)

// entry is a row of the list: a store or an offer.
type entry struct {
	row   Row
	offer Offer // without a name: it is a store
}

func (e entry) isOffer() bool { return e.offer.Name != "" }

// key identifies a row.
func (e entry) key() string { return e.offer.Name + "\n" + e.row.Path }

// list is the pane of the stores.
type list struct {
	*kit.Table[entry]
	screen *Screen
	env    *kit.Env

	rows   []Row             // as they were found
	seen   map[string]bool   // the paths that were reported since they are listed again
	labels map[string]string // of the rows, by path
	moved  bool              // by the user: the cursor stays on its row when others come in front of it
}

// allColumns is the width that shows all columns, with room for the names of projects.
const allColumns = 112

// offerWidth is how many cells the name of an offer takes.
const offerWidth = 11

func newList(s *Screen) *list {
	l := &list{screen: s, env: s.env}
	store := func(says func(Row) string) func(entry) string { return func(e entry) string { return says(e.row) } }
	l.Table = kit.NewTable(s.env, kit.Spec[entry]{
		Title:  "stores",
		Scope:  keymap.Stores,
		Key:    entry.key,
		Words:  l.words,
		Hidden: func(e entry) bool { return !e.isOffer() && l.isEmpty(e.row) },
		HiddenText: func(n int) string {
			return kit.Count(n, "store without notes", "stores without notes") + "  ({list/show-hidden} shows)"
		},
		Todo:   func(e entry) bool { return count(e.row.Unread) > 0 },
		NoTodo: "No store has unread changes",
		Terms:  []kit.Term[entry]{{Key: "is", Values: []string{"missing", "stranded", "over", "due", "not-loaded", "unread"}, Fits: is}},
		Orders: []kit.Order[entry]{
			{Name: "last change", Compare: byChange},
			{Name: "agent", Compare: func(a, b entry) int {
				return cmp.Or(byOffer(a, b), strings.Compare(a.row.Agent, b.row.Agent), byChange(a, b))
			}},
		},
		Columns: []kit.Column[entry]{
			{Head: "agent", Most: 18, From: 34, Text: store(func(r Row) string { return agentName(r.Agent) })},
			{Head: "project", Ends: true, Text: store(l.project)},
			{Head: "files", Width: 7, From: 44, Right: true, Text: store(notes)},
			{Head: "size", Width: 6, From: 100, Right: true, Text: store(size)},
			{Head: "changed", Width: 10, From: 50, Text: store(func(r Row) string { return ago(r.Newest, l.env.Now()) })},
			{Head: "new", Width: 3, From: 34, Right: true, Text: store(func(r Row) string { return l.known(r, r.Unread) }),
				Paint: func(_ entry, st *theme.Styles) theme.Paint { return st.Unread }},
			{Head: "due", Width: 3, From: 76, Right: true, Text: store(func(r Row) string { return l.known(r, r.Due) }),
				Paint: func(_ entry, st *theme.Styles) theme.Paint { return st.Warning }},
			{Head: "sec", Width: 3, From: 76, Right: true, Text: store(func(r Row) string { return l.known(r, r.Secrets) }),
				Paint: func(_ entry, st *theme.Styles) theme.Paint { return st.Error }},
			{Head: "load", Width: loadlimit.BarCells, From: 38, Text: store(load), Paint: loadPaint},
		},
		Whole: func(e entry) string {
			if !e.isOffer() {
				return ""
			}
			return text.Pad(e.offer.Name, offerWidth) + "  " + e.offer.Text
		},
		Paint: l.paint,
		Empty: l.emptyText,
		Path:  func(e entry) string { return cmp.Or(e.row.Real, e.row.Path) },
		Open:  s.open,
		Moved: func() tea.Cmd {
			l.moved, s.wanted = true, ""
			s.detail.fill()
			return nil
		},
		More: []kit.Action{
			{ID: keymap.Open, Keys: "enter", Help: "open the store", Hint: "open"},
			{ID: keymap.Right, Run: func() tea.Cmd { return s.shell.FocusDetail() }},
		},
	})
	return l
}

// open opens a store, or carries out an offer.
func (s *Screen) open(e entry) tea.Cmd {
	return s.opener.Choose(Choice{Path: e.row.Path, Real: e.row.Real, Offer: e.offer.Name})
}

// byOffer sorts the offers below the stores.
func byOffer(a, b entry) int { return cmp.Compare(a.offer.Name, b.offer.Name) }

// byChange sorts the stores that changed last first.
func byChange(a, b entry) int { return cmp.Or(byOffer(a, b), b.row.Newest.Compare(a.row.Newest)) }

// is reports whether a row is a store with a need that the filter knows.
func is(e entry, need string) bool {
	r := e.row
	switch need {
	case "missing":
		return r.Missing
	case "stranded":
		return r.Has(overview.Stranded)
	case "over":
		return r.State == overview.OverLimit || isCut(r)
	case "due":
		return count(r.Due) > 0
	case "not-loaded":
		return r.Has(overview.NotLoaded)
	}
	return count(r.Unread) > 0
}

// words are what a filter and "/" look for words in.
func (l *list) words(e entry) string {
	if e.isOffer() {
		return strings.ToLower(e.offer.Name + "\n" + e.offer.Text)
	}
	r := e.row
	return strings.ToLower(strings.Join([]string{r.Name, r.Agent, l.project(r), l.screen.source.Title(r.Path)}, "\n"))
}

// Name implements [kit.Named].
func (l *list) Name() string {
	e, ok := l.Current()
	if !ok {
		return ""
	}
	return cmp.Or(e.offer.Name, text.Clean(l.project(e.row)))
}

// take lists the stores found so far. The cursor stays on its row. What was known of a store stays until all of it is known again.
func (l *list) take(rows []Row) {
	for _, r := range rows {
		l.seen[r.Path] = true
		switch i := slices.IndexFunc(l.rows, func(was Row) bool { return was.Path == r.Path }); {
		case i < 0:
			l.rows = append(l.rows, r)
		case r.Done || !l.rows[i].Done:
			l.rows[i] = r
		}
	}
	l.show()
}

// keepSeen drops the rows of stores that are gone, at the end of a listing.
func (l *list) keepSeen() {
	l.rows = slices.DeleteFunc(slices.Clone(l.rows), func(r Row) bool { return !l.seen[r.Path] })
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
	for _, r := range l.rows {
		if at != "" && (r.Path == at || r.Real == at) && l.GoTo(entry{row: r}.key()) {
			l.moved = true
			return true
		}
	}
	return false
}

// show lists the stores and the offers.
func (l *list) show() {
	found := make([]discover.Found, len(l.rows))
	entries := make([]entry, len(l.rows))
	for i, r := range l.rows {
		found[i], entries[i] = r.Found, entry{row: r}
	}
	l.labels = map[string]string{}
	for i, label := range discover.Labels(found, l.screen.source.Title) {
		l.labels[found[i].Path] = label
	}
	for _, o := range l.screen.offers {
		entries = append(entries, entry{offer: o})
	}
	if l.Set(entries); !l.moved {
		l.First()
	}
}

// isEmpty reports whether a store has no notes, and no other reason to be listed: the user named it, it can't be read, or it is open.
func (l *list) isEmpty(r Row) bool {
	return r.Files == 0 && !r.More && !r.Missing && r.Problem == "" && r.Name == "" && (r.Real == "" || r.Real != l.screen.opener.Opened())
}

// place counts what is listed.
func (l *list) place() string {
	switch {
	case !l.screen.known:
		return ""
	case l.Filter() != "":
		return l.Matches()
	}
	return kit.CountGrouped(len(l.rows), "store")
}

// emptyText explains an empty list.
func (l *list) emptyText() string {
	switch {
	case !l.screen.known:
		return "Looking for stores..."
	case l.Filter() != "":
		return l.env.Keyed(fmt.Sprintf("No rows match %q. {global/back} clears", l.Filter()))
	}
	return "No stores on this machine"
}

// project is what the memory is about.
func (l *list) project(r Row) string {
	if label, listed := l.labels[r.Path]; listed {
		return label
	}
	return r.Label(l.screen.source.Title)
}

// agentName is the agent of a store.
func agentName(agent string) string { return cmp.Or(agent, "other") }

// paint is that of a row.
func (l *list) paint(e entry, st *theme.Styles) theme.Paint {
	switch r := e.row; {
	case e.isOffer():
		return st.Text
	case !readable(r):
		return st.Warning
	case l.isEmpty(r):
		return st.Dim
	case r.Real != "" && r.Real == l.screen.opener.Opened():
		return st.Bold
	}
	return st.Text
}

func notes(r Row) string {
	switch {
	case r.Missing:
		return ""
	case r.More:
		return kit.Number(r.Files) + "+"
	}
	return kit.Number(r.Files)
}

func size(r Row) string {
	if r.Missing {
		return ""
	}
	return memstore.FormatSize(memstore.Docs, r.Bytes)
}

// count is a number of a row; 0 where it is unknown.
func count(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// known is a count of a row in three cells; "" for nothing.
func (l *list) known(r Row, n *int) string {
	switch {
	case n == nil && !r.Done:
		return l.env.Styles.Glyphs.Ellipsis
	case count(n) == 0:
		return ""
	case *n > 99:
		return "99+"
	}
	return kit.Number(*n)
}

// load is how much of its limit a store uses as a session starts, or its condition.
func load(r Row) string {
	start := r.Start
	switch {
	case r.Missing:
		return "missing"
	case isCut(r) && (r.State == overview.OK || r.State == overview.OverLimit):
		return strings.Replace(start.Gauge.State(), " characters ", " chars ", 1)
	case r.State != overview.OK:
		return string(r.State)
	case start != nil && start.Gauge.Level() == loadlimit.Unlimited:
		return start.Gauge.Numbers()
	case start != nil:
		return start.Gauge.Bar()
	case r.Load.OnDemand() && r.Done:
		return "on demand"
	}
	return ""
}

func loadPaint(e entry, st *theme.Styles) theme.Paint {
	switch r := e.row; {
	case !readable(r), r.State == overview.Damaged, isCut(r):
		return st.Error
	case r.State != overview.OK:
		return st.Warning
	case r.Start == nil:
		return st.Dim
	default:
		return kit.GaugePaint(r.Start.Gauge, st)
	}
}

// isCut reports whether a session doesn't load all of a store, because of a limit.
func isCut(r Row) bool { return r.Start != nil && r.Start.Gauge.Level() == loadlimit.Past }

// readable reports whether the notes of a store can be read, as far as that is known.
func readable(r Row) bool { return r.State != overview.Unreadable }

// ago is how long ago something was, as far as it is short: just now, 2 min ago, 3 h ago, yesterday, Thu, 8 Nov, Nov 2025; "" for never.
func ago(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(now.Location())
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch since := now.Sub(at); {
	case since >= 0 && since < time.Minute:
		return "just now"
	case since >= 0 && since < time.Hour:
		return fmt.Sprintf("%d min ago", since/time.Minute)
	case since >= 0 && !at.Before(midnight):
		return fmt.Sprintf("%d h ago", since/time.Hour)
	case since >= 0 && !at.Before(midnight.AddDate(0, 0, -1)):
		return "yesterday"
	case since >= 0 && !at.Before(midnight.AddDate(0, 0, -6)):
		return at.Format("Mon")
	case at.Year() == y:
		return at.Format("2 Jan")
	}
	return at.Format("Jan 2006")
}
