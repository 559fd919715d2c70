// Package secrets shows the sensitive values of a store and takes them out: out of files, undoable, or out of its whole past, for good.
// It looks for them beside the user's work. The shell calls it and opens its box; what is shown of before a purge is dropped by
// its callers.
package secrets

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	findingsbox "memcurator/tui/findings"
	"memcurator/tui/overlay"
	"memcurator/tui/plan"
	"memcurator/tui/ui"
)

// Scrubbing is what looks for sensitive values in a store and takes them out.
type Scrubbing struct {
	Engine    func() *scrub.Engine // makes it, in a job, when it is first needed
	Memory    *findings.Memory
	Treatment redact.Treatment
	StateDir  string // of the store's state, "" where there is none
	Dir       string // of the store on the disk, "" where it is none
}

// Review is what is known of sensitive values, the box that shows them and the work on them. All methods run on the Bubble Tea
// goroutine.
type Review struct {
	Options
	env   *ui.Env
	shell *ui.Shell
	edits *edits.Queue
	box   *findingsbox.Box

	engine   *scrub.Engine // nil: not made yet
	due      bool          // a scan beside the user's work was asked for
	report   *purgeOutcome // of the last purge; nil: there was none in this run
	told     int           // values that were told of
	took     time.Duration // by the last scan
	step     atomic.Value  // findings.Step of the work under way
	stopping bool          // the user has asked for it to end
	stop     func()        // ends the work under way; nil: there is none
	marked   []string      // paths whose values are accepted as soon as they are known
	unfit    bool          // the terminal cannot be asked for releases of keys
	pressed  rune          // the key that shows a value, as it was pressed last
	aside    int           // journals that were put aside, and that a purge removes
	purges   int64         // that this program knows about
}

// Options are what a review works on.
type Options struct {
	Scrubbing *Scrubbing // nil: values are not looked for
	Store     func() *memstore.Store
	Journal   *journal.Journal // nil where there is none, and NoJournal explains why
	NoJournal string
	ReadOnly  bool
	Log       *slog.Logger
	Boxes     *ui.Boxes
	// After delivers a message after a time.
	After func(time.Duration, tea.Msg) tea.Cmd
	// Snapshot is the tree of the store as it is now; nil: not read yet.
	Snapshot func() *memstore.Snapshot
	// Marked are the paths that are marked in the tree.
	Marked func() []string
	// SetFindings shows in the tree where values are, SetValues lists the worst of so many where things are proposed.
	SetFindings func(map[string]int)
	SetValues   func(list []plan.Value, all int)
	// OpenLine shows a file in the view, at a line from 1; 0: at its place.
	OpenLine func(path string, line int) tea.Cmd
	// Choose opens a list.
	Choose func(title string, options []overlay.Option, at int, take func(row int))
	// TypeFilter opens the line that narrows the box on top.
	TypeFilter func(filter string)
	// Typing reports whether a line is being typed.
	Typing func() bool
	Help   func()
	// HideMessage takes the message out of the status line.
	HideMessage func()
	// Purged drops what is shown of before a purge.
	Purged func() tea.Cmd
}

// New makes a review; nothing is looked for yet.
func New(env *ui.Env, shell *ui.Shell, queue *edits.Queue, o Options) *Review {
	r := &Review{Options: o, env: env, shell: shell, edits: queue}
	r.box = findingsbox.New(env, r.replacementText, r.workText)
	return r
}

// Box is the overlay with the values.
func (r *Review) Box() *findingsbox.Box { return r.box }

// Busy reports whether values are being taken out.
func (r *Review) Busy() bool { return r.stop != nil }

// Forget drops what was read before a purge.
func (r *Review) Forget() {
	r.env.Jobs.Cancel(ownerScan) // it has read what was there before
	r.box.Forget()
	r.marked, r.took = nil, 0
}

// PurgedElsewhere takes the number of purges of the journal, and reports whether there was one of another program. One of this
// program knows when it ends.
func (r *Review) PurgedElsewhere(count int64) bool {
	if r.stop != nil || count <= r.purges {
		return false
	}
	r.purges = count
	return true
}

