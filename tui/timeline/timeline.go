// Package timeline lists revisions of the journal, newest first: those of a store in the Changes screen, the deletions in Trash, those of
// one path in the history tab. What is done to a revision is up to the screen.
package timeline

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
)

// pageSize is how many revisions are read until the user wants more: by a filter, or at the end of the list.
const pageSize = 1000

// Options are what makes a list.
type Options struct {
	Title  string // in the frame
	Empty  string // nothing to list, and what to do next
	Owner  string // of its jobs
	Scope  keymap.Scope
	Source past.Lister
	Order  Order
	Feed   *feed.Feed // which revisions are unread
	// Titles says what sessions were about, by their ids; nil: unknown.
	Titles func(ctx context.Context, sessions []string) map[string]string
}

// Host is what shows a list.
type Host interface {
	// OpenRevision is what enter does with a revision.
	OpenRevision(past.Revision) tea.Cmd
	// RowMoved is called when another row is under the cursor, or more is known of it.
	RowMoved() tea.Cmd
}

// Pane is a list of revisions. Make it with [New].
type Pane struct {
	*kit.Table[row]
	env   *kit.Env
	host  Host
	o     Options
	order Order
	// Then is set while the list is of a moment in the past, of which nothing is unread.
	Then bool

	base   past.Filter     // what the list is for
	read   []past.Revision // newest first
	whole  bool            // the oldest one is there, or was asked for
	loaded bool
	busy   bool              // a job reads
	again  bool              // the journal changed while the job was under way
	titles map[string]string // of sessions, "" until they are known
	opened map[string]bool   // groups that were unfolded as the first one
	hunks  map[int64]bool    // revisions of which a hunk is reverted
	sums   sums
}

// sums are what the list counts, of the rows that a filter leaves. Each row on the screen asks for it at each frame.
type sums struct {
	filter         string           // the line that they were counted with
	groups         map[string]group // by the key of the heading
	listed, unread int              // of all; listed is -1 until they are counted
}

// group is what is counted of a group.
type group struct {
	run   past.Run // with the revisions that are listed
	state string   // that all of them are in; "" if they are not in one
}

// New makes an empty list.
func New(env *kit.Env, host Host, o Options) *Pane {
	p := &Pane{env: env, host: host, o: o, order: o.Order, titles: map[string]string{}, opened: map[string]bool{}}
	spec := kit.Spec[row]{
		Title:      o.Title,
		Scope:      o.Scope,
		Key:        row.key,
		Words:      p.words,
		Below:      row.below,
		Folded:     func(row) bool { return true },
		Heading:    func(r row) bool { return r.run != nil },
		Selectable: func(r row) bool { return r.run == nil },
		Sign:       p.sign,
		Terms:      terms(env, func(r row) *past.Revision { return &r.Revision }),
		Columns:    p.columns(),
		Paint:      p.paint,
		Empty:      p.emptyText,
		Path:       func(r row) string { return r.Path },
		Line:       func(r row) string { return Describe(r.Revision, env.Styles, env.Now().Location()) },
		Open:       p.open,
		Moved:      p.moved,
	}
	if o.Order != ByTime {
		spec.More = []kit.Action{{ID: keymap.Sort, Run: kit.Do(p.nextOrder)}}
	}
	p.Table = kit.NewTable(env, spec)
	return p
}

// SetBase chooses what the list is for, and reads it again.
func (p *Pane) SetBase(f past.Filter) tea.Cmd {
	p.base, p.loaded, p.whole, p.busy = f, false, false, false
	p.First()
	return p.Reread()
}

// Reread reads the journal again. The cursor stays on its revision. What changes while that is under way is read after it.
func (p *Pane) Reread() tea.Cmd {
	if p.busy {
		p.again = true
		return nil
	}
	f, source := p.base, p.o.Source
	f.Newest = true
	if !p.whole {
		f.Limit = pageSize
	}
	p.busy = true
	return kit.Start(p.env.Jobs, kit.Job[[]past.Revision]{
		Owner: p.o.Owner, Label: kit.LabelJournal,
		Failed: func() { p.busy = false },
		Work: func(ctx context.Context, _ *kit.Progress) ([]past.Revision, error) {
			return past.Revisions(ctx, source, f)
		},
		Done: func(read []past.Revision) tea.Cmd {
			p.hunks = map[int64]bool{}
			for _, r := range read {
				if _, of, ok := undo.RevertedHunk(r); ok {
					p.hunks[of] = true
				}
				if was, _ := p.Row(r.Rev); r.UndoneBy != 0 && was.UndoneBy == 0 {
					p.Unselect(row{Revision: r}) // what it was selected for is done
				}
			}
			p.whole = p.whole || len(read) < pageSize
			if f.Removed {
				read = slices.DeleteFunc(read, func(r past.Revision) bool { return r.UndidFolder() })
			}
			p.read, p.loaded, p.busy = read, true, false
			p.MarkUnread()
			cmds := []tea.Cmd{p.moved(), p.nameSessions()}
			if p.again {
				p.again = false
				cmds = append(cmds, p.Reread())
			}
			return tea.Batch(cmds...)
		},
	})
}

