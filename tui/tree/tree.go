// Package tree is the left pane of the Browse screen: the store as a tree.
// It draws immutable snapshots and keeps cursor and folding as agent paths, so
// that a new snapshot never moves what the user looks at. The root feeds it
// snapshots and unread marks; it answers with intents.
package tree

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/kit"
)

// Pane is the tree. Make it with [New].
type Pane struct {
	env       *kit.Env
	actions   *kit.Actions
	dialect   memstore.Dialect // whose way of writing sizes is used
	w, h      int
	snapshot  *memstore.Snapshot
	shape     shape
	filter    string // what is typed
	problem   string // a mistake in it, a sentence
	now       func() time.Time
	seek      bool // the filter was just typed: the cursor goes to what it lets through
	view      viewport
	search    *kit.RowSearch
	wish      string // agent path to select when it is known; empty: none
	Badges    Badges
	Selection Selection
	touched   bool // the user folded something: stop unfolding automatically
}

// New makes an empty tree, in which sizes are written as in a dialect.
func New(env *kit.Env, d memstore.Dialect) *Pane {
	p := &Pane{
		env:     env,
		dialect: d,
		now:     time.Now,
		shape:   shape{expanded: map[string]bool{memstore.Root: true}, hidden: true},
		view:    viewport{env: env, path: memstore.Root},
	}
	p.Selection = Selection{pane: p, marks: marks{}}
	p.search = kit.NewRowSearch(env, &p.view.list, func(i int) string { return p.view.rows.path(i) }, p.view.jumpTo)
	p.search.Elsewhere = "{tree/filter} looks in folded folders too, {global/find} in texts"
	p.actions = kit.NewActions(env, kit.Before(p.arrived, slices.Concat(p.bindings(), p.Selection.bindings(), p.search.Bindings()))...)
	return p
}

// Selected returns the agent path under the cursor and what is known of it (nil while loading).
func (p *Pane) Selected() (string, *memstore.Node) { return p.view.path, p.view.node() }

// Folder is the agent folder under the cursor, with its final slash.
func (p *Pane) Folder() string {
	at, n := p.Selected()
	if n == nil || n.Kind != memstore.KindDir {
		at = path.Dir(at)
	}
	if _, err := memstore.ParsePath(at); err != nil {
		at = memstore.Root
	}
	return at + "/"
}

// SetDialect changes whose way of writing sizes is used.
func (p *Pane) SetDialect(d memstore.Dialect) { p.dialect = d }

// Prefer sorts folders by name, size, age or links, and shows or leaves out hidden names.
func (p *Pane) Prefer(by string, hidden bool) {
	p.shape.sorter.by, p.shape.hidden = orderNamed(by), hidden
	p.refresh()
}

// Order names how folders are sorted when that is not by name.
func (p *Pane) Order() string {
	if p.shape.sorter.by == byName {
		return ""
	}
	return p.shape.sorter.by.String()
}

// Filter returns the filter's text.
func (p *Pane) Filter() string { return p.filter }

// FilterProblem explains why a term of the filter was left out; empty: all are understood.
func (p *Pane) FilterProblem() string { return p.problem }

// Matches implements [kit.FilterCounter].
func (p *Pane) Matches() string {
	if p.shape.match == nil {
		return ""
	}
	return fmt.Sprintf("%d of %d  ", p.shape.match.matched, p.shape.match.total)
}

// SetSnapshot takes a newer state of the store; cursor, folding and marks stay.
func (p *Pane) SetSnapshot(s *memstore.Snapshot) {
	p.snapshot = s
	if s.Complete && !p.touched {
		p.unfoldSmall()
	}
	p.refresh()
	p.grantWish()
}

// Changed takes what was recorded of the store, before or after the snapshot that shows it: the selection goes along.
func (p *Pane) Changed(list []past.Revision) { p.Selection.marks.follow(list) }