// ScanShown scans again if the box is open.
func (r *Review) ScanShown() tea.Cmd {
	if !r.IsOpen() {
		return nil
	}
	return r.scan(1)
}

// The owners of the jobs.
const (
	ownerScan        = "findings.scan"
	ownerScrub       = "findings.scrub"
	ownerAllow       = "findings.allow"
	ownerFindingDiff = "findings.diff"
)

// Bounds of stores that are scanned beside the user's work; larger ones are when the user asks.
const (
	scanFiles = 20_000
	scanBytes = 64 << 20
	// A scan waits so long after a change, and where scans take long scanShare times as long as the last one took: it
	// is never more than a small part of what the machine does.
	scanAfter = 1500 * time.Millisecond
	scanShare = 8
	scanPause = time.Minute // at most
)

// ScanSoon asks for a scan after a change, of a store that is small enough. Changes that come before it are in it too.
func (r *Review) ScanSoon() tea.Cmd {
	snap := r.Snapshot()
	if r.Scrubbing == nil || r.due || snap == nil || !snap.Complete || snap.Root.Files > scanFiles || snap.Root.Bytes > scanBytes {
		return nil
	}
	r.due = true
	return tea.Tick(min(max(scanAfter, scanShare*r.took), scanPause), func(time.Time) tea.Msg { return ui.Call(r.scanDue) })
}

// scanDue begins the scan that was asked for. While values are taken out there is none: one follows.
func (r *Review) scanDue() tea.Cmd {
	r.due = false
	switch {
	case r.stop != nil:
		return nil
	case r.env.Jobs.Running(ownerScan): // it may have read what changed before it did
		return r.ScanSoon()
	}
	return r.scan(1)
}

// scanResult is the outcome of a scan.
type scanResult struct {
	aside  int // journals that were put aside
	engine *scrub.Engine
	survey *findings.Survey
	took   time.Duration
}

const labelScan = "looking for sensitive values"

func (r *Review) scan(workers int) tea.Cmd {
	o, engine := r.Scrubbing, r.engine
	backend, j, noJournal := r.Store().Backend(), r.Journal, r.noJournal()
	return ui.Start(r.env.Jobs, ui.Job[scanResult]{
		Owner: ownerScan, Label: labelScan, Done: r.scanned,
		Work: func(ctx context.Context, p *ui.Progress) (scanResult, error) {
			out, start := scanResult{engine: engine}, time.Now()
			if out.engine == nil {
				out.engine = o.Engine()
			}
			var err error
			out.survey, err = findings.Scan(ctx, findings.Options{
				Engine: out.engine, Memory: o.Memory, Backend: backend, Journal: j, NoJournal: noJournal, Workers: workers,
				Report: func(done, all int) { p.Set(int64(done), int64(all)) },
			})
			out.aside = len(findings.Aside(o.StateDir))
			out.took = time.Since(start)
			return out, err
		},
	})
}

// noJournal is why a scan cannot read the past; nil: it can, or there is none. Of a store without a state folder, as an encrypted
// one, there is none.
func (r *Review) noJournal() error {
	if r.Journal != nil || r.NoJournal == "" || r.Scrubbing.StateDir == "" {
		return nil
	}
	return errors.New(r.NoJournal)
}

// scanned shows what a scan has found, in the box and in the tree.
func (r *Review) scanned(found scanResult) tea.Cmd {
	r.engine, r.took, r.aside = found.engine, found.took, found.aside
	r.box.SetSurvey(found.survey)
	if len(r.marked) > 0 && r.IsOpen() {
		r.box.AcceptIn(r.marked)
		r.marked = nil
	}
	r.SetFindings(found.survey.ByPath())
	values := found.survey.Open()
	r.listValues(found.survey, values)
	if values > r.told && !r.IsOpen() {
		r.shell.Tell(ui.Warn, findingsNote(values, r.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)))
	}
	r.told = values
	return nil
}

// findingsNote tells at the end of the scan beside the user's work what was found.
func findingsNote(values int, key string) string {
	return fmt.Sprintf("%s found in this store: %s shows them", ui.CountGrouped(values, "sensitive value was", "sensitive values were"), key)
}

