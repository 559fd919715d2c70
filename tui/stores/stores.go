// Package stores is the screen of every memory on this machine: a row per store, and a panel with the facts of the one under the cursor.
// The screen belongs to no open store: it lives as long as the program, while the interface around it changes with the store, see
// [Screen.Attach]. Its caller finds the stores and opens them.
package stores

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/overview"
	"memcurator/memstore/search"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// Row is a store of this machine.
type Row struct {
	overview.Row
	// Real is where the store is on the disk, whatever names lead to it: what the same store is known by.
	Real string
}

// Source finds stores and reads them. Its methods do I/O, on goroutines of jobs; those that need a row are given one of List.
type Source interface {
	// Title is a path with a tilde for the home folder. It does no I/O.
	Title(path string) string
	// List finds the stores and reports each row, and again whenever more is known of it. It returns when all is known, or ctx ends.
	List(ctx context.Context, report func(Row)) error
	// Search searches the names and the text of stores and reports each when it is done.
	Search(ctx context.Context, rows []Row, m *search.Matcher, report func(Searched)) error
}

// Opener opens stores for the screen.
type Opener interface {
	// Choose opens a store.
	Choose(Choice) tea.Cmd
	// StopOpening ends the opening of a store; false: none is being opened.
	StopOpening() bool
	// Opened is the [Row.Real] of the open store; "" for none.
	Opened() string
}

// Choice is the target that the user opens: a store, by its [discover.Found.Path] and [Row.Real].
type Choice struct {
	Path, Real string
	Create     bool // makes the folder at Path, which was deleted
	// File is the agent path of what to show in the store, at Line from 1; "": nothing in particular.
	File string
	Line int
	Find *search.Matcher // what found it, to go on with there; nil: nothing was searched for
}

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	source  Source
	opener  Opener
	env     *kit.Env
	shell   kit.Shell
	list    *list
	detail  *page
	actions *kit.Actions
	w, h    int      // of the list
	found   *results // of a search of all stores, shown instead of the list; nil: the list is shown
	entered bool     // the screen appeared once
	known   bool     // the stores were listed once
	wanted  string   // the store to go to once it is listed, by its path or its place on the disk; "": none
	opening Choice
	// listing has the rows that are found, searching what a search finds.
	listing, searching <-chan Message
}

// New makes the screen. env outlives the interface of each store.
func New(env *kit.Env, source Source, opener Opener) *Screen {
	s := &Screen{source: source, opener: opener, env: env}
	s.list = newList(s)
	s.detail = newPage(s)
	return s
}

// Attach puts the screen into the interface of a store.
func (s *Screen) Attach(shell kit.Shell) {
	s.shell = shell
	s.actions = kit.NewActions(s.env, keymap.Stores,
		kit.Action{ID: keymap.Find, Keys: "S", Help: "search names and text of all stores: a phrase, or /a regular expression/", Hint: "search all"},
		kit.Action{ID: keymap.NextUnread, Keys: ".", Help: "review the next store with unread changes"},
		kit.Action{ID: keymap.PrevUnread, Keys: ",", Help: "review the previous store with unread changes"},
		kit.Action{ID: keymap.Refresh, Keys: "f5", Help: "refresh: find and read all stores again",
			Run: s.refresh},
		kit.Action{ID: keymap.Filter, Keys: "f", Hint: "filter",
			Help: "filter by agent, project or path, or is:missing is:stranded is:over is:due is:not-loaded is:unread"},
		kit.Action{
			ID: keymap.CopyPath, Run: func() tea.Cmd { return shell.Copy("path", s.table().Path()) },
			Why: kit.Unless(func() bool { return s.table().Path() != "" }, "No path here to copy"),
		},
		kit.Action{
			ID: keymap.CopyLine, Run: func() tea.Cmd { return shell.CopyRead("line", s.line()) },
			Why: kit.Unless(func() bool { return s.line() != nil }, "No line under the cursor to copy"),
		},
	)
}

// line reads the line under the cursor of the pane with the focus.
func (s *Screen) line() func() (string, error) {
	if s.shell.OnDetail() {
		return s.detail.LineReader(kit.CopyLimit)
	}
	return s.table().LineReader(kit.CopyLimit)
}

// table is the list in sight.
func (s *Screen) table() interface {
	kit.Pane
	kit.Listed
	kit.Filtered
	kit.Peeler
} {
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
	return s.list.Current()
}

// Env is the environment of the screen, which the interface around it keeps up to date.
func (s *Screen) Env() *kit.Env { return s.env }

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.table() }

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab { return s.detail }

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

// ListWidth implements [kit.Wide].
func (s *Screen) ListWidth() int { return allColumns }

// ownerList is the owner of the job that finds the stores.
const ownerList = "stores"

// Enter implements [kit.Enterer]: the stores are listed again, since agents come and go. What is known stays until then.
func (s *Screen) Enter() tea.Cmd {
	if !s.entered {
		s.wanted = s.opener.Opened()
	}
	s.entered = true
	return s.Reread(s.wanted)
}

// Reread lists the stores again, with the cursor on the one at path if it is among them.
func (s *Screen) Reread(path string) tea.Cmd {
	s.wanted = path
	s.settle()
	source := s.source
	cmd, from := s.stream(ownerList, "finding stores", func(ctx context.Context, say func(Message)) error {
		return source.List(ctx, func(r Row) { say(Message{rows: []Row{r}}) })
	})
	s.listing, s.list.seen = from, map[string]bool{}
	return cmd
}