// readWhole reads also what is older than the first page.
func (p *Pane) readWhole() tea.Cmd {
	if p.whole || !p.loaded {
		return nil
	}
	p.whole = true
	return p.Reread()
}

// SetFilter implements [kit.Filtered]. Older revisions than those that are read may fit, too.
func (p *Pane) SetFilter(line string) (tea.Cmd, string) {
	cmd, problem := p.Table.SetFilter(line)
	return tea.Batch(cmd, p.readWhole()), problem
}

// Order is how the list is arranged.
func (p *Pane) Order() Order { return p.order }

// Selected returns the revision under the cursor; false: there is none, or a heading.
func (p *Pane) Selected() (past.Revision, bool) {
	r, ok := p.Current()
	return r.Revision, ok && r.run == nil
}

// Select puts the cursor on a revision, if it is in the list.
func (p *Pane) Select(rev int64) bool { return p.Reveal(row{Revision: past.Revision{Rev: rev}}.key()) }

// Review puts the cursor on the listed unread revision after the one under it, the oldest first, by 1, or, by -1, on the one that was read
// before it.
func (p *Pane) Review(by int) (found bool) {
	at, _ := p.Selected()
	if r, ok := p.o.Feed.Before(at.Rev); ok && by < 0 && p.Select(r.Rev) {
		return true
	}
	var unread []past.Revision
	for _, r := range p.Listed() {
		if r.Unread {
			unread = append(unread, r.Revision)
		}
	}
	slices.SortFunc(unread, func(a, b past.Revision) int { return cmp.Compare(a.Rev, b.Rev) })
	r, found := feed.Next(unread, at.Rev, by)
	return found && p.Select(r.Rev)
}

// Newest is the number of the newest revision, 0 without one.
func (p *Pane) Newest() int64 {
	if len(p.read) == 0 {
		return 0
	}
	return p.read[0].Rev
}

// Row returns the row of a revision.
func (p *Pane) Row(rev int64) (past.Revision, bool) {
	i := slices.IndexFunc(p.read, func(r past.Revision) bool { return r.Rev == rev })
	if i < 0 {
		return past.Revision{}, false
	}
	return p.read[i], true
}

// MarkUnread shows which revisions are unread now.
func (p *Pane) MarkUnread() {
	for i := range p.read {
		p.read[i].Unread = p.o.Feed.IsUnread(p.read[i].Rev)
	}
	p.list()
}

func (p *Pane) open(r row) tea.Cmd {
	if r.run != nil {
		p.Fold(r, !p.IsFolded(r))
		return p.moved()
	}
	return p.host.OpenRevision(r.Revision)
}

func (p *Pane) moved() tea.Cmd {
	var older tea.Cmd
	if p.AtEnd() {
		older = p.readWhole()
	}
	return tea.Batch(older, p.host.RowMoved())
}

// nameSessions asks for the titles of sessions that have none so far.
func (p *Pane) nameSessions() tea.Cmd {
	var ids []string
	for _, r := range p.read {
		if _, known := p.titles[r.Session]; r.Session != "" && !known {
			p.titles[r.Session] = ""
			ids = append(ids, r.Session)
		}
	}
	if source := p.o.Titles; source != nil && len(ids) > 0 {
		return kit.Start(p.env.Jobs, kit.Job[map[string]string]{
			Owner: p.o.Owner + ".titles", Label: kit.LabelJournal,
			Work: func(ctx context.Context, _ *kit.Progress) (map[string]string, error) { return source(ctx, ids), nil },
			Done: func(found map[string]string) tea.Cmd {
				for id, title := range found {
					p.titles[id] = title
				}
				p.sums = sums{}
				p.Arrange()
				return p.moved()
			},
		})
	}
	return nil
}

// words is what a filter and "/" look for words in.
func (p *Pane) words(r row) string {
	if r.run != nil {
		return strings.ToLower(p.title(r))
	}
	return words(&r.Revision, p.titles[r.Session])
}

