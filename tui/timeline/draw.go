package timeline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// Title implements [ui.Tab].
func (p *Pane) Title() string { return p.texts.Title }

// Path implements [ui.Tab].
func (p *Pane) Path() string {
	if r, ok := p.Selected(); ok {
		return r.Path
	}
	return p.base.Path
}

// Name implements [ui.Named]: the revision or the group under the cursor.
func (p *Pane) Name() string {
	if run, ok := p.Run(); ok {
		return text.Clean(p.RunName(&run))
	}
	r, ok := p.Selected()
	if !ok {
		return ""
	}
	return fmt.Sprintf("#%d %s", r.Rev, text.Clean(ui.PathText(r.Path)))
}

// Place implements [ui.Tab].
func (p *Pane) Place() string {
	i, ok := p.list.At()
	if !ok {
		return ""
	}
	more := ""
	if !p.all {
		more = "+"
	}
	if p.rows.hidden > 0 && !p.rows.everything {
		more += ", " + ui.Number(p.rows.hidden) + " hidden"
	}
	if p.Order().grouped() {
		unread := 0
		for i := range p.rows.listed {
			if p.rows.listed[i].Unread {
				unread++
			}
		}
		return fmt.Sprintf("%d unread of %d%s", unread, len(p.rows.listed), more)
	}
	return fmt.Sprintf("%d/%d%s", i+1, len(p.rows.listed), more)
}

// LineReader implements [ui.Tab]: the row as drawn.
func (p *Pane) LineReader(limit int) func() (string, error) {
	r, ok := p.Selected()
	if !ok {
		return nil
	}
	line := Describe(r, p.env.Styles, p.env.Now().Location())
	return ui.LineOf(line, limit)
}

// Resize implements [ui.Pane].
func (p *Pane) Resize(w, h int) { p.w, p.h = w, h; p.list.Resize(h) }

// Scopes implements [ui.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{p.scope} }

// Cursor implements [ui.Pane].
func (p *Pane) Cursor() (ui.Point, bool) { return p.list.Point() }

// Rows implements [ui.Pane].
func (p *Pane) Rows(focused bool) []string {
	d := &painter{
		env: p.env, w: p.w, of: p.base.Path, marked: p.marked, titles: p.titles, secrets: p.Secrets,
		then: p.Then, removed: p.base.Removed,
		unseen: slices.ContainsFunc(p.rows.listed, func(r past.Revision) bool { return r.Note == past.NoteUnseen }),
		linked: slices.ContainsFunc(p.inSight(), isLinked),
	}
	d.measure(p.rows.listed, p.inSight())
	at, _ := p.list.At()
	none := func() []string { return []string{p.env.Styles.Dim.Apply(text.Pad(" "+p.emptyText(), p.w))} }
	return p.list.Draw(nil, p.w, p.h, none, func(i int) string {
		if p.Order().grouped() {
			return d.entry(&p.rows, p.rows.entries[i], i == at, focused)
		}
		r, _ := p.rows.at(i)
		return d.row(r, i == at, focused)
	})
}

// inSight are the revisions on the screen, of a list without headings.
func (p *Pane) inSight() (list []past.Revision) {
	for i := p.list.Top(); i < min(p.list.Top()+p.h, p.rows.count()); i++ {
		if r, ok := p.rows.at(i); ok {
			list = append(list, r)
		}
	}
	return list
}

func (p *Pane) emptyText() string {
	switch {
	case !p.loaded:
		return "reading the journal..."
	case p.filter.Text() != "":
		return p.env.Keyed(p.texts.NoMatch)
	case p.rows.hidden > 0:
		return canceledText(p.rows.hidden, false, p.env.Keys.KeyFor(p.scope, keymap.ShowHidden))
	default:
		return p.texts.Empty
	}
}

// painter draws the rows of a list.
type painter struct {
	env     *ui.Env
	w       int
	of      string // the path whose history the list is; "": of several
	marked  int64  // the revision that another one is going to be compared with
	linked  bool   // a revision that is shown has a call
	removed bool   // the list is of what was deleted
	unseen  bool   // the list has a revision that was only found later
	then    bool   // the list is of the past
	clock   int    // cells of the time in the history of one path; 0 in other lists
	short   bool   // that history has room only for short times
	titles  titles
	secrets func(path string) int
}

