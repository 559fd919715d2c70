// Package tui is the terminal user interface: the root model that owns layout, focus,
// overlays, jobs and messages, and that routes keys to actions and actions to the
// panes below it. It is called by cli; it changes a store only through the handlers of memstore,
// on behalf of the curator. Every part of the screen lives in a package of its own.
package tui

import (
	"cmp"
	"context"
	"errors"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/browse"
	"memcurator/tui/changes"
	"memcurator/tui/curate"
	"memcurator/tui/editor"
	"memcurator/tui/feed"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
	"memcurator/tui/secrets"
)

// Model is the root. All its methods run on the Bubble Tea goroutine.
type Model struct {
	options Options
	env     *kit.Env
	store   *act.Store
	shell   act.Shell // what parts of the screen may call here

	stage stage
	say   messages
	jobs  jobs

	boxes           kit.Boxes
	ignoreKeysUntil time.Time // keys before this moment don't answer a box that opened by itself

	line prompt.Line

	awaited string // the path to go to as soon as it is in the tree; empty: none

	own   *kit.Actions // those that every screen has
	reads bool         // the last action goes to a change, or opens it

	theme theme.Options

	watchNote string            // why the watch is as it is
	reopen    bool              // the store has to be opened anew
	recreate  bool              // and its folder, which was deleted, created again
	held      []tea.KeyPressMsg // pressed before the question that they are about was there

	compared bool // the comparison of the journal with the disk has begun
	feed     *feed.Feed
	marks    *feed.Marks
	alarm    *alarm
	rang     time.Time // when the bell rang last
	edits    *act.Queue
	editor   *editor.Editor
	browse   *browse.Screen
	curate   *curate.Screen
	replay   *replay.Screen
	secrets  *secrets.Screen
	changes  *changes.Screen // nil without a journal
	trash    *changes.Screen // nil without a journal

	revisionScreens []*changes.Screen // empty without a journal

	firstVisit bool // nothing is remembered of where the user was
}

// New makes the model; ctx ends its background jobs.
func New(ctx context.Context, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	}
	env := &kit.Env{
		Styles: theme.New(o.Theme), Jobs: kit.NewJobs(ctx), ASCII: o.Theme.ASCII, Now: o.Now, Debounce: o.Debounce, After: o.After,
	}
	if !o.declaring {
		env.Keys = Keys()
	}
	overlay.Declare(env)
	m := &Model{options: o, env: env}
	m.store = &act.Store{
		Handlers: o.Handlers, Title: o.Title, Journal: m.options.undoable(), NoJournal: o.NoJournal,
		WhyReadOnly: m.options.whyReadOnly(), ReadOnly: o.ReadOnly, Rules: o.Rules, Load: o.Plan.Load, Titles: o.Titles,
	}
	m.stage = stage{resume: map[keymap.ID]focus{}}
	m.store.Damaged = o.Damaged
	m.jobs = jobs{env: env, say: &m.say}
	m.shell = shell{m}
	m.feed = feed.New(ctx, o.Journal)
	m.addEdits()
	m.addScreens()
	m.theme = o.Theme
	m.prefer(o.Preferences)
	m.own = kit.NewActions(env, keymap.Global, m.bindings()...)
	last := loadLayout(o.StateDir)
	m.browse.Tree.Restore(last.Unfolded, last.Selected)
	m.browse.Tabs.Restore(last.Tab)
	m.firstVisit = last.Selected == ""
	if o.Summary && o.Replay == nil && !o.Follow && !o.Unlinked {
		m.browse.Summary.Begin(cmp.Or(o.Looked, last.looked()))
	}
	return m
}

// addEdits makes what changes the store.
func (m *Model) addEdits() {
	o := &m.options
	m.edits = act.New(m.env, m.shell, m.store)
	m.marks = feed.NewMarks(m.feed, m.env, m.shell, o.Journal, m.edits)
	m.marks.OnlyLooks = m.onlyLooks()
	m.editor = editor.New(m.env, m.shell, m.edits, o.CopyDir)
	m.alarm = &alarm{env: m.env, shell: m.shell, feed: m.feed, edits: m.edits}
}

