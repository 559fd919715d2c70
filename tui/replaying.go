package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/prompt"
	"memcurator/tui/replay"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// ReplaySource says what to replay; see [replay.Source].
type ReplaySource = replay.Source

// ownerPut names the jobs that put a file of a replay into the store.
const ownerPut = "replay.put"

// replayScreen is the Replay screen: the calls in the place of the tree, what a call shows in that
// of the tabs.
type replayScreen struct {
	list    *replay.Pane
	m       *Model
	actions *ui.Actions
	detail  *replay.Detail
	wanted  *past.Revision // whose call is gone to when the transcript is read; nil: none
}

func (m *Model) addReplay() {
	m.replay.list, m.replay.detail = replay.New(m.env)
	m.replay.m, m.screens[onReplay] = m, &m.replay
	m.listeners[replay.OwnerLoad] = listener{m.replay.list.Receive, m.replay.list.Failed}
	m.listen(m.replay.list.Receive, replay.OwnerSearch)
	m.listen(m.replay.detail.Receive, replay.OwnerPage)
	m.listen(m.putDone, ownerPut)
	m.listen(m.learnedReceived, ownerLearn)
	m.listen(m.jumpReceived, ownerJump)
	m.listen(m.transcriptsReceived, ownerTranscripts)
}

// openReplay reads transcripts and shows them.
func (m *Model) openReplay(s replay.Source) tea.Cmd {
	for i, name := range s.Files {
		if rest, ok := strings.CutPrefix(name, "~/"); ok {
			if home, err := os.UserHomeDir(); err == nil {
				s.Files[i] = filepath.Join(home, rest)
			}
		}
	}
	if s.Grown == nil {
		s.Grown = m.options.Grown
	}
	shown := m.goTo(onReplay)
	m.focus = onTree
	return tea.Batch(shown, m.replay.list.Open(s), m.relayout())
}

const textReplayNotHere = "the replayed memory is not edited; {replay/replay-put} puts a file of it into the store"

// replayActions are those of the Replay screen; what would act on a file that is out of sight is answered with a word.
func (m *Model) replayActions() []ui.Action {
	list, detail := m.replay.list, m.replay.detail
	actions := []ui.Action{
		{ID: keymap.FocusNext, Run: m.otherPane},
		{ID: keymap.FocusPrev, Run: m.otherPane},
		{ID: keymap.OpenChange, Run: func() tea.Cmd {
			m.focus = onMain
			return m.relayout()
		}},
		{ID: keymap.ReplayJump, Run: ui.Do(func() { m.line.Open(prompt.Command, "call ") })},
		{ID: keymap.ReplayPut, Run: m.askPut, Why: m.edits.WhyNoRemoval},
		{ID: keymap.Travel, Run: m.travelToStep},
		{ID: keymap.Filter, Run: ui.Do(func() {
			m.before = list.Filter().Text()
			m.line.Open(prompt.Filter, m.before)
		})},
		{ID: keymap.Search, Run: ui.Do(func() {
			m.before = m.searcher().Query()
			m.line.Open(prompt.Search, "")
		})},
		{ID: keymap.CopyPath, Run: func() tea.Cmd { return m.toClipboard("path", list.Path()) }},
		{ID: keymap.OpenFile, Run: func() tea.Cmd { return m.openPath(list.Path()) }},
		{ID: keymap.NextUnread, Run: m.inBrowse(m.nextUnread)},
	}
	for id, by := range map[keymap.ID]int{keymap.ReplayPageNext: 1, keymap.TabNext: 1, keymap.ReplayPagePrev: -1, keymap.TabPrev: -1} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd { return detail.Turn(by) }})
	}
	for _, id := range []keymap.ID{keymap.ReplayFileNext, keymap.ReplayFilePrev} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd {
			cmd, _ := detail.Handle(id)
			return cmd
		}})
	}
	for _, id := range []keymap.ID{keymap.CopyLine, keymap.CopyOutput, keymap.CopyDiff} {
		actions = append(actions, ui.Action{ID: id, Run: func() tea.Cmd { return m.copyReplay(id) }})
	}
	for _, id := range []keymap.ID{keymap.Edit, keymap.MarkRead, keymap.DropDraft, keymap.TravelNewer, keymap.TravelOlder, keymap.Like} {
		actions = append(actions, m.notHere(id, textReplayNotHere))
	}
	return actions
}