// refresh lists the stores again, or what a search found in them.
func (s *Screen) refresh() tea.Cmd {
	if s.found != nil {
		return s.SearchAll(s.found.matcher)
	}
	return s.Reread("")
}

// settle moves the cursor to the store that it is to be on, once that is listed.
func (s *Screen) settle() {
	if s.list.goTo(s.wanted) {
		s.wanted = ""
	}
}

// Message is what a job has found since the one before. It belongs to the screen, not to the interface of a store.
type Message struct {
	from  <-chan Message
	rows  []Row
	found []Searched
	end   bool // all was found
	// closed: the job is over.
	closed bool
}

// drawEvery is how long the screen waits from one message to the next, so that many don't hold up the keys.
const drawEvery = 30 * time.Millisecond

// stream starts a job that says what it finds while it runs.
func (s *Screen) stream(owner, label string, work func(ctx context.Context, say func(Message)) error) (tea.Cmd, <-chan Message) {
	out := make(chan Message)
	job := kit.Start(s.env.Jobs, kit.Job[struct{}]{
		Owner: owner, Label: label,
		Work: func(ctx context.Context, _ *kit.Progress) (struct{}, error) {
			defer close(out)
			say := func(m Message) {
				select {
				case out <- m:
				case <-ctx.Done():
				}
			}
			err := work(ctx, say)
			if err == nil {
				say(Message{end: true})
			}
			return struct{}{}, err
		},
		Failed: func() {
			if s.known = true; s.found != nil {
				s.found.done = true
			}
		},
	})
	return tea.Batch(job, next(out)), out
}

// next waits for what a job finds next, and takes what it finds within a moment along.
func next(from <-chan Message) tea.Cmd {
	return func() tea.Msg {
		all := Message{from: from}
		var late <-chan time.Time
		for {
			select {
			case m, more := <-from:
				if !more {
					all.closed = true
					return all
				}
				if late == nil {
					late = time.After(drawEvery)
				}
				all.rows, all.found, all.end = append(all.rows, m.rows...), append(all.found, m.found...), all.end || m.end
			case <-late:
				return all
			}
		}
	}
}

// Take handles a message.
func (s *Screen) Take(m Message) tea.Cmd {
	switch m.from {
	case s.listing:
		if s.list.take(m.rows); m.end {
			s.known = true
			s.list.keepSeen()
		}
		s.known = s.known || len(m.rows) > 0
		if s.settle(); m.end {
			s.wanted = ""
		}
	case s.searching:
		s.found.take(m)
	default:
		return nil // of a job before
	}
	s.detail.fill()
	if m.closed {
		return nil
	}
	return next(m.from)
}

// Opening shows that a store is being opened; the zero Choice: none is.
func (s *Screen) Opening(c Choice) { s.opening = c }

// Failed shows why a store did not open.
func (s *Screen) Failed(why string) {
	s.opening = Choice{}
	s.env.Emit(kit.Say{Level: kit.Fail, Text: why})
}

// Arrived is called with the store that is open now; the cursor goes to it, unless the results of a search are listed.
func (s *Screen) Arrived(path string) {
	s.opening = Choice{}
	s.list.goTo(path)
	s.detail.fill()
}

// Peel implements [kit.Peeler]: a store that is being opened, then the filter, then a search of all stores.
func (s *Screen) Peel() (cmd tea.Cmd, peeled bool) {
	if name := s.openingName(); s.opener.StopOpening() {
		s.env.Emit(kit.Say{Text: "Stopped opening " + name})
		return nil, true
	}
	if s.shell.OnDetail() {
		return nil, false
	}
	cmd, peeled = s.table().Peel()
	if !peeled && s.found != nil {
		s.env.Jobs.Cancel(ownerSearch)
		s.found, s.searching = nil, nil
		s.detail.fill()
		return s.shell.Relayout(), true
	}
	return cmd, peeled
}

// openingName is the name of the store that is being opened.
func (s *Screen) openingName() string {
	return text.Clean(s.source.Title(s.opening.Path))
}

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	open := kit.Act("open", keymap.Open)
	switch {
	case s.opening != (Choice{}):
		return kit.Hints{Lead: "opening " + s.openingName(), Acts: []kit.Hint{kit.Act("stop", keymap.Back)}}
	case s.found != nil:
		return kit.Hints{Acts: []kit.Hint{open, kit.Act("next match", keymap.SearchNext), kit.Act("stores", keymap.Back)}}
	case s.known && len(s.list.rows) == 0:
		return kit.Hints{Acts: []kit.Hint{open, kit.Act("add folder", keymap.AddFolder), kit.Act("refresh", keymap.Refresh)}}
	}
	acts := []kit.Hint{open}
	if s.changed() > 0 {
		acts = append(acts, kit.Act("next unread", keymap.NextUnread))
	}
	return kit.Hints{Acts: append(acts, kit.Act("search all", keymap.Find), kit.Act("filter", keymap.Filter), kit.Act("order", keymap.Sort))}
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

// Elsewhere says how many other stores there are, for a store that is open; "" for none.
func (s *Screen) Elsewhere() string {
	others := 0
	for _, r := range s.list.rows {
		if r.Real != s.opener.Opened() && !s.list.isEmpty(r) {
			others++
		}
	}
	if others == 0 {
		return ""
	}
	return kit.CountGrouped(others, "other store")
}
