// Package tui is the terminal user interface: the root model that owns layout, focus,
// overlays, jobs and messages, and that routes keys to actions and actions to the
// panes below it. It is called by cli; it changes a store only through the handlers of memstore,
// on behalf of the curator. Every part of the screen lives in a package of its own.
package tui

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/search"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/blame"
	"memcurator/tui/changes"
	"memcurator/tui/curate"
	"memcurator/tui/diffpane"
	"memcurator/tui/drafts"
	"memcurator/tui/edits"
	"memcurator/tui/feed"
	"memcurator/tui/form"
	"memcurator/tui/found"
	"memcurator/tui/hexdump"
	"memcurator/tui/overlay"
	"memcurator/tui/plan"
	"memcurator/tui/prompt"
	"memcurator/tui/rendered"
	"memcurator/tui/replay"
	"memcurator/tui/secrets"
	"memcurator/tui/strip"
	"memcurator/tui/timeline"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// Options say what to show and how.
type Options struct {
	Store    *memstore.Store
	Watch    *watch.Watcher
	Title    string // the directory, as people call it
	Badge    string // shown in the top bar, such as "demo"; empty: none
	ReadOnly bool
	Follow   bool // show the diff of each change as it is made
	Theme    theme.Options
	CopyDir  string           // folder for the private copies that an editor gets; empty: that for temporary files
	Away     *atomic.Int32    // above 0 while another program has the terminal; nil: nobody asks
	StateDir string           // folder in which layout and place are remembered; empty: they are not
	Log      *slog.Logger     // nil: nothing is logged
	Now      func() time.Time // nil: time.Now
	// Preferences are those of the start; theme, ASCII and dialect in them are those of Theme and Store.
	Preferences Preferences
	Reloads     <-chan Reload // configurations saved meanwhile; nil: none will come
	Notice      string        // an error to begin with; empty: none
	// Emptied says that all files of the store are gone, perhaps because a mount is missing. The store is then opened with ReadOnly,
	// and the journal does not record the files as deleted. Empty: they are there.
	Emptied string
	// Loaded says how much of a file a client loads by itself, which the view shows; nil: there are no limits.
	Loaded viewer.Loaded
	// Journal is the record of all changes. One in memory stands in where it is not available, and NoJournal says why.
	Journal   *journal.Journal
	NoJournal string
	// Damaged says why the journal is damaged that could not be opened; empty: it is not.
	Damaged string
	// Replay is what to show first, on the Replay screen; nil: nothing.
	Replay *replay.Source
	// Transcripts lists those that lie beside the store, as Claude Code keeps them; nil: nobody knows of any.
	Transcripts func() []string
	// Unlinked says that there is no store beside the replay: the one that is given is empty.
	Unlinked bool
	// Grown tells of writes to transcripts; nil: nothing is followed.
	Grown func(ctx context.Context, files []string) (<-chan struct{}, error)
	// Rules are what the configuration says for the store, and Config the file that rules are written to.
	Rules  config.Settings
	Config ConfigPlace
	// Grace is how long a box that opens by itself ignores keys.
	Grace time.Duration
	// Debounce is how long the user must stay at a path before dear work on it begins.
	Debounce time.Duration
	// Scrub looks for sensitive values; nil: nobody does.
	Scrub *secrets.Scrubbing
	// After delivers a message after a time; nil: [tea.Tick].
	After func(time.Duration, tea.Msg) tea.Cmd
}

// focus is the pane that gets the keys.
type focus uint8

const (
	onTree focus = iota
	onMain
	onStrip
)

