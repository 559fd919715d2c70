package stores

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// column is a part of a row, from a width of the list on.
type column struct {
	head  string
	width int // 0: what the others leave
	from  int
	right bool
	text  func(*list, Row) string
}

const agentWidth = 11

var columns = []column{
	{"agent", agentWidth, 60, false, func(_ *list, r Row) string { return agentName(r.Agent) }},
	{"project", 0, 0, false, func(l *list, r Row) string { return l.project(r) }},
	{"notes", 7, 34, true, func(_ *list, r Row) string {
		switch {
		case r.Missing:
			return "gone"
		case r.More:
			return ui.Number(r.Files) + "+"
		}
		return ui.Number(r.Files)
	}},
	{"size", 6, 70, true, func(_ *list, r Row) string {
		if r.Missing {
			return ""
		}
		return memstore.FormatSize(memstore.Docs, r.Bytes)
	}},
	{"changed", 10, 50, false, func(l *list, r Row) string { return ago(r.Newest, l.env.Now()) }},
	{"state", 9, 100, false, func(l *list, r Row) string { return l.state(r) }},
}

// state is the condition of a store in a word.
func (l *list) state(r Row) string {
	switch {
	case r.Missing:
		return "gone"
	case l.screen.problem[r.Path] != "":
		return "failed"
	case r.Real != "" && r.Real == l.screen.Opened():
		return "open"
	case r.Stranded:
		return "stranded"
	}
	return "ok"
}

// cells are the columns that fit into the width of the list, without the mark of the cursor.
func (l *list) cells(of func(column) string) string {
	room, gaps := l.w-1, 0
	for _, c := range columns {
		if l.w >= c.from {
			room, gaps = room-c.width, gaps+2
		}
	}
	room = max(8, room-(gaps-2))
	ellipsis := l.env.Styles.Glyphs.Ellipsis
	var parts []string
	for _, c := range columns {
		if l.w < c.from {
			continue
		}
		width, cell := c.width, text.Clean(of(c))
		if width == 0 {
			// The end of a path says more than its beginning.
			width = room
			if text.Width(cell) > width && strings.ContainsAny(cell, `/\`) {
				cell = text.TruncateLeft(cell, width, ellipsis)
			}
		}
		cell = text.Truncate(cell, width, ellipsis)
		if c.right {
			parts = append(parts, text.PadLeft(cell, width))
			continue
		}
		parts = append(parts, text.Pad(cell, width))
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
