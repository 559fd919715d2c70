package tui

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/changes"
	"memcurator/tui/edits"
	"memcurator/tui/replay"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// The jobs that read the store as it was, and what a first journey would have to wait for.
const (
	ownerTravel = "travel"
	ownerWarm   = "travel.warm"
)

// travel is a look at the store as it was after one revision. While there is one, Browse
// reads everything from the journal and nothing can be written; what happens meanwhile goes on
// being recorded and waits for the way back.
type travel struct {
	rev    int64
	call   int       // of a replay that is shown in place of the journal; 0: none
	made   time.Time // of the revision; zero for the beginning of the journal
	moment pastStore
	missed []past.Revision // made since, in order
	back   returnPoint
}

// pastStore is a store as it was: a moment of the journal, or the memory of a replay.
type pastStore interface {
	memstore.Backend
	Snapshot() *memstore.Snapshot
}

// returnPoint is the place to come back to.
type returnPoint struct {
	store       *memstore.Store
	screen      screen
	focus       focus
	tab         tab
	path        string // under the tree's cursor
	top, cursor int    // lines of the view
	lined       bool   // they are known
}

// destination is where a journey goes: to a revision, to a moment, or some revisions on.
type destination struct {
	rev   int64
	at    time.Time // instead of rev, unless zero
	step  int       // from rev on, to the older below 0
	shows string    // agent path to show there; "": the one that is shown
}

// arrival is the outcome of a journey.
type arrival struct {
	rev   int64
	made  time.Time
	past  pastStore
	call  int // of a replay; 0: a revision
	shows string
	note  string        // why there is none
	last  past.Revision // the one with the number rev; zero where it is not there
}

// shown is the tree of files on the screen: of now, or of where the user travels.
func (m *Model) shown() *memstore.Snapshot {
	if m.travel != nil {
		return m.travel.moment.Snapshot()
	}
	return m.disk.snapshot
}

// until bounds the revisions of a path to those made until the one that is shown; 0: all.
func (m *Model) until() int64 {
	if m.travel != nil {
		return m.travel.rev + 1
	}
	return 0
}

// whyNoWrite says why files cannot be changed now.
func (m *Model) whyNoWrite() ui.Say {
	switch {
	case m.travel != nil:
		return ui.Say{Text: m.pastText()}
	case m.options.Unlinked:
		return ui.Say{Text: replay.TextNoStore}
	case m.options.ReadOnly:
		return ui.Say{Text: m.readOnlyText()}
	}
	return ui.Say{}
}

// mayWrite reports whether files can be changed now, and says why not.
func (m *Model) mayWrite() bool {
	why := m.whyNoWrite()
	if why.Text != "" {
		m.tell(why.Level, why.Text)
	}
	return why.Text == ""
}

const textReadOnly = "read-only: started with --read-only, nothing is written"

// readOnlyText says why nothing is written.
func (m *Model) readOnlyText() string {
	if m.options.Emptied != "" {
		return "not done: all files of this store are gone; bring them back, or run memcurator doctor --accept-empty"
	}
	return textReadOnly
}

const textNotTravelling = "this is now: {inbox/travel} on a revision, in the Changes screen or a history, shows the store as it was; so does :at 2d"

// whyNoStepInTime says why there is no step to another point in time.
func (m *Model) whyNoStepInTime() ui.Say {
	if m.travel == nil || m.screen != onBrowse {
		return ui.Say{Text: m.env.Keyed(textNotTravelling)}
	}
	return ui.Say{}
}

// stepInTime goes some revisions, or calls of a replay, on from what is shown.
func (m *Model) stepInTime(by int) tea.Cmd {
	if m.travel.call > 0 {
		moved := m.replay.GoTo(m.travel.call + by)
		return tea.Batch(moved, m.replay.TravelToStep())
	}
	if !m.env.Jobs.Running(ownerTravel) {
		m.steps = 0 // those of a journey that the user has called off
	}
	m.steps += by
	return m.travelTo(destination{rev: m.travel.rev, step: m.steps})
}

// travelToSelected goes to the revision under the cursor of a list, or back from it.
func (m *Model) travelToSelected() tea.Cmd {
	list := m.history.Pane
	if b := m.board(); b != nil {
		list = b.Revisions()
	}
	r, ok := list.Selected()
	switch {
	case m.screen == onCurate, m.board() == nil && m.tab != tabHistory, !ok:
		m.tell(ui.Info, m.env.Keyed(textNotTravelling))
		return nil
	case m.travel != nil && m.travel.call == 0 && m.travel.rev == r.Rev:
		return m.comeBack()
	}
	return m.travelTo(destination{rev: r.Rev, shows: r.Path})
}