// Model is the root. All its methods run on the Bubble Tea goroutine.
type Model struct {
	options Options
	env     *ui.Env
	theme   theme.Options

	w, h     int
	damage   string // of the journal, which a banner says; empty: none is known
	layout   layout
	focus    focus
	tab      tab
	tabs     []ui.Tab
	lined    tab          // the last one shown of the tabs whose rows are lines of the file
	stepped  tab          // the last tab that the user went to from the one beside it
	stale    map[tab]bool // tabs out of sight whose file changed meanwhile
	zoom     bool
	tree     *tree.Pane
	viewer   *viewer.Pane
	diff     *diffpane.Pane
	rendered *rendered.Pane
	hex      *hexdump.Pane
	found    *found.Pane
	strip    *strip.Pane
	boxes    ui.Boxes
	line     prompt.Line
	before   string          // search or filter from before the line was opened
	looked   *search.Matcher // what the view looked for then, if the search of the store gave it
	memory   memory
	drafts   *drafts.List

	shellActions *ui.Actions

	// What shows the journal; empty without one.
	screen      screen
	screens     map[screen]ui.Screen
	resume      map[screen]focus // to come back to from another screen
	boards      map[screen]*changes.Screen
	replay      *replay.Screen
	history     *historyTab
	blame       *blame.Pane
	feed        *feed.Feed
	wasCompared bool            // the comparison of the journal with the disk has begun
	travel      *travel         // nil: the screen shows the store as it is now
	changes     *changes.Screen // nil without a journal
	steps       int             // revisions to go on to that were asked for and not read yet
	warmed      bool            // what journeys need is read, or being read
	edits       *edits.Queue
	shell       *ui.Shell // what parts of the screen may ask of this model
	alarm       alarm
	secrets     *secrets.Review
	life        context.Context // ends with the program
	curate      *curate.Screen

	disk            disk
	preferred       Preferences // as the configuration said last
	follow          bool
	pinned          pinnedDiff
	renames         []past.Revision // which the tree does not show yet
	unplaced        past.Revision   // shown in the diff tab, and its path is not in the tree yet; zero: none
	awaited         string          // path to go to as soon as the watch tells of it; empty: none
	say             messages
	commands        int // commands run so far, to name their jobs
	compares        int // pairs of files compared so far, to name them
	ticking         bool
	mouseOff        bool // the terminal has the mouse, for its own selection
	dragging        bool // the border between the panes is being moved
	treeWidth       int  // as dragged; 0: by the width of the screen
	quitting        bool
	ignoreKeysUntil time.Time // keys before this moment do not answer a box that opened by itself
}

// New makes the model; ctx ends its background jobs.
func New(ctx context.Context, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.After == nil {
		o.After = func(d time.Duration, msg tea.Msg) tea.Cmd { return tea.Tick(d, func(time.Time) tea.Msg { return msg }) }
	}
	env := &ui.Env{
		Styles: theme.New(o.Theme), Keys: keymap.Default(),
		Jobs: ui.NewJobs(ctx), ASCII: o.Theme.ASCII, Now: o.Now, Debounce: o.Debounce,
	}
	m := &Model{life: ctx, options: o, env: env, theme: o.Theme, follow: o.Follow, damage: o.Damaged}
	m.shell = m.lend()
	m.edits = edits.New(env, m.shell, edits.Options{
		Store: func() *memstore.Store { return m.options.Store }, Journal: m.kept(), NoJournal: o.NoJournal, Log: o.Log,
		WhyNoWrite: m.whyNoWrite, Changed: m.rereadLists,
		EditText: func(at string, ours, text []byte) tea.Cmd { return m.drafts.EditMerged(at, ours, text) },
	})
	m.drafts = drafts.New(env, m.shell, m.edits, drafts.Options{
		Store: func() *memstore.Store { return m.options.Store }, Dir: o.CopyDir, StateDir: o.StateDir, ReadOnly: o.ReadOnly, Away: o.Away,
		Exists: func(path string) bool { return m.node(path) != nil },
	})
	m.screens, m.resume = map[screen]ui.Screen{onBrowse: browse{m}}, map[screen]focus{}
	m.boards = map[screen]*changes.Screen{}
	m.stale = map[tab]bool{}
	m.tree = tree.New(env, o.Store)
	m.viewer = viewer.New(env, o.Store)
	m.viewer.SetLoaded(o.Loaded)
	m.viewer.Weigh(m.filesBelow)
	m.diff = diffpane.New(env, ownerDiff)
	m.rendered, m.hex = rendered.New(env, o.Store), hexdump.New(env, o.Store)
	m.found = found.New(env)
	m.feed = feed.New(ctx, o.Journal)
	m.strip = strip.New(env, m.feed.IsUnread)
	m.addTabs()
	env.Jobs.Listen(m.tree.Receive, nil, tree.Owner, tree.OwnerKinds)
	env.Jobs.Listen(m.copied, nil, ownerCopy)
	env.Jobs.Listen(m.namedReceived, nil, ownerNamed)
	env.Jobs.Listen(m.rememberedForgotten, nil, ownerForget)
	m.curate = curate.New(env, m.shell, m.edits, m.drafts, curate.Options{
		Store: m.edits.Store, Journal: m.kept(), Rules: o.Rules, Config: o.Config, Log: o.Log,
		Snapshot: m.plannable, Unavailable: func() bool { return m.disk.state == watch.Unavailable }, SetDue: m.tree.SetDue,
		Badge: func(room int) string { return m.secrets.Badge(room) },
	})
	m.screens[onCurate] = m.curate
	m.addSecrets()
	env.Jobs.Listen(m.pathReceived, nil, ownerOfPath)
	env.Jobs.Listen(m.likeReceived, nil, ownerLike)
	if j := m.kept(); j != nil {
		m.addBoards(j)
		env.Jobs.Listen(m.arrived, func() { m.steps = 0 }, ownerTravel)
	}
	m.replay = replay.NewScreen(env, m.shell, m.edits, replay.Options{
		Store: m.edits.Store, Exists: m.node, Unlinked: o.Unlinked, Transcripts: o.Transcripts, Grown: o.Grown, Travel: m.travelToCall,
		NextUnread: m.nextUnread,
	})
	m.screens[onReplay] = m.replay
	env.Jobs.Listen(m.conflictReceived, nil, diffpane.OwnerBox)
	m.preferred = o.Preferences
	m.preferred.Theme, m.preferred.ASCII, m.preferred.Dialect = o.Theme.Name, o.Theme.ASCII, o.Store.Dialect()
	m.prefer(Preferences{Theme: o.Theme.Name, ASCII: o.Theme.ASCII, Dialect: o.Store.Dialect()}, m.preferred)
	env.Jobs.Listen(m.formReceived, nil, form.Owner, ownerFormDiff)
	env.Jobs.Listen(m.prefilled, nil, ownerPrefill)
	m.bindActions()
	m.restore()
	return m
}

