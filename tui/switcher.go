package tui

import (
	"context"
	"os/exec"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/kit"
	"memcurator/tui/stores"
)

// Opened is a store that was opened for the interface. It lives until Close.
type Opened struct {
	Options
	Path string // names the store, as in the list of stores; "" if it isn't one of them
	Real string // where it is on the disk, see [stores.Row]; "": nowhere, as without a store
	// Close leaves the store in order when nothing of the interface uses it any more; may be nil.
	Close func()
}

// Stores is how the interface lists the stores of this machine and opens others.
type Stores struct {
	Source StoreSource
	Config ConfigPlace // where folders are added to the list; the zero value: nowhere
}

// StoreSource finds, reads and opens stores.
type StoreSource interface {
	stores.Source
	// Open opens a store. It works beside the interface, so it must not print or ask. The store lives until ctx
	// ends; opening it must end with ctx, too. The error is a sentence.
	Open(context.Context, StoreChoice) (Opened, error)
}

// What the list of stores is made of.
type (
	FoundStore  = stores.Row
	StoreChoice = stores.Choice
	Searched    = stores.Searched
	StoreMatch  = stores.Match
)

// ownerOpen is the owner of the job that opens a store.
const ownerOpen = "stores.open"

// switcher is the model of the whole run: the interface of one store at a time, and the screen that lists all stores, which outlives them.
type switcher struct {
	ctx    context.Context
	env    *kit.Env // of Stores; nil without that screen
	stores *stores.Screen
	source StoreSource
	config ConfigPlace
	now    *visit
	left   chan struct{}            // closed when all visits before are over; nil: there were none
	learnt map[reflect.Type]tea.Msg // the newest of each that the terminal says about itself
}

// visit is the time from opening a store to leaving it. A message that comes of it reaches no other visit.
type visit struct {
	model *Model
	store Opened
	stop  context.CancelFunc // ends what is under way, except writes
}

// visitMsg is a message for the interface of one visit.
type visitMsg struct {
	visit *visit
	msg   tea.Msg
}

// newSwitcher makes the model for a store that is open already. Without s it has no list of stores.
func newSwitcher(ctx context.Context, first Opened, s *Stores) *switcher {
	w := &switcher{ctx: ctx, learnt: map[reflect.Type]tea.Msg{}}
	if s != nil {
		now := first.Now
		if now == nil {
			now = time.Now
		}
		w.env = &kit.Env{Styles: theme.New(first.Theme), Jobs: kit.NewJobs(ctx), ASCII: first.Theme.ASCII, Now: now, Debounce: first.Debounce}
		w.source, w.config = s.Source, s.Config
		w.stores = stores.New(w.env, s.Source, w)
	}
	w.now = w.visit(first)
	return w
}

// visit makes the interface of a store that was opened.
func (w *switcher) visit(o Opened) *visit {
	ctx, stop := context.WithCancel(w.ctx)
	v := &visit{store: o, stop: stop}
	o.Options.Stores, o.Options.listConfig = w.stores, w.config
	v.model = New(ctx, o.Options)
	hand := v.model.editor.Exec
	v.model.editor.Exec = func(c *exec.Cmd, done tea.ExecCallback) tea.Cmd {
		return hand(c, func(err error) tea.Msg { return visitMsg{v, done(err)} })
	}
	return v
}

// Init implements [tea.Model].
func (w *switcher) Init() tea.Cmd { return w.begin() }

// begin begins a visit.
func (w *switcher) begin() tea.Cmd {
	cmds := []tea.Cmd{w.now.model.Init()}
	if w.now.model.stage.shows(keymap.ScreenStores) {
		cmds = append(cmds, w.stores.Enter())
	}
	return w.of(w.now, tea.Batch(cmds...))
}

// View implements [tea.Model].
func (w *switcher) View() tea.View { return w.now.model.View() }

// Update implements [tea.Model]: a message goes to the visit that it comes of, or to the list of stores; keys and the like to the store
// that is open.
func (w *switcher) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	return w, w.route(msg)
}

// route passes a message to whom it is for.
func (w *switcher) route(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case visitMsg:
		if msg.visit != w.now {
			discard(msg.msg)
			return nil
		}
		return w.update(msg.msg)
	case stores.Message:
		return tea.Batch(w.stores.Take(msg), w.update(nil))
	case kit.Done:
		if w.stores != nil && w.env.Jobs.Owns(msg) {
			return tea.Batch(w.of(w.now, w.now.model.jobs.receive(msg)), w.update(nil))
		}
	case tea.WindowSizeMsg, tea.BackgroundColorMsg, tea.ModeReportMsg:
		w.learnt[reflect.TypeOf(msg)] = msg
	}
	return w.update(msg)
}

// update passes a message to the interface of the store that is open.
func (w *switcher) update(msg tea.Msg) tea.Cmd {
	v := w.now
	_, cmd := v.model.Update(msg)
	cmd = w.of(v, cmd)
	if reopen := v.model.reopen || v.store.Emptied != "" && v.model.settled(); reopen && w.stores != nil {
		again := StoreChoice{Path: v.store.Path, Create: v.model.recreate}
		v.model.reopen, v.model.recreate, v.store.Emptied = false, false, ""
		cmd = tea.Batch(cmd, w.Choose(again))
	}
	return cmd
}