// addScreens makes the screens, each of which is a row of the stage.
func (m *Model) addScreens() {
	o, env := &m.options, m.env
	m.browse = browse.New(env, m.shell, browse.Options{
		Store: o.Handlers, Journal: o.Journal, Feed: m.feed, Marks: m.marks, Edits: m.edits,
		Editor: m.editor,
	})
	if o.Follow {
		m.browse.Following.Start()
	}
	m.curate = curate.New(env, m.shell, m.edits, m.editor, curate.Options{
		Config: o.Config, Early: o.Summary, Plan: o.Plan,
	})
	m.replay = replay.NewScreen(env, m.shell, m.edits, replay.Options{
		Unlinked: o.Unlinked, Places: o.Transcripts,
	})
	m.secrets = secrets.New(env, m.shell, m.edits, secrets.Options{
		Scrubbing: o.Scrub,
	})
	m.stage.screens = []screenTab{
		{keymap.ScreenBrowse, "1", "Browse", "the tree and the file", m.browse},
		{keymap.ScreenChanges, "2", "Changes", "every recorded change with its diff", nil},
		{keymap.ScreenCurate, "3", "Curate", "what to prune: stale, large and duplicate notes, by rules and lint", m.curate},
		{keymap.ScreenReplay, "4", "Replay", "the memory calls of a transcript; :replay FILE opens one", m.replay},
		{keymap.ScreenTrash, "5", "Trash", "deleted files", nil},
		{keymap.ScreenSecrets, "6", "Secrets", "what to scrub: keys, passwords and personal data, also in the past", m.secrets},
	}
	if o.Stores != nil {
		o.Stores.Attach(m.shell)
		m.stage.screens = append([]screenTab{{keymap.ScreenStores, "0", "Stores", "every memory on this machine", o.Stores}}, m.stage.screens...)
	}
	m.stage.at, m.stage.left = m.stage.row(keymap.ScreenBrowse), keymap.ScreenBrowse
	if o.storeless() {
		m.stage.at = m.stage.row(keymap.ScreenStores)
	}
	if j := m.options.undoable(); j != nil || o.declaring {
		m.changes, m.trash = m.newRevisions(changes.Changes(j)), m.newRevisions(changes.Trash(j))
		m.stage.replace(keymap.ScreenChanges, m.changes)
		m.stage.replace(keymap.ScreenTrash, m.trash)
		m.revisionScreens = []*changes.Screen{m.changes, m.trash}
	}
}

// acted shows what an edit has changed, in the lists of revisions and of stores.
func (m *Model) acted() tea.Cmd {
	again := tea.Batch(m.rereadRevisions(), m.curate.Replan(), m.browse.Acted())
	if !m.stage.shows(keymap.ScreenStores) {
		return again
	}
	return tea.Batch(again, m.options.Stores.Reread(""))
}

// addFolder adds a folder to those that Stores lists, by the configuration.
func (m *Model) addFolder(dir string) (tea.Cmd, error) {
	list := m.options.Stores
	if list == nil {
		return nil, errors.New(textOneStore)
	}
	place := m.options.listConfig
	folder, written := folderOf(dir, place.Home)
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return nil, errors.New("Can't add " + text.Clean(written) + ": no such folder")
	}
	place.Dir = folder
	return m.curate.AddFolder(place, written, list.Reread), nil
}

// newRevisions makes a screen of revisions.
func (m *Model) newRevisions(o changes.Options) *changes.Screen {
	o.Marks, o.Feed = m.marks, m.feed
	return changes.New(m.env, m.shell, m.edits, o)
}

// show shows the screen that an action is for.
func (m *Model) show(id keymap.ID) tea.Cmd {
	if m.closed(id) {
		m.say.tell(kit.Info, m.env.Keyed(textNoStore))
		return nil
	}
	if m.stage.screens[m.stage.row(id)].screen == nil {
		m.say.tell(kit.Info, act.NoJournalText(m.options.NoJournal))
		return nil
	}
	return m.stage.show(id)
}

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{
		waitForUpdate(m.options.Watch), m.askBackground(),
		m.feed.Start(),
		m.secrets.Recover(),
	}
	if m.options.Greeting != "" {
		m.say.tell(kit.Info, m.env.Keyed(m.options.Greeting))
	}
	if m.options.Emptied != "" {
		cmds = append(cmds, m.askAccept())
	}
	if m.options.Replay != nil {
		cmds = append(cmds, m.replay.Open(*m.options.Replay))
	}
	switch {
	case m.options.At != "":
		cmds = append(cmds, m.browse.Select(m.options.At, true))
	case m.options.First != "" && m.firstVisit:
		cmds = append(cmds, m.browse.Select(m.options.First, true))
	}
	return tea.Batch(cmds...)
}

