// Package timeline lists revisions of the journal, oldest first: those of a store in the
// Changes screen, the deletions in Trash, those of one path in the history tab. It reads the
// journal in jobs, a page at a time, and answers with intents; what is done to a revision
// is the root's.
package timeline

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/feed"
	"memcurator/tui/ui"
)

// pageSize is how many revisions one job reads.
const pageSize = 1000

// Texts are the words of a list, which differ with its purpose.
type Texts struct {
	Title   string // in the frame
	Empty   string // nothing to list, and what to do next
	NoMatch string // nothing that the filter leaves
}

// ShowNone is the intent to show nothing: the list with this owner has no row any more.
type ShowNone struct{ Owner string }

// ShowRevision is the intent to show a revision of the list with this owner.
type ShowRevision struct {
	Owner    string
	Revision past.Revision
}

// OpenRevision is the intent of enter on a revision.
type OpenRevision struct {
	Owner    string
	Revision past.Revision
}

// Pane is a list of revisions. Make it with [New].
type Pane struct {
	env     *ui.Env
	actions *ui.Actions
	owner   string
	source  past.Lister
	texts   Texts
	scope   keymap.Scope
	w, h    int

	base    past.Filter     // what the list is for
	filter  Filter          // what the user typed
	read    []past.Revision // oldest first
	rows    arrangement     // what is listed of it
	marks   feed.Pending
	began   time.Time // when the job that reads was started; zero: none is under way
	list    ui.List
	search  *ui.RowSearch
	all     bool // no revision is older than the first row
	loaded  bool
	waiting bool // a refresh was asked for while one was under way
	rereads bool // all rows are being read again
	shown   int64
	marked  int64 // the revision that another one is going to be compared with; 0: none

	order  Order // that the user wants
	titles titles

	// Titles says what sessions were about, by their ids; nil: unknown. Secrets counts the secrets in a file now; nil: unknown.
	Titles  func(ctx context.Context, sessions []string) map[string]string
	Secrets func(path string) int
	// Then is set while the list is of a moment in the past, of which nothing is unread.
	Then bool
}

// New makes an empty list whose jobs are named owner.
func New(env *ui.Env, owner string, source past.Lister, scope keymap.Scope, texts Texts) *Pane {
	p := &Pane{env: env, owner: owner, source: source, scope: scope, texts: texts, titles: titles{}}
	p.rows.open = map[string]bool{}
	p.search = ui.NewRowSearch(env, &p.list, p.rowText, func(row int) tea.Cmd {
		p.list.JumpTo(row)
		return p.moved("")
	})
	p.actions = ui.NewActions(env, append(p.search.Bindings(), p.bindings()...)...)
	p.list.Follow()
	return p
}

// SetBase chooses what the list is for, and reads it again.
func (p *Pane) SetBase(f past.Filter) tea.Cmd {
	p.base = f
	return p.reload()
}

// SetFilter narrows the list to what the user typed.
func (p *Pane) SetFilter(f Filter) tea.Cmd {
	p.filter = f
	return p.reload()
}

// Wanted is the filter of the rows: what the list is for, narrowed by what the user typed.
func (p *Pane) Wanted() past.Filter {
	f := p.filter.narrow(p.base)
	if len(f.Words) > 0 {
		f.Titles = maps.Clone(p.titles) // a job reads them
	}
	return f
}

// Filter returns what the user typed.
func (p *Pane) Filter() Filter { return p.filter }

// Peel clears the mark or else the filter, if any.
func (p *Pane) Peel() (tea.Cmd, bool) {
	if p.marked != 0 {
		p.marked = 0
		return nil, true
	}
	if p.filter.text == "" {
		return nil, false
	}
	return p.SetFilter(Filter{}), true
}

// page is an answer of the journal.
type page struct {
	rows  []past.Revision
	began time.Time // when the job was started
	older bool      // goes before the rows that are there
	newer bool      // goes after them
	all   bool
}

func (p *Pane) reload() tea.Cmd {
	p.loaded, p.shown, p.waiting = false, 0, false
	return p.readPage(page{}, past.Filter{})
}

// Reread reads the rows again: some may have been undone. The cursor stays on its revision.
func (p *Pane) Reread() tea.Cmd {
	if !p.loaded {
		p.waiting = true
		return nil
	}
	p.rereads = true
	return p.readPage(page{}, past.Filter{})
}

