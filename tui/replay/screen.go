package replay

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/use"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// The owners of the jobs of the screen.
const (
	ownerPut         = "replay.put"
	ownerTranscripts = "replay.find"
	ownerLearn       = "replay.learn"
	ownerJump        = "replay.jump"
)

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	Options
	env     *kit.Env
	shell   act.Shell
	edits   *act.Queue
	list    *callList
	detail  *detailPane
	actions *kit.Actions
	wanted  *past.Revision // whose call is gone to when the transcript is read; nil: none

	library        *library
	libraryActions *kit.Actions
	listing        bool // the transcripts are listed, not the calls of one
}

// Options are what the screen works on.
type Options struct {
	// Unlinked says that the replay has no store beside it.
	Unlinked bool
	// Places is where transcripts are looked for; nil: nowhere.
	Places *Places
	// Grown reports writes to transcripts; nil: nothing is followed.
	Grown func(ctx context.Context, files []string) <-chan struct{}
	// Travel shows a memory in Browse after a call, with a path under the cursor. read does I/O.
	Travel func(call int, path string, read func(context.Context) (memstore.Backend, *memstore.Snapshot, error)) tea.Cmd
}

// NewScreen makes the screen, which lists transcripts until [Screen.Open].
func NewScreen(env *kit.Env, shell act.Shell, queue *act.Queue, o Options) *Screen {
	s := &Screen{Options: o, env: env, shell: shell, edits: queue, listing: true}
	s.list, s.detail = newCallList(env)
	s.list.learn = s.learnFrom
	s.library = newLibrary(env, o.Places, func(files []string) tea.Cmd { return s.Open(Source{Files: files}) },
		func() bool { return s.listing && shell.Shows(keymap.ScreenReplay) })
	s.actions = kit.NewActions(env, s.bindings()...)
	s.libraryActions = kit.NewActions(env, s.libraryBindings()...)
	return s
}

// Close frees what is held of transcripts.
func (s *Screen) Close() { s.list.Close() }

// Take handles a message of the screen's own.
func (s *Screen) Take(msg Message) tea.Cmd { return s.list.Take(msg) }

// IsEmpty reports whether no transcript is open.
func (s *Screen) IsEmpty() bool { return len(s.list.Files()) == 0 }

// Open reads transcripts and shows them. A folder is listed instead.
func (s *Screen) Open(source Source) tea.Cmd {
	source.Files = slices.Clone(source.Files)
	for i, name := range source.Files {
		if rest, ok := text.CutTilde(name); ok {
			if home, err := os.UserHomeDir(); err == nil {
				source.Files[i] = filepath.Join(home, rest)
			}
		}
	}
	if source.Grown == nil {
		source.Grown = s.Grown
	}
	if source.Folders == nil && s.Places != nil {
		source.Folders = s.Places.Folders
	}
	if s.Places != nil {
		source.Elsewhere = s.Places.elsewhere
	}
	if len(source.Files) == 0 {
		return s.listFolder("")
	}
	if len(source.Files) == 1 {
		if info, err := os.Stat(source.Files[0]); err == nil && info.IsDir() {
			return s.listFolder(source.Files[0])
		}
	}
	s.listing = false
	read := s.list.Open(source) // first: shown while it is empty, the screen would look for transcripts
	shown := s.shell.Show(keymap.ScreenReplay)
	focused := s.shell.FocusList()
	return tea.Batch(shown, read, focused)
}

// listFolder lists the transcripts of a folder; "" for those of this machine.
func (s *Screen) listFolder(folder string) tea.Cmd {
	s.listing = true
	look := s.library.in(folder)
	return tea.Batch(s.shell.Show(keymap.ScreenReplay), s.shell.FocusList(), look)
}

