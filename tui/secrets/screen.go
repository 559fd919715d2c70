// Package secrets is the Secrets screen: keys, passwords and personal data in the notes and in their history, a row a value, with a
// preview of the redaction. Values are redacted in files, which undo restores, purged everywhere, or dismissed. It scans beside the
// user's work, and changes the store through tui/edits and memstore/findings. The shell calls it, and drops what it shows of before a
// purge.
package secrets

import (
	"context"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/rule"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/kit"
	"memcurator/tui/notify"
	"memcurator/tui/plan"
)

// Scrubbing is what scans a store for secrets and removes them.
type Scrubbing struct {
	Engine   func() *scrub.Engine // makes it, in a job, when it is first needed
	Memory   *findings.Memory
	StateDir string // of the store's state, "" where there is none
	Dir      string // of the store on disk, "" if it is not on disk
	Rules    string // the file of the user's own rules, which may not exist yet; "" where they can't be stored
}

// Secret reports whether a line that the user typed holds a secret, by the patterns of the store. Call it in a job: it makes the engine.
func (s *Scrubbing) Secret(line string) bool { return len(s.Engine().Find("", []byte(line))) > 0 }

// Screen implements [kit.Screen]. All methods run on the Bubble Tea goroutine.
type Screen struct {
	o       *Options
	env     *kit.Env
	shell   act.Shell
	edits   *edits.Queue
	actions *kit.Actions
	list    *valueList
	preview *preview
	value   *plainValue
	dismiss *dismissals

	Reveal  *reveal
	Masks   *masks
	Scans   *scans
	Removal *removal
}

// Options are what the screen works on.
type Options struct {
	*act.Store
	Scrubbing *Scrubbing // nil: there are no rules to scan with
	Boxes     *kit.Boxes
	Notify    *notify.Notifier
}

// New makes the screen; nothing is scanned yet.
func New(env *kit.Env, shell act.Shell, queue *edits.Queue, options Options) *Screen {
	o := &options
	s := &Screen{o: o, env: env, shell: shell, edits: queue}
	choices := newChoices(env, shell, o, func() *scrub.Engine { return s.Scans.engine }, func() { s.list.Arrange(); s.list.turned() })
	s.list = newValues(env, choices, notices{empty: s.emptyText, unread: s.unreadText, open: s.open}, s.turned)
	s.preview = newPreview(env, shell, o, s.list)
	s.value = &plainValue{env: env, of: s.list}
	s.Masks = &masks{env: env}
	s.Reveal = &reveal{env: env, shell: shell, o: o, list: s.list, masks: s.Masks}
	s.Masks.reveal = s.Reveal
	env.Mask = s.Masks
	s.Scans = &scans{
		env: env, shell: shell, o: o, list: s.list, masks: s.Masks,
		held: func() bool { return s.Removal.Busy() }, shown: s.preview.showPlace,
	}
	s.Removal = &removal{env: env, shell: shell, edits: queue, o: o, list: s.list, scans: s.Scans}
	s.dismiss = &dismissals{env: env, shell: shell, edits: queue, o: o, list: s.list, scans: s.Scans, removal: s.Removal}
	s.actions = kit.NewActions(env, s.bindings()...)
	env.Jobs.Listen(s.preview.Receive, nil, diffpane.Owners(ownerPreview)...)
	env.Jobs.Listen(s.preview.Receive, s.preview.Failed, ownerPreview)
	return s
}