// Anew is Reread, and reports the revision under the cursor to the root again: its texts may have changed.
func (p *Pane) Anew() tea.Cmd {
	p.shown = 0
	return p.Reread()
}

// Refresh reads what was recorded since.
func (p *Pane) Refresh() tea.Cmd {
	if !p.loaded {
		p.waiting = true
		return nil
	}
	p.waiting = false
	if len(p.read) == 0 {
		return p.reload()
	}
	if p.rereads || p.base.Removed {
		// What is under way would be dropped, and has the new ones too. Of deletions a newer change may end the row of an older one.
		return p.Reread()
	}
	return p.readPage(page{newer: true}, past.Filter{After: p.read[len(p.read)-1].Rev})
}

const labelRevisions = "reading the journal"

// readPage starts a job that reads a page next to the rows that are there.
func (p *Pane) readPage(what page, part past.Filter) tea.Cmd {
	f := p.Wanted()
	f.After = max(f.After, part.After)
	if part.Before > 0 {
		f.Before = part.Before
	}
	if !what.newer {
		f.Newest, f.Limit = true, pageSize
	}
	source := p.source
	p.began = time.Now()
	what.began = p.began
	return p.env.Jobs.Start(p.owner, labelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		rows, err := past.Revisions(ctx, source, f)
		if f.Newest {
			slices.Reverse(rows)
			what.all = len(rows) < pageSize
		}
		what.rows = rows
		return what, err
	})
}

// Receive implements [ui.Pane].
func (p *Pane) Receive(done ui.Done) tea.Cmd {
	v, ok := done.Value.(page)
	if !ok {
		return nil
	}
	p.began = time.Time{}
	p.marks.Apply(v.rows, v.began)
	switch {
	case v.older:
		before := len(p.rows.listed)
		p.read = append(v.rows, p.read...)
		if p.Order() == ByTime {
			p.rows.choose(p.read, p.filter.own())
			p.list.Shift(len(p.rows.listed) - before)
		} else {
			p.arrange()
		}
		p.all = v.all
	case v.newer:
		stay(&p.list, p.Newest(), v.rows)
		p.read = append(p.read, v.rows...)
		p.arrange()
	default:
		p.rereads = false
		before, _ := p.Selected()
		p.keep(v)
		if r, _ := p.Selected(); r.Rev == before.Rev && !slices.Equal(originOf(r), originOf(before)) {
			p.shown = 0 // its title says more by now
		}
	}
	p.loaded = true
	p.show()
	if p.waiting {
		return tea.Batch(p.nameSessions(), p.Refresh())
	}
	return p.nameSessions()
}

// stay keeps the cursor of a list where it is when the user's own acts are among what is newer than its newest row: they were meant for
// the row under it.
func stay(list *ui.List, newest int64, rows []past.Revision) {
	if newest > 0 && slices.ContainsFunc(rows, func(r past.Revision) bool { return r.Rev > newest && r.Actor == memstore.Curator }) {
		list.Stay()
	}
}

// keep takes a list that was read again; the cursor stays on its revision. It begins at the
// oldest that the user has not seen, else, and in the past, at the newest.
func (p *Pane) keep(v page) {
	before, had := p.Selected()
	stay(&p.list, p.Newest(), v.rows)
	follows := p.list.Following() || !had
	p.read, p.all = v.rows, v.all
	p.arrange()
	if p.Order() != ByTime {
		if p.Order() == NewestFirst && !had {
			p.list.MoveTo(0)
		}
		return
	}
	if follows {
		p.list.Follow()
		if unread := slices.IndexFunc(p.rows.listed, func(r past.Revision) bool { return r.Unread }); !had && unread >= 0 && !p.Then {
			p.list.MoveTo(unread)
		}
		return
	}
	at, _ := slices.BinarySearchFunc(p.rows.listed, before.Rev, func(r past.Revision, rev int64) int { return int(r.Rev - rev) })
	p.list.MoveTo(at)
}

// Selected returns the revision under the cursor.
func (p *Pane) Selected() (past.Revision, bool) {
	i, ok := p.list.At()
	if !ok {
		return past.Revision{}, false
	}
	return p.rows.at(i)
}

