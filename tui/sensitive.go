package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	findingsbox "memcurator/tui/findings"
	"memcurator/tui/plan"
	"memcurator/tui/prompt"
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

// sensitive is what the root knows of sensitive values.
type sensitive struct {
	aside    int // journals that were put aside, and that a purge removes
	box      *findingsbox.Box
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

// scanMsg asks for a scan beside the user's work.
type scanMsg struct{}

func (m *Model) addFindings() {
	m.sensitive.box = findingsbox.New(m.env, m.becomes, m.findingsWork)
	m.listen(m.scanned, ownerScan)
	m.listeners[ownerScrub] = listener{m.scrubEnded, m.scrubFailed}
	m.listen(m.allowed, ownerAllow)
	m.listen(m.purgeLeft, ownerPurgeLeft)
	m.listen(m.copiesForgotten, ownerForget)
}

// scanSoon asks for a scan after a change, of a store that is small enough. Changes that come before it are in it too.
func (m *Model) scanSoon() tea.Cmd {
	snap := m.disk.snapshot
	if m.options.Scrub == nil || m.sensitive.due || snap == nil || !snap.Complete || snap.Root.Files > scanFiles || snap.Root.Bytes > scanBytes {
		return nil
	}
	m.sensitive.due = true
	return tea.Tick(min(max(scanAfter, scanShare*m.sensitive.took), scanPause), func(time.Time) tea.Msg { return scanMsg{} })
}

// scanDue begins the scan that was asked for. While values are taken out there is none: one follows.
func (m *Model) scanDue() tea.Cmd {
	m.sensitive.due = false
	switch {
	case m.sensitive.stop != nil:
		return nil
	case m.env.Jobs.Running(ownerScan): // it may have read what changed before it did
		return m.scanSoon()
	}
	return m.scan(1)
}

// scanResult is the outcome of a scan.
type scanResult struct {
	aside  int // journals that were put aside
	engine *scrub.Engine
	survey *findings.Survey
	took   time.Duration
}

const labelScan = "looking for sensitive values"

func (m *Model) scan(workers int) tea.Cmd {
	o, engine := m.options, m.sensitive.engine
	backend, j, noJournal := o.Store.Backend(), m.kept(), m.noJournal()
	return m.env.Jobs.Start(ownerScan, labelScan, func(ctx context.Context, p *ui.Progress) (any, error) {
		r, start := scanResult{engine: engine}, time.Now()
		if r.engine == nil {
			r.engine = o.Scrub.Engine()
		}
		var err error
		r.survey, err = findings.Scan(ctx, findings.Options{
			Engine: r.engine, Memory: o.Scrub.Memory, Backend: backend, Journal: j, NoJournal: noJournal, Workers: workers,
			Report: func(done, all int) { p.Set(int64(done), int64(all)) },
		})
		r.aside = len(findings.Aside(o.Scrub.StateDir))
		r.took = time.Since(start)
		return r, err
	})
}

// noJournal is why a scan cannot read the past; nil: it can, or there is none. Of a store without a state folder, as an encrypted
// one, there is none.
func (m *Model) noJournal() error {
	o := &m.options
	if m.kept() != nil || o.NoJournal == "" || o.Scrub.StateDir == "" {
		return nil
	}
	return errors.New(o.NoJournal)
}

// scanned shows what a scan has found, in the box and in the tree.
func (m *Model) scanned(done ui.Done) tea.Cmd {
	r, ok := done.Value.(scanResult)
	if !ok {
		return nil
	}
	s := &m.sensitive
	s.engine, s.took, s.aside = r.engine, r.took, r.aside
	s.box.SetSurvey(r.survey)
	if len(s.marked) > 0 && m.findingsOpen() {
		s.box.AcceptIn(s.marked)
		s.marked = nil
	}
	m.tree.SetFindings(r.survey.ByPath())
	values := r.survey.Open()
	m.listValues(r.survey, values)
	if values > s.told && !m.findingsOpen() {
		m.tell(ui.Warn, findingsNote(values, m.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)))
	}
	s.told = values
	return nil
}

// findingsNote tells at the end of the scan beside the user's work what was found.
func findingsNote(values int, key string) string {
	return fmt.Sprintf("%s found in this store: %s shows them", ui.CountGrouped(values, "sensitive value was", "sensitive values were"), key)
}

// listedMost bounds the values on the Curate screen; the box has all of them.
const listedMost = 200

// listValues lists the worst values on the Curate screen.
func (m *Model) listValues(s *findings.Survey, open int) {
	var list []plan.Value
	for _, g := range s.Groups {
		if len(list) < listedMost && !g.Allowed {
			list = append(list, plan.Value{ID: g.ID, Text: m.sensitive.box.Summary(g)})
		}
	}
	m.curate.SetValues(list, open)
}

// openValue opens the box at a value.
func (m *Model) openValue(id string) tea.Cmd {
	cmd := m.openFindings()
	m.sensitive.box.Select(id)
	return cmd
}

// findingsBadge leads from the Curate screen to sensitive values, where there are any and room is left.
func (m *Model) findingsBadge(room int) string {
	if m.sensitive.told == 0 {
		return ""
	}
	st := m.env.Styles
	badge := st.Glyphs.Separator + " " + st.Glyphs.Sensitive + " " + findingsBadge(m.sensitive.told, m.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)) + " "
	if text.Width(badge) > room {
		return ""
	}
	return badge
}

// findingsBadge says, where things are proposed, that sensitive values were found too.
func findingsBadge(values int, key string) string {
	return ui.CountGrouped(values, "sensitive value") + ": " + key
}

