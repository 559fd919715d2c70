package stores

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/kit"
	"memcurator/tui/ui"
)

const (
	agentWidth = 11
	shortAgent = 6
)

// wide is the width of the list from which the load has its numbers, too.
const wide = 112

// stated is the width from which the condition of a store has a column. In a narrower list a store in need says it in place of its load.
const stated = 100

// allColumns is the width that shows all columns, with room for the names of projects.
const allColumns = 128

// named is the width from which the names of the agents have their room. In a narrower list they are short.
const named = 70

// columns are those of the stores.
func (l *list) columns() []kit.Column[entry] {
	column := func(head string, width, from int, says func(Row) string) kit.Column[entry] {
		return kit.Column[entry]{Head: head, Width: width, From: from, Text: func(e entry) string { return says(e.row) }}
	}
	number := func(head string, width, from int, says func(Row) string, paint func(*theme.Styles) theme.Paint) kit.Column[entry] {
		c := column(head, width, from, says)
		c.Right = true
		if paint != nil {
			c.Paint = func(_ entry, st *theme.Styles) theme.Paint { return paint(st) }
		}
		return c
	}
	painted := func(c kit.Column[entry], paint func(entry, *theme.Styles) theme.Paint) kit.Column[entry] {
		c.Paint = paint
		return c
	}
	agent, project := column("agent", 0, 34, l.agent), column("project", 0, 0, l.shortProject)
	agent.Most, project.Ends = 18, true
	return []kit.Column[entry]{
		agent,
		project,
		number("notes", 6, 44, notes, nil),
		number("size", 6, 100, size, nil),
		column("changed", 10, 50, func(r Row) string { return ago(r.Newest, l.env.Now()) }),
		number("new", 3, 34, func(r Row) string { return some(r.Unread) }, func(st *theme.Styles) theme.Paint { return st.Unread }),
		number("due", 3, 76, func(r Row) string { return some(r.Due) }, func(st *theme.Styles) theme.Paint { return st.Warning }),
		number("sec", 3, 76, func(r Row) string { return some(r.Secrets) }, func(st *theme.Styles) theme.Paint { return st.Error }),
		painted(column("load", loadlimit.BarCells, 38, l.bar), l.barPaint),
		painted(column("at start", 13, wide, numbers), gaugePaint),
		painted(column("state", 13, stated, l.state), l.statePaint),
	}
}

// agent is the name of the agent of a store, short in a narrow list.
func (l *list) agent(r Row) string {
	if l.Width() < named {
		return shortName(r.Agent)
	}
	return agentName(r.Agent)
}

// shortProject is what the memory is about, without the folders around it in a narrow list.
func (l *list) shortProject(r Row) string {
	label := l.project(r)
	if l.Width() < 50 {
		label = label[strings.LastIndexAny(label, `/\`)+1:]
	}
	return label
}

// shortName is the name of an agent in a narrow list.
func shortName(agent string) string {
	return text.Truncate(strings.ReplaceAll(text.Clean(agentName(agent)), " ", ""), shortAgent, "")
}

func notes(r Row) string {
	switch {
	case r.Missing:
		return ""
	case r.More:
		return fmt.Sprintf("%d+", r.Files)
	}
	return strconv.Itoa(r.Files)
}

func size(r Row) string {
	if r.Missing {
		return ""
	}
	return memstore.FormatSize(memstore.Docs, r.Bytes)
}

// some is a count in three cells; "" for nothing, or while it is unknown.
func some(n *int) string {
	switch {
	case count(n) == 0:
		return ""
	case *n > 99:
		return "99+"
	}
	return strconv.Itoa(*n)
}

// needs reports whether a store has a condition that the user has to see in a list of any width.
func (l *list) needs(r Row) bool {
	return r.State != overview.OK || l.screen.problem[r.Path] != "" || isCut(r)
}

// bar shows how much of its limit the load uses.
func (l *list) bar(r Row) string {
	switch start := r.Row.Start; {
	case l.Width() < stated && l.needs(r):
		return l.state(r)
	case start == nil && r.Load.OnDemand() && r.Done&overview.LoadPart != 0 && readable(r):
		return "on demand"
	case start == nil || l.Width() >= wide && start.Gauge.Level() == loadlimit.Unlimited:
		return ""
	case start.Gauge.Level() == loadlimit.Unlimited:
		return start.Gauge.Numbers()
	default:
		return start.Gauge.Bar()
	}
}

// numbers are those of the load.
func numbers(r Row) string {
	if r.Row.Start == nil {
		return ""
	}
	return r.Row.Start.Gauge.Numbers()
}

func (l *list) barPaint(e entry, st *theme.Styles) theme.Paint {
	if l.Width() < stated && l.needs(e.row) {
		return l.statePaint(e, st)
	}
	return gaugePaint(e, st)
}

func gaugePaint(e entry, st *theme.Styles) theme.Paint {
	if e.row.Row.Start == nil {
		return st.Dim
	}
	return ui.GaugePaint(e.row.Row.Start.Gauge, st)
}

// state is the condition of a store in a word or two.
func (l *list) state(r Row) string {
	switch {
	case r.Missing && r.Lost == nil:
		return "missing"
	case l.screen.problem[r.Path] != "":
		return "not opened"
	case r.Real != "" && r.Real == l.screen.Opened() && r.State == overview.OK:
		return "open"
	case r.State == overview.OverLimit && isCut(r):
		return strings.Replace(r.Row.Start.Gauge.State(), " characters ", " chars ", 1)
	}
	return string(r.State)
}

func (l *list) statePaint(e entry, st *theme.Styles) theme.Paint {
	switch e.row.State {
	case overview.Unreadable, overview.Missing, overview.Damaged:
		return st.Error
	case overview.OverLimit:
		if isCut(e.row) {
			return st.Error
		}
		return st.Warning
	case overview.Stranded, overview.Waiting, overview.OutOfStep, overview.NotLoaded:
		return st.Warning
	}
	return l.paint(e, st)
}

// isCut reports whether a session doesn't load all of a store, because of a limit.
func isCut(r Row) bool { return r.Row.Start != nil && r.Row.Start.Gauge.Level() == loadlimit.Past }

// ago is how long ago something was, as far as it is short: just now, 2 min ago, 3 h ago, yesterday, Thu, 8 Nov, Nov 2025; "" for never.
func ago(at, now time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(now.Location())
	y, m, d := now.Date()
	midnight := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	switch since := now.Sub(at); {
	case since < 0 && at.Year() == y:
		return at.Format("2 Jan")
	case since < 0:
		return at.Format("Jan 2006")
	case since < time.Minute:
		return "just now"
	case since < time.Hour:
		return strconv.Itoa(int(since/time.Minute)) + " min ago"
	case !at.Before(midnight):
		return fmt.Sprintf("%d h ago", since/time.Hour)
	case !at.Before(midnight.AddDate(0, 0, -1)):
		return "yesterday"
	case !at.Before(midnight.AddDate(0, 0, -6)):
		return at.Format("Mon")
	case at.Year() == y:
		return at.Format("2 Jan")
	}
	return at.Format("Jan 2006")
}