// Again goes back from the calls of a transcript to the list of all.
func (s *Screen) Again() tea.Cmd {
	s.listing = true
	return tea.Batch(s.shell.FocusList(), s.library.enter())
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

// filtered is a list that can be filtered.
type filtered interface {
	kit.Filtered
	kit.FilterCounter
	kit.Peeler
	Filter() string
}

// table is the list on the screen.
func (s *Screen) table() filtered {
	if s.listing {
		return s.library
	}
	return s.list
}

const textListed = "Open a transcript first: {replay-transcripts/open}"

// libraryBindings are the actions of the list of transcripts.
func (s *Screen) libraryBindings() []kit.Action {
	actions := kit.ListActions(s.shell, s.library, s.Detail)
	actions = append(actions, s.refused(textListed, keymap.TabNext, keymap.TabPrev)...)
	return append(actions,
		kit.Action{ID: keymap.Refresh, Run: s.library.look},
		kit.Action{ID: keymap.ReplayOpenPath, Run: func() tea.Cmd { return s.shell.TypeCommand("replay ") }},
		kit.Action{ID: keymap.Filter, Run: func() tea.Cmd { return s.shell.TypeFilter(s.library.Filter()) }},
		kit.Action{ID: keymap.NextUnread, Run: func() tea.Cmd { return tea.Batch(s.shell.Show(keymap.ScreenBrowse), s.shell.NextUnread(1)) }},
	)
}

const textNotHere = "A replayed memory is read-only. {replay/replay-put} restores a file of it to the store"

// bindings are the actions of the screen; one that would act on a file that is out of sight only explains that.
func (s *Screen) bindings() []kit.Action {
	list, detail := s.list, s.detail
	actions := append(kit.ListActions(s.shell, list, s.Detail), []kit.Action{
		{ID: keymap.Open, Run: s.shell.FocusDetail},
		{ID: keymap.ReplayJump, Run: kit.TypeArg(s.shell, keymap.Call)},
		{ID: keymap.GoToLine, Run: kit.TypeArg(s.shell, keymap.GoToLine), Arg: &kit.Arg{
			Takes: "the number of a call, from 1: line 12", Needed: true, Run: kit.NumberArg(s.GoTo),
		}},
		{ID: keymap.ReplayPut, Run: s.askPut, Why: s.edits.WhyNoRemoval},
		{ID: keymap.Travel, Run: s.TravelToStep},
		{ID: keymap.Filter, Run: func() tea.Cmd { return s.shell.TypeFilter(list.Filter()) }},
		{ID: keymap.Refresh, Run: s.refresh},
		{ID: keymap.NextUnread, Run: func() tea.Cmd { return tea.Batch(s.shell.Show(keymap.ScreenBrowse), s.shell.NextUnread(1)) }},
	}...)
	for id, by := range map[keymap.ID]int{keymap.ReplayPageNext: 1, keymap.TabNext: 1, keymap.ReplayPagePrev: -1, keymap.TabPrev: -1} {
		actions = append(actions, kit.Action{ID: id, Run: func() tea.Cmd { return detail.Turn(by) }})
	}
	actions = append(actions,
		kit.Action{ID: keymap.ReplayFileNext, Run: func() tea.Cmd { return detail.nextFile(1) }},
		kit.Action{ID: keymap.ReplayFilePrev, Run: func() tea.Cmd { return detail.nextFile(-1) }})
	copyPage := func(keymap.ID) tea.Cmd { return s.shell.Copy("page", detail.All()) }
	actions = append(actions, kit.Bind(copyPage, keymap.CopyOutput, keymap.CopyDiff)...)
	return append(actions, s.refused(textNotHere)...)
}

// refused are the actions on a file of Browse, and more, which only say why they can't run here.
func (s *Screen) refused(why string, more ...keymap.ID) (actions []kit.Action) {
	reason := func() kit.Say { return kit.Say{Level: kit.Info, Text: s.env.Keyed(why)} }
	for _, id := range append(more, keymap.Edit, keymap.MarkRead, keymap.DropDraft, keymap.TravelNewer, keymap.TravelOlder) {
		actions = append(actions, kit.Action{ID: id, Why: reason})
	}
	return actions
}

// refresh reads the open transcripts again.
func (s *Screen) refresh() tea.Cmd {
	if s.IsEmpty() {
		return nil
	}
	return s.Open(Source{Files: s.list.Files()})
}

// GoTo goes to a call, from 1.
func (s *Screen) GoTo(call int) tea.Cmd { return s.list.GoToCall(call) }

// WhyNoCall says why a revision can't be traced to its call; empty: it may be.
func (s *Screen) WhyNoCall(r past.Revision) kit.Say {
	switch {
	case r.Actor == memstore.Curator:
		return kit.Say{Text: "Your own change, so no transcript has it"}
	case s.IsEmpty() && s.Places == nil:
		return kit.Say{Text: s.env.Keyed("No transcripts of this store. {global/replay} lists others")}
	}
	return kit.Say{}
}

// JumpFrom goes to the call that made a revision, in the transcripts that are open or in those beside the store.
func (s *Screen) JumpFrom(find act.Finder) tea.Cmd {
	if s.edits.Lasting == nil || find == nil {
		return s.edits.NoRevision()
	}
	return kit.Start(s.env.Jobs, kit.Job[past.Revision]{
		Owner: ownerJump, Label: kit.LabelJournal, Done: s.jump,
		Work: func(ctx context.Context, _ *kit.Progress) (past.Revision, error) { return find(ctx) },
	})
}

// learnFrom links a transcript that was read with the journal, and goes to the call that was wanted before.
func (s *Screen) learnFrom(t *transcript.Track) tea.Cmd {
	j := s.edits.Lasting
	if j == nil || s.edits.ReadOnly || s.Unlinked || s.list.elsewhere != "" {
		return s.jumpWaiting()
	}
	return tea.Batch(s.jumpWaiting(), kit.Start(s.env.Jobs, kit.Job[int]{
		Owner: ownerLearn, Label: "linking transcript and journal",
		Work: func(ctx context.Context, _ *kit.Progress) (int, error) { return use.Learn(ctx, t, j) },
		Done: func(revisions int) tea.Cmd {
			if revisions == 0 {
				return nil
			}
			s.shell.Report(kit.Info, "Linked "+kit.Count(revisions, "change")+" of the journal with this transcript")
			s.env.Emit(act.Changed{})
			return nil
		},
	}))
}

func (s *Screen) jump(r past.Revision) tea.Cmd {
	if s.IsEmpty() {
		s.wanted = &r
		return s.openOwn()
	}
	return s.jumpTo(r)
}

// jumpTo goes to the call that made a revision.
func (s *Screen) jumpTo(r past.Revision) tea.Cmd {
	track := s.list.Track()
	if track == nil { // it is being read
		s.wanted = &r
		return s.shell.Show(keymap.ScreenReplay)
	}
	return kit.Start(s.env.Jobs, kit.Job[int]{
		Owner: ownerJump, Label: "finding the call",
		Work: func(ctx context.Context, _ *kit.Progress) (int, error) { return track.Made(ctx, r), ctx.Err() },
		Done: func(call int) tea.Cmd {
			if call == 0 {
				s.shell.Tell(kit.Info, "No call of this transcript made the change")
				return nil
			}
			s.detail.aspect = asCall
			return tea.Batch(s.shell.Show(keymap.ScreenReplay), s.list.GoToCall(call))
		},
	})
}

// jumpWaiting goes to the call that was wanted before the transcripts were read.
func (s *Screen) jumpWaiting() tea.Cmd {
	r := s.wanted
	if s.wanted = nil; r == nil {
		return nil
	}
	return s.jumpTo(*r)
}

// openOwn opens the transcripts of the store, where there are any.
func (s *Screen) openOwn() tea.Cmd {
	if s.Places == nil {
		s.wanted = nil
		s.shell.Tell(kit.Info, s.env.Keyed(textNone))
		return nil
	}
	places := *s.Places
	return kit.Start(s.env.Jobs, kit.Job[[]string]{
		Owner: ownerTranscripts, Label: "finding transcripts",
		Work: func(ctx context.Context, _ *kit.Progress) ([]string, error) {
			return places.Machine.Transcripts(ctx, places.Store), ctx.Err()
		},
		Done: func(files []string) tea.Cmd {
			if len(files) == 0 {
				s.wanted = nil
				s.shell.Tell(kit.Info, s.env.Keyed(textNone))
				return nil
			}
			return s.Open(Source{Files: files})
		},
	})
}

// TravelToStep shows the whole memory after the call under the cursor, in Browse.
func (s *Screen) TravelToStep() tea.Cmd {
	track, n := s.list.Track(), s.list.Call()
	if track == nil || n == 0 || n > track.Len() {
		s.shell.Tell(kit.Info, textNoSuchCall)
		return nil
	}
	shows, _, _ := s.detail.File()
	dialect := s.edits.Handlers.WithDialect(track.Handler().Dialect).Dialect()
	return s.Travel(n, shows, func(ctx context.Context) (memstore.Backend, *memstore.Snapshot, error) {
		b, err := track.Memory(n)
		if err != nil {
			return nil, nil, err
		}
		look := memstore.New(b, memstore.Options{Dialect: dialect, ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}})
		snapshot, err := look.Scan(ctx, nil)
		return b, snapshot, err
	})
}

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane {
	if s.listing {
		return s.library
	}
	return s.list
}