// toolkit is where the messages come from that are for the toolkit.
var toolkit = reflect.TypeFor[tea.QuitMsg]().PkgPath()

// of makes the messages of a command those of a visit, except what is for the toolkit or for the list of stores.
func (w *switcher) of(v *visit, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			for i, one := range msg {
				msg[i] = w.of(v, one)
			}
			return msg
		case visitMsg, stores.Message:
			return msg
		case kit.Done:
			if w.stores != nil && w.env.Jobs.Owns(msg) {
				return msg
			}
			return visitMsg{v, msg}
		default:
			if reflect.TypeOf(msg).PkgPath() == toolkit {
				return msg
			}
			return visitMsg{v, msg}
		}
	}
}

// discard frees what an unused outcome of a job holds.
func discard(msg tea.Msg) {
	if done, ok := msg.(kit.Done); ok {
		done.Discard()
	}
}

// arrival is the outcome of opening a store.
type arrival struct {
	Opened
	choice StoreChoice
	why    string // it could not be opened
}

// Discard closes a store that is not visited.
func (a arrival) Discard() {
	if a.Close != nil {
		go a.Close()
	}
}

// Opened implements [stores.Opener].
func (w *switcher) Opened() string { return w.now.store.Real }

// Choose implements [stores.Opener]: it opens a store beside the interface, or shows it if it is open already.
func (w *switcher) Choose(c StoreChoice) tea.Cmd {
	if c.Path != "" && c.Real != "" && c.Real == w.now.store.Real {
		w.StopOpening()
		if c.Find != nil {
			return w.now.model.browse.Search.StartAt(c.Find, c.File, c.Line)
		}
		return w.now.model.leaveStores()
	}
	w.stores.Opening(c)
	source, life, before := w.source, w.ctx, w.left
	return kit.Start(w.env.Jobs, kit.Job[arrival]{
		Owner: ownerOpen, Label: "opening a store",
		Work: func(ctx context.Context, _ *kit.Progress) (arrival, error) {
			if before != nil { // the same store may be among those that are still being left
				select {
				case <-before:
				case <-ctx.Done():
					return arrival{}, ctx.Err()
				}
			}
			life, end := context.WithCancel(life)
			defer context.AfterFunc(ctx, end)() // once the store is open, it lives on
			o, err := source.Open(life, c)
			if err != nil {
				end()
				return arrival{why: err.Error()}, ctx.Err()
			}
			closing := o.Close
			o.Close = func() {
				defer end()
				if closing != nil {
					closing()
				}
			}
			return arrival{Opened: o, choice: c}, nil
		},
		Done:   w.arrive,
		Failed: func() { w.stores.Opening(StoreChoice{}) },
	})
}

// StopOpening implements [stores.Opener].
func (w *switcher) StopOpening() bool {
	w.stores.Opening(StoreChoice{})
	return w.env.Jobs.Cancel(ownerOpen)
}

// arrive leaves the store that is open and shows the one that was opened.
func (w *switcher) arrive(a arrival) tea.Cmd {
	if a.why != "" {
		w.stores.Failed(a.why)
		return nil
	}
	old := w.now
	w.now = w.visit(a.Opened)
	w.now.model.say.log = append(old.model.say.log, w.now.model.say.log...)
	w.leave(old)
	w.stores.Arrived(a.choice.Path)
	cmds := []tea.Cmd{w.begin()}
	if c := a.choice; c.Find != nil {
		cmds = append(cmds, w.of(w.now, w.now.model.browse.Search.StartAt(c.Find, c.File, c.Line)))
	}
	for _, msg := range w.learnt {
		_, cmd := w.now.model.Update(msg)
		cmds = append(cmds, w.of(w.now, cmd))
	}
	return tea.Batch(cmds...)
}

// leave leaves a store in order, beside the interface: its writes end, its layout is remembered, then it is closed.
func (w *switcher) leave(v *visit) {
	v.stop()
	before, done := w.left, make(chan struct{})
	w.left = done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		v.model.saveLayout()
		v.model.Close()
		if v.store.Close != nil {
			v.store.Close()
		}
	}()
}

// end leaves the store that is open at the end of the program, when no more messages are handled. The next start does what takes too long
// now. What a panic left behind is not remembered.
func (w *switcher) end(sound bool) {
	v := w.now
	v.stop()
	if w.stores != nil && w.env.Jobs.Cancel(ownerOpen) {
		w.stores.Opening(StoreChoice{})
	}
	within(func() {
		if w.left != nil {
			<-w.left
		}
	})
	within(func() {
		if sound {
			v.model.saveLayout()
		}
		v.model.Close()
	})
	if v.store.Close != nil {
		v.store.Close()
	}
}

// within waits for something, but not longer than quitWithin.
func within(do func()) {
	done := make(chan struct{})
	go func() { do(); close(done) }()
	select {
	case <-done:
	case <-time.After(quitWithin):
	}
}

// leaveStores goes back from the list of stores to where the user was in the store that is open.
func (m *Model) leaveStores() tea.Cmd { return m.show(m.stage.left) }

// closed reports whether a screen can't be shown because no store is open, beside a replay either.
func (m *Model) closed(id keymap.ID) bool {
	return m.options.Unlinked && id != keymap.ScreenStores && id != keymap.ScreenReplay
}

const textNoStore = "No store is open. {global/stores} lists them, {stores/open} opens one"
