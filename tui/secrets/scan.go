package secrets

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
	"memcurator/tui/plan"
)

// The owners of the jobs.
const (
	ownerScan    = "secrets.scan"
	ownerRemoval = "secrets.removal"
	ownerDismiss = "secrets.dismiss"
	ownerReach   = "secrets.reach"
	ownerWritten = "secrets.written"
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
	scanFirst = 100 * time.Millisecond
)

// scans scan the store, beside the user's work and when the user asks, and search what is written as it arrives.
type scans struct {
	env   *kit.Env
	shell act.Shell
	o     *Options
	list  *valueList
	masks *masks
	held  func() bool    // values are being removed: a scan follows
	shown func() tea.Cmd // shows what was found

	engine *scrub.Engine // nil: not made yet
	aside  []string      // journals that were set aside, and that a purge removes

	marks map[string]int // of files, as the tree shows them

	due   bool          // one was asked for that runs beside the user's work
	took  time.Duration // the last one
	told  int           // values already reported to the user
	early bool          // a value was reported when it was written, before the scan that counts it
	asked bool          // the user asked for the one under way
}

// Soon asks for a scan after a change, of a store that is small enough. Changes that come before it are in it too.
func (s *scans) Soon() tea.Cmd {
	snap := s.o.Snapshot
	if s.o.Scrubbing == nil || s.due || snap == nil || !snap.Complete || snap.Root.Files > scanFiles || snap.Root.Bytes > scanBytes {
		return nil
	}
	s.due = true
	wait := min(max(scanAfter, scanShare*s.took), scanPause)
	if s.list.survey == nil { // until then no value is masked
		wait = scanFirst
	}
	return tea.Tick(wait, func(time.Time) tea.Msg { return kit.Call(s.begin) })
}

// begin begins the scan that was asked for. During a removal it does nothing: the removal scans when it ends.
func (s *scans) begin() tea.Cmd {
	s.due = false
	switch {
	case s.held():
		return nil
	case s.env.Jobs.Running(ownerScan): // it may have read what changed before it did
		return s.Soon()
	}
	return s.scan(1)
}

// Shown scans again if the screen is in sight.
func (s *scans) Shown() tea.Cmd {
	if !s.shell.Shows(keymap.ScreenFindings) || s.o.Scrubbing == nil {
		return nil
	}
	return s.scan(1)
}

// now scans because the user asked.
func (s *scans) now() tea.Cmd {
	if s.o.Scrubbing == nil || s.held() {
		return nil
	}
	s.asked = true
	return s.scan(runtime.NumCPU())
}

// scanned is the outcome of a scan.
type scanned struct {
	aside  []string // journals that were set aside
	engine *scrub.Engine
	survey *findings.Survey
	took   time.Duration
}

const labelScan = "scanning files and history"

func (s *scans) scan(workers int) tea.Cmd {
	o, engine := s.o.Scrubbing, s.engine
	backend, j, noJournal := s.o.Handlers.Backend(), s.o.Lasting, s.o.noJournal()
	return kit.Start(s.env.Jobs, kit.Job[scanned]{
		Owner: ownerScan, Label: labelScan, Done: s.take,
		Work: func(ctx context.Context, p *kit.Progress) (scanned, error) {
			out, start := scanned{engine: engine}, time.Now()
			if out.engine == nil {
				out.engine = o.Engine()
			}
			var err error
			out.survey, err = findings.Scan(ctx, findings.Options{
				Engine: out.engine, Memory: o.Memory, Backend: backend, Journal: j, NoJournal: noJournal, Workers: workers,
				Report: func(done, all int) { p.Set(int64(done), int64(all)) },
			})
			out.aside = findings.Aside(o.StateDir)
			out.took = time.Since(start)
			return out, err
		},
	})
}

// take shows what a scan has found: here, in the tree and on the Curate screen.
func (s *scans) take(found scanned) tea.Cmd {
	s.engine, s.took, s.aside = found.engine, found.took, found.aside
	s.list.setSurvey(found.survey)
	s.masks.set(found.survey)
	s.marks = found.survey.ByPath()
	s.env.Emit(act.Secrets{In: s.marks})
	open := found.survey.Open()
	s.listValues(found.survey, open)
	key := s.env.Keys.KeyFor(keymap.Global, keymap.ScreenFindings)
	switch asked := s.asked; {
	case asked && s.shell.Shows(keymap.ScreenFindings) && open == 0 && len(found.survey.Unread()) == 0:
		s.shell.Tell(kit.Info, noneText(found.survey.Files, found.survey.Contents))
	case open > s.told && !s.shell.Shows(keymap.ScreenFindings) && !s.early:
		s.shell.Report(kit.Warn, foundText(found.survey, open, key))
	}
	s.told, s.early, s.asked = open, false, false
	return s.shown()
}

// foundText says what a scan beside the user's work has found.
func foundText(survey *findings.Survey, open int, key string) string {
	where := "older versions"
	if slices.ContainsFunc(survey.Groups, func(g *findings.Group) bool { return g.Live > 0 && !g.Dismissed }) {
		where = kit.CountGrouped(survey.Files, "file")
	}
	return fmt.Sprintf("Found %s in %s. Press %s to review %s", kit.CountGrouped(open, "secret"), where, key, text.Plural(open, "it", "them"))
}

// listedMost bounds the values on the Curate screen; this one has all of them.
const listedMost = 200

// listValues lists the worst values on the Curate screen.
func (s *scans) listValues(survey *findings.Survey, open int) {
	var list []plan.Value
	for _, g := range survey.Groups {
		if len(list) < listedMost && !g.Dismissed {
			list = append(list, plan.Value{ID: g.ID, Text: s.list.choices.summary(g)})
		}
	}
	s.env.Emit(plan.Values{List: list, All: open})
}

// workShownAfter is how long a scan runs silently.
const workShownAfter = 150 * time.Millisecond

// workText is how far the scan is, "" for none or before a moment has passed.
func (s *scans) workText() string {
	job, ok := s.env.Jobs.Of(ownerScan)
	if !ok || job.Since < workShownAfter {
		return ""
	}
	return progressText(job.Label, job.Done, job.Total)
}

// after scans after an act, whose message stays.
func (s *scans) after() tea.Cmd {
	cmd := s.now()
	s.asked = false
	return cmd
}

// Reload drops the rules that are loaded, and scans again with those in force now.
func (s *scans) Reload() tea.Cmd {
	s.engine = nil
	if s.shell.Shows(keymap.ScreenFindings) {
		return s.after()
	}
	return s.Soon()
}

// forget drops what was read before a purge.
func (s *scans) forget() {
	s.env.Jobs.Cancel(ownerScan)
	s.took, s.marks = 0, nil
	s.list.setSurvey(nil)
	s.masks.set(nil)
}

// progressText is a label with how far the work is; total 0: unknown.
func progressText(label string, done, total int64) string {
	if total > 0 {
		return fmt.Sprintf("%s %s/%s", label, kit.Number(int(done)), kit.Number(int(total)))
	}
	return label
}