// row draws a revision of a list by time.
func (d *painter) row(r past.Revision, current, focused bool) string {
	st, row := d.env.Styles, ui.Row{Room: d.w}
	paint := d.paints(current && focused)
	lead, mark, look := " ", " ", st.Text
	if current {
		lead = st.Glyphs.Cursor
	}
	if r.Unread && !d.then {
		mark, look = st.Glyphs.Unread, st.Unread
	}
	if r.Rev == d.marked {
		mark = st.Glyphs.Mark
	}
	if r.UndoneBy != 0 {
		look = st.Dim
	}
	row.Put(lead, paint.of(st.Text))
	row.Put(mark+" ", paint.of(st.Unread))
	row.Put(d.headAt(r), paint.of(st.Actor(string(r.Actor))))
	calls, counts := " "+d.callColumns(r), ui.Counts{Added: r.Added, Removed: r.Removed}
	cells := text.Width(counts.Text(st))
	room := max(0, row.Room-text.Width(calls)-cells)
	row.PutPadded(d.subject(r, room), room, paint.of(look))
	row.Put(calls, paint.of(st.Dim))
	counts.Put(&row, cells, st, paint.all)
	return row.String()
}

// subject is the path, or in the history of one path what else is known of the revision, in at most room cells.
func (d *painter) subject(r past.Revision, room int) string {
	if r.OldPath != "" || r.Path != d.of {
		return withStore(r, headed(r).Where(d.env.Styles, room), room)
	}
	return text.Truncate(strings.Join(originOf(r), "  "), room, d.env.Styles.Glyphs.Ellipsis)
}

// withStore adds to the path of a revision where a transfer took the note, or from where it came, if that fits into room cells.
func withStore(r past.Revision, path string, room int) string {
	if said := path + "  " + text.Clean(r.Transfer); r.Transfer != "" && text.Width(said) <= room {
		return said
	}
	return path
}

// countsLeast are the cells that the counts of a row take at least, with the blank before them.
const countsLeast = 6

// measure finds the columns of the history of one path. Its rows need no room for that path, so they have number and actor also on a
// narrow screen, there with short times where whole ones would cut the counts.
func (d *painter) measure(listed, inSight []past.Revision) {
	if d.of == "" || slices.ContainsFunc(listed, func(r past.Revision) bool { return r.Path != d.of || r.OldPath != "" }) {
		return
	}
	counts := countsLeast
	for _, r := range listed {
		d.clock = max(d.clock, text.Width(strings.TrimLeft(clockText(r, d.env.Now()), " ")))
	}
	for _, r := range inSight {
		counts = max(counts, 1+text.Width(ui.Counts{Added: r.Added, Removed: r.Removed}.Text(d.env.Styles)))
	}
	d.short = d.w < len("   #1234 ")+d.clock+len(" external str_replace ")+counts
}

// headOfOne is the part of a row before its counts, in the history of one path.
func (d *painter) headOfOne(r past.Revision) string {
	clock := d.shortClock(r)
	if !d.short {
		clock = text.PadLeft(strings.TrimLeft(clockText(r, d.env.Now()), " "), d.clock)
	}
	return fmt.Sprintf("#%-4d %s %s %s ", r.Rev, clock, text.Pad(text.Clean(string(r.Actor)), 8), text.Pad(d.command(r), 11))
}

// headAt is what comes before the path: number, time, actor, command, as far as they fit.
func (d *painter) headAt(r past.Revision) string {
	clock := clockText(r, d.env.Now())
	actor, command := text.Pad(text.Clean(string(r.Actor)), 8), d.command(r)
	switch {
	case d.w >= 66:
		return fmt.Sprintf("#%-5d %s  %s %s ", r.Rev, clock, actor, text.Pad(command, 11))
	case d.w >= 46 && d.clock > 0:
		return d.headOfOne(r)
	case d.w >= 58:
		return fmt.Sprintf("%s  %s %s ", clock, actor, text.Pad(command, 11))
	case d.w >= 46:
		return fmt.Sprintf("%s %s ", clock, text.Pad(command, 11))
	default: // the path needs the room more than seconds and whole words do
		return fmt.Sprintf("%s %s ", text.PadLeft(d.shortClock(r), 6), text.Pad(text.Truncate(command, 6, ""), 6))
	}
}

// command names what a revision did: among deletions that of a file by an undo or a redo is one as well.
func (d *painter) command(r past.Revision) string {
	switch r.Command {
	case "undo", "redo", "revert", "restore":
		if d.removed {
			return memstore.CmdDelete
		}
	}
	return text.Clean(r.Command)
}

// isLinked reports a revision that is linked to a call.
func isLinked(r past.Revision) bool { return r.Session != "" || r.ToolUseID != "" || r.Model != "" }

// The widths from which on a row names the turn and the session of its call, and its model and id too.
const (
	sessionFrom = 96
	callFrom    = 140
)

// callColumns are turn, model, session and id of the call that made a revision, as far as they fit; "" where no row
// that is shown has a call.
func (d *painter) callColumns(r past.Revision) string {
	if !d.linked || d.w < sessionFrom || r.Path == d.of {
		return ""
	}
	turn := ""
	if r.Turn > 0 {
		turn = fmt.Sprintf("t%d", r.Turn)
	}
	out := text.Pad(text.Truncate(turn, 5, ""), 6) + text.Pad(text.ShortID(r.Session), 10)
	if d.w >= callFrom {
		dots := d.env.Styles.Glyphs.Ellipsis
		out = text.Pad(text.Truncate(text.Clean(r.Model), 15, dots), 16) + out +
			text.Pad(text.TruncateLeft(text.Clean(r.ToolUseID), 8, dots), 9)
	}
	return out
}

