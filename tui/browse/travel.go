package browse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/timeline"
)

// ownerTravel names the job that reads the past store.
const ownerTravel = "travel"

// away is the moment that the screen shows in place of the present, which is read-only. The present goes on out of sight.
type away struct {
	rev  int64     // the store after this revision; 0: before all of them
	made time.Time // of the revision; zero for the beginning of the journal

	back     func() tea.Cmd // leads to where the journey began
	store    *memstore.Store
	unfolded []string
	selected string
	filter   string
	line     int // in the view, from 1; 0: none
	tab      TabName
}

// Away reports whether the past is shown.
func (s *Screen) Away() bool { return s.away != nil }

// until bounds the revisions of the past, which have lower numbers; 0: this is the present.
func (s *Screen) until() int64 {
	if s.away == nil {
		return 0
	}
	return s.away.rev + 1
}

// pastInSight reports whether the user sees the past: the other screens show the present during a journey, too.
func (s *Screen) pastInSight() bool { return s.away != nil && s.isShown() }

// Remembered is where the user is in the tree and the tabs of the present.
func (s *Screen) Remembered() (unfolded []string, selected string, tab TabName) {
	if s.away != nil {
		return s.away.unfolded, s.away.selected, s.away.tab
	}
	unfolded, selected = s.Tree.Remembered()
	return unfolded, selected, s.Tabs.at
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
	rev    int64
	made   time.Time
	moment *past.Moment
	shows  string
	note   string        // why it can't be shown
	last   past.Revision // the one with the number rev; zero if it does not exist
}

// WhyNoStep returns why a step to another point in time is impossible.
func (s *Screen) WhyNoStep() kit.Say {
	if !s.pastInSight() {
		return kit.Say{Text: s.Env.Keyed("{global/older} {global/newer} step through the past: {global/travel} on a change goes there")}
	}
	return kit.Say{}
}

// WhyPast returns the reason why the past can't be written; without a text the present is shown.
func (s *Screen) WhyPast() kit.Say {
	if !s.pastInSight() {
		return kit.Say{}
	}
	return kit.Say{Text: s.Env.Keyed(fmt.Sprintf("Can't edit the store as of #%d. {global/travel} returns", s.away.rev))}
}

// Step goes some revisions, or calls of a replay, on from what is shown.
func (s *Screen) Step(by int) tea.Cmd {
	if !s.Env.Jobs.Running(ownerTravel) {
		s.steps = 0 // those of a journey that the user has called off
	}
	s.steps += by
	return s.to(destination{rev: s.away.rev, step: s.steps})
}

// ToRevision goes to a revision, or to before one that removed what it is about.
func (s *Screen) ToRevision(r past.Revision) tea.Cmd {
	if r.Shape == past.Removed {
		r.Rev--
	}
	return s.to(destination{rev: r.Rev, shows: r.Path})
}

// ToTyped goes to what was typed after :at: a revision, a time, or now.
func (s *Screen) ToTyped(typed string) (tea.Cmd, error) {
	if typed == "now" {
		return s.Back(), nil
	}
	if rev, ok := timeline.ParseRevision(typed); ok {
		return s.to(destination{rev: rev}), nil
	}
	at, err := config.ParseMoment(typed, s.Env.Now())
	if err != nil {
		return nil, err
	}
	return s.to(destination{at: at}), nil
}

// to reads the past store, and shows it once read.
func (s *Screen) to(d destination) tea.Cmd {
	j := s.Edits.Journal
	if j == nil {
		s.shell.Tell(kit.Info, act.NoJournalText(s.Edits.NoJournal))
		return nil
	}
	return kit.Start(s.Env.Jobs, kit.Job[arrival]{
		Owner: ownerTravel, Label: "reading the past", Done: s.arrived, Failed: func() { s.steps = 0 },
		Work: func(ctx context.Context, _ *kit.Progress) (arrival, error) { return journey(ctx, j, d) },
	})
}

// journey finds the revision that is meant and reads the store after it.
func journey(ctx context.Context, j *journal.Journal, to destination) (arrival, error) {
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
			out.note = "This is the newest revision. :at now returns"
			if to.step < 0 {
				out.note = "This is the oldest revision"
			}
			return out, nil
		}
	}
	m, err := j.Moment(ctx, out.rev)
	if errors.Is(err, past.ErrNoRevision) {
		last, err := j.Last(ctx)
		out.note = past.NoRevisionText(out.rev, last)
		return out, err
	}
	if err != nil {
		return out, err
	}
	if out.moment = m; out.rev == 0 {
		return out, nil
	}
	r, err := j.Revision(ctx, out.rev)
	if errors.Is(err, past.ErrNoRevision) {
		return out, nil // removed by the retention, but its outcome is still known
	}
	out.made, out.last = r.Time, r
	return out, err
}