// notHere answers an action with a word.
func (m *Model) notHere(id keymap.ID, text string) ui.Action {
	return ui.Action{ID: id, Run: ui.Do(func() { m.tell(ui.Info, m.env.Keyed(text)) })}
}

// otherPane moves the focus between the two panes of a screen.
func (m *Model) otherPane() tea.Cmd {
	m.focus = onTree + onMain - m.focus
	return m.relayout()
}

func (m *Model) copyReplay(id keymap.ID) tea.Cmd {
	if id != keymap.CopyLine {
		return m.toClipboard("page", m.replay.detail.Text())
	}
	read := m.replay.detail.LineReader(ui.CopyLimit)
	if m.focus == onTree {
		read = m.replay.list.LineReader(ui.CopyLimit)
	}
	return m.copyRead("line", read)
}

// jumpReplay goes to a call, a turn, or the time of day of one.
func (m *Model) jumpReplay(r prompt.Request) (tea.Cmd, bool) {
	list := m.replay.list
	switch {
	case r.Call > 0:
		return tea.Batch(m.goTo(onReplay), list.GoTo(r.Call)), true
	case r.Turn > 0:
		return tea.Batch(m.goTo(onReplay), list.GoToTurn(r.Turn)), true
	case m.screen != onReplay:
		return nil, false
	case r.Line > 0:
		return list.GoTo(r.Line), true
	case r.At != "":
		at, err := replayTime(r.At, list.First(), m.env.Now())
		if err != nil {
			m.tell(ui.Fail, err.Error())
			return nil, true
		}
		return list.GoToTime(at), true
	}
	return nil, false
}

// replayTime reads a time of day on the day of the first call, or what the lists of revisions take.
func replayTime(typed string, first, now time.Time) (time.Time, error) {
	for _, layout := range []string{"15:04", "15:04:05"} {
		if at, err := time.Parse(layout, typed); err == nil {
			day := first.In(now.Location())
			return time.Date(day.Year(), day.Month(), day.Day(), at.Hour(), at.Minute(), at.Second(), 0, now.Location()), nil
		}
	}
	if at, err := time.Parse(time.RFC3339, typed); err == nil {
		return at, nil
	}
	return timeline.ParseTime(typed, now)
}

const labelTravel = "reading the past"

// travelToStep shows the whole memory as it was after a call, in Browse.
func (m *Model) travelToStep() tea.Cmd {
	track, n := m.replay.list.Track(), m.replay.list.Step()
	if track == nil || n == 0 || n > track.Len() {
		m.tell(ui.Info, replay.TextNoSuchCall)
		return nil
	}
	shows, _, _ := m.replay.detail.File()
	dialect := m.options.Store.WithDialect(track.Handler().Dialect).Dialect()
	return m.env.Jobs.Start(ownerTravel, labelTravel, func(ctx context.Context, _ *ui.Progress) (any, error) {
		b, err := track.Memory(n)
		if err != nil {
			return nil, err
		}
		look := memstore.New(b, memstore.Options{Dialect: dialect, ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}})
		snapshot, err := look.Scan(ctx, nil)
		return arrival{shows: shows, past: replayed{b, snapshot}, call: n}, err
	})
}

// replayed is the memory of a replay as a place to travel to.
type replayed struct {
	memstore.Backend
	snapshot *memstore.Snapshot
}

// Snapshot is the tree of it.
func (r replayed) Snapshot() *memstore.Snapshot { return r.snapshot }

const (
	textReplayNoStore = "no store is open beside the transcript; memcurator replay --dir DIR FILE opens one"
	textReplayAskPut  = "It is recorded with the actor replay; {global/undo} takes it back. {confirm/yes} writes it, {confirm/no} leaves the store as it is."
)

// askPut asks whether to put the file that is shown into the store, as it was after the call.
func (m *Model) askPut() tea.Cmd {
	path, data, exists := m.replay.detail.File()
	step, ok := m.replay.list.Selected()
	if track := m.replay.list.Track(); ok && track.Unknown(path, m.replay.list.Step()) {
		m.tell(ui.Info, "what is in this file is not known, so it cannot be put into the store")
		return nil
	}
	if !ok || !exists {
		m.tell(ui.Info, replay.TextNoFileThen)
		return nil
	}
	if m.options.Unlinked {
		m.tell(ui.Info, textReplayNoStore)
		return nil
	}
	n := m.replay.list.Step()
	was := "a new file"
	if node := m.node(path); node != nil {
		was = "in place of the file that is there, " + memstore.FormatSize(m.options.Store.Dialect(), node.Bytes)
	}
	body := fmt.Sprintf("%s\n%s, as it was after call %d\n%s\n\n%s", text.Clean(path),
		memstore.FormatSize(m.options.Store.Dialect(), int64(len(data))), n, was, m.env.Keyed(textReplayAskPut))
	origin := memstore.Origin{Actor: memstore.Replay, Session: step.Session, ToolUseID: step.ID, Model: step.Model, Group: transcript.PutGroup()}
	m.ask("Put into the store?", body, func() tea.Cmd { return m.put(path, data, origin) })
	return nil
}

