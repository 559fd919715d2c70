package browse

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/summary"
	"memcurator/tui/timeline"
)

// The jobs that read the past store, and what the first journey would otherwise have to wait for.
const (
	ownerTravel = "travel"
	ownerWarm   = "travel.warm"
	labelTravel = "reading the past"
)

// Travel shows the store after a revision: it replaces the present with a second [Screen], over the store of that
// moment, which is read-only. The present continues out of sight. All methods run on the Bubble Tea goroutine.
type Travel struct {
	TravelOptions
	env     *kit.Env
	shell   act.Shell
	present *Screen
	past    *Screen        // nil: the present is shown
	back    func() tea.Cmd // leads to where the journey began

	rev    int64
	call   int       // of a replay that is shown instead of the journal; 0: none
	made   time.Time // of the revision; zero for the beginning of the journal
	missed int       // changes since the journey began
	steps  int       // revisions to move by, requested and not read yet
	warmed bool      // what journeys need is read, or being read
}

// TravelOptions connect journeys to the shell.
type TravelOptions struct {
	// Replaced is called when another screen than before is Browse.
	Replaced func(*Screen) tea.Cmd
	// Place returns what leads back to the screen and the pane that have the focus now.
	Place func() func() tea.Cmd
	// ShowCall shows the memory of the replay after another call.
	ShowCall func(call int) tea.Cmd
}

// NewTravel makes the present of a store; its screens have options o.
func NewTravel(env *kit.Env, shell act.Shell, o Options, t TravelOptions) *Travel {
	travel := &Travel{TravelOptions: t, env: env, shell: shell}
	travel.present = newScreen(env.Apart("browse"), shell, travel, o)
	o.Summary = summary.Options{}
	return travel
}

// Shown is the Browse screen: that of the past during a journey, else that of the present.
func (t *Travel) Shown() *Screen {
	if t.past != nil {
		return t.past
	}
	return t.present
}

// Present is the screen of the current store, in sight or not.
func (t *Travel) Present() *Screen { return t.present }

// Away reports whether the past is shown.
func (t *Travel) Away() bool { return t.past != nil }

// inSight reports whether the user sees the past: the other screens show the present during a journey, too.
func (t *Travel) inSight() bool { return t.past != nil && t.past.isShown() }

// Screens are the ones that exist, the present first.
func (t *Travel) Screens() []*Screen {
	if t.past != nil {
		return []*Screen{t.present, t.past}
	}
	return []*Screen{t.present}
}

// Missed counts revisions that came while the past is shown.
func (t *Travel) Missed(revisions int) {
	if t.past != nil {
		t.missed += revisions
	}
}

// moment is a past store: a moment of the journal, or the memory of a replay.
type moment interface {
	memstore.Backend
	Snapshot() *memstore.Snapshot
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
	moment moment
	call   int // of a replay; 0: a revision
	shows  string
	note   string        // why it can't be shown
	last   past.Revision // the one with the number rev; zero if it does not exist
}

// WhyNoStep returns why a step to another point in time is impossible.
func (t *Travel) WhyNoStep() kit.Say {
	if !t.inSight() {
		return kit.Say{Text: t.env.Keyed(timeline.TextPresent)}
	}
	return kit.Say{}
}

// WhyNoWrite returns the reason why the past can't be written; without a text the present is shown.
func (t *Travel) WhyNoWrite() kit.Say {
	switch {
	case !t.inSight():
		return kit.Say{}
	case t.call > 0:
		return kit.Say{Text: t.env.Keyed("Can't edit the memory of a replay. {global/travel} returns")}
	}
	return kit.Say{Text: t.env.Keyed(fmt.Sprintf("Can't edit the store as of #%d. {global/travel} returns", t.rev))}
}

// WhyNoCommand returns the reason why a typed command can't write: the files that Browse has, in sight or not, are those of the past.
func (t *Travel) WhyNoCommand() kit.Say {
	if why := t.WhyNoWrite(); t.past == nil || why.Text != "" {
		return why
	}
	return kit.Say{Text: "Browse shows the past, read-only. :at now returns"}
}

