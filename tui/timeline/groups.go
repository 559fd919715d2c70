package timeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// Order is how a list of revisions is arranged.
type Order uint8

// The orders. In groups the newest comes first, in time last.
const (
	ByTime Order = iota
	BySession
	ByFile
	orders
)

func (o Order) String() string { return [...]string{"time", "session", "file"}[o] }

// entry is a row of a list in groups: the heading of a group, or a revision below it.
type entry struct {
	group int
	row   int // of the revisions; -1: the heading
}

// ShowRun is the intent to show what a group changed, whose heading is under the cursor.
type ShowRun struct {
	Owner string
	Run   past.Run
	Title string
}

// Order is how the list is arranged now.
func (p *Pane) Order() Order {
	if p.other != nil {
		return ByTime
	}
	return p.order
}

// SetOrder arranges the list in another way; the cursor stays on its revision.
func (p *Pane) SetOrder(o Order) {
	at, ok := p.Selected()
	p.order, p.shown = o, 0
	p.arrange()
	switch {
	case ok && p.Select(at.Rev):
	case p.Order() == ByTime:
		p.list.Follow()
	default:
		p.list.MoveTo(0)
	}
	p.show()
}

// NextOrder arranges the list in the next way.
func (p *Pane) NextOrder() { p.SetOrder((p.order + 1) % orders) }

// Run is the group whose heading is under the cursor.
func (p *Pane) Run() (past.Run, bool) {
	i, ok := p.list.At()
	if !ok || p.Order() == ByTime || i >= len(p.entries) || p.entries[i].row >= 0 {
		return past.Run{}, false
	}
	return p.runs[p.entries[i].group], true
}

// arrange lays the revisions out as the order wants it. The cursor stays on its revision or its heading.
func (p *Pane) arrange() {
	if p.Order() == ByTime {
		p.runs, p.entries = nil, nil
		p.list.SetCount(len(p.rows))
		return
	}
	revision, onRevision := p.Selected()
	heading, onHeading := p.Run()
	top, _ := p.list.At()
	if p.order == ByFile {
		p.runs = byFile(p.rows)
	} else {
		p.runs = past.Runs(p.rows)
	}
	p.entries = p.entries[:0]
	at := -1
	for g := range p.runs {
		run := &p.runs[g]
		if onHeading && keyOf(run, p.order) == keyOf(&heading, p.order) {
			at = len(p.entries)
		}
		p.entries = append(p.entries, entry{g, -1})
		if !p.isOpen(g) {
			continue
		}
		for i := range slices.Backward(run.Revisions) {
			if onRevision && run.Revisions[i].Rev == revision.Rev {
				at = len(p.entries)
			}
			p.entries = append(p.entries, entry{g, i})
		}
	}
	if at < 0 {
		at = top
	}
	p.list.SetCount(len(p.entries))
	p.list.MoveTo(at)
}

// byFile groups revisions, which come oldest first, by their paths.
func byFile(list []past.Revision) []past.Run {
	of := map[string]int{}
	var runs []past.Run
	for i := range list {
		r := &list[i]
		at, ok := of[r.Path]
		if !ok {
			at = len(runs)
			of[r.Path] = at
			runs = append(runs, past.Run{Files: 1, First: r.Time})
		}
		runs[at].Add(*r)
	}
	slices.SortFunc(runs, func(a, b past.Run) int { return cmp.Compare(b.Newest(), a.Newest()) })
	return runs
}

// keyOf identifies a group while the list changes.
func keyOf(r *past.Run, o Order) string {
	switch {
	case o == ByFile:
		return r.Revisions[0].Path
	case r.Session != "":
		return string(r.Actor) + " " + r.Session
	}
	return fmt.Sprintf("%s #%d", r.Actor, r.Revisions[0].Rev)
}

// isOpen reports whether a group shows its revisions. The first one does unless the user folded it.
func (p *Pane) isOpen(group int) bool {
	open, said := p.open[keyOf(&p.runs[group], p.order)]
	return open || !said && group == 0
}

// fold folds or unfolds the group under the cursor, whose heading the cursor goes to.
func (p *Pane) fold(open bool) {
	i, ok := p.list.At()
	if !ok || p.Order() == ByTime {
		return
	}
	g := p.entries[i].group
	p.open[keyOf(&p.runs[g], p.order)] = open
	p.list.MoveTo(p.headingOf(g))
	p.arrange()
	p.show()
}

func (p *Pane) headingOf(group int) int {
	return slices.IndexFunc(p.entries, func(e entry) bool { return e.group == group && e.row < 0 })
}

// foldAll folds or unfolds all groups.
func (p *Pane) foldAll(open bool) {
	for g := range p.runs {
		p.open[keyOf(&p.runs[g], p.order)] = open
	}
	if i, ok := p.list.At(); ok && !open && len(p.entries) > 0 {
		p.list.MoveTo(p.headingOf(p.entries[i].group))
	}
	p.arrange()
	p.show()
}

