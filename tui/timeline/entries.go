package timeline

import (
	"slices"
	"strings"

	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// The widths from which on rows in groups have their parts.
const (
	groupFilesFrom = 64 // files
	groupTimesFrom = 76 // times, commands
	groupCounts    = 13 // cells of the counts
)

// entry draws a row of a list in groups.
func (d *painter) entry(g *arrangement, e entry, current, focused bool) string {
	row := ui.Row{Room: d.w}
	st := d.env.Styles
	lead := " "
	if current {
		lead = st.Glyphs.Cursor
	}
	row.Put(lead, st.Text)
	paint := d.paints(current && focused)
	if e.row < 0 {
		d.heading(&row, g, e.group, paint)
	} else {
		d.below(&row, g, e, paint)
	}
	return row.String()
}

func (d *painter) heading(row *ui.Row, g *arrangement, group int, paint paints) {
	st, run := d.env.Styles, &g.runs[group]
	fold, mark := st.Glyphs.Collapsed, " "
	if g.isOpen(group) {
		fold = st.Glyphs.Expanded
	}
	if run.Unread > 0 {
		mark = st.Glyphs.Unread
	}
	row.Put(fold+" ", paint.of(st.Dim))
	row.Put(mark+" ", paint.of(st.Unread))
	if g.order == BySession {
		row.PutPadded(text.Clean(string(run.Actor)), 9, paint.of(st.Actor(string(run.Actor))))
	}
	when, files, secrets := "", "", ""
	if d.w >= groupTimesFrom {
		when = "  " + text.Pad(ui.WhenSpan(run.First, run.Last, d.env.Now()), 18)
	}
	if d.w >= groupFilesFrom && g.order == BySession {
		files = text.PadLeft(ui.Count(run.Files, "file"), 10)
	}
	if n := d.secretsOf(run); n > 0 {
		secrets = " " + st.Glyphs.Sensitive + " " + ui.Number(n)
	}
	room := max(0, row.Room-text.Width(when)-text.Width(files)-text.Width(secrets)-groupCounts)
	title := d.titles.heading(run, g.order, room)
	row.PutPadded(text.Truncate(title, room, st.Glyphs.Ellipsis), room, paint.of(st.Title))
	row.Put(secrets, paint.of(st.Error))
	row.Put(when+files, paint.of(st.Dim))
	if slices.ContainsFunc(run.Revisions, func(r past.Revision) bool { return r.UndoneBy == 0 }) {
		ui.Counts{Added: run.Added, Removed: run.Removed}.Put(row, groupCounts, st, paint.all)
	} else { // its lines are not there any more
		row.Put(text.PadLeft(stateOf(&run.Revisions[0]), groupCounts), paint.of(st.Dim))
	}
}

// stateOf says why a revision is not in force any more, "" if it is.
func stateOf(r *past.Revision) string {
	switch r.UndoneBy {
	case 0:
		return ""
	case r.Rev:
		return "purged"
	}
	return "undone"
}

func (d *painter) below(row *ui.Row, g *arrangement, e entry, paint paints) {
	st, run := d.env.Styles, &g.runs[e.group]
	r := run.Revisions[e.row]
	mark := " "
	switch {
	case r.Rev == d.marked:
		mark = st.Glyphs.Mark
	case r.Unread:
		mark = st.Glyphs.Unread
	}
	row.Put("  "+mark+" ", paint.of(st.Unread))
	row.Put(d.shortClock(r)+"  ", paint.of(st.Dim))
	command, who := "", ""
	if d.w >= groupTimesFrom {
		command = "  " + text.Pad(text.Truncate(text.Clean(r.Command), 11, ""), 12)
		if g.order == ByFile {
			who = text.Pad(text.Clean(string(r.Actor))+" "+text.ShortID(r.Session), 18)
		}
	}
	secret := ""
	if d.secrets != nil && e.row == lastOf(run, r.Path) && d.secrets(r.Path) > 0 {
		secret = " " + st.Glyphs.Sensitive
	}
	look, state := st.Text, stateOf(&r)
	switch {
	case state != "":
		look = st.Dim
	case r.Unread:
		look = st.Unread
	}
	room := max(0, row.Room-text.Width(command)-groupCounts-text.Width(secret))
	name := strings.TrimSpace(who)
	if g.order != ByFile {
		name = withStore(r, headed(r).Where(st, room), room)
	}
	row.PutPadded(text.Truncate(name, room, st.Glyphs.Ellipsis), room, paint.of(look))
	row.Put(secret, paint.of(st.Error))
	row.Put(command, paint.of(st.Actor(string(r.Actor))))
	if state != "" { // its lines are not there any more
		row.Put(text.PadLeft(state, groupCounts), paint.of(look))
	} else {
		ui.Counts{Added: r.Added, Removed: r.Removed}.Put(row, groupCounts, st, paint.all)
	}
}

// secretsOf counts the secrets that are in the files of a group now.
func (d *painter) secretsOf(run *past.Run) (n int) {
	if d.secrets == nil {
		return 0
	}
	seen := map[string]bool{}
	for i := range run.Revisions {
		if path := run.Revisions[i].Path; !seen[path] {
			seen[path] = true
			n += d.secrets(path)
		}
	}
	return n
}

// lastOf is the newest revision of a path in a groud.
func lastOf(run *past.Run, path string) int {
	for i, r := range slices.Backward(run.Revisions) {
		if r.Path == path {
			return i
		}
	}
	return -1
}

// paints are those of one row: its own, or one for all of it.
type paints struct{ all *theme.Paint }

// paints are those of a row; the one under the cursor has one paint.
func (d *painter) paints(selected bool) paints {
	if !selected {
		return paints{}
	}
	return paints{&d.env.Styles.Selected}
}

func (p paints) of(own theme.Paint) theme.Paint {
	if p.all != nil {
		return *p.all
	}
	return own
}