// Update implements [tea.Model]: one short step for each message, then the intents
// that the panes left behind.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.shareLook()
	cmds := []tea.Cmd{m.step(msg)}
	for i := 0; i < maxIntentRounds; i++ {
		intents, more := m.takeIntents()
		if cmds = append(cmds, intents); !more {
			break
		}
	}
	if m.feed.TakeUnreadChange() {
		m.unreadChanged()
	}
	m.readShown()
	cmds = append(cmds, m.settleBanner(), m.marks.Flush(),
		m.browse.Wake(), m.jobs.keepTicking())
	m.shareLook()
	return m, tea.Batch(cmds...)
}

// shareLook passes theme, keys and the like on to the screens with an environment of their own.
func (m *Model) shareLook() {
	if s := m.options.Stores; s != nil {
		s.Env().CopyLook(m.env)
	}
}

// maxIntentRounds stops intents that would call for each other for ever.
const maxIntentRounds = 8

// takeIntents carries out what panes asked for; more: there was something, so that there may be more.
func (m *Model) takeIntents() (cmd tea.Cmd, more bool) {
	var cmds []tea.Cmd
	intents := m.env.Drain()
	if s := m.options.Stores; s != nil {
		intents = append(intents, s.Env().Drain()...)
	}
	for _, intent := range intents {
		more = true
		cmds = append(cmds, m.take(intent))
	}
	return tea.Batch(cmds...), more
}

// take carries out what a pane asked for.
func (m *Model) take(intent any) tea.Cmd {
	switch v := intent.(type) {
	case kit.Say:
		m.say.tell(v.Level, v.Text)
		return nil
	case kit.Call:
		return v()
	case kit.FocusList:
		return m.stage.focusOn(onList)
	case act.Changed:
		return m.acted()
	case act.Purged:
		return m.forgetPurged()
	case act.Made:
		return m.goTo(v.Path)
	case act.Urgent:
		return m.ring()
	case act.Secrets:
		m.browse.Tree.SetFindings(v.In)
		return nil
	case act.Planned:
		m.browse.SetPlanned(v)
	}
	return nil
}

func (m *Model) step(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.stage.w, m.stage.h = msg.Width, msg.Height
		return m.stage.relayout()
	case tea.KeyPressMsg:
		return m.key(msg)
	case feed.Message:
		return m.takeNews(msg)
	case tea.MouseMsg:
		if _, moved := msg.(tea.MouseMotionMsg); !moved {
			m.secrets.Masks.Mask()
		}
		return m.mouse(msg)
	case tea.PasteMsg:
		if m.line.Active() {
			return m.line.Take(msg, "")
		}
	case tea.BackgroundColorMsg:
		m.theme.Dark = msg.IsDark()
		m.env.Styles = theme.New(m.theme)
	case tea.ModeReportMsg:
		m.measure(msg)
	case updateMsg:
		return tea.Batch(waitForUpdate(m.options.Watch), m.takeUpdate(msg))
	case kit.Done:
		cmds := []tea.Cmd{m.jobs.receive(msg)}
		if !m.env.Jobs.Running(act.OwnerPlan) {
			held := m.held
			m.held = nil
			for _, key := range held {
				cmds = append(cmds, m.key(key))
			}
		}
		return tea.Batch(cmds...)
	case tickMsg:
		m.jobs.ticking = false
	case kit.Call:
		return msg()
	}
	return nil
}

// ringEvery is the least time between two rings.
const ringEvery = 10 * time.Second

// ring calls people who look elsewhere by the bell of the terminal, if the configuration wants that.
func (m *Model) ring() tea.Cmd {
	if now := m.options.Now(); m.options.Preferences.Bell && now.Sub(m.rang) >= ringEvery {
		m.rang = now
		return tea.Raw("\a")
	}
	return nil
}

// Busy reports whether background work is under way, so that a test can wait for rest.
func (m *Model) Busy() bool { return m.env.Jobs.Busy() }

// Close frees what the panes hold; it waits for writes under way.
func (m *Model) Close() {
	m.env.Jobs.WaitWrites()
}
