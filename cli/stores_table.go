package cli

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/render/loadlimit"
	"memcurator/render/text"
)

// storeLine is a line of stores --json; the keys are a contract.
type storeLine struct {
	Path     string            `json:"path"`
	Dir      string            `json:"dir"`
	Agent    *string           `json:"agent"`
	Project  *string           `json:"project"`
	Name     *string           `json:"name"`
	Kind     string            `json:"kind"`
	Files    int               `json:"files"`
	Bytes    int64             `json:"bytes"`
	Changed  *time.Time        `json:"changed"`
	Unread   *int              `json:"unread"`
	Due      *int              `json:"due"`
	Secrets  *int              `json:"secrets"`
	Load     *session.LoadLine `json:"load"`
	State    string            `json:"state"`
	Problems []string          `json:"problems"`
	More     bool              `json:"more"`
	Missing  bool              `json:"missing"`
}

func storeLineOf(r overview.Row) storeLine {
	line := storeLine{
		Path: session.Absolute(r.Path), Dir: session.Absolute(r.Path), Agent: output.OrNull(r.Agent), Project: output.OrNull(r.Project),
		Name: output.OrNull(r.Name),
		Kind: string(r.Kind), Files: r.Files, Bytes: r.Bytes, Unread: r.Unread, Due: r.Due, Secrets: r.Secrets, State: string(r.State),
		Problems: problemsOf(r), More: r.More, Missing: r.Missing,
	}
	if !r.Newest.IsZero() {
		line.Changed = &r.Newest
	}
	if r.Start != nil {
		line.Load = session.LoadLineOf(r.Start.Gauge, r.Start.Given)
	}
	return line
}

// problemsOf are the problems of a row, with what its load limit cuts.
func problemsOf(r overview.Row) []string {
	list := append([]string{}, r.Problems...)
	if r.Start != nil && r.Start.Gauge.Level() == loadlimit.Past {
		list = append(list, "Past its load limit: "+r.Start.Gauge.State())
	}
	return list
}

// printJSON prints one object per line.
func printJSON(run *session.Session, rows []overview.Row) error {
	e := run.Out.JSONLines()
	for _, r := range rows {
		if err := e.Encode(storeLineOf(r)); err != nil {
			return err
		}
	}
	return run.Out.Err
}

// printTable prints a row per store, with its problems below.
func printTable(run *session.Session, s session.Settings, rows []overview.Row) error {
	if len(rows) == 0 {
		return nil
	}
	out := run.Out.Lines(s)
	cells := [][]string{{"agent", "project", "files", "size", "changed", "unread", "due", "secrets", "load", "state", "directory"}}
	found := make([]discover.Found, len(rows))
	for i, r := range rows {
		found[i] = r.Found
	}
	for i, label := range discover.Labels(found, session.Title) {
		cells = append(cells, cellsOf(rows[i], label))
	}
	for i, line := range aligned(cells) {
		fmt.Fprintln(out, line)
		if i == 0 {
			continue
		}
		for _, problem := range problemsOf(rows[i-1]) {
			fmt.Fprintln(out, "  ! "+text.Clean(problem))
		}
	}
	return run.Out.Err
}

// cellsOf are the cells of a row.
func cellsOf(r overview.Row, label string) []string {
	count, size, changed := text.Number(int64(r.Files)), memstore.FormatSize(memstore.Docs, r.Bytes), "-"
	if r.More {
		count += "+"
	}
	if r.Missing {
		count, size = "missing", "-"
	}
	if !r.Newest.IsZero() {
		changed = r.Newest.Local().Format("2006-01-02 15:04")
	}
	return []string{
		cmp.Or(r.Agent, "-"), label, count, size, changed, number(r.Unread), number(r.Due), number(r.Secrets),
		gauge(r), string(r.State), session.Title(r.Path),
	}
}

// number is a count; "-" where it is unknown.
func number(n *int) string {
	if n == nil {
		return "-"
	}
	return strconv.Itoa(*n)
}

// gauge shows how much a session loads, against its limit.
func gauge(r overview.Row) string {
	switch {
	case r.Start != nil && r.Start.Gauge.Level() == loadlimit.Unlimited:
		return r.Start.Gauge.Numbers()
	case r.Start != nil:
		return r.Start.Gauge.Bar() + " " + r.Start.Gauge.Numbers()
	case r.Load.OnDemand() && r.State != overview.Unreadable:
		return "on demand"
	}
	return "-"
}

// aligned puts cells into columns; the last one is as long as it is.
func aligned(rows [][]string) (lines []string) {
	wide := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = text.Clean(cell)
			wide[i] = max(wide[i], text.Width(row[i]))
		}
	}
	for _, row := range rows {
		for i := range row[:len(row)-1] {
			row[i] = text.Pad(row[i], wide[i])
		}
		lines = append(lines, strings.Join(row, "  "))
	}
	return lines
}