const textOriginCall = "call"

// originOf says which call made a revision, for people.
func originOf(r past.Revision) []string {
	var parts []string
	if r.Transfer != "" {
		parts = append(parts, text.Clean(r.Transfer))
	}
	if r.Turn > 0 {
		parts = append(parts, turnText(r.Turn))
	}
	for _, f := range []struct{ name, value string }{{"model", r.Model}, {"session", r.Session}, {textOriginCall, r.ToolUseID}} {
		if f.value != "" {
			parts = append(parts, f.name+" "+text.Clean(f.value))
		}
	}
	return parts
}

// turnText names the turn of a call.
func turnText(n int) string { return fmt.Sprintf("turn %d", n) }

// by is in front of the time of a revision that was only found later: it was made at an unknown time before.
const by = "by "

// shortClock is the time of day of a revision, or the date of another day.
func shortClock(r past.Revision, now time.Time) string {
	at := r.Time.In(now.Location())
	clock := at.Format("01-02")
	if y, m, d := at.Date(); sameDay(y, int(m), d, now) {
		clock = at.Format("15:04")
	}
	if r.Note == past.NoteUnseen {
		return by + clock
	}
	return clock
}

// shortClock is the time of a revision in a column of its own.
func (d *painter) shortClock(r past.Revision) string {
	cells := len("15:04")
	if d.unseen {
		cells += len(by)
	}
	return text.PadLeft(shortClock(r, d.env.Now()), cells)
}

// clockText is the time of a revision in twelve cells: of day for today, with the date before.
func clockText(r past.Revision, now time.Time) string {
	at := r.Time.In(now.Location())
	y, m, d := at.Date()
	clock, today, unseen := at.Format("01-02 15:04"), sameDay(y, int(m), d, now), r.Note == past.NoteUnseen
	switch {
	case today && unseen:
		clock = by + at.Format("15:04:05")
	case today:
		clock = at.Format("15:04:05")
	case unseen: // the date says enough of a time that is a bound
		clock = by + at.Format("01-02")
	}
	return text.PadLeft(clock, 12)
}

func sameDay(y, m, d int, now time.Time) bool {
	ny, nm, nd := now.Date()
	return y == ny && m == int(nm) && d == nd
}

// Describe is a revision in one line, for messages and the clipboard, with its time in zone.
func Describe(r past.Revision, st *theme.Styles, zone *time.Location) string {
	h := headingAt(r, st, r.Time.In(zone).Format("2006-01-02 15:04:05"))
	if r.UndoneBy != 0 && r.UndoneBy != r.Rev {
		h.Lead = append(h.Lead, fmt.Sprintf("(reverted by #%d)", r.UndoneBy))
	}
	return h.Text(st)
}

// headed is a heading with the paths of a revision, folders with a slash.
func headed(r past.Revision) ui.Heading {
	h := ui.Heading{Path: r.Path, OldPath: r.OldPath}
	if r.Kind == memstore.KindDir {
		h.Path += "/"
		if h.OldPath != "" {
			h.OldPath += "/"
		}
	}
	return h
}

// HeadingOf is the heading of a revision, with its time by the distance from now: that is short, so a narrow
// heading keeps the name and the counts.
func HeadingOf(r past.Revision, st *theme.Styles, now time.Time) ui.Heading {
	return headingAt(r, st, ui.When(r.Time, now))
}

func headingAt(r past.Revision, st *theme.Styles, made string) ui.Heading {
	if r.Note == past.NoteUnseen {
		made = by + made
	}
	h := headed(r)
	h.Lead = []string{fmt.Sprintf("#%d", r.Rev), made, text.Clean(string(r.Actor)), text.Clean(r.Command)}
	h.Counts = ui.Counts{Added: r.Added, Removed: r.Removed}.Text(st)
	add := func(part string) { h.Lead = append(h.Lead, part) }
	if r.UndoneBy == r.Rev { // so the journal has it that a purge left no change of
		add("(purged)")
	}
	if r.Transfer != "" {
		add(text.Clean(r.Transfer))
	}
	if r.Turn > 0 {
		add(turnText(r.Turn))
	}
	if r.Session != "" {
		add("session " + text.FitID(r.Session, text.LongID))
	}
	if r.Model != "" {
		add(text.Clean(r.Model))
	}
	if r.Commit != "" {
		add("commit " + text.Clean(past.ShortCommit(r.Commit)))
	}
	return h
}