// restore restores a file of the present as of the moment that is shown.
func (t *Travel) restore(path string) tea.Cmd {
	if t.call > 0 {
		t.shell.Tell(kit.Info, t.WhyNoWrite().Text)
		return nil
	}
	return t.present.Edits.RestoreAt(path, t.rev)
}

// Step goes some revisions, or calls of a replay, on from what is shown.
func (t *Travel) Step(by int) tea.Cmd {
	if t.call > 0 {
		return t.ShowCall(t.call + by)
	}
	if !t.env.Jobs.Running(ownerTravel) {
		t.steps = 0 // those of a journey that the user has called off
	}
	t.steps += by
	return t.to(destination{rev: t.rev, step: t.steps})
}

// ToRevision goes to a revision.
func (t *Travel) ToRevision(r past.Revision) tea.Cmd {
	return t.to(destination{rev: r.Rev, shows: r.Path})
}

// ToTyped goes to what was typed after :at: a revision, a time, or now.
func (t *Travel) ToTyped(typed string) (tea.Cmd, error) {
	if typed == "now" {
		if t.past == nil {
			t.shell.Tell(kit.Info, t.env.Keyed(timeline.TextPresent))
			return nil, nil
		}
		return t.Back(), nil
	}
	if rev, ok := timeline.ParseRevision(typed); ok {
		return t.to(destination{rev: rev}), nil
	}
	at, err := config.ParseMoment(typed, t.env.Now())
	if err != nil {
		return nil, err
	}
	return t.to(destination{at: at}), nil
}

// Prepare reads, once, what journeys need. It is called when the user sees a list of revisions, from which one may begin.
func (t *Travel) Prepare() tea.Cmd {
	j := t.present.Edits.Journal
	if j == nil || t.warmed {
		return nil
	}
	t.warmed = true
	return kit.Start(t.env.Jobs, kit.Job[struct{}]{
		Owner: ownerWarm, Label: kit.LabelJournal,
		Work: func(ctx context.Context, _ *kit.Progress) (none struct{}, err error) { return none, j.Warm(ctx) },
	})
}

// to reads the past store, and shows it once read.
func (t *Travel) to(d destination) tea.Cmd {
	j := t.present.Edits.Journal
	if j == nil {
		t.shell.Tell(kit.Info, act.NoJournalText(t.present.Edits.NoJournal))
		return nil
	}
	return t.start(func(ctx context.Context) (arrival, error) { return journey(ctx, j, d) })
}

// ToCall shows the memory of a replay after a call.
func (t *Travel) ToCall(
	call int, shows string, read func(context.Context) (memstore.Backend, *memstore.Snapshot, error),
) tea.Cmd {
	return t.start(func(ctx context.Context) (arrival, error) {
		b, snapshot, err := read(ctx)
		return arrival{shows: shows, moment: replayed{b, snapshot}, call: call}, err
	})
}

// replayed is the memory of a replay as a moment.
type replayed struct {
	memstore.Backend
	snapshot *memstore.Snapshot
}

// Snapshot is the tree of it.
func (r replayed) Snapshot() *memstore.Snapshot { return r.snapshot }

