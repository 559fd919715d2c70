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
)

const (
	agentWidth = 11
	shortAgent = 6
)

// allColumns is the width that shows all columns, with room for the names of projects.
const allColumns = 112

// named is the width from which the names of the agents have their room. In a narrower list they are short.
const named = 70

// columns are those of the stores.
func (l *list) columns() []kit.Column[entry] {
	text := func(says func(Row) string) func(entry) string { return func(e entry) string { return says(e.row) } }
	waits := func(of func(Row) *int) func(entry) string { return func(e entry) string { return some(of(e.row)) } }
	paint := func(of func(*theme.Styles) theme.Paint) func(entry, *theme.Styles) theme.Paint {
		return func(_ entry, st *theme.Styles) theme.Paint { return of(st) }
	}
	return []kit.Column[entry]{
		{Head: "agent", Most: 18, From: 34, Text: text(l.agent)},
		{Head: "project", Ends: true, Text: text(l.shortProject)},
		{Head: "notes", Width: 6, From: 44, Right: true, Text: text(notes)},
		{Head: "size", Width: 6, From: 100, Right: true, Text: text(size)},
		{Head: "changed", Width: 10, From: 50, Text: text(func(r Row) string { return ago(r.Newest, l.env.Now()) })},
		{Head: "new", Width: 3, From: 34, Right: true, Text: waits(func(r Row) *int { return r.Unread }),
			Paint: paint(func(st *theme.Styles) theme.Paint { return st.Unread })},
		{Head: "due", Width: 3, From: 76, Right: true, Text: waits(func(r Row) *int { return r.Due }), Paint: paint(warned)},
		{Head: "sec", Width: 3, From: 76, Right: true, Text: waits(func(r Row) *int { return r.Secrets }),
			Paint: paint(func(st *theme.Styles) theme.Paint { return st.Error })},
		{Head: "load", Width: loadlimit.BarCells, From: 38, Text: text(l.load), Paint: l.loadPaint},
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

// needs reports whether a store has a condition that the user has to see in place of its load.
func (l *list) needs(r Row) bool {
	return r.State != overview.OK || l.screen.problem[r.Path] != "" || isCut(r)
}

// load is how much of its limit a store uses as a session starts, or its condition.
func (l *list) load(r Row) string {
	switch start := r.Row.Start; {
	case l.needs(r):
		return l.state(r)
	case start != nil && start.Gauge.Level() == loadlimit.Unlimited:
		return start.Gauge.Numbers()
	case start != nil:
		return start.Gauge.Bar()
	case r.Load.OnDemand() && r.Done&overview.LoadPart != 0 && readable(r):
		return "on demand"
	}
	return ""
}

// state is the condition of a store in a word or two.
func (l *list) state(r Row) string {
	switch {
	case r.Missing && r.Lost == nil:
		return "missing"
	case l.screen.problem[r.Path] != "":
		return "not opened"
	case r.State == overview.OverLimit && isCut(r):
		return strings.Replace(r.Row.Start.Gauge.State(), " characters ", " chars ", 1)
	}
	return string(r.State)
}

func (l *list) loadPaint(e entry, st *theme.Styles) theme.Paint {
	r := e.row
	switch {
	case r.State == overview.Unreadable, r.State == overview.Missing, r.State == overview.Damaged, isCut(r):
		return st.Error
	case l.needs(r):
		return st.Warning
	case r.Row.Start == nil:
		return st.Dim
	}
	return kit.GaugePaint(r.Row.Start.Gauge, st)
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
