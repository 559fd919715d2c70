// Package stores is the screen of every memory on this machine: a row per store, grouped by agent if wanted, and a panel with the facts of
// the one under the cursor. The screen belongs to no open store: it lives as long as the program, while the interface around it changes
// with the store, see [Screen.Attach]. Its caller finds the stores and opens them.
package stores

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/load"
	"memcurator/memstore/overview"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// Row is a store of this machine.
type Row struct {
	overview.Row
	// Real is where the store is on the disk, whatever names lead to it: what the same store is known by.
	Real string
}

// Offer is another way to begin, listed below the stores.
type Offer struct {
	Name string // a word
	Text string // what it does
}

// Source finds stores, reads them and opens them. Its methods do I/O, on goroutines of jobs; those that need a row are given one of List.
type Source interface {
	// List finds the stores and reports each row, and again whenever more is known of it; Done has which parts. It returns when all
	// wanted parts are known, or ctx ends.
	List(ctx context.Context, parts overview.Part, report func(Row)) error
	// Watch reports rows again when their stores change, until ctx ends.
	Watch(ctx context.Context, rows []Row, report func(Row))
	// Search searches the names and the text of stores and reports each when it is done.
	Search(ctx context.Context, rows []Row, m *search.Matcher, report func(Searched)) error
	// Changes reads the newest changes of stores, and reports each store when it is done.
	Changes(ctx context.Context, rows []Row, report func(Searched)) error
	// Side reads one side of a change of a store. Its secrets are masked.
	Side(context.Context, Row, past.Revision, past.Side) ([]byte, error)
	// Near reads the lines around one of a note, at an agent path, and the number of the first of them. Their secrets are masked.
	Near(ctx context.Context, row Row, path string, line int) (lines []string, first int, err error)
	// Start reads what a session starts with; nil: its agent reads on demand, or is unknown.
	Start(context.Context, Row) (*load.Start, error)
	// Recover brings back a store of which only the journal remains, and returns what names it then; Forget leaves it out of the list from
	// now on.
	Recover(context.Context, Row) (path string, err error)
	Forget(Row) error
}

// Options hold what the screen needs.
type Options struct {
	Source Source
	// Offers are listed below the stores.
	Offers []Offer
	// Title is a path with a tilde for the home folder.
	Title func(path string) string
	// Open opens a store, or carries out an offer; exactly one of the two is set. Opened is the [Row.Real] of the open store, "" for
	// none.
	Open   func(Choice) tea.Cmd
	Opened func() string
	// Stop ends the opening of a store; false: none is being opened.
	Stop func() bool
}

// Choice is the target that the user opens: a store, by its [discover.Found.Path] and [Row.Real], or the name of an offer.
type Choice struct {
	Path, Real, Offer string
	// File is the agent path of what to show in the store, at Line from 1; "": nothing in particular.
	File string
	Line int
	// Change is the revision whose diff to show instead; nil: none.
	Change *past.Revision
	// Passphrase and Identity, the path of a file, are what the user typed to open an encrypted store; "": nothing.
	Passphrase, Identity string
}

// Locked is the error of opening an encrypted store for want of a key. Passphrase: the key is one; else it is an identity file. Wrong: the
// one that was typed doesn't fit.
type Locked struct {
	Passphrase, Wrong bool
	Why               string // a sentence
}

func (l Locked) Error() string { return l.Why }

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	env     *kit.Env
	shell   kit.Shell
	list    *list
	detail  *page
	diff    *diffpane.Pane // of the change under the cursor, while changes are listed
	start   *start
	actions *kit.Actions
	w, h    int       // of the list
	found   *results  // of a search of all stores, shown instead of the list; nil: the list is shown
	entered bool      // the screen appeared once
	known   bool      // the stores were listed once
	read    time.Time // when all of them were read last
	acted   bool      // while they were listed: they are listed again
	aged    time.Time // when a message comes by which the ages move on
	wanted  string    // the store to go to once it is listed, by its path or its place on the disk; "": none
	opening Choice
	problem map[string]string // why a store did not open, by its path
}

// New makes the screen. env outlives the interface of each store.
func New(env *kit.Env, o Options) *Screen {
	s := &Screen{Options: o, env: env, problem: map[string]string{}}
	s.list = newList(s)
	s.detail = newPage(s)
	s.diff = diffpane.New(env, ownerDiff)
	s.start = newStart(s)
	return s
}