// Select puts the cursor on a revision, if it is in the list.
func (p *Pane) Select(rev int64) bool {
	if !p.reveal(rev) {
		return false
	}
	p.show()
	return true
}

// Row returns the row of a revision.
func (p *Pane) Row(rev int64) (past.Revision, bool) {
	i := slices.IndexFunc(p.read, func(r past.Revision) bool { return r.Rev == rev })
	if i < 0 {
		return past.Revision{}, false
	}
	return p.read[i], true
}

// NextUnread goes to the next row that is unread, or with -1 to the previous one, around the ends of the list.
func (p *Pane) NextUnread(by int) bool {
	list := p.rows.sequence()
	n, at := len(list), -1
	if r, ok := p.Selected(); ok {
		at = slices.IndexFunc(list, func(one past.Revision) bool { return one.Rev == r.Rev })
	} else if run, ok := p.Run(); ok {
		at = slices.IndexFunc(list, func(one past.Revision) bool { return one.Rev == run.Newest() })
		if by > 0 {
			at--
		}
	}
	for i := range n {
		if next := list[(at+by*(1+i)+2*n)%n]; next.Unread {
			return p.Select(next.Rev)
		}
	}
	return false
}

// Newest is the number of the last row, 0 without one.
func (p *Pane) Newest() int64 {
	if len(p.read) == 0 {
		return 0
	}
	return p.read[len(p.read)-1].Rev
}

// Mark implements [feed.List].
func (p *Pane) Mark(m *feed.Mark) {
	read := p.began
	if read.IsZero() {
		read = time.Now()
	}
	p.marks.Add(m, p.read, read)
	p.arrange()
}

// show reports the revision under the cursor to the root, once.
func (p *Pane) show() {
	if run, ok := p.Run(); ok {
		if p.shown != -run.Newest() {
			p.shown = -run.Newest()
			p.env.Emit(ShowRun{p.owner, run, p.titles.heading(&run, p.order, p.w)})
		}
		return
	}
	r, ok := p.Selected()
	if !ok {
		p.shown = 0
		p.env.Emit(ShowNone{p.owner})
		return
	}
	if r.Rev == p.shown {
		return
	}
	p.shown = r.Rev
	p.env.Emit(ShowRevision{p.owner, r})
}

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

func (p *Pane) bindings() []ui.Action {
	return append(p.list.Bindings(p.moved),
		ui.On(keymap.Open, func() {
			if p.toggle() {
				return
			}
			if r, ok := p.Selected(); ok {
				p.env.Emit(OpenRevision{p.owner, r})
			}
		}),
		ui.On(keymap.Left, p.left),
		ui.On(keymap.Right, p.right),
		ui.On(keymap.ExpandAll, func() { p.foldAll(true) }),
		ui.On(keymap.CollapseAll, func() { p.foldAll(false) }),
		ui.On(keymap.ShowHidden, p.toggleCanceled),
	)
}

// Search implements [ui.searchable].
func (p *Pane) Search() ui.Searcher { return p.search }

// rowText is what a row is found by: number, actor, command, paths and session of a change, actor, session and title of a group.
func (p *Pane) rowText(row int) string {
	if r, ok := p.rows.at(row); ok {
		return fmt.Sprintf("#%d %s %s %s %s %s", r.Rev, r.Actor, r.Command, r.Path, r.OldPath, r.Session)
	}
	group, ok := p.rows.headed(row)
	if !ok {
		return ""
	}
	return p.rows.key(group) + " " + p.titles[p.rows.runs[group].Session]
}

func (p *Pane) moved(id keymap.ID) tea.Cmd {
	if id == keymap.Bottom && p.Order() == ByTime {
		p.list.Follow()
	}
	p.show()
	return p.older()
}

// older reads the page before the first row when the cursor came to it.
func (p *Pane) older() tea.Cmd {
	if p.all || !p.loaded || len(p.read) == 0 {
		return nil
	}
	if at, _ := p.list.At(); p.Order() == ByTime && p.list.Top() > 0 || p.Order() != ByTime && at < p.rows.count()-1 {
		return nil
	}
	return p.readPage(page{older: true}, past.Filter{Before: p.read[0].Rev})
}

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	hit, again := p.list.Click(row)
	if hit {
		p.show()
	}
	return again
}