func (s *Screen) bindings() []kit.Action {
	choices := s.list.choices
	narrow := func() tea.Cmd { return s.shell.TypeFilter(s.list.Filter()) }
	shared := slices.DeleteFunc(kit.ListActions(s.shell, s.list, s.Detail), func(a kit.Action) bool { return a.ID == keymap.OpenFile })
	return append(shared,
		kit.Action{ID: keymap.FindingPurge, Run: s.Removal.ask},
		kit.Action{ID: keymap.FindingRedact, Run: s.Removal.askRedact},
		kit.Action{ID: keymap.FindingAllow, Run: s.dismiss.ask},
		kit.Action{ID: keymap.FindingPurgeAll, Run: s.Removal.askAll},
		kit.Action{ID: keymap.FindingReject, Run: s.dismiss.keep},
		kit.On(keymap.FindingClass, s.about(func(g *findings.Group) { choices.offer(g, s.list.alike(g)) })),
		kit.On(keymap.FindingClassAll, s.about(func(g *findings.Group) { choices.chooseClass(s.list.alike(g)) })),
		kit.Action{ID: keymap.FindingDiff, Run: s.shell.FocusDetail},
		kit.Action{ID: keymap.Open, Run: s.open},
		kit.Action{ID: keymap.OpenFile, Run: s.openFile},
		kit.Action{ID: keymap.FindingAgain, Run: s.Scans.now},
		kit.Action{ID: keymap.Refresh, Run: s.Scans.now},
		kit.On(keymap.FindingInfo, s.explain),
		kit.On(keymap.FindingReport, s.Removal.showReport),
		kit.Action{ID: keymap.FindingFilter, Run: narrow},
		kit.Action{ID: keymap.Filter, Run: narrow},
		kit.Action{ID: keymap.CallOf, Run: s.showCall},
		kit.Action{ID: keymap.Undo, Run: s.dismiss.undo},
		kit.Action{ID: keymap.Redo, Run: s.dismiss.redo},
	)
}

// about runs something on the value under the cursor.
func (s *Screen) about(run func(*findings.Group)) func() {
	return func() {
		if g := s.list.group(); g != nil && s.Scans.engine != nil && !g.Dismissed {
			run(g)
		}
	}
}

// showPlace is the intent to show the place under the cursor.
type showPlace struct{}

// turned is called when another place is under the cursor.
func (s *Screen) turned() {
	s.Reveal.keep()
	s.env.Emit(showPlace{})
}

// workText is the work under way and how far it is, "" for none.
func (s *Screen) workText() string {
	if s.Removal.Busy() {
		return s.Removal.workText()
	}
	return s.Scans.workText()
}

// List implements [kit.Screen].
func (s *Screen) List() kit.Pane { return s.list }

// Detail implements [kit.Screen]: the preview, and while its key is held the value.
func (s *Screen) Detail() kit.Tab {
	if s.Reveal.on {
		return s.value
	}
	return s.preview
}

// Actions implements [kit.Screen].
func (s *Screen) Actions() *kit.Actions { return s.actions }

// Receive implements [kit.Receiver].
func (s *Screen) Receive(intent any) (tea.Cmd, bool) {
	switch v := intent.(type) {
	case plan.OpenValue:
		cmd := s.shell.Show(keymap.ScreenFindings)
		s.list.SetFilter("")
		s.list.find(v.ID)
		s.list.turned()
		if v.Then != "" {
			then, _ := s.actions.Perform(v.Then)
			cmd = tea.Batch(cmd, then)
		}
		return cmd, true
	case showPlace:
		return s.preview.showPlace(), true
	case maskLater:
		return s.Reveal.maskAfter(v), true
	}
	return nil, false
}

// Enter implements [kit.Enterer]: a store that has not been scanned is scanned now. What is selected in the tree selects nothing
// here: a purge must not include values that its user has not chosen on this screen.
func (s *Screen) Enter() tea.Cmd {
	if s.o.Scrubbing == nil {
		return nil
	}
	if s.env.Jobs.Running(ownerScan) || s.Removal.Busy() {
		return s.preview.showPlace()
	}
	return tea.Batch(s.Scans.now(), s.preview.showPlace())
}