func (t *Travel) start(read func(context.Context) (arrival, error)) tea.Cmd {
	return kit.Start(t.env.Jobs, kit.Job[arrival]{
		Owner: ownerTravel, Label: labelTravel, Done: t.arrived, Failed: func() { t.steps = 0 },
		Work: func(ctx context.Context, _ *kit.Progress) (arrival, error) { return read(ctx) },
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

const textTravelling = "Viewing the past, read-only. {global/older} {global/newer} step, {global/travel} returns"

// arrived shows the past store.
func (t *Travel) arrived(v arrival) tea.Cmd {
	t.steps = 0
	if v.note != "" {
		t.shell.Tell(kit.Info, v.note)
		return nil
	}
	path := v.shows
	if path == "" {
		path, _ = t.Shown().Tree.Selected()
	}
	switch {
	case t.past == nil:
		t.begin()
	case !t.past.isShown():
		t.back = t.Place()
		t.shell.Tell(kit.Info, t.env.Keyed(textTravelling))
	case v.last.Rev > 0:
		t.shell.Tell(kit.Info, timeline.Describe(v.last, t.env.Styles, t.env.Now().Location())) // what the step has changed
	}
	t.rev, t.made, t.call = v.rev, v.made, v.call
	store := t.present.Store.Over(v.moment)
	return tea.Batch(t.Replaced(t.past), t.past.showMoment(store, v.moment.Snapshot(), v.rev, path), t.shell.Relayout())
}

// begin makes the screen of the past, which looks as the present does.
func (t *Travel) begin() {
	t.present.Following.Stop()
	t.missed, t.back = 0, t.Place()
	t.past = newScreen(t.env.Apart("past"), t.shell, t, t.present.Options)
	t.shell.Tell(kit.Info, t.env.Keyed(textTravelling))
	t.past.resemble(t.present)
}

// resemble takes over what the user has made of another screen.
func (s *Screen) resemble(o *Screen) {
	s.Tree.Restore(o.Tree.Remembered())
	s.Tree.Prefer(o.Tree.OrderName(), true)
	_, _ = s.Tree.SetFilter(o.Tree.Filter())
	s.Diff.pane.Resemble(o.Diff.pane)
	s.Tabs.at = o.Tabs.at
	s.View.Resemble(o.View)
}

// showMoment shows the store after a revision, with a path under the tree's cursor.
func (s *Screen) showMoment(store *memstore.Store, snapshot *memstore.Snapshot, rev int64, path string) tea.Cmd {
	s.Store, s.Files.snapshot, s.era.until = store, snapshot, rev+1
	s.start.stale = true
	if rev == 0 {
		rev = -1 // no line was written before the first revision
	}
	s.rendered.SetStore(store)
	s.blame.SetStore(store, rev)
	s.history.limit(s.era.until)
	cmds := []tea.Cmd{s.View.SetStore(store)}
	s.Tree.SetSnapshot(snapshot)
	s.Tree.Select(path)
	path, _ = s.Tree.Selected()
	cmds = append(cmds, s.Reload(), s.Select(path, false))
	s.Tabs.showFiles()
	return tea.Batch(cmds...)
}

// Back shows the present again, at the place where the journey began.
func (t *Travel) Back() tea.Cmd {
	t.env.Jobs.Cancel(ownerTravel)
	t.past.Env.Jobs.End()
	t.past, t.steps, t.call = nil, 0, 0
	said := "Back to the present"
	if t.missed > 0 {
		said += ", " + kit.Count(t.missed, "change") + " meanwhile"
	}
	t.shell.Tell(kit.Info, said)
	return tea.Batch(t.Replaced(t.present), t.back())
}

// Moment says for the banner where in time the screen is that the user sees; "" for now.
func (t *Travel) Moment() (name, says string) {
	switch {
	case !t.inSight():
		return "", ""
	case t.call > 0:
		return "REPLAY", fmt.Sprintf("the memory after call %d, read-only", t.call)
	case t.rev == 0:
		says = "before all changes"
	default:
		says = fmt.Sprintf("#%d", t.rev)
	}
	if made := t.made.In(t.env.Now().Location()); t.rev > 0 && !t.made.IsZero() {
		form := "2 Jan 2006 15:04"
		if made.Year() == t.env.Now().Year() {
			form = "2 Jan 15:04"
		}
		says += " of " + made.Format(form)
	}
	if t.missed > 0 {
		says += ", " + kit.Count(t.missed, "change") + " since you left"
	}
	return "PAST", says + ", read-only"
}