// listedMost bounds the values on the Curate screen; the box has all of them.
const listedMost = 200

// listValues lists the worst values on the Curate screen.
func (r *Review) listValues(s *findings.Survey, open int) {
	var list []plan.Value
	for _, g := range s.Groups {
		if len(list) < listedMost && !g.Dismissed {
			list = append(list, plan.Value{ID: g.ID, Text: r.box.Summary(g)})
		}
	}
	r.SetValues(list, open)
}

// OpenValue opens the box at a value.
func (r *Review) OpenValue(id string) tea.Cmd {
	cmd := r.Open()
	r.box.Select(id)
	return cmd
}

// Badge leads from the Curate screen to sensitive values, where there are any and room is left.
func (r *Review) Badge(room int) string {
	if r.told == 0 {
		return ""
	}
	st := r.env.Styles
	says := findingsBadge(r.told, r.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings))
	badge := st.Glyphs.Separator + " " + st.Glyphs.Sensitive + " " + says
	if text.Width(badge) > room {
		return ""
	}
	return badge
}

// Summary says how many secrets were found; "" for none.
func (r *Review) Summary() string {
	if r.told == 0 {
		return ""
	}
	return ui.CountGrouped(r.told, "secret") + " in the notes"
}

// findingsBadge says, where things are proposed, that sensitive values were found too.
func findingsBadge(values int, key string) string {
	return ui.CountGrouped(values, "sensitive value") + ": " + key
}

// IsOpen reports whether the box is open, also under a question.
func (r *Review) IsOpen() bool { return r.Boxes.Holds(r.box) }

// Open opens the box, and scans: what is shown meanwhile is the last survey.
func (r *Review) Open() tea.Cmd {
	if r.Scrubbing == nil {
		r.shell.Tell(ui.Info, "no rules are loaded: sensitive values are not looked for here")
		return nil
	}
	r.shell.Open(ui.Box{Overlay: r.box})
	r.marked = r.Marked()
	if r.env.Jobs.Running(ownerScan) || r.stop != nil {
		return nil
	}
	return r.scan(runtime.NumCPU())
}

// Receive does what the box asks for.
func (r *Review) Receive(intent any) (tea.Cmd, bool) {
	switch v := intent.(type) {
	case findingsbox.ChooseClass:
		r.chooseClass(v.Groups)
	case findingsbox.ChooseAction:
		r.chooseAction(v.Groups)
	case findingsbox.Narrow:
		r.TypeFilter(r.box.Filter())
	case findingsbox.Shown:
		return r.maskLater(v), true
	case findingsbox.Stop:
		r.stopFindings()
	case findingsbox.Help:
		r.Help()
	case findingsbox.Undo:
		if r.stop == nil {
			return r.edits.Undo(), true
		}
	case findingsbox.Again:
		return r.scan(runtime.NumCPU()), true
	case findingsbox.Report:
		r.showPurgeReport()
	case findingsbox.Allow:
		return r.allow(v), true
	case findingsbox.Purge:
		r.askPurge(v.Groups)
	case findingsbox.Redact:
		r.askRedact(v.Groups)
	case findingsbox.Preview:
		return r.previewFinding(v), true
	case findingsbox.Open:
		return r.openFinding(v.Place), true
	default:
		return nil, false
	}
	return nil, true
}

// stopFindings ends the work under way, clears the filter, or closes the box.
func (r *Review) stopFindings() {
	switch box := r.box; {
	case r.stop != nil:
		r.stopping = true
		r.stop()
	case box.Filter() != "":
		box.SetFilter("")
	default:
		r.Boxes.CloseTop()
	}
}

// openFinding shows the file of a place, at its line.
func (r *Review) openFinding(p findings.Place) tea.Cmd {
	if p.Past {
		r.shell.Tell(ui.Info, "this place is in the past: there is no file to open")
		return nil
	}
	r.Boxes.CloseTop()
	return r.OpenLine(p.Path, p.Line)
}