// lend makes what parts of the screen may ask of this model.
func (m *Model) lend() *ui.Shell {
	return &ui.Shell{
		Tell: m.tell, Open: m.openBox, OpenUnasked: m.openUnasked, Ask: m.ask, Relayout: m.relayout, OtherPane: m.otherPane,
		OnDetail:    func() bool { return m.focus == onMain },
		FocusDetail: func() tea.Cmd { return m.focusOn(onMain) }, FocusList: func() tea.Cmd { return m.focusOn(onTree) },
		Show: m.show,
		TypeSearch: func() tea.Cmd {
			m.before = m.searcher().Query()
			m.line.Open(prompt.Search, "")
			return nil
		},
		TypeCommand: func(begin string) tea.Cmd {
			m.line.Open(prompt.Command, begin)
			return nil
		},
		TypeFilter: func(filter string) tea.Cmd {
			m.focus, m.before = onTree, filter
			m.line.Open(prompt.Filter, filter)
			return m.relayout()
		},
		OpenPath: m.openPath, Copy: m.toClipboard, CopyRead: m.copyRead,
	}
}

// addSecrets makes what looks for sensitive values.
func (m *Model) addSecrets() {
	o := &m.options
	m.secrets = secrets.New(m.env, m.shell, m.edits, secrets.Options{
		Scrubbing: o.Scrub, Store: m.edits.Store, Journal: m.kept(), NoJournal: o.NoJournal, ReadOnly: o.ReadOnly, Log: o.Log,
		Boxes: &m.boxes, After: o.After, Snapshot: func() *memstore.Snapshot { return m.disk.snapshot },
		Marked: m.tree.Marked, SetFindings: m.tree.SetFindings, SetValues: m.curate.SetValues, OpenLine: m.openLine, Choose: m.choose,
		TypeFilter:  func(filter string) { m.line.Open(prompt.OverlayFilter, filter) },
		Typing:      func() bool { return m.line.Active() },
		Help:        m.openHelp,
		HideMessage: func() { m.say.expire(m.say.showing) },
		Purged:      m.forgetPurged,
	})
}

// recoverPurge asks about a purge that was not ended, and lets what is remembered follow purges of others from now on.
func (m *Model) recoverPurge() tea.Cmd {
	j, keeper := m.kept(), m.memory.keeper
	return m.secrets.Recover(func(purges int64) {
		if keeper != nil {
			keeper.Watch(func() (int64, error) { return j.Purges(context.Background()) }, purges)
		}
	})
}