// placed is the outcome of a put.
type placed struct {
	path   string
	result memstore.Result
}

// put writes a file of the replayed memory into the store, recorded as what it is.
func (m *Model) put(path string, data []byte, origin memstore.Origin) tea.Cmd {
	store := m.options.Store
	return m.env.Jobs.StartWrite(ownerPut, "writing", func(ctx context.Context, _ *ui.Progress) (any, error) {
		return placed{path, transcript.Put(ctx, store, path, data, origin)}, nil
	})
}

func (m *Model) putDone(done ui.Done) tea.Cmd {
	v, ok := done.Value.(placed)
	if !ok {
		return nil
	}
	if v.result.IsError {
		m.tell(ui.Fail, v.result.Content)
		return nil
	}
	m.tell(ui.Info, m.env.Keyed("put into the store, {global/undo} takes it back: ")+text.Clean(v.path))
	return nil
}

// List implements [ui.Screen].
func (r *replayScreen) List() ui.Pane { return r.list }

// Detail implements [ui.Screen].
func (r *replayScreen) Detail() ui.Tab { return r.detail }

// Actions implements [ui.Screen].
func (r *replayScreen) Actions() *ui.Actions { return r.actions }

// Receive implements [ui.Screen].
func (r *replayScreen) Receive(any) (cmd tea.Cmd, mine bool) { return nil, false }

// Enter implements [ui.Screen].
func (r *replayScreen) Enter() tea.Cmd {
	if len(r.list.Files()) == 0 {
		return r.m.openFound()
	}
	return nil
}

// Resize implements [ui.Screen].
func (r *replayScreen) Resize(list, detail ui.Rect) tea.Cmd {
	r.list.Resize(list.W, list.H)
	r.detail.Resize(detail.W, detail.H)
	return r.detail.Settle()
}

// Status implements [ui.Screen].
func (r *replayScreen) Status() (string, theme.Paint) {
	return r.list.Status(), r.m.env.Styles.StatusBar
}

// SetFilter implements [ui.Screen].
func (r *replayScreen) SetFilter(line string) (cmd tea.Cmd, problem string) {
	f, err := replay.ParseFilter(line)
	if err != nil {
		return nil, err.Error()
	}
	r.list.SetFilter(f)
	return r.detail.Settle(), ""
}

// CompleteFilter implements [ui.Screen].
func (r *replayScreen) CompleteFilter(line string) []string { return replay.CompleteFilter(line) }

// Matches implements [ui.Screen].
func (r *replayScreen) Matches() string { return "" }

// ListTitle implements [ui.Screen].
func (r *replayScreen) ListTitle(width int) string {
	st, list := r.m.env.Styles, r.list
	title := " " + list.Title() + " "
	if f := list.Filter().Text(); f != "" {
		title += "/" + text.Clean(f) + " "
	}
	title = text.Truncate(title, max(0, width), st.Glyphs.Ellipsis)
	place := list.Place()
	if text.Width(title)+text.Width(place)+1 > width {
		place = ""
	}
	return st.Title.Apply(title) + st.Dim.Apply(place+" ")
}

// DetailTitle implements [ui.Screen].
func (r *replayScreen) DetailTitle(width int) string {
	st, d := r.m.env.Styles, r.detail
	title, place := " "+d.Title()+" ", d.Place()
	room := width - text.Width(title) - text.Width(place) - 2
	if room < 0 {
		place, room = "", max(0, width-text.Width(title)-1)
	}
	if text.Width(title) > width {
		return st.Title.Apply(text.Truncate(title, max(0, width), ""))
	}
	path := text.TruncateLeft(text.Clean(d.Path()), room, st.Glyphs.Ellipsis)
	return st.Title.Apply(title) + st.Path.Apply(path) + st.Dim.Apply(" "+place+" ")
}
