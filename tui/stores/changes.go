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
	"memcurator/render/theme"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
	"memcurator/tui/timeline"
)

// ownerDiff is the owner of the jobs that compare the two sides of a change.
const ownerDiff = "stores.diff"

// changes are the changes of all stores; nil: they are not listed.
func (s *Screen) changes() *results {
	if s.found != nil && s.found.matcher == nil {
		return s.found
	}
	return nil
}

// turnChanges lists the changes of all stores, newest first, or the stores again.
func (s *Screen) turnChanges() tea.Cmd {
	if s.changes() != nil {
		return s.listStores()
	}
	return s.listChanges()
}

// listChanges lists the changes of all stores instead of the stores.
func (s *Screen) listChanges() tea.Cmd {
	r := &results{screen: s, again: s.listChanges}
	project := func(h hit) string {
		row, _ := s.list.rowOf(h.of.Store)
		return s.list.shortProject(row)
	}
	r.Table = kit.NewTable(s.env, kit.Spec[hit]{
		Scope: keymap.Stores, Key: hit.key, Words: r.words, Path: hit.path, Open: r.open, Moved: r.choose,
		Terms: timeline.Terms(s.env, hit.change),
		Columns: []kit.Column[hit]{
			{Width: 1, Text: func(h hit) string {
				if h.isUnread() {
					return s.env.Styles.Glyphs.Unread
				}
				return ""
			}, Paint: func(_ hit, st *theme.Styles) theme.Paint { return st.Unread }},
			{Most: 30, Text: func(h hit) string { return ago(h.change().Time, s.env.Now()) }, Paint: dimmed[hit]},
			{Most: 18, From: 60, Text: r.agent, Paint: dimmed[hit]},
			{Most: 20, Ends: true, Text: project},
			{Width: 9, From: 76, Text: func(h hit) string { return string(h.change().Actor) }, Paint: func(h hit, st *theme.Styles) theme.Paint {
				return st.Actor(string(h.change().Actor))
			}},
			{Width: 11, From: 100, Text: func(h hit) string { return h.change().Command }, Paint: dimmed[hit]},
			{Ends: true, Text: func(h hit) string { return kit.PathText(h.match.Path) }},
			{Most: 10, From: 60, Right: true, Text: func(h hit) string { return s.env.Styles.Glyphs.Plus + kit.Number(h.change().Added) },
				Paint: func(_ hit, st *theme.Styles) theme.Paint { return st.Added }},
			{Most: 10, From: 60, Right: true, Text: func(h hit) string { return s.env.Styles.Glyphs.Minus + kit.Number(h.change().Removed) },
				Paint: func(_ hit, st *theme.Styles) theme.Paint { return st.Removed }},
		},
		Above: r.problems, Empty: r.emptyText, NoTodo: "No change is unread",
		More: append(s.diffBindings(), kit.Action{ID: keymap.Right, Run: func() tea.Cmd { return s.shell.FocusDetail() }}),
	})
	return r.start("reading the journals", s.Source.Changes)
}

// agent is the name of the agent of a row's store.
func (r *results) agent(h hit) string {
	row, _ := r.screen.list.rowOf(h.of.Store)
	return agentName(row.Agent)
}

// listStores lists the stores instead of what was found in them.
func (s *Screen) listStores() tea.Cmd {
	s.env.Jobs.Cancel(ownerSearch)
	s.found = nil
	return tea.Batch(s.shell.Relayout(), s.detail.refresh())
}

// diffBindings are the actions for the diff of the change under the cursor.
func (s *Screen) diffBindings() []kit.Action {
	return append(kit.Bind(func(id keymap.ID) tea.Cmd {
		cmd, _ := s.diff.Actions().Perform(id)
		return cmd
	}, keymap.SideBySide, keymap.Whitespace, keymap.HunkNext, keymap.HunkPrev),
		kit.Action{
			ID: keymap.CopyDiff, Run: func() tea.Cmd { return s.shell.CopyRead("diff", s.diff.TextReader(kit.CopyLimit)) },
			Why: kit.Unless(func() bool { return s.diff.TextReader(kit.CopyLimit) != nil }, "No diff here to copy"),
		})
}

// showDiff shows the diff of the change under the cursor, if changes are listed.
func (s *Screen) showDiff() tea.Cmd {
	r := s.changes()
	if r == nil {
		return nil
	}
	h, ok := r.Current()
	row, listed := s.row()
	if !ok || !listed {
		s.diff.Clear("No change selected")
		return nil
	}
	c := *h.change()
	of := sides{screen: s, row: row, change: c}
	return s.diff.Show(diffpane.Comparison{
		Key:     fmt.Sprintf("%s #%d", h.of.Store, c.Rev),
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
	return o.screen.Source.Side(ctx, o.row, o.change, side)
}

// ownerNews is the owner of the job that reads the changes of stores again.
const ownerNews = "stores.news"

// condition is what differs in the row of a store that has other changes than before.
type condition struct {
	newest int64
	bytes  int64
	files  int
	unread int
}

func conditionOf(r Row) condition {
	return condition{newest: r.Newest.UnixNano(), bytes: r.Bytes, files: r.Files, unread: count(r.Unread)}
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
		r.asOf[row.Path] = is
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
	read := s.Source.Changes
	return kit.Start(s.env.Jobs, kit.Job[[]Searched]{
		Owner: ownerNews, Label: "reading the journals",
		Work: func(ctx context.Context, _ *kit.Progress) (list []Searched, err error) {
			err = read(ctx, rows, func(of Searched) { list = append(list, of) })
			return list, err
		},
		Done: func(list []Searched) tea.Cmd {
			if r != s.found {
				return s.follow()
			}
			r.take(list)
			return tea.Batch(s.detail.refresh(), s.follow())
		},
	})
}

// readable reports whether the notes and changes of a store can be read, as far as that is known.
func readable(r Row) bool { return r.State != overview.Unreadable && r.State != overview.Missing }