func (p *Pane) emptyText() string {
	switch {
	case p.loaded:
		return p.o.Empty
	case p.busy:
		return "Reading the journal..."
	}
	return kit.TextNoJournal
}

// Name implements [kit.Named]: the revision or the group under the cursor.
func (p *Pane) Name() string {
	r, ok := p.Current()
	switch {
	case !ok:
		return ""
	case r.run != nil:
		return "changes of " + text.Clean(p.RunName(r.run))
	}
	return "#" + strconv.FormatInt(r.Rev, 10) + " " + kit.PathText(r.Path)
}

// Place implements [kit.Tab].
func (p *Pane) Place() string {
	more := ""
	if !p.whole {
		more = "+"
	}
	s := p.counted()
	if s.listed < 0 {
		s.listed, s.unread = 0, 0
		for _, r := range p.Listed() {
			s.listed++
			if r.Unread {
				s.unread++
			}
		}
	}
	if p.order == ByTime || s.unread == 0 {
		return p.Table.Place() + more
	}
	return kit.Number(s.unread) + " unread of " + kit.Number(s.listed) + more
}

// counted are the sums of what the list shows now.
func (p *Pane) counted() *sums {
	if line := p.Filter(); p.sums.groups == nil || p.sums.filter != line {
		p.sums = sums{filter: line, groups: map[string]group{}, listed: -1}
	}
	return &p.sums
}

// sign says that a row is unread.
func (p *Pane) sign(r row) string {
	if p.Then || !r.Unread && (r.run == nil || r.run.Unread == 0) {
		return " "
	}
	return p.env.Styles.Glyphs.Unread
}

func (p *Pane) paint(r row, st *theme.Styles) theme.Paint {
	switch {
	case r.run != nil:
		return st.Title
	case r.UndoneBy != 0:
		return st.Dim
	case r.Unread && !p.Then:
		return st.Unread
	}
	return st.Text
}

// Chosen are the revisions that an action is about, oldest first, and what they are in a sentence: the selected ones, else those below
// the heading under the cursor, else the one there.
func (p *Pane) Chosen() (list []past.Revision, of string) {
	rows := p.Selection()
	r, ok := p.Current()
	switch {
	case len(rows) > 0:
		of = "the selected rows"
	case !ok:
		return nil, ""
	case r.run != nil:
		rows, of = p.Under(r), p.RunName(r.run)
	default:
		rows, of = []row{r}, "#"+strconv.FormatInt(r.Rev, 10)
	}
	for _, r := range slices.Backward(rows) {
		list = append(list, r.Revision)
	}
	return list, of
}

// Run is the group whose heading is under the cursor, with the revisions that are listed.
func (p *Pane) Run() (past.Run, bool) {
	r, ok := p.Current()
	if !ok || r.run == nil {
		return past.Run{}, false
	}
	return p.group(r).run, true
}

// group is what is counted of the group of a heading.
func (p *Pane) group(r row) group {
	s, key := p.counted(), r.key()
	if g, known := s.groups[key]; known {
		return g
	}
	g := group{run: *r.run}
	run := &g.run
	run.Revisions, run.Added, run.Removed, run.Unread = nil, 0, 0, 0
	rows := p.Under(r)
	for i, one := range slices.Backward(rows) {
		run.Add(one.Revision)
		if state := p.state(one); i == len(rows)-1 {
			g.state = state
		} else if state != g.state {
			g.state = ""
		}
		if one.UndoneBy == 0 {
			g.state = ""
		}
	}
	run.Files = past.Paths(run.Revisions)
	if len(run.Revisions) > 0 {
		run.First = run.Revisions[0].Time
	}
	s.groups[key] = g
	return g
}

// InForce counts the changes of the group under the cursor that are in force, with those that a filter hides. Those of folders are not
// counted.
func (p *Pane) InForce() (n int) {
	at, ok := p.Current()
	if !ok || at.run == nil {
		return 0
	}
	for _, r := range at.run.Revisions {
		if r.UndoneBy == 0 && (r.Kind != memstore.KindDir || r.OldPath != "") {
			n++
		}
	}
	return n
}

// TextPresent says how to get into the past.
const TextPresent = "Select a single change, then {global/travel}. :at 2d travels too"

// ParseRevision reads the number of a revision, with or without its sign.
func ParseRevision(typed string) (rev int64, ok bool) {
	rev, err := strconv.ParseInt(strings.TrimPrefix(typed, "#"), 10, 64)
	return rev, err == nil && rev >= 0
}
