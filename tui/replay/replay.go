// Package replay is the Replay screen: the transcripts of this machine, and of one that is opened its memory calls, with what the result
// and the memory were at each. A [transcript.Track], filled in a job from the transcripts themselves, answers for every moment. Nothing
// here opens a store: what is to be done to one, the root is asked for.
package replay

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/discover"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// The owners of the jobs.
const (
	ownerFind  = "replay.transcripts"
	ownerLoad  = "replay.load"
	ownerPage  = "replay.page"
	ownerPut   = "replay.put"
	ownerLearn = "replay.learn"
	ownerJump  = "replay.jump"
)

// Places is where transcripts are looked for.
type Places struct {
	Machine discover.Machine
	Store   string // the directory of the store beside the replay; "": none
	// Folders are the names by which transcripts may know the store, see [transcript.NewReader].
	Folders []string
}

// Options are what the screen works on.
type Options struct {
	// Unlinked says that the replay has no store beside it.
	Unlinked bool
	// Places is where transcripts are looked for; nil: nowhere.
	Places *Places
}

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	env   *kit.Env
	shell act.Shell
	edits *act.Queue

	library *library
	listing bool // the transcripts are listed, not the calls of one

	source  Source // that is open; without files none is
	calls   *calls
	detail  *detail
	read    loaded         // what was read of it
	reading string         // why no calls are listed
	wanted  *past.Revision // whose call is gone to when the transcript is read; nil: none
	sought  int64          // the revision whose transcript was looked for last

	actions, listActions *kit.Actions
}

// NewScreen makes the screen, which lists transcripts until [Screen.Open].
func NewScreen(env *kit.Env, shell act.Shell, queue *act.Queue, o Options) *Screen {
	s := &Screen{Options: o, env: env, shell: shell, edits: queue, listing: true}
	s.library, s.calls = newLibrary(s), newCalls(s)
	s.detail = newDetail(env, s.calls)
	s.actions = kit.NewActions(env, keymap.Replay, s.bindings()...)
	s.listActions = kit.NewActions(env, keymap.Transcripts, s.listBindings()...)
	return s
}

// IsEmpty reports whether no transcript is open.
func (s *Screen) IsEmpty() bool { return len(s.source.Files) == 0 }

// Open reads transcripts of one memory and shows their calls. Of a folder the projects are listed, unless it is of one.
func (s *Screen) Open(source Source) tea.Cmd {
	source.Files = slices.Clone(source.Files)
	for i, name := range source.Files {
		if rest, ok := text.CutTilde(name); ok {
			if home, err := os.UserHomeDir(); err == nil {
				source.Files[i] = filepath.Join(home, rest)
			}
		}
	}
	if len(source.Files) == 0 {
		return s.listFolder("")
	}
	if len(source.Files) == 1 {
		if info, err := os.Stat(source.Files[0]); err == nil && info.IsDir() {
			return s.listFolder(source.Files[0])
		}
	}
	if source.Folders == nil && s.Places != nil {
		source.Folders = s.Places.Folders
	}
	s.listing, s.source = false, source
	s.reading = "Reading the transcript..."
	_, _ = s.calls.SetFilter("")
	s.calls.GoTo(strconv.Itoa(0))
	s.set(loaded{})
	read := s.load() // first: shown while it is empty, the screen would look for transcripts
	return tea.Batch(s.shell.Show(keymap.ScreenReplay), read, s.shell.FocusList())
}

// listFolder lists the transcripts of a folder; "" for those of this machine.
func (s *Screen) listFolder(folder string) tea.Cmd {
	s.listing = true
	return tea.Batch(s.shell.Show(keymap.ScreenReplay), s.shell.FocusList(), s.library.in(folder))
}

// Again goes back from the calls of a transcript to the list of all.
func (s *Screen) Again() tea.Cmd {
	s.listing = true
	return tea.Batch(s.shell.FocusList(), s.Enter())
}

// Peel implements [kit.Peeler]: the calls of a transcript are a step in from the list of all.
func (s *Screen) Peel() (tea.Cmd, bool) {
	if s.shell.OnDetail() {
		return nil, false
	}
	if cmd, peeled := s.table().Peel(); peeled {
		return cmd, true
	}
	switch {
	case s.Places == nil || s.listing && s.library.folder == "":
		return nil, false
	case s.listing:
		return s.listFolder(""), true
	}
	return s.Again(), true
}

// table is the list on the screen.
func (s *Screen) table() interface {
	kit.Pane
	kit.Filtered
	kit.Peeler
	Filter() string
} {
	if s.listing {
		return s.library
	}
	return s.calls
}

// listBindings are the actions of the list of transcripts.
func (s *Screen) listBindings() []kit.Action {
	unread := kit.Unless(func() bool { return false }, "Nothing to review in this list. Open a transcript first")
	return append(kit.ListActions(s.shell, s.library, s.Detail),
		kit.Action{ID: keymap.NextUnread, Run: s.Enter, Why: unread},
		kit.Action{ID: keymap.PrevUnread, Run: s.Enter, Why: unread},
		kit.Action{ID: keymap.Refresh, Run: s.Enter},
		kit.Action{ID: keymap.Open, Keys: "enter", Help: "open the transcript and replay it; of a project all, as one memory", Hint: "replay"},
		kit.Action{ID: keymap.Filter, Keys: "f", Help: "filter by project, prompt and path: agent:codex", Hint: "filter"},
	)
}