// travelWhere takes what was typed behind :at: a revision, a time, or now.
func (m *Model) travelWhere(typed string) tea.Cmd {
	if typed == "now" {
		if m.travel == nil {
			m.tell(ui.Info, m.env.Keyed(textNotTravelling))
			return nil
		}
		return m.comeBack()
	}
	if rev, ok := timeline.ParseRevision(typed); ok {
		return m.travelTo(destination{rev: rev})
	}
	at, err := timeline.ParseTime(typed, m.env.Now())
	if err != nil {
		m.tell(ui.Fail, err.Error())
		return nil
	}
	return m.travelTo(destination{at: at})
}

// prepareTravel reads, once, what journeys need: the user sees a list of revisions, from which one begins.
func (m *Model) prepareTravel() tea.Cmd {
	j := m.kept()
	if j == nil || m.warmed {
		return nil
	}
	m.warmed = true
	return m.env.Jobs.Start(ownerWarm, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		return nil, j.Warm(ctx)
	})
}

// travelTo reads the store as it was, and shows it when it is there.
func (m *Model) travelTo(to destination) tea.Cmd {
	j := m.kept()
	if j == nil {
		m.tell(ui.Info, edits.NoJournalText(m.options.NoJournal))
		return nil
	}
	return m.env.Jobs.Start(ownerTravel, labelTravel, func(ctx context.Context, _ *ui.Progress) (any, error) {
		return journey(ctx, j, to)
	})
}

// travelToCall shows the memory of a replay as it was after a call.
func (m *Model) travelToCall(
	call int, shows string, read func(context.Context) (memstore.Backend, *memstore.Snapshot, error),
) tea.Cmd {
	return m.env.Jobs.Start(ownerTravel, labelTravel, func(ctx context.Context, _ *ui.Progress) (any, error) {
		b, snapshot, err := read(ctx)
		return arrival{shows: shows, past: replayed{b, snapshot}, call: call}, err
	})
}

// replayed is the memory of a replay as a place to travel to.
type replayed struct {
	memstore.Backend
	snapshot *memstore.Snapshot
}

// Snapshot is the tree of it.
func (r replayed) Snapshot() *memstore.Snapshot { return r.snapshot }

const labelTravel = "reading the past"

// journey finds the revision that is meant and reads the store after it.
func journey(ctx context.Context, j past.Reader, to destination) (arrival, error) {
	out := arrival{rev: to.rev, shows: to.shows}
	var err error
	if !to.at.IsZero() {
		if out.rev, err = j.At(ctx, to.at); err != nil {
			return out, err
		}
	}
	if to.step != 0 {
		if out.rev, err = stepFrom(ctx, j, to.rev, to.step); err != nil {
			return out, err
		}
		if out.rev == to.rev {
			out.note = endOfTimeText(to.step < 0)
			return out, nil
		}
	}
	moment, err := j.Moment(ctx, out.rev)
	if errors.Is(err, past.ErrNoRevision) {
		last, err := j.Last(ctx)
		out.note = changes.NoSuchRevisionText(out.rev, last)
		return out, err
	}
	if err != nil {
		return out, err
	}
	if out.past = moment; out.rev == 0 {
		return out, nil
	}
	r, err := j.Revision(ctx, out.rev)
	if errors.Is(err, past.ErrNoRevision) {
		return out, nil // taken out by the retention; what it left is still known
	}
	out.made, out.last = r.Time, r
	return out, err
}

// endOfTimeText says that there is no further revision.
func endOfTimeText(oldest bool) string {
	if oldest {
		return "nothing is recorded before this"
	}
	return "this is the newest revision; :at now comes back"
}

// stepFrom is the revision some steps from another, or the last one in that direction.
func stepFrom(ctx context.Context, j past.Reader, rev int64, step int) (int64, error) {
	f := past.Filter{After: rev, Limit: step}
	if step < 0 {
		f = past.Filter{Before: max(rev, 1), Newest: true, Limit: -step}
	}
	rows, err := past.Revisions(ctx, j, f)
	switch {
	case err != nil:
		return rev, err
	case step < 0 && rev > 0 && len(rows) < -step:
		return 0, nil // the beginning
	case rev == 0 && step < 0 || len(rows) == 0:
		return rev, nil
	}
	return rows[len(rows)-1].Rev, nil
}

const textTravelling = "this is the past, for looking only: {global/older} and {global/newer} step, {global/back} or {global/focus-tree} comes back to now"

