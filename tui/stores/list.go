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

// list is the pane of the stores.
type list struct {
	*kit.Table[Row]
	screen *Screen
	env    *kit.Env

	rows   []Row             // as they were found
	seen   map[string]bool   // the paths that were reported since they are listed again
	labels map[string]string // of the rows, by path
	moved  bool              // by the user: the cursor stays on its row when others come in front of it
}

// allColumns is the width that shows all columns, with room for the names of projects.
const allColumns = 112

func newList(s *Screen) *list {
	l := &list{screen: s, env: s.env}
	l.Table = kit.NewTable(s.env, kit.Spec[Row]{
		Title:  "stores",
		Scope:  keymap.Stores,
		Key:    func(r Row) string { return r.Path },
		Words:  l.words,
		Hidden: l.isEmpty,
		HiddenText: func(n int) string {
			return kit.Count(n, "store without notes", "stores without notes") + "  ({list/show-hidden} shows)"
		},
		Todo:   func(r Row) bool { return count(r.Unread) > 0 },
		NoTodo: "No store has unread changes",
		Terms:  []kit.Term[Row]{{Key: "is", Values: []string{"missing", "stranded", "over", "due", "not-loaded", "unread"}, Fits: is}},
		Orders: []kit.Order[Row]{
			{Name: "last change", Compare: byChange},
			{Name: "agent", Compare: func(a, b Row) int {
				return cmp.Or(strings.Compare(a.Agent, b.Agent), byChange(a, b))
			}},
		},
		Columns: []kit.Column[Row]{
			{Head: "agent", Most: 18, From: 34, Text: func(r Row) string { return agentName(r.Agent) }},
			{Head: "project", Ends: true, Text: l.project},
			{Head: "files", Width: 7, From: 44, Right: true, Text: notes},
			{Head: "size", Width: 6, From: 100, Right: true, Text: size},
			{Head: "changed", Width: 10, From: 50, Text: func(r Row) string { return ago(r.Newest, l.env.Now()) }},
			{Head: "new", Width: 3, From: 34, Right: true, Text: func(r Row) string { return l.known(r, r.Unread) },
				Paint: func(_ Row, st *theme.Styles) theme.Paint { return st.Unread }},
			{Head: "due", Width: 3, From: 76, Right: true, Text: func(r Row) string { return l.known(r, r.Due) },
				Paint: func(_ Row, st *theme.Styles) theme.Paint { return st.Warning }},
			{Head: "sec", Width: 3, From: 76, Right: true, Text: func(r Row) string { return l.known(r, r.Secrets) },
				Paint: func(_ Row, st *theme.Styles) theme.Paint { return st.Error }},
			{Head: "load", Width: loadlimit.BarCells, From: 38, Text: load, Paint: loadPaint},
		},
		Paint: l.paint,
		Empty: l.emptyText,
		Path:  func(r Row) string { return cmp.Or(r.Real, r.Path) },
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

func (s *Screen) open(r Row) tea.Cmd {
	return s.opener.Choose(Choice{Path: r.Path, Real: r.Real})
}

// byChange sorts the stores that changed last first.
func byChange(a, b Row) int { return b.Newest.Compare(a.Newest) }

// is reports whether a row is a store with a need that the filter knows.
func is(r Row, need string) bool {
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
func (l *list) words(r Row) string {
	return strings.ToLower(strings.Join([]string{r.Name, r.Agent, l.project(r), l.screen.source.Title(r.Path)}, "\n"))
}

// Name implements [kit.Named].
func (l *list) Name() string {
	r, ok := l.Current()
	if !ok {
		return ""
	}
	return text.Clean(l.project(r))
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
		if at != "" && (r.Path == at || r.Real == at) && l.GoTo(r.Path) {
			l.moved = true
			return true
		}
	}
	return false
}

// show lists the stores.
func (l *list) show() {
	found := make([]discover.Found, len(l.rows))
	for i, r := range l.rows {
		found[i] = r.Found
	}
	l.labels = map[string]string{}
	for i, label := range discover.Labels(found, l.screen.source.Title) {
		l.labels[found[i].Path] = label
	}
	if l.Set(slices.Clone(l.rows)); !l.moved {
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
func (l *list) paint(r Row, st *theme.Styles) theme.Paint {
	switch {
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

func loadPaint(r Row, st *theme.Styles) theme.Paint {
	switch {
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