// findingsOpen reports whether the box is open, also under a question.
func (m *Model) findingsOpen() bool { return m.boxes.Holds(m.sensitive.box) }

// openFindings opens the box, and scans: what is shown meanwhile is the last survey.
func (m *Model) openFindings() tea.Cmd {
	if m.options.Scrub == nil {
		m.tell(ui.Info, "no rules are loaded: sensitive values are not looked for here")
		return nil
	}
	m.open(m.sensitive.box)
	m.sensitive.marked = m.tree.Marked()
	if m.env.Jobs.Running(ownerScan) || m.sensitive.stop != nil {
		return nil
	}
	return m.scan(runtime.NumCPU())
}

// findingsIntent does what the box asks for.
func (m *Model) findingsIntent(intent any) (tea.Cmd, bool) {
	switch v := intent.(type) {
	case findingsbox.ChooseClass:
		m.chooseClass(v.Groups)
	case findingsbox.ChooseAction:
		m.chooseAction(v.Groups)
	case findingsbox.Narrow:
		m.line.Open(prompt.OverlayFilter, m.sensitive.box.Filter())
	case findingsbox.Shown:
		return m.maskLater(v), true
	case findingsbox.Stop:
		m.stopFindings()
	case findingsbox.Help:
		m.openHelp()
	case findingsbox.Undo:
		if m.sensitive.stop == nil {
			return m.edits.Undo(), true
		}
	case findingsbox.Again:
		return m.scan(runtime.NumCPU()), true
	case findingsbox.Report:
		m.showPurgeReport()
	case findingsbox.Allow:
		return m.allow(v), true
	case findingsbox.Purge:
		m.askPurge(v.Groups)
	case findingsbox.Redact:
		m.askRedact(v.Groups)
	case findingsbox.Preview:
		return m.previewFinding(v), true
	case findingsbox.Open:
		return m.openFinding(v.Place), true
	default:
		return nil, false
	}
	return nil, true
}

// stopFindings ends the work under way, clears the filter, or closes the box.
func (m *Model) stopFindings() {
	switch box := m.sensitive.box; {
	case m.sensitive.stop != nil:
		m.sensitive.stopping = true
		m.sensitive.stop()
	case box.Filter() != "":
		box.SetFilter("")
	default:
		m.boxes.CloseTop()
	}
}

// openFinding shows the file of a place, at its line.
func (m *Model) openFinding(p findings.Place) tea.Cmd {
	if p.Past {
		m.tell(ui.Info, "this place is in the past: there is no file to open")
		return nil
	}
	m.boxes.CloseTop()
	selected := m.selectPath(p.Path, true)
	m.tab, m.focus = tabView, onMain
	cmds := []tea.Cmd{selected, m.relayout()}
	if p.Line > 0 {
		cmds = append(cmds, m.viewer.GoTo(p.Line))
	}
	return tea.Batch(cmds...)
}

// allow keeps, or forgets, that a value is harmless.
func (m *Model) allow(v findingsbox.Allow) tea.Cmd {
	memory, h := m.options.Scrub.Memory, findings.HarmlessOf(v.Group, m.env.Now())
	return m.env.Jobs.Start(ownerAllow, labelScan, func(context.Context, *ui.Progress) (any, error) {
		if v.On {
			return allowedNow{true, memory.Allow(h)}, nil
		}
		return allowedNow{false, memory.Disallow(h.Class, h.ID)}, nil
	})
}

// allowedNow is the outcome of keeping a judgement.
type allowedNow struct {
	on  bool
	err error
}

func (m *Model) allowed(done ui.Done) tea.Cmd {
	v, ok := done.Value.(allowedNow)
	switch {
	case !ok:
		return nil
	case v.err != nil:
		m.options.Log.Error("a judgement was not kept", "error", v.err)
		m.tell(ui.Warn, "the choice lasts until the end of this run: it cannot be kept in the state folder")
	case v.on:
		m.tell(ui.Info, "This value counts as harmless from now on. Only a hash of it is kept.")
	default:
		m.tell(ui.Info, "This value counts again.")
	}
	return m.scan(runtime.NumCPU())
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
	case keymap.OverlayFind, keymap.OverlayCopy: // a copy would hold what stands about the values, and maybe others
		f.env.Emit(ui.Say{Level: ui.Info, Text: "this diff is only looked at: nothing is filtered or copied here"})
		return true
	}
	_, ok := f.diff.Handle(id)
	return ok
}

func (f *findingDiff) Rows(w, h int) []string {
	f.diff.Resize(w, h)
	return f.diff.Rows(true)
}

// previewFinding shows what a file is going to be. Dots stand for the values on the side before, and on both for
// those that stay: a diff stays on the screen, and values are shown while a key is held only.
func (m *Model) previewFinding(v findingsbox.Preview) tea.Cmd {
	if m.sensitive.engine == nil {
		return nil
	}
	worker := m.scrubber(nil)
	worker.Accept(v.Groups)
	hider := m.scrubber(nil) // of every value of the file, whatever was decided or configured
	hider.Treatment, hider.Action = redact.Treatment{}, nil
	hider.Accept(v.Hidden)
	store := m.options.Store
	box := &findingDiff{m.env, diffpane.New(m.env, ownerFindingDiff), v.Path}
	m.open(box)
	m.listenDiff(box.diff, ownerFindingDiff)
	m.commands++
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
		Key: "finding " + time.Now().String(), Title: v.Path, Path: v.Path, Before: side(func(text []byte) []byte { return hider.Masked(v.Path, text) }),
		After: side(func(text []byte) []byte { clean, _ := worker.Clean(v.Path, text); return hider.Masked(v.Path, clean) }),
	})
}