// Resize implements [kit.Screen].
func (s *Screen) Resize(list, detail kit.Rect) tea.Cmd {
	s.list.Resize(list.W, list.H)
	s.preview.Resize(detail.W, detail.H)
	s.value.Resize(detail.W, detail.H)
	s.preview.inSight = !detail.Empty()
	s.list.inline = detail.Empty()
	return tea.Batch(s.preview.Settle(), s.preview.showPlace())
}

// ListTitle implements [kit.Screen].
func (s *Screen) ListTitle(width int) kit.Title {
	place := ""
	if v := s.list.survey; v != nil {
		live, _ := v.Count()
		place = sumText(len(s.list.selection()), v.Open(), live, v.History())
		if text.Width(place)+text.Width("secrets")+8 > width {
			place = shortSumText(len(s.list.selection()), v.Open())
		}
	}
	return kit.ListTitle(s.env.Styles, "secrets", s.list.Filter(), place, width)
}

// sumText is how much was found and selected.
func sumText(selected, open, live, past int) string {
	return fmt.Sprintf("%s, %s, %s in history", shortSumText(selected, open), kit.CountGrouped(live, "place"), kit.Number(past))
}

// shortSumText is sumText where there is little room.
func shortSumText(selected, open int) string {
	if selected > 0 {
		return kit.Number(selected) + " selected of " + kit.Number(open)
	}
	return kit.CountGrouped(open, "value")
}

// DetailTitle implements [kit.DetailTitler].
func (s *Screen) DetailTitle(width int) kit.Title {
	path, place := "", ""
	if g, n := s.list.here(); g != nil {
		p := placeOf(g, max(1, n))
		path = placeName(&p)
		place = fmt.Sprintf("%d/%d", max(1, n), len(g.Places)+len(g.Exempt))
	}
	return kit.DetailTitle(s.env.Styles, s.Detail().Title(), path, place, width)
}

// Status implements [kit.Screen].
func (s *Screen) Status() (string, theme.Paint) {
	st := s.env.Styles
	if work := s.workText(); work != "" {
		return work, st.Accent
	}
	if n := len(s.list.selection()); n > 0 {
		return kit.Number(n) + " selected", st.StatusBar
	}
	return relative(s.list.Path()), st.StatusBar
}

// Waiting implements [kit.Counted]: the values that the last scan found and that are not dismissed.
func (s *Screen) Waiting() int {
	if s.list.survey == nil {
		return 0
	}
	return s.list.survey.Open()
}

// Peel implements [kit.Peeler]: work under way, a range, the selection, the filter.
func (s *Screen) Peel() (tea.Cmd, bool) {
	switch {
	case s.Removal.Busy():
		s.Removal.end()
		s.shell.Tell(kit.Info, "Stopping after this file")
		return nil, true
	case s.list.PeelRange():
		return nil, true
	case s.shell.OnDetail():
		return nil, false
	}
	return s.list.Peel()
}

// Forget implements [kit.Forgetter].
func (s *Screen) Forget() tea.Cmd {
	s.Scans.forget()
	s.preview.Clear()
	s.dismiss.forget()
	return nil
}

// TreeChanged implements [kit.TreeWatcher].
func (s *Screen) TreeChanged(kit.TreeChange) tea.Cmd { return s.Scans.Soon() }

// Changed implements feed.Watcher.
func (s *Screen) Changed(list []past.Revision) tea.Cmd { return s.Scans.watch(list) }

// open goes one step in: from a value to its preview, from there to the file.
func (s *Screen) open() tea.Cmd {
	if !s.shell.OnDetail() {
		return s.shell.FocusDetail()
	}
	return s.openFile()
}

// openFile shows the file of the place under the cursor in Browse, at its line.
func (s *Screen) openFile() tea.Cmd {
	p, ok := s.list.place()
	switch {
	case !ok:
		return nil
	case p.Past:
		s.shell.Tell(kit.Info, "This place is in history only, so there is no file to open")
		return nil
	}
	return s.shell.OpenLine(p.Path, p.Line)
}