// openLine shows a file in the view, at a line.
func (m *Model) openLine(path string, line int) tea.Cmd {
	cmds := []tea.Cmd{m.selectPath(path, true)}
	m.tab, m.focus = tabView, onMain
	cmds = append(cmds, m.relayout())
	if line > 0 {
		cmds = append(cmds, m.viewer.GoTo(line))
	}
	return tea.Batch(cmds...)
}

// plannable is the tree of the store as it is now; nil: a plan cannot be made of it yet.
func (m *Model) plannable() *memstore.Snapshot {
	if m.disk.state == watch.Loading {
		return nil
	}
	return m.disk.snapshot
}

// The owners of the root's jobs. Jobs of panes are named in their packages.
const (
	ownerDiff     = "diff"
	ownerCopy     = "copy"
	ownerCommand  = "command"
	ownerDigest   = "digest"
	ownerFormDiff = "form.diff"
	ownerPrefill  = "prefill"
)

// Init implements [tea.Model].
func (m *Model) Init() tea.Cmd {
	cmds := []tea.Cmd{m.waitForUpdate(), m.waitForReload(), m.askBackground(), m.drafts.Recover(), m.recoverPurge(), m.feed.Start()}
	if m.options.ReadOnly && !m.options.Unlinked {
		m.tell(ui.Info, m.readOnlyText())
	}
	if m.kept() == nil && m.options.NoJournal != "" {
		m.tell(ui.Warn, edits.NoJournalText(m.options.NoJournal))
	}
	if m.options.Notice != "" {
		m.tell(ui.Fail, m.options.Notice)
	}
	if m.options.Emptied != "" {
		m.open(overlay.NewText(m.env, "emptied", "The files of this store are gone", m.options.Emptied, true))
	}
	if m.options.Replay != nil {
		cmds = append(cmds, m.replay.Open(*m.options.Replay))
	}
	return tea.Batch(cmds...)
}

// tickMsg redraws progress while jobs run.
type tickMsg struct{}

// expireMsg takes a toast away.
type expireMsg struct{ id int }

// tickEvery is the pace of progress in the status line.
const tickEvery = 150 * time.Millisecond

// Update implements [tea.Model]: one short step for each message, then the intents
// that the panes left behind.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmds := []tea.Cmd{m.step(msg)}
	for i := 0; i < maxIntentRounds; i++ {
		intents := m.env.Drain()
		if len(intents) == 0 {
			break
		}
		for _, intent := range intents {
			cmds = append(cmds, m.carryOut(intent))
		}
	}
	cmds = append(cmds, m.passOnRead(), m.wake(), m.keepTicking(), m.say.expiry(), m.remember(msg))
	return m, tea.Batch(cmds...)
}

// maxIntentRounds stops intents that would call for each other for ever.
const maxIntentRounds = 8

func (m *Model) step(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.w, m.h = msg.Width, msg.Height
		return m.relayout()
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.KeyReleaseMsg:
		m.secrets.Released(msg)
	case tea.KeyboardEnhancementsMsg:
		m.secrets.TakeReleases(msg.Flags)
	case tea.BlurMsg:
		m.secrets.Box().Mask()
	case feed.Message:
		return m.takeNews(msg)
	case goneMsg:
		return m.leaveIfGone(msg.path)
	case tea.MouseMsg:
		return m.mouse(msg)
	case tea.PasteMsg:
		if m.line.Active() {
			m.line.Type(msg)
			return m.lineChanged()
		}
		if box := m.formOnTop(); box != nil {
			return box.Paste(msg.Content)
		}
	case tea.BackgroundColorMsg:
		m.theme.Dark = msg.IsDark()
		m.env.Styles = theme.New(m.theme)
	case tea.ModeReportMsg:
		m.measure(msg)
	case replay.Message:
		return m.replay.Take(msg)
	case updateMsg:
		return tea.Batch(m.waitForUpdate(), m.takeUpdate(watch.Update(msg)), m.secrets.ScanSoon())
	case reloadMsg:
		return tea.Batch(m.waitForReload(), m.takeReload(Reload(msg)))
	case ui.Done:
		return m.receive(msg)
	case tickMsg:
		m.ticking = false
	case ui.Call:
		return msg()
	case rememberMsg:
		return m.writeLayout()
	case expireMsg:
		m.say.expire(msg.id)
	}
	return nil
}

