package stores

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/diffpane"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// ownerDiff is the owner of the jobs that compare the two sides of a change.
const ownerDiff = "stores.diff"

func newDiff(env *ui.Env) *diffpane.Pane {
	p := diffpane.New(env, ownerDiff)
	p.None = "No change selected"
	env.Jobs.Listen(p.Receive, nil, diffpane.Owners(ownerDiff)...)
	env.Jobs.Listen(p.Receive, p.Failed, ownerDiff)
	return p
}

// changes are the changes of all stores; nil: they are not listed.
func (s *Screen) changes() *results {
	if s.found != nil && s.found.matcher == nil {
		return s.found
	}
	return nil
}

// turnChanges lists the changes of all stores, newest first, or the stores again.
func (s *Screen) turnChanges() tea.Cmd {
	switch {
	case s.changes() != nil:
		return s.listStores()
	case s.Changes == nil:
		return nil
	}
	return s.gather(nil, timeline.Filter{}, "reading the journals", s.Changes)
}

// listStores lists the stores instead of what was found in them.
func (s *Screen) listStores() tea.Cmd {
	s.env.Jobs.Cancel(ownerSearch)
	s.found = nil
	return tea.Batch(s.shell.Relayout(), s.detail.refresh())
}

// diffBindings are the actions for the diff of the change under the cursor.
func (s *Screen) diffBindings() []ui.Action {
	return append(ui.Bind(func(id keymap.ID) tea.Cmd {
		cmd, _ := s.diff.Actions().Perform(id)
		return cmd
	}, keymap.SideBySide, keymap.Whitespace, keymap.HunkNext, keymap.HunkPrev),
		ui.Action{
			ID: keymap.CopyDiff, Run: func() tea.Cmd { return s.shell.CopyRead("diff", s.diff.TextReader(ui.CopyLimit)) },
			Why: ui.Unless(func() bool { return s.diff.TextReader(ui.CopyLimit) != nil }, "No diff here to copy"),
		})
}

// showDiff shows the diff of the change under the cursor, if changes are listed.
func (s *Screen) showDiff() tea.Cmd {
	r := s.changes()
	if r == nil {
		return nil
	}
	_, m, ok := r.selected()
	row, listed := s.row()
	if !ok || m == nil || m.Change == nil || !listed {
		s.diff.Clear()
		return nil
	}
	c := *m.Change
	of := sides{screen: s, row: row, change: c}
	return s.diff.Show(diffpane.Comparison{
		Key:     fmt.Sprintf("%s #%d", m.Store, c.Rev),
		Heading: timeline.HeadingOf(c, s.env.Styles, s.env.Now()), Path: c.Path, OldPath: c.OldPath,
		Before: diffpane.OfSide(of, c, c.Before), After: diffpane.OfSide(of, c, c.After),
	})
}

// sides are the two sides of a change of a store that need not be open. It implements [diffpane.Contents].
type sides struct {
	screen *Screen
	row    Row
	change past.Revision
}

func (o sides) Bytes(ctx context.Context, side past.Side) ([]byte, error) {
	return o.screen.Side(ctx, o.row, o.change, side)
}

// renew takes what was read of the changes of a store, in place of what was read before.
func (r *results) renew(s Searched) {
	if at := slices.IndexFunc(r.searched, func(was Searched) bool { return was.Store == s.Store }); at >= 0 {
		r.searched[at] = s
		return
	}
	if s.Found > 0 || s.Problem != "" {
		r.searched = append(r.searched, s)
	}
}

// ownerNews is the owner of the job that reads the changes of stores again.
const ownerNews = "stores.news"

// condition is what differs in the row of a store that has other changes than before.
type condition struct {
	newest int64
	bytes  int64
	files  int
	unread int // -1: not known yet
}

func conditionOf(r Row) condition {
	c := condition{newest: r.Newest.UnixNano(), bytes: r.Bytes, files: r.Files, unread: -1}
	if r.Unread != nil {
		c.unread = *r.Unread
	}
	return c
}

// follow reads the changes again of stores whose rows differ since. It costs nothing while none does.
func (s *Screen) follow() tea.Cmd {
	r := s.changes()
	if r == nil || s.env.Jobs.Running(ownerSearch) || s.env.Jobs.Running(ownerNews) {
		return nil // what ends next follows
	}
	var rows []Row
	chains := false
	for _, row := range s.list.rows {
		was, known := r.asOf[row.Path]
		is := conditionOf(row)
		if r.asOf[row.Path] = is; was.unread < 0 {
			was.unread = is.unread
		}
		if readable(row) && (!known || was != is) {
			rows = append(rows, row)
			chains = chains || row.Kind == discover.KindChain
		}
	}
	if len(rows) == 0 {
		return nil
	}
	if chains { // they share documents, each change of which is listed once
		for _, row := range s.list.rows {
			if row.Kind == discover.KindChain && !slices.ContainsFunc(rows, func(of Row) bool { return of.Path == row.Path }) {
				rows = append(rows, row)
			}
		}
	}
	read := s.Changes
	return ui.Start(s.env.Jobs, ui.Job[[]Searched]{
		Owner: ownerNews, Label: "reading the journals",
		Work: func(ctx context.Context, _ *ui.Progress) (list []Searched, err error) {
			err = read(ctx, rows, func(of Searched) { list = append(list, of) })
			return list, err
		},
		Done: func(list []Searched) tea.Cmd {
			if r != s.found {
				return s.follow()
			}
			for _, of := range list {
				r.renew(of)
			}
			r.arrange()
			return tea.Batch(s.detail.refresh(), s.follow())
		},
	})
}