// bindings are the actions beside calls.
func (s *Screen) bindings() []kit.Action {
	page := func(by int) func() tea.Cmd { return func() tea.Cmd { return s.detail.turn(by) } }
	return append(kit.ListActions(s.shell, s.calls, s.Detail), []kit.Action{
		{ID: "replay-page-next", Keys: "]", Help: "switch to the next tab: diff, result, memory", Hint: "tab", Run: page(1)},
		{ID: "replay-page-prev", Keys: "[", Help: "switch to the previous tab", Run: page(-1)},
		{ID: keymap.TabNext, Run: page(1)},
		{ID: keymap.TabPrev, Run: page(-1)},
		{ID: keymap.ReplayDivergeNext, Keys: ".", Help: "review the next call that differs", Hint: "difference",
			Run: func() tea.Cmd { return s.stepToDifference(1) }},
		{ID: "replay-diverge-prev", Keys: ",", Help: "review the previous call that differs",
			Run: func() tea.Cmd { return s.stepToDifference(-1) }},
		{ID: "replay-jump", Keys: "@", Help: "go to a call by number: :call 12",
			Run: kit.TypeArg(s.shell, keymap.Call)},
		{ID: keymap.GoToLine, Run: kit.TypeArg(s.shell, keymap.GoToLine), Arg: &kit.Arg{
			Takes: "the number of a call, from 1: line 12", Needed: true, Run: kit.NumberArg(s.GoTo),
		}},
		{ID: keymap.ReplayPut, Keys: "R", Help: "restore this file, or in the memory tab all files, as of this call; asks first",
			Run: s.askPut, Why: s.edits.WhyNoRemoval},
		{ID: keymap.Refresh, Run: s.load},
		{ID: keymap.Open, Keys: "enter", Help: "open what the call shows", Hint: "details"},
		{ID: keymap.Filter, Keys: "f", Help: "filter by words and terms: command:create verdict:differs is:write", Hint: "filter"},
		{ID: keymap.OpenFile, Keys: "b", Help: "browse the file of the call"},
	}...)
}

// stepToDifference goes to another call that differs, and shows its result, which says how.
func (s *Screen) stepToDifference(by int) tea.Cmd {
	if slices.ContainsFunc(s.calls.Items(), s.calls.differs) {
		s.detail.aspect = asResult
	}
	return s.calls.Step(by, s.calls.differs)
}

// GoTo goes to a call, from 1, or the next that the filter leaves.
func (s *Screen) GoTo(call int) tea.Cmd { return s.calls.goToCall(call) }

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.table() }

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab {
	if s.listing {
		return s.library.about
	}
	return s.detail
}

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions {
	if s.listing {
		return s.listActions
	}
	return s.actions
}

// Enter implements [kit.Enterer]. Sessions may have begun or grown since the list was last seen.
func (s *Screen) Enter() tea.Cmd {
	if !s.listing || s.env.Jobs.Running(ownerFind) {
		return nil
	}
	return s.library.look()
}

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.library.Resize(list.W, list.H)
	s.library.about.Resize(detail.W, detail.H)
	s.calls.Resize(list.W, list.H)
	s.detail.Resize(detail.W, detail.H)
	return nil
}

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	switch {
	case s.listing && s.library.Path() == "":
		return kit.Hints{Acts: []kit.Hint{kit.Act("show subagents", keymap.ShowHidden)}}
	case !s.listing && len(s.calls.rows) == 0:
		return kit.Hints{Acts: []kit.Hint{kit.Act("transcripts", keymap.Back)}}
	case s.listing:
		return kit.Hints{Acts: []kit.Hint{
			kit.Act("replay", keymap.Open), kit.Act("filter", keymap.Filter),
			kit.Act("show subagents", keymap.ShowHidden),
		}}
	}
	acts := []kit.Hint{kit.Act("next change", keymap.ReplayChangeNext), kit.Act("restore", keymap.ReplayPut), kit.Act("filter", keymap.Filter)}
	if s.calls.anyDiffers() {
		acts = append([]kit.Hint{kit.Act("difference", keymap.ReplayDivergeNext)}, acts...)
	}
	return kit.Hints{Acts: acts}
}

// ListTitle implements [kit.Screen]: what the verdicts of all calls are, then what the session was about.
func (s *Screen) ListTitle(width int) kit.Title {
	title, place := s.library.title(), ""
	if !s.listing {
		place = s.calls.Place()
		if title = s.read.total; title == "" || s.calls.Filter() != "" {
			title = "calls"
		}
	}
	return kit.ListTitle(s.env.Styles, text.Clean(title), s.table().Filter(), place, width-text.Width(place)-4)
}

var _ interface {
	kit.Screen
	kit.Enterer
} = (*Screen)(nil)