// arrived shows the store as it was.
func (m *Model) arrived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(arrival)
	if !ok {
		return nil
	}
	m.steps = 0
	if v.note != "" {
		m.tell(ui.Info, v.note)
		return nil
	}
	t := m.travel
	if t == nil {
		m.stopFollowing()
		t = &travel{back: m.returnPoint()}
		m.tell(ui.Info, m.env.Keyed(textTravelling))
	} else if v.last.Rev > 0 {
		m.tell(ui.Info, timeline.Describe(v.last, m.env.Styles, m.env.Now().Location())) // what the step has changed
	}
	t.rev, t.made, t.moment, t.call = v.rev, v.made, v.past, v.call
	m.travel = t
	m.options.Store = t.back.store.Over(t.moment)
	path := v.shows
	if path == "" {
		path, _ = m.tree.Selected()
	}
	return tea.Batch(m.goTo(onBrowse), m.showStore(path), m.relayout())
}

// returnPoint notes where the user is.
func (m *Model) returnPoint() returnPoint {
	h := returnPoint{store: m.options.Store, screen: m.screen, focus: m.focus, tab: m.tab}
	if m.screen != onBrowse {
		h.focus = m.resume[onBrowse]
	}
	h.path, _ = m.tree.Selected()
	if m.viewer.Path() == h.path {
		h.top, h.cursor, h.lined = m.viewer.Lines()
	}
	return h
}

// showStore puts the store of m.options, and what is shown of it, into every pane that reads
// files, with a path under the tree's cursor.
func (m *Model) showStore(path string) tea.Cmd {
	s, rev := m.options.Store, int64(0)
	if m.travel != nil {
		if rev = m.travel.rev; rev == 0 {
			rev = -1 // before any revision nobody has written a line
		}
	}
	m.tree.SetStore(s)
	m.rendered.SetStore(s)
	m.hex.SetStore(s)
	m.blame.SetStore(s, rev)
	m.history.limit(m.until())
	cmds := []tea.Cmd{m.viewer.SetStore(s), m.tree.SetSnapshot(m.shown())}
	m.tree.Select(path)
	path, _ = m.tree.Selected()
	cmds = append(cmds, m.reloadFiles(), m.selectPath(path, false))
	m.showFiles()
	return tea.Batch(cmds...)
}

// comeBack goes back to now, to the place where the journey began.
func (m *Model) comeBack() tea.Cmd {
	t := m.travel
	m.env.Jobs.Cancel(ownerTravel)
	m.travel, m.steps = nil, 0
	m.options.Store = t.back.store
	path, moved := t.back.path, false
	for i := range t.missed {
		r := &t.missed[i]
		if r.OldPath != "" {
			m.drafts.Moved(r.OldPath, r.Path)
		}
		if to, ok := movedTo(r, path); ok {
			path, moved = to, true
		}
	}
	m.found.Changed(t.missed)
	m.tree.Changed(t.missed)
	m.tab = t.back.tab
	cmds := []tea.Cmd{m.showStore(path)}
	if t.back.lined && !moved {
		cmds = append(cmds, m.viewer.ShowLines(t.back.top, t.back.cursor))
	}
	m.tab, m.focus = t.back.tab, t.back.focus
	m.tell(ui.Info, backText(len(t.missed)))
	return tea.Batch(append(cmds, m.goTo(t.back.screen), m.relayout())...)
}

// backText greets who comes back from the past.
func backText(missed int) string {
	if missed == 0 {
		return "this is now again"
	}
	return "this is now again; " + ui.Count(missed, "change") + " came meanwhile"
}

// pastText says why nothing can be written now.
func (m *Model) pastText() string {
	if m.travel.call > 0 {
		return m.env.Keyed("this is the memory of a replay, which is not edited; {global/focus-tree} comes back")
	}
	return pastText(m.travel.rev)
}

// pastText refuses a write.
func pastText(rev int64) string {
	return "this is the store after #" + strconv.FormatInt(rev, 10) + ", which nobody can change; :at now comes back"
}

// pastBadge says where in time the screen is.
func (m *Model) pastBadge() string {
	t := m.travel
	if t.call > 0 {
		return fmt.Sprintf("replay: after call %d", t.call)
	}
	return atText(t.rev, t.made.In(m.env.Now().Location()), len(t.missed), m.w >= singleWidth)
}

// atText is the badge of the past: the revision, its time in the zone it is given in, and how many changes came since the
// journey began.
func atText(rev int64, made time.Time, missed int, wide bool) string {
	out := "AT #" + strconv.FormatInt(rev, 10)
	switch {
	case rev == 0 && wide:
		out += " before all changes"
	case made.IsZero():
	case wide:
		out += made.Format(" 2006-01-02 15:04")
	default:
		out += made.Format(" 01-02 15:04")
	}
	if missed > 0 {
		out += fmt.Sprintf(" (+%d)", missed)
	}
	return out
}