// unfoldSmall opens the folders that the agent's listing shows, if that fits the pane.
func (p *Pane) unfoldSmall() {
	p.touched = true
	trial := shape{expanded: map[string]bool{memstore.Root: true}, hidden: p.shape.hidden}
	for _, n := range p.snapshot.Root.Children {
		if n.Kind == memstore.KindDir && !n.Hidden {
			trial.expanded[memstore.Root+"/"+n.Name] = true
		}
	}
	if len(flatten(p.snapshot, trial)) <= max(p.h, 10) {
		p.shape.expanded = trial.expanded
	}
}

// SetLinks tells how many files name each agent path, for the order by links.
func (p *Pane) SetLinks(links map[string]int) {
	p.shape.sorter.links = linksBelow(links)
	if p.shape.sorter.by == byLinks {
		p.refresh()
	}
}

// SetUnread marks the agent paths with changes that the user has not seen.
func (p *Pane) SetUnread(paths map[string]int) {
	p.Badges.unread, p.Badges.unreadFolders = paths, foldersOf(paths)
	p.reselected()
}

// Select moves the cursor to path and unfolds what hides it. A path that is gone selects its folder.
func (p *Pane) Select(path string) {
	p.wish = ""
	p.unfoldTo(path)
	if strings.Contains(path, "/.") || strings.Contains(path, "/node_modules") {
		p.shape.hidden = true
	}
	if p.filtering() {
		if _, exact := p.view.rows.find(path); !exact {
			p.filter, p.problem = "", ""
		}
	}
	p.view.path = path
	p.refresh()
}

// unfoldTo unfolds the folders that a path is below.
func (p *Pane) unfoldTo(path string) {
	for at := parentOf(path); at != ""; at = parentOf(at) {
		p.shape.expanded[at] = true
	}
}

// Follow moves the cursor to where the selected path was renamed to; unlike Select it
// leaves a filter alone.
func (p *Pane) Follow(path string) {
	if !p.filtering() {
		p.Select(path)
		return
	}
	p.view.path = path
	p.refresh()
}

// filtering reports whether a filter leaves out names.
func (p *Pane) filtering() bool { return strings.TrimSpace(p.filter) != "" }

// SetFilter implements [kit.Filtered], see [filter]; empty shows everything again.
func (p *Pane) SetFilter(line string) (cmd tea.Cmd, problem string) {
	was := p.filtering()
	p.filter = line
	p.problem = p.matcher().Problem
	if was && !p.filtering() {
		p.unfoldTo(p.view.path)
	}
	p.seek = p.filtering()
	p.refresh()
	return nil, p.problem
}

// CompleteFilter implements [kit.Filtered].
func (p *Pane) CompleteFilter(line string) []string { return completeFilter(line) }

// refresh lists the visible rows again. The cursor stays on its path.
func (p *Pane) refresh() {
	if p.snapshot == nil {
		return
	}
	p.shape.match = nil
	if p.filtering() {
		p.shape.match = p.matcher()
	}
	p.view.rows = flatten(p.snapshot, p.shape)
	p.place()
}

// place finds the row of the selected path again and keeps it in sight.
func (p *Pane) place() {
	i, exact := p.view.rows.find(p.view.path)
	switch {
	case p.filtering() && (!exact || p.seek && !p.view.rows[i].hit):
		i = p.view.rows.firstHit(i)
	case exact:
	default:
		i = p.view.rows.nearestIn(i, p.view.cursor())
	}
	p.seek = false
	p.Selection.span.find(p.view.rows)
	p.view.moveTo(i)
}

// Resize implements [kit.Pane].
func (p *Pane) Resize(w, h int) {
	p.w, p.h = w, h
	p.view.list.Resize(h)
}

// Scopes implements [kit.Pane].
func (p *Pane) Scopes() []keymap.Scope { return []keymap.Scope{keymap.Tree, keymap.List} }

// Cursor implements [kit.Pane].
func (p *Pane) Cursor() (kit.Point, bool) {
	return p.view.list.Point()
}