// stepFrom is the revision some steps from another, or the last one in that direction.
func stepFrom(ctx context.Context, j *journal.Journal, rev int64, step int) (int64, error) {
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

const textTravelling = "Viewing the past, read-only"

// arrived shows the past store.
func (s *Screen) arrived(v arrival) tea.Cmd {
	s.steps = 0
	if v.note != "" {
		s.shell.Tell(kit.Info, v.note)
		return nil
	}
	path, _ := s.Tree.Selected()
	path = cmp.Or(v.shows, path)
	said := textTravelling
	switch {
	case s.away == nil:
		s.Following.Stop()
		s.away = &away{back: s.shell.Place(), store: s.Store, filter: s.Tree.Filter(), tab: s.Tabs.at}
		s.away.unfolded, s.away.selected = s.Tree.Remembered()
		s.away.line, _ = s.View.Line()
	case !s.isShown():
		s.away.back = s.shell.Place()
	case v.last.Rev > 0:
		said = timeline.Describe(v.last, s.Env.Styles, s.Env.Now().Location()) // what the step has changed
	}
	s.shell.Tell(kit.Info, said)
	s.away.rev, s.away.made = v.rev, v.made
	rev := v.rev
	if rev == 0 {
		rev = -1 // no line was written before the first revision
	}
	shown := s.showStore(s.away.store.Over(v.moment), v.moment.Snapshot(), rev)
	s.Tabs.showFiles()
	for strings.HasPrefix(path, memstore.Root+"/") && s.Files.snapshot.Find(path) == nil { // it was not there yet
		path = parentOf(path)
	}
	return tea.Batch(shown, s.shell.Show(keymap.ScreenBrowse), s.Select(path, true), s.shell.Relayout())
}

// showStore shows another state of the store: that after a revision; 0: the present one.
func (s *Screen) showStore(store *memstore.Store, snapshot *memstore.Snapshot, rev int64) tea.Cmd {
	s.Store, s.Files.snapshot = store, snapshot
	s.load.stale = true
	for _, tab := range s.Tabs.row {
		if t, ok := tab.(stateTab); ok {
			t.SetStore(store, rev)
		}
	}
	s.history.limit(s.until())
	s.Tree.SetPast(s.away != nil)
	s.Tree.SetSnapshot(snapshot)
	return s.Reload()
}

// Back shows the present again, at the place where the journey began.
func (s *Screen) Back() tea.Cmd {
	a := s.away
	if a == nil {
		return nil
	}
	s.Env.Jobs.Cancel(ownerTravel)
	s.away, s.steps = nil, 0
	s.shell.Tell(kit.Info, "Back to the present")
	shown := s.showStore(a.store, s.Edits.Snapshot, 0)
	s.Tree.Restore(a.unfolded, a.selected)
	_, _ = s.Tree.SetFilter(a.filter)
	s.Tabs.at = a.tab
	s.Tree.Select(a.selected)
	cmds := []tea.Cmd{shown, s.Select(a.selected, false)}
	if a.line > 0 {
		cmds = append(cmds, s.View.GoTo(a.line))
	}
	return tea.Batch(append(cmds, a.back(), s.shell.Relayout())...)
}

// travel goes to the revision under the cursor of the history, or whose diff it opened; from the past it comes back, as the banner says.
func (s *Screen) travel() tea.Cmd {
	if s.away != nil {
		return s.Back()
	}
	r, ok := s.history.Selected()
	inSight := s.Tabs.at == History || s.Tabs.at == Diff && r.Rev == s.Diff.pane.Revision()
	if !ok || !inSight || !s.isShown() {
		s.shell.Tell(kit.Info, s.Env.Keyed(timeline.TextPresent))
		return nil
	}
	return s.ToRevision(r)
}

// restore restores the file of the revision in sight as of then; in the past, that under the cursor as of the moment that is shown.
func (s *Screen) restore() tea.Cmd {
	if s.away == nil || s.Tabs.versioned() && s.shell.OnDetail() {
		return s.Edits.Restore(s.Revision())
	}
	return s.Edits.RestoreAt(s.PathAtCursor(), s.away.rev)
}

func (s *Screen) whyNoRestore() kit.Say {
	if s.away == nil && !s.Tabs.versioned() {
		return kit.Say{Text: s.Env.Keyed("{global/restore} needs a version. {global/tab-next} opens the history")}
	}
	return s.Edits.WhyUnwritable()
}

// name names the moment.
func (a *away) name() string {
	if a.rev == 0 {
		return "before all changes"
	}
	return fmt.Sprintf("after #%d", a.rev)
}

// Moment says for the banner where in time the screen is that the user sees; "" for now.
func (s *Screen) Moment() (name, says string) {
	switch {
	case !s.pastInSight():
		return "", ""
	default:
		says = s.away.name()
	}
	if made := kit.When(s.away.made, s.Env.Now()); s.away.rev > 0 && made != "" {
		says += ", " + made
	}
	return "PAST", says + ", read-only"
}