// left folds the group whose heading is under the cursor, or goes to the heading of a revision.
func (p *Pane) left() {
	if _, ok := p.Run(); ok {
		p.fold(false)
		return
	}
	if i, ok := p.list.At(); ok && p.Order() != ByTime {
		p.list.MoveTo(p.headingOf(p.entries[i].group))
		p.show()
	}
}

// right unfolds the group whose heading is under the cursor, or goes on to what is shown of the row.
func (p *Pane) right() {
	if i, ok := p.list.At(); ok {
		if _, heading := p.Run(); heading && !p.isOpen(p.entries[i].group) {
			p.fold(true)
			return
		}
		r, _ := p.Selected()
		p.env.Emit(OpenRevision{p.owner, r})
	}
}

// toggle folds or unfolds the group whose heading is under the cursor; false: there is none.
func (p *Pane) toggle() bool {
	i, ok := p.list.At()
	if _, heading := p.Run(); !ok || !heading {
		return false
	}
	p.fold(!p.isOpen(p.entries[i].group))
	return true
}

// NextGroup goes to the heading after the cursor, or before it.
func (p *Pane) NextGroup(by int) bool {
	at, ok := p.list.At()
	if !ok || p.Order() == ByTime {
		return false
	}
	for i := at + by; i >= 0 && i < len(p.entries); i += by {
		if p.entries[i].row < 0 {
			p.list.MoveTo(i)
			p.show()
			return true
		}
	}
	return false
}

// at is the revision of a row of the screen; false: it is a heading.
func (p *Pane) at(i int) (past.Revision, bool) {
	if p.Order() == ByTime {
		if i >= len(p.rows) {
			return past.Revision{}, false
		}
		return p.rows[i], true
	}
	if i >= len(p.entries) || p.entries[i].row < 0 {
		return past.Revision{}, false
	}
	e := p.entries[i]
	return p.runs[e.group].Revisions[e.row], true
}

// reveal puts the cursor on a revision, and unfolds what hides it.
func (p *Pane) reveal(rev int64) bool {
	if p.Order() == ByTime {
		i, ok := slices.BinarySearchFunc(p.rows, rev, func(r past.Revision, rev int64) int { return cmp.Compare(r.Rev, rev) })
		if ok {
			p.list.MoveTo(i)
		}
		return ok
	}
	has := func(r past.Run) bool {
		return slices.ContainsFunc(r.Revisions, func(r past.Revision) bool { return r.Rev == rev })
	}
	g := slices.IndexFunc(p.runs, has)
	if g < 0 {
		return false
	}
	if !p.isOpen(g) {
		p.open[keyOf(&p.runs[g], p.order)] = true
		p.arrange()
	}
	for i, e := range p.entries {
		if r, ok := p.at(i); ok && e.group == g && r.Rev == rev {
			p.list.MoveTo(i)
		}
	}
	return true
}

// sequence are the revisions in the order of the screen, with those of folded groups.
func (p *Pane) sequence() []past.Revision {
	if p.Order() == ByTime {
		return p.rows
	}
	var out []past.Revision
	for _, run := range p.runs {
		for _, r := range slices.Backward(run.Revisions) {
			out = append(out, r)
		}
	}
	return out
}

// unread counts the revisions that the user has not seen.
func (p *Pane) unread() (n int) {
	for i := range p.rows {
		if p.rows[i].Unread {
			n++
		}
	}
	return n
}

// titlesMost bounds the sessions whose titles are asked for at once.
const titlesMost = 50

// nameSessions asks what the sessions were about that are not known yet.
func (p *Pane) nameSessions() tea.Cmd {
	if p.Titles == nil || p.Order() != BySession {
		return nil
	}
	var ids []string
	for i := range p.runs {
		id := p.runs[i].Session
		if _, known := p.titles[id]; id != "" && !known && len(ids) < titlesMost {
			ids = append(ids, id)
			p.titles[id] = "" // asked for
		}
	}
	if len(ids) == 0 {
		return nil
	}
	titles := p.Titles
	return ui.Start(p.env.Jobs, ui.Job[map[string]string]{
		Owner: p.owner + ".titles", Label: LabelRevisions,
		Work: func(ctx context.Context, _ *ui.Progress) (map[string]string, error) { return titles(ctx, ids), nil },
		Done: func(found map[string]string) tea.Cmd {
			for id, title := range found {
				p.titles[id] = title
			}
			return nil
		},
	})
}

// runTitle names a group.
func (p *Pane) runTitle(r *past.Run) string {
	switch {
	case p.order == ByFile:
		return ui.PathText(r.Revisions[0].Path)
	case r.Session != "":
		return ui.ShortID(r.Session) + "  " + text.Clean(p.titles[r.Session])
	case r.Actor == memstore.Curator:
		return "you"
	}
	return "no session"
}

// RunName names a group in a sentence.
func (p *Pane) RunName(r *past.Run) string {
	switch {
	case p.order == ByFile:
		return ui.PathText(r.Revisions[0].Path)
	case r.Session != "":
		return "session " + ui.ShortID(r.Session)
	}
	return "these changes"
}