// Attach puts the screen into the interface of a store.
func (s *Screen) Attach(shell kit.Shell) {
	s.shell = shell
	s.actions = kit.NewActions(s.env,
		kit.Action{ID: keymap.FocusNext, Run: func() tea.Cmd { return s.shell.OtherPane() }},
		kit.Action{ID: keymap.FocusPrev, Run: func() tea.Cmd { return s.shell.OtherPane() }},
		kit.Action{ID: keymap.Listing, Run: s.start.toggle, Why: s.start.whyNot},
		kit.Action{ID: keymap.Refresh, Run: func() tea.Cmd {
			if s.found != nil {
				return s.found.again()
			}
			return s.look(overview.Everything)
		}},
		kit.Action{ID: keymap.ChangesAll, Run: s.turnChanges},
		kit.Action{ID: keymap.TabNext, Run: s.turnChanges},
		kit.Action{ID: keymap.TabPrev, Run: s.turnChanges},
		kit.Action{ID: keymap.NextUnread, Run: func() tea.Cmd { return s.nextUnread(1) }},
		kit.Action{ID: keymap.PrevUnread, Run: func() tea.Cmd { return s.nextUnread(-1) }},
		kit.Action{ID: keymap.Filter, Run: func() tea.Cmd { return s.shell.TypeFilter(s.table().Filter()) }},
		kit.Action{ID: keymap.ForgetStore, Run: s.forget, Why: kit.Unless(s.isLost, "Nothing to forget: the folder of the store is there")},
		kit.Action{
			ID: keymap.CopyPath, Run: func() tea.Cmd { return s.shell.Copy("path", s.listed().Path()) },
			Why: kit.Unless(func() bool { return s.listed().Path() != "" }, "No path here to copy"),
		},
		kit.Action{
			ID: keymap.CopyLine, Run: func() tea.Cmd { return s.shell.CopyRead("line", s.line()) },
			Why: kit.Unless(func() bool { return s.line() != nil }, "No line under the cursor to copy"),
		},
	)
}

// line reads the line under the cursor of the pane with the focus.
func (s *Screen) line() func() (string, error) {
	if s.shell.OnDetail() {
		return s.Detail().LineReader(kit.CopyLimit)
	}
	return s.listed().LineReader(kit.CopyLimit)
}

// listed is the list in sight.
func (s *Screen) listed() kit.Listed {
	if s.found != nil {
		return s.found
	}
	return s.list
}

// row is the store under the cursor; false: none is.
func (s *Screen) row() (Row, bool) {
	if s.found != nil {
		h, ok := s.found.Current()
		if !ok {
			return Row{}, false
		}
		return s.list.rowOf(h.of.Store)
	}
	e, ok := s.list.Current()
	if !ok || e.kind != store {
		return Row{}, false
	}
	return e.row, true
}

// Env is the environment of the screen, which the interface around it keeps up to date.
func (s *Screen) Env() *kit.Env { return s.env }

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane {
	if s.found != nil {
		return s.found
	}
	return s.list
}

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab {
	switch {
	case s.changes() != nil:
		return s.diff
	case s.start.inSight():
		return s.start.pane
	}
	return s.detail
}

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions { return s.actions }

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.w, s.h = list.W, list.H
	s.list.Resize(list.W, list.H)
	if s.found != nil {
		s.found.Resize(list.W, list.H)
	}
	s.detail.Resize(detail.W, detail.H)
	s.start.pane.Resize(detail.W, detail.H)
	s.diff.Resize(detail.W, detail.H)
	return nil
}

// ListTitle implements [kit.Screen].
func (s *Screen) ListTitle(width int) kit.Title {
	if s.found != nil {
		return s.found.title(width)
	}
	title := "stores on this machine"
	if s.list.Filter() != "" {
		title = "stores" // how many are listed matters more
	}
	return kit.ListTitle(s.env.Styles, title, s.list.Filter(), s.list.place(), width)
}

// readEvery is how long the parts that need all files of all stores count as current when the screen appears again.
const readEvery = time.Minute

// Enter implements [kit.Enterer]: the stores are listed again, since agents come and go. What is known stays until then.
func (s *Screen) Enter() tea.Cmd {
	if !s.entered && s.Opened() != "" {
		s.wanted = s.Opened()
	}
	if s.entered = true; s.list.goTo(s.wanted) {
		s.wanted = ""
	}
	parts := overview.Everything
	if s.known && s.env.Now().Sub(s.read) < readEvery {
		parts = overview.LoadPart | overview.UnreadPart
	}
	return s.look(parts)
}

// nextUnread goes to the next store with unread changes, or with -1 to the previous one.
func (s *Screen) nextUnread(by int) tea.Cmd {
	if r := s.changes(); r != nil {
		return r.Step(by, hit.isUnread)
	}
	return s.list.Step(by, func(e entry) bool { return count(e.row.Unread) > 0 })
}

// Opening shows that a store is being opened; the zero Choice: none is.
func (s *Screen) Opening(c Choice) { s.opening = c }

// Failed shows why a store did not open.
func (s *Screen) Failed(c Choice, why string) {
	s.opening = Choice{}
	if c.Path != "" {
		s.problem[c.Path] = why
	}
	s.detail.fill()
	s.env.Emit(kit.Say{Level: kit.Fail, Text: why})
}

// Arrived is called with the store that is open now; the cursor goes to it, unless the results of a search are listed.
func (s *Screen) Arrived(path string) {
	s.opening = Choice{}
	delete(s.problem, path)
	s.list.goTo(path)
	s.detail.fill()
}

