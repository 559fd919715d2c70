package stores

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// column is a part of a row, from a width of the list on.
type column struct {
	head  string
	width int // 0: what the others leave
	from  int
	until int // and below this one; 0: in any
	right bool
	text  func(*list, Row) string                             // nil: the project, fitted
	paint func(l *list, r Row, paint theme.Paint) theme.Paint // nil: that of the row
}

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

var columns = []column{
	{head: "agent", width: shortAgent, from: 34, until: named, text: func(_ *list, r Row) string { return shortName(r.Agent) }},
	{head: "agent", width: agentWidth, from: named, text: func(_ *list, r Row) string { return agentName(r.Agent) }},
	{head: "project"},
	{head: "notes", width: 6, from: 44, right: true, text: notes},
	{head: "size", width: 6, from: 100, right: true, text: size},
	{head: "changed", width: 10, from: 50, text: func(l *list, r Row) string { return ago(r.Newest, l.env.Now()) }},
	{
		head: "new", width: 3, from: 34, right: true, text: func(_ *list, r Row) string { return some(r.Unread) },
		paint: func(l *list, _ Row, _ theme.Paint) theme.Paint { return l.env.Styles.Unread },
	},
	{
		head: "due", width: 3, from: 76, right: true, text: func(_ *list, r Row) string { return some(r.Due) },
		paint: func(l *list, _ Row, _ theme.Paint) theme.Paint { return l.env.Styles.Warning },
	},
	{
		head: "sec", width: 3, from: 76, right: true, text: func(_ *list, r Row) string { return some(r.Secrets) },
		paint: func(l *list, _ Row, _ theme.Paint) theme.Paint { return l.env.Styles.Error },
	},
	{head: "load", width: loadlimit.BarCells, from: 38, text: bar, paint: barPaint},
	{head: "at start", width: 13, from: wide, text: numbers, paint: gaugePaint},
	{head: "state", width: 13, from: stated, text: func(l *list, r Row) string { return l.state(r) }, paint: statePaint},
}

// shortName is the name of an agent in a narrow list.
func shortName(agent string) string {
	return text.Truncate(strings.ReplaceAll(text.Clean(agentName(agent)), " ", ""), shortAgent, "")
}

func notes(_ *list, r Row) string {
	switch {
	case r.Missing:
		return ""
	case r.More:
		return fmt.Sprintf("%d+", r.Files)
	}
	return strconv.Itoa(r.Files)
}

func size(_ *list, r Row) string {
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
func bar(l *list, r Row) string {
	switch start := r.Row.Start; {
	case l.w < stated && l.needs(r):
		return l.state(r)
	case start == nil && r.Load.OnDemand() && r.Done&overview.LoadPart != 0 && readable(r):
		return "on demand"
	case start == nil || l.w >= wide && start.Gauge.Level() == loadlimit.Unlimited:
		return ""
	case start.Gauge.Level() == loadlimit.Unlimited:
		return start.Gauge.Numbers()
	default:
		return start.Gauge.Bar()
	}
}

// numbers are those of the load.
func numbers(_ *list, r Row) string {
	if r.Row.Start == nil {
		return ""
	}
	return r.Row.Start.Gauge.Numbers()
}

func barPaint(l *list, r Row, paint theme.Paint) theme.Paint {
	if l.w < stated && l.needs(r) {
		return statePaint(l, r, paint)
	}
	return gaugePaint(l, r, paint)
}

func gaugePaint(l *list, r Row, _ theme.Paint) theme.Paint {
	if r.Row.Start == nil {
		return l.env.Styles.Dim
	}
	return ui.GaugePaint(r.Row.Start.Gauge, l.env.Styles)
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

func statePaint(l *list, r Row, paint theme.Paint) theme.Paint {
	switch r.State {
	case overview.Unreadable, overview.Missing, overview.Damaged:
		return l.env.Styles.Error
	case overview.OverLimit:
		if isCut(r) {
			return l.env.Styles.Error
		}
		return l.env.Styles.Warning
	case overview.Stranded, overview.Waiting, overview.OutOfStep, overview.NotLoaded:
		return l.env.Styles.Warning
	}
	return paint
}

// isCut reports whether a session doesn't load all of a store, because of a limit.
func isCut(r Row) bool { return r.Row.Start != nil && r.Row.Start.Gauge.Level() == loadlimit.Past }

// fits reports whether a list of a width has the column.
func (c *column) fits(w int) bool { return w >= c.from && (c.until == 0 || w < c.until) }

// cell is the text of a column, padded to its width.
type cell struct {
	column
	says string
}

// cells are the columns that fit into the width of the list, without the mark of the cursor.
func (l *list) cells(of func(c column, width int) string) []cell {
	room, gaps := l.w-1, -2
	for _, c := range columns {
		if c.fits(l.w) {
			room, gaps = room-c.width, gaps+2
		}
	}
	room = max(8, room-gaps)
	ellipsis := l.env.Styles.Glyphs.Ellipsis
	var cells []cell
	for _, c := range columns {
		if !c.fits(l.w) {
			continue
		}
		width := cmp.Or(c.width, room)
		said := text.Truncate(text.Clean(of(c, width)), width, ellipsis)
		if c.right {
			said = text.PadLeft(said, width)
		}
		cells = append(cells, cell{c, text.Pad(said, width)})
	}
	return cells
}

// of is what a row says in a column of a width.
func (l *list) of(r Row) func(column, int) string {
	return func(c column, width int) string {
		if c.text == nil {
			return l.fitted(r, width)
		}
		return c.text(l, r)
	}
}

// fitted is what the memory is about, in at most width cells: the name of the project whole, while a third is left for what differs
// between its stores. The folders around the project are cut first, then the rest.
func (l *list) fitted(r Row, width int) string {
	label, ellipsis := text.Clean(l.project(r)), l.env.Styles.Glyphs.Ellipsis
	if text.Width(label) <= width {
		return label
	}
	label = strings.Replace(label, ", subagent ", ", ", 1)
	at := strings.Index(label, ", ")
	if r.Kind == discover.KindChain {
		at = strings.LastIndex(label, " ")
	}
	if at < 0 {
		at = len(label)
	}
	path, rest := label[:at], label[at:]
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	rest = text.Truncate(rest, max(width/3, width-text.Width(name)), ellipsis)
	room := width - text.Width(rest)
	switch {
	case text.Width(path) <= room:
	case text.Width(name)+text.Width(ellipsis) < room:
		path = text.TruncateLeft(path, room, ellipsis)
	case text.Width(name) <= room:
		path = name
	default: // names that begin the same often differ at the end
		end := (room - text.Width(ellipsis)) / 2
		path = text.Truncate(name, room-end, ellipsis) + text.TruncateLeft(name, end, "")
	}
	return path + rest
}

// joined is the row of cells without paint.
func joined(cells []cell) string {
	parts := make([]string, len(cells))
	for i, c := range cells {
		parts[i] = c.says
	}
	return strings.Join(parts, "  ")
}

// ago is how long ago something was, as far as it is short: 10 s ago, 2 min ago, 3 h ago, yesterday, Thu, 8 Nov, Nov 2025; "" for never.
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
		return strconv.Itoa(int(since/time.Second)) + " s ago"
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