// The widths from which on rows in groups have their parts.
const (
	groupFilesFrom = 64 // files
	groupTimesFrom = 76 // times, commands
	groupCounts    = 13 // cells of the counts
)

// drawEntry draws a row of a list in groups.
func (p *Pane) drawEntry(i int, focused bool) string {
	e := p.entries[i]
	at, _ := p.list.At()
	row := ui.Row{Room: p.w}
	st := p.env.Styles
	lead := " "
	if i == at {
		lead = st.Glyphs.Cursor
	}
	row.Put(lead, st.Text)
	paint := p.paints(i == at && focused)
	if e.row < 0 {
		p.drawHeading(&row, e.group, paint)
	} else {
		p.drawBelow(&row, &p.runs[e.group], e.row, paint)
	}
	return row.String()
}

func (p *Pane) drawHeading(row *ui.Row, group int, paint paints) {
	st, run := p.env.Styles, &p.runs[group]
	fold, mark := st.Glyphs.Collapsed, " "
	if p.isOpen(group) {
		fold = st.Glyphs.Expanded
	}
	if run.Unread > 0 {
		mark = st.Glyphs.Unread
	}
	row.Put(fold+" ", paint.of(st.Dim))
	row.Put(mark+" ", paint.of(st.Unread))
	if p.order == BySession {
		row.PutPadded(text.Clean(string(run.Actor)), 9, paint.of(st.Actor(string(run.Actor))))
	}
	when, files, secrets := "", "", ""
	if p.w >= groupTimesFrom {
		when = "  " + text.Pad(ui.WhenSpan(run.First, run.Last, p.env.Now()), 18)
	}
	if p.w >= groupFilesFrom && p.order == BySession {
		files = text.PadLeft(ui.Count(run.Files, "file"), 10)
	}
	if n := p.secretsOf(run); n > 0 {
		secrets = " " + st.Glyphs.Sensitive + " " + ui.Number(n)
	}
	title := p.runTitle(run)
	room := max(0, row.Room-text.Width(when)-text.Width(files)-text.Width(secrets)-groupCounts)
	row.PutPadded(text.Truncate(title, room, st.Glyphs.Ellipsis), room, paint.of(st.Title))
	row.Put(when+files, paint.of(st.Dim))
	ui.Counts{Added: run.Added, Removed: run.Removed}.Put(row, groupCounts, st, paint.all)
	row.Put(secrets, paint.of(st.Error))
}

func (p *Pane) drawBelow(row *ui.Row, run *past.Run, i int, paint paints) {
	st, r := p.env.Styles, run.Revisions[i]
	mark := " "
	switch {
	case r.Rev == p.marked:
		mark = st.Glyphs.Mark
	case r.Unread:
		mark = st.Glyphs.Unread
	}
	row.Put("  "+mark+" ", paint.of(st.Unread))
	row.Put(strings.TrimSpace(shortClock(r, p.env.Now()))+"  ", paint.of(st.Dim))
	command, who := "", ""
	if p.w >= groupTimesFrom {
		command = "  " + text.Pad(text.Truncate(text.Clean(r.Command), 11, ""), 12)
		if p.order == ByFile {
			who = text.Pad(text.Clean(string(r.Actor))+" "+ui.ShortID(r.Session), 18)
		}
	}
	name := relative(r, st)
	if p.order == ByFile {
		name = strings.TrimSpace(who)
	}
	secret := ""
	if p.Secrets != nil && i == lastOf(run, r.Path) && p.Secrets(r.Path) > 0 {
		secret = " " + st.Glyphs.Sensitive
	}
	look := st.Text
	switch {
	case r.UndoneBy == r.Rev:
		look, name = st.Dim, name+"  purged"
	case r.UndoneBy != 0:
		look, name = st.Dim, name+"  undone"
	case r.Unread:
		look = st.Unread
	}
	room := max(0, row.Room-text.Width(command)-groupCounts-text.Width(secret))
	row.PutPadded(text.TruncateLeft(name, room, st.Glyphs.Ellipsis), room, paint.of(look))
	row.Put(command, paint.of(st.Actor(string(r.Actor))))
	ui.Counts{Added: r.Added, Removed: r.Removed}.Put(row, groupCounts, st, paint.all)
	row.Put(secret, paint.of(st.Error))
}

// secretsOf counts the secrets that are in the files of a group now.
func (p *Pane) secretsOf(run *past.Run) (n int) {
	if p.Secrets == nil {
		return 0
	}
	seen := map[string]bool{}
	for i := range run.Revisions {
		if path := run.Revisions[i].Path; !seen[path] {
			seen[path] = true
			n += p.Secrets(path)
		}
	}
	return n
}

// lastOf is the newest revision of a path in a group.
func lastOf(run *past.Run, path string) int {
	for i, r := range slices.Backward(run.Revisions) {
		if r.Path == path {
			return i
		}
	}
	return -1
}