// readable reports whether the notes and changes of a store can be read, as far as that is known.
func readable(r Row) bool { return r.State != overview.Unreadable && r.State != overview.Missing }

// spot is what the cursor of the changes stays on.
type spot struct {
	store string
	rev   int64
}

func (r *results) spotOf(row result) spot {
	s := spot{store: r.searched[row.store].Store}
	if row.match >= 0 {
		s.rev = r.change(row).Rev
	}
	return s
}

// arrange lists the changes that fit the filter by time, the newest first, then the stores that can't be read. A cursor that was moved
// stays on its row, and so does any while its diff is read.
func (r *results) arrange() {
	at, _ := r.cursor.At()
	stays := at > 0 || r.screen.shell.OnDetail()
	var on spot
	if stays && at < len(r.rows) {
		on = r.spots[at]
	}
	r.rows = r.rows[:0]
	for n, s := range r.searched {
		about := ""
		if row, known := r.screen.list.rowOf(s.Store); known {
			about = row.Agent + "\n" + r.screen.list.project(row)
		}
		for i, m := range s.Matches {
			if r.filter.Fits(m.Change, about) {
				r.rows = append(r.rows, result{n, i})
			}
		}
	}
	slices.SortStableFunc(r.rows, func(a, b result) int { return r.change(b).Time.Compare(r.change(a).Time) })
	if r.filter.Text() == "" {
		for n, s := range r.searched {
			if s.Problem != "" {
				r.rows = append(r.rows, result{n, -1})
			}
		}
	}
	r.spots = r.spots[:0]
	for _, row := range r.rows {
		r.spots = append(r.spots, r.spotOf(row))
	}
	r.cursor.SetCount(len(r.rows))
	if i := slices.Index(r.spots, on); i >= 0 && stays {
		r.cursor.MoveTo(i)
	}
}

// change is the revision of a row.
func (r *results) change(row result) *past.Revision {
	return r.searched[row.store].Matches[row.match].Change
}

// setFilter narrows the changes; the error is a sentence about the line.
func (r *results) setFilter(line string) error {
	f, err := timeline.ParseFilter(line, r.env.Now())
	if err != nil {
		return err
	}
	r.filter = f
	r.arrange()
	return nil
}

// nextUnread goes to the next change that the user has not read, or with -1 to the previous one.
func (r *results) nextUnread(by int) tea.Cmd {
	return r.goTo(by, func(row result) bool { return row.match >= 0 && r.change(row).Unread }, "No more unread changes in this direction")
}

// changesTitle heads the list of changes.
func (r *results) changesTitle(width int) ui.Title {
	found, stores, closed := 0, 0, 0
	for _, s := range r.searched {
		if found += s.Found; s.Found > 0 {
			stores++
		}
		if s.Problem != "" {
			closed++
		}
	}
	place := ui.CountGrouped(found, "change") + " in " + ui.Count(stores, "store")
	if r.filter.Text() != "" {
		place = fmt.Sprintf("%s of %s", ui.Number(len(r.rows)), ui.CountGrouped(found, "change"))
	}
	if closed > 0 {
		place += fmt.Sprintf(", %d not read", closed)
	}
	if !r.done {
		place = fmt.Sprintf("%d of %d stores, ", r.stores, r.of) + place
	}
	return ui.ListTitle(r.env.Styles, "changes of all stores", r.filter.Text(), place, width)
}

// short reports whether the rows of changes have an age in place of a time.
func (r *results) short() bool { return r.w < 100 }

// putChange draws a change: when, where, who and what. on is the paint of the row under the cursor, nil for others.
func (r *results) putChange(row *ui.Row, m *Match, on *theme.Paint) {
	st, c := r.env.Styles, m.Change
	paint := func(p theme.Paint) theme.Paint {
		if on != nil {
			return *on
		}
		return p
	}
	unread := " "
	if c.Unread {
		unread = st.Glyphs.Unread
	}
	row.PutPadded(unread, 2, paint(st.Unread))
	if r.short() {
		row.PutPadded(ago(c.Time, r.env.Now()), 11, paint(st.Dim))
	} else {
		row.PutPadded(ui.When(c.Time, r.env.Now()), 17, paint(st.Dim))
	}
	if store, known := r.screen.list.rowOf(m.Store); known {
		name, width := shortName(store.Agent), shortAgent+1
		if r.w >= named {
			name, width = text.Truncate(text.Clean(agentName(store.Agent)), agentWidth, st.Glyphs.Ellipsis), agentWidth+2
		}
		row.PutPadded(name, width, paint(st.Dim))
		width = max(7, min(24, r.w/5-1))
		project := text.TruncateLeft(text.Clean(r.screen.list.shortProject(store)), width, st.Glyphs.Ellipsis)
		row.PutPadded(project, width+1, paint(st.Text))
	}
	if r.w >= 76 {
		row.PutPadded(text.Clean(string(c.Actor)), 10, paint(st.Actor(string(c.Actor))))
	}
	if r.w >= 100 {
		row.PutPadded(text.Clean(c.Command), 13, paint(st.Dim))
	}
	counts := 12
	if r.w < 60 {
		counts = 0
	}
	room := max(0, row.Room-counts)
	row.PutPadded(ui.FitPath(m.Path, room, st), room, paint(st.Text))
	if counts > 0 {
		ui.Counts{Added: c.Added, Removed: c.Removed}.Put(row, counts-1, st, on)
	}
	row.PutPadded("", row.Room, paint(st.Text))
}
