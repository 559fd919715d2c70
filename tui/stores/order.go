package stores

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/loadlimit"
	"memcurator/tui/ui"
)

// order is how the list is sorted.
type order struct {
	name   string
	before func(a, b Row) int
}

// agentOrder groups the list.
const agentOrder = "agent"

var orders = []order{
	{"last change", func(a, b Row) int { return b.Newest.Compare(a.Newest) }},
	{agentOrder, func(a, b Row) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.Agent), strings.ToLower(b.Agent)), b.Newest.Compare(a.Newest))
	}},
	{"project", func(a, b Row) int { return 0 }}, // by what is shown, see [list.sort]
	{"notes", func(a, b Row) int { return cmp.Compare(b.Files, a.Files) }},
	{"size", func(a, b Row) int { return cmp.Compare(b.Bytes, a.Bytes) }},
	{"unread", func(a, b Row) int { return cmp.Compare(count(b.Unread), count(a.Unread)) }},
	{"need", func(a, b Row) int { return cmp.Or(cmp.Compare(urgency(a), urgency(b)), b.Newest.Compare(a.Newest)) }},
	{"load", func(a, b Row) int { return cmp.Or(cmp.Compare(share(b), share(a)), cmp.Compare(tokens(b), tokens(a))) }},
}

// count is a number of a row; 0 where it is unknown.
func count(n *int) int {
	if n == nil {
		return 0
	}
	return *n
}

// share is how much of its limit the load of a store uses: below 0 where it has no limit, and the least where nothing is known of it.
func share(r Row) float64 {
	switch {
	case r.Row.Start == nil:
		return -2
	case r.Row.Start.Gauge.Level() == loadlimit.Unlimited:
		return -1
	}
	return r.Row.Start.Gauge.Share()
}

// tokens are how many tokens a session starts with, about.
func tokens(r Row) int64 {
	if r.Row.Start == nil {
		return 0
	}
	return r.Row.Start.Tokens
}

func (l *list) sort(shown []int) {
	before := l.order.before
	if l.order.name == "project" {
		before = func(a, b Row) int { return cmp.Compare(strings.ToLower(l.project(a)), strings.ToLower(l.project(b))) }
	}
	slices.SortStableFunc(shown, func(a, b int) int { return before(l.rows[a], l.rows[b]) })
}

func (l *list) nextOrder() tea.Cmd {
	at := slices.IndexFunc(orders, func(o order) bool { return o.name == l.order.name })
	to := l.last()
	l.order = orders[(at+1)%len(orders)]
	l.arrangeFrom(to)
	l.screen.shell.Tell(ui.Info, "Sorted by "+l.order.name)
	return l.screen.detail.refresh()
}