// Detail implements [kit.Screen].
func (s *Screen) Detail() kit.Tab {
	if s.listing {
		return s.library.preview
	}
	return s.detail
}

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions {
	if s.listing {
		return s.libraryActions
	}
	return s.actions
}

// Enter implements [kit.Enterer].
func (s *Screen) Enter() tea.Cmd {
	if s.listing {
		return s.library.enter()
	}
	return nil
}

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.library.Resize(list.W, list.H)
	s.library.preview.Resize(detail.W, detail.H)
	if s.listing {
		return s.library.read()
	}
	s.list.Resize(list.W, list.H)
	s.detail.Resize(detail.W, detail.H)
	return nil
}

// Hints implements [kit.Hinted].
func (s *Screen) Hints() kit.Hints {
	switch {
	case s.listing:
		return kit.Hints{Acts: []kit.Hint{
			kit.Act("replay", keymap.Open), kit.Act("open a file", keymap.ReplayOpenPath), kit.Act("filter", keymap.Filter),
			kit.Act("subagents", keymap.ShowHidden),
		}}
	}
	return kit.Hints{Acts: []kit.Hint{
		kit.Act("difference", keymap.ReplayDivergeNext), kit.Act("write", keymap.ReplayChangeNext), kit.Act("restore", keymap.ReplayPut),
		kit.Act("travel", keymap.Travel),
		kit.Act("go to", keymap.ReplayJump), kit.Act("filter", keymap.Filter),
	}}
}

// SetFilter implements [kit.Filtered].
func (s *Screen) SetFilter(line string) (cmd tea.Cmd, problem string) {
	return s.table().SetFilter(line)
}

// CompleteFilter implements [kit.Filtered].
func (s *Screen) CompleteFilter(line string) []string { return s.table().CompleteFilter(line) }

// Matches implements [kit.FilterCounter].
func (s *Screen) Matches() string { return s.table().Matches() }

// ListTitle implements [kit.Screen].
func (s *Screen) ListTitle(width int) kit.Title {
	if s.listing {
		return kit.ListTitle(s.env.Styles, s.library.title(), s.library.Filter(), s.library.place(), width)
	}
	return s.list.heading(s.library.about(s.list.Files()), width)
}

var _ interface {
	kit.Screen
	kit.Enterer
	kit.Filtered
	kit.FilterCounter
} = (*Screen)(nil)