// allow keeps, or forgets, that a value is harmless.
func (r *Review) allow(v findingsbox.Allow) tea.Cmd {
	memory, h := r.Scrubbing.Memory, findings.Dismiss(v.Group, r.env.Now())
	return ui.Start(r.env.Jobs, ui.Job[allowedNow]{
		Owner: ownerAllow, Label: labelScan, Done: r.allowed,
		Work: func(context.Context, *ui.Progress) (allowedNow, error) {
			if v.On {
				return allowedNow{true, memory.Dismiss(h)}, nil
			}
			return allowedNow{false, memory.Withdraw(v.Group.Dismissals...)}, nil
		},
	})
}

// allowedNow is the outcome of keeping a judgement.
type allowedNow struct {
	on  bool
	err error
}

func (r *Review) allowed(v allowedNow) tea.Cmd {
	switch {
	case v.err != nil:
		r.Log.Error("a judgement was not kept", "error", v.err)
		r.shell.Tell(ui.Warn, "the choice lasts until the end of this run: it cannot be kept in the state folder")
	case v.on:
		r.shell.Tell(ui.Info, "This value counts as harmless from now on. Only a hash of it is kept.")
	default:
		r.shell.Tell(ui.Info, "This value counts again.")
	}
	return r.scan(runtime.NumCPU())
}

// findingDiff is the box with the diff of a file without its values.
type findingDiff struct {
	env  *ui.Env
	diff *diffpane.Pane
	path string
}

func (f *findingDiff) Title() string            { return f.path }
func (f *findingDiff) Scopes() []keymap.Scope   { return []keymap.Scope{keymap.Overlay, keymap.Motion} }
func (f *findingDiff) Size(w, h int) (int, int) { return w, max(1, h) }
func (f *findingDiff) Cursor() (ui.Point, bool) { return ui.Point{}, false }
func (f *findingDiff) Footer() string           { return "" }

func (f *findingDiff) Handle(id keymap.ID) bool {
	switch id {
	case keymap.Close:
		return false
	case keymap.OverlayFind, keymap.OverlayCopy: // a copy would hold the text around the values, and maybe other values
		f.env.Emit(ui.Say{Level: ui.Info, Text: "this diff is only looked at: nothing is filtered or copied here"})
		return true
	}
	_, ok := f.diff.Actions().Perform(id)
	return ok
}

func (f *findingDiff) Rows(w, h int) []string {
	f.diff.Resize(w, h)
	return f.diff.Rows(true)
}

// previewFinding shows what a file is going to be. Dots stand for the values on the side before, and on both for
// those that stay: a diff stays on the screen, and values are shown while a key is held only.
func (r *Review) previewFinding(v findingsbox.Preview) tea.Cmd {
	if r.engine == nil {
		return nil
	}
	worker := r.scrubber(nil)
	worker.Accept(v.Groups)
	hider := r.scrubber(nil) // of every value of the file, whatever was decided or configured
	hider.Treatment, hider.Action = redact.Treatment{}, nil
	hider.Accept(v.Hidden)
	store := r.Store()
	box := &findingDiff{r.env, diffpane.New(r.env, ownerFindingDiff), v.Path}
	r.shell.Open(ui.Box{Overlay: box})
	r.env.Jobs.Listen(box.diff.Receive, nil, diffpane.Owners(ownerFindingDiff)...)
	r.env.Jobs.Listen(box.diff.Receive, box.diff.Failed, ownerFindingDiff)
	side := func(work func(text []byte) []byte) func() ([]byte, string) {
		return func() ([]byte, string) {
			text, why := edits.ReadSmall(store, v.Path)
			if why != "" {
				return nil, why
			}
			return work(text), ""
		}
	}
	return box.diff.Show(diffpane.Comparison{
		Key: "finding " + time.Now().String(), Title: v.Path, Path: v.Path,
		Before: side(func(text []byte) []byte { return hider.Masked(v.Path, text) }),
		After:  side(func(text []byte) []byte { clean, _ := worker.Clean(v.Path, text); return hider.Masked(v.Path, clean) }),
	})
}