// open opens what is under the cursor.
func (s *Screen) open() tea.Cmd {
	if e, ok := s.list.Current(); ok {
		return s.openEntry(e)
	}
	s.env.Emit(kit.Say{Text: s.emptyText()})
	return nil
}

// openEntry opens a store, carries out an offer, and folds or unfolds an agent.
func (s *Screen) openEntry(e entry) tea.Cmd {
	switch {
	case e.kind == heading:
		s.list.Fold(e, !s.list.IsFolded(e))
		return s.detail.refresh()
	case e.kind == offer:
		return s.Open(Choice{Offer: e.offer.Name})
	case e.row.Lost != nil:
		return s.recover(e.row)
	}
	return s.Open(Choice{Path: e.row.Path, Real: e.row.Real})
}

// Peel implements [kit.Peeler]: a store that is being opened, then the filter.
func (s *Screen) Peel() (cmd tea.Cmd, peeled bool) {
	if name := s.openingName(); s.Stop() {
		s.env.Emit(kit.Say{Text: "Stopped opening " + name})
		return nil, true
	}
	if s.start.inSight() && !s.shell.OnDetail() {
		s.start.shown = false
		return nil, true
	}
	if s.shell.OnDetail() {
		return nil, false
	}
	cmd, peeled = s.table().Peel()
	if !peeled && s.found != nil && s.found.Search().Query() == "" {
		return s.listStores(), true
	}
	return cmd, peeled
}

// table is the list in sight.
func (s *Screen) table() interface {
	kit.Filtered
	kit.FilterCounter
	kit.Peeler
	Filter() string
} {
	if s.found != nil {
		return s.found
	}
	return s.list
}

// SetFilter implements [kit.Filtered].
func (s *Screen) SetFilter(line string) (tea.Cmd, string) { return s.table().SetFilter(line) }

// CompleteFilter implements [kit.Filtered].
func (s *Screen) CompleteFilter(line string) []string { return s.table().CompleteFilter(line) }

// Matches implements [kit.FilterCounter].
func (s *Screen) Matches() string { return s.table().Matches() }

// ListWidth implements [kit.Wide]: changes leave the room to their diff.
func (s *Screen) ListWidth() int {
	if s.changes() != nil {
		return 0
	}
	return allColumns
}

// openingName is the name of the store that is being opened.
func (s *Screen) openingName() string {
	if s.opening.Path == "" {
		return s.opening.Offer
	}
	return text.Clean(s.Title(s.opening.Path))
}

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	if s.opening != (Choice{}) {
		return kit.Hints{Lead: "opening " + s.openingName(), Acts: []kit.Hint{kit.Act("stop", keymap.Back)}}
	}
	if s.found != nil && s.found.matcher == nil {
		return kit.Hints{Acts: []kit.Hint{
			kit.Act("open", keymap.Open), kit.Act("next unread", keymap.NextUnread),
			kit.Act("filter", keymap.Filter),
			kit.Act("stores", keymap.ChangesAll), kit.Act("diff", keymap.FocusNext),
		}}
	}
	if s.found != nil {
		return kit.Hints{Acts: []kit.Hint{
			kit.Act("open", keymap.Open), kit.Act("next match", keymap.SearchNext), kit.Act("next store", keymap.HunkNext),
			kit.Act("stores", keymap.Back),
		}}
	}
	e, _ := s.list.Current()
	acts := []kit.Hint{kit.Act("open", keymap.Open)}
	if e.kind == offer {
		acts = []kit.Hint{kit.Act(e.offer.Name, keymap.Open)}
	}
	switch {
	case e.row.Lost != nil:
		acts = []kit.Hint{kit.Act("restore", keymap.Open), kit.Act("forget", keymap.ForgetStore)}
	case s.known && len(s.list.rows) == 0:
		return kit.Hints{Acts: append(acts, kit.Act("add folder", keymap.AddFolder), kit.Act("refresh", keymap.Refresh))}
	}
	if s.changed() > 0 {
		acts = append(acts, kit.Act("next unread", keymap.NextUnread))
	}
	return kit.Hints{Acts: append(acts, kit.Act("changes", keymap.ChangesAll), kit.Act("search all", keymap.Find),
		kit.Act("filter", keymap.Filter), kit.Act("order", keymap.Sort))}
}

// changed counts the stores with changes that the user has not read.
func (s *Screen) changed() (n int) {
	for _, r := range s.list.rows {
		if count(r.Unread) > 0 {
			n++
		}
	}
	return n
}

// Summary counts the stores, for the first row of the screen.
func (s *Screen) Summary() string {
	if !s.known {
		return ""
	}
	said := kit.CountGrouped(len(s.list.rows), "store")
	if changed := s.changed(); changed > 0 {
		said += fmt.Sprintf(", %d with changes", changed)
	}
	return said
}

// emptyText explains an empty list.
func (s *Screen) emptyText() string {
	switch {
	case !s.known:
		return "Looking for stores..."
	case s.list.Filter() != "":
		return s.env.Keyed(fmt.Sprintf("No rows match %q. {global/back} clears", s.list.Filter()))
	}
	return "No stores on this machine"
}