// showCall shows the call that wrote the place under the cursor.
func (s *Screen) showCall() tea.Cmd {
	p, ok := s.list.place()
	if !ok || s.o.Lasting == nil || p.Rev == 0 {
		s.shell.Tell(kit.Info, "No recorded revision wrote this place")
		return nil
	}
	return s.shell.TraceCall(revisionFinder(s.o.Lasting, p.Rev))
}

// Badge leads from the Curate screen to the values, where there are any and they fit.
func (s *Screen) Badge(room int) string {
	if s.Waiting() == 0 {
		return ""
	}
	st := s.env.Styles
	says := kit.CountGrouped(s.Waiting(), "secret") + ": " + s.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)
	badge := st.Glyphs.Separator + " " + st.Glyphs.Sensitive + " " + says
	if text.Width(badge) > room {
		return ""
	}
	return badge
}

// Summary says what the last scan found, and the class of the worst value; "" for nothing.
func (s *Screen) Summary() string {
	if s.Waiting() == 0 {
		return ""
	}
	live, past := s.list.survey.Count()
	out := kit.CountGrouped(s.Waiting(), "secret") + " in " + kit.CountGrouped(live+past, "place")
	critical := 0
	for _, g := range s.list.survey.Groups {
		if !g.Dismissed && g.Severity >= rule.Critical {
			critical++
		}
	}
	if critical == 0 {
		return out
	}
	return fmt.Sprintf("%s, %s critical: %s", out, kit.Number(critical), s.list.choices.title(s.list.survey.Groups[0]))
}

// emptyText explains why no values are listed.
func (s *Screen) emptyText() string {
	v := s.list.survey
	switch {
	case s.o.Scrubbing == nil:
		return "No rules are loaded, so this store is not scanned"
	case v == nil && s.env.Jobs.Running(ownerScan):
		return "Scanning files and history"
	case v == nil:
		return s.env.Keyed("Not scanned yet. {global/refresh} scans files and history")
	case len(v.Unread()) > 0:
		return "No secrets in what could be read"
	}
	return noneText(v.Files, v.Contents)
}

// noneText says that a scan found nothing.
func noneText(files, versions int) string {
	out := "No secrets in " + kit.CountGrouped(files, "file")
	if versions > 0 {
		out += " and " + kit.CountGrouped(versions, "older version")
	}
	return out
}

// unreadText is what the last scan could not read; "": it has read everything.
func (s *Screen) unreadText() string {
	if s.list.survey == nil {
		return ""
	}
	list := s.list.survey.Unread()
	if len(list) == 0 {
		return ""
	}
	out := fmt.Sprintf("Not read: %s (%s)", text.Clean(unreadName(list[0].Path, list[0].Past)), list[0].Why.Sentence())
	if more := len(list) - 1; more > 0 {
		out += fmt.Sprintf(", %s more", kit.Number(more))
	}
	return out
}

// unreadName names what was not read: a path, "" for the journal as a whole; past: its versions in the journal.
func unreadName(path string, past bool) string {
	switch {
	case path == "":
		return "the journal"
	case past:
		return path + " in history"
	}
	return path
}

// noJournal is why a scan cannot read the past; nil: it can, or there is none. A store without a state folder, such as an encrypted
// one, has none.
func (o *Options) noJournal() error {
	if o.Lasting != nil || o.NoJournal == "" || o.Scrubbing.StateDir == "" {
		return nil
	}
	return errors.New(o.NoJournal)
}

// revisionFinder finds a revision by its number.
func revisionFinder(j *journal.Journal, rev int64) act.Finder {
	return func(ctx context.Context) (past.Revision, error) { return j.Revision(ctx, rev) }
}

var _ interface {
	kit.Screen
	kit.Enterer
	kit.DetailTitler
	kit.Receiver
	kit.TreeWatcher
	kit.Forgetter
} = (*Screen)(nil)