// measure follows the terminal's answer to the question how it counts the cells of
// composed characters; the renderer changes its own count at the same answer.
func (m *Model) measure(msg tea.ModeReportMsg) {
	if msg.Mode != ansi.ModeUnicodeCore {
		return
	}
	switch msg.Value {
	case ansi.ModeSet, ansi.ModeReset, ansi.ModePermanentlySet:
		m.env.Measure = text.Clusters
	}
}

// receive hands the outcome of a job to its owner; a stale one is dropped.
func (m *Model) receive(done ui.Done) tea.Cmd {
	if !m.env.Jobs.Current(done) {
		m.dropStale(done)
		return nil
	}
	if done.Err != nil {
		return m.jobFailed(done)
	}
	return m.env.Jobs.Deliver(done)
}

// dropStale frees what a superseded job brought along.
func (m *Model) dropStale(done ui.Done) {
	if d, ok := done.Value.(interface{ Discard() }); ok {
		d.Discard()
	}
}

func (m *Model) jobFailed(done ui.Done) tea.Cmd {
	if isCancelled(done.Err) {
		return nil
	}
	m.options.Log.Error("job failed", "owner", done.Owner, "error", done.Err)
	if p, ok := done.Err.(*ui.PanicError); ok {
		m.options.Log.Error("panic in a job", "stack", string(p.Stack))
	}
	m.env.Jobs.Fail(done)
	m.tell(ui.Fail, done.Err.Error())
	return nil
}

// carryOut does what a pane asked for.
func (m *Model) carryOut(intent any) tea.Cmd {
	switch v := intent.(type) {
	case ui.Select:
		return m.selectPath(v.Path, v.Reveal)
	case ui.FocusView:
		if m.focus == onStrip {
			m.strip.Newest()
		}
		if _, ok := m.fileTab(); ok && m.travel == nil {
			m.feed.ReadPath(m.viewer.Path()) // the user opened the file as it is now
		}
		m.focus = onMain
		return m.relayout()
	case ui.ShowChange:
		if r, ok := m.feed.Find(v.Rev); ok {
			return m.showChange(r)
		}
	case ui.OpenMatch:
		return m.openMatch(v)
	case ui.PastMatches:
		return m.pastMatches(v)
	case plan.OpenValue:
		return m.secrets.OpenValue(v.ID)
	case replay.Loaded:
		return m.learnFrom(v.Track)
	case blame.OpenRevision:
		m.focus = onMain
		return m.showInDiff(v.Revision)
	case ui.Say:
		m.tell(v.Level, v.Text)
	case timeline.OpenRevision:
		if v.Owner == ownerHistory {
			m.focus = onMain
			return m.showInDiff(v.Revision)
		}
		return m.received(intent)
	default:
		return m.received(intent)
	}
	return nil
}

// received lets the screens, and the boxes, do what one of their panes asked for.
func (m *Model) received(intent any) tea.Cmd {
	for _, s := range m.screens {
		if cmd, ok := s.Receive(intent); ok {
			return cmd
		}
	}
	if cmd, ok := m.secrets.Receive(intent); ok {
		return cmd
	}
	cmd, _ := m.formIntent(intent)
	return cmd
}

// selectPath shows an agent path in the tabs.
func (m *Model) selectPath(path string, reveal bool) tea.Cmd {
	var shown tea.Cmd
	if reveal {
		shown = m.goTo(onBrowse)
		m.tree.Select(path)
		m.showFiles()
	}
	m.pinned = pinnedDiff{}
	m.options.Watch.Prefer(path)
	return tea.Batch(shown, m.viewer.Show(path), m.showLastChange(path))
}

func (m *Model) keepTicking() tea.Cmd {
	if m.ticking || !m.env.Jobs.Busy() {
		return nil
	}
	m.ticking = true
	return tea.Tick(tickEvery, func(time.Time) tea.Msg { return tickMsg{} })
}

// kept is the journal where it is there for good, nil where its end is that of the program.
func (m *Model) kept() *journal.Journal {
	if j := m.options.Journal; j.Lasts() {
		return j
	}
	return nil
}

// Busy reports whether background work is under way, so that a test can wait for rest.
func (m *Model) Busy() bool { return m.env.Jobs.Busy() }

// Close frees what the panes hold; it waits for writes under way.
func (m *Model) Close() {
	m.env.Jobs.WaitWrites()
	m.replay.Close()
	m.viewer.Close()
	m.hex.Close()
}
