package secrets

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/text"
	"memcurator/tui/act"
	"memcurator/tui/kit"
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

// TreeChanged implements [kit.TreeWatcher].
func (s *Screen) TreeChanged(kit.TreeChange) tea.Cmd { return s.ScanSoon() }

// ScanSoon asks for a scan after a change, of a store that is small enough. Changes that come before it are in it too.
func (s *Screen) ScanSoon() tea.Cmd {
	snap := s.Snapshot
	if s.o.Scrubbing == nil || s.due || snap == nil || !snap.Complete || snap.Root.Files > scanFiles || snap.Root.Bytes > scanBytes {
		return nil
	}
	s.due = true
	wait := scanAfter
	if s.survey == nil || s.shell.Shows(keymap.ScreenSecrets) { // until then no value is masked, or its list is what the user works on
		wait = scanFirst
	}
	wait = min(max(wait, scanShare*s.took), scanPause)
	return tea.Tick(wait, func(time.Time) tea.Msg { return kit.Call(s.scanDue) })
}

// scanDue begins the scan that was asked for. During a removal it does nothing: the removal scans when it ends.
func (s *Screen) scanDue() tea.Cmd {
	s.due = false
	switch {
	case s.busy():
		return nil
	case s.env.Jobs.Running(ownerScan), s.env.Jobs.Running(act.Owner): // it may have read what changed before it did
		return s.ScanSoon()
	}
	return s.scan()
}

// scanned is the outcome of a scan.
type scanned struct {
	aside  []string // journals that were set aside
	engine *scrub.Engine
	survey *findings.Survey
	took   time.Duration
	purged *findings.PurgedValues
}

func (s *Screen) scan() tea.Cmd {
	o, engine, backend, j, stateDir := s.o.Scrubbing, s.engine, s.Handlers.Backend(), s.Journal, ""
	if o == nil || s.busy() {
		return nil
	}
	stateDir = o.StateDir
	var noJournal error
	if j == nil && s.NoJournal != "" && stateDir != "" { // a store without a state folder has no past to read
		noJournal = errors.New(s.NoJournal)
	}
	return kit.Start(s.env.Jobs, kit.Job[scanned]{
		Owner: ownerScan, Label: "scanning files and history", Done: s.scanned,
		Work: func(ctx context.Context, p *kit.Progress) (scanned, error) {
			out, start := scanned{engine: engine}, time.Now()
			if out.engine == nil {
				out.engine = o.Engine()
			}
			var err error
			out.survey, err = findings.Scan(ctx, findings.Options{
				Engine: out.engine, State: o.State, Backend: backend, Journal: j, NoJournal: noJournal,
				Report: func(done, all int) { p.Set(int64(done), int64(all)) },
			})
			out.aside, out.purged = findings.Aside(stateDir), s.readPurged(stateDir)
			out.took = time.Since(start)
			return out, err
		},
	})
}

// readPurged reads what was purged from the stores of this machine. It does I/O.
func (s *Screen) readPurged(stateDir string) *findings.PurgedValues {
	if stateDir == "" {
		return nil
	}
	purged, _ := findings.ReadPurged(filepath.Dir(stateDir)) // a list that can't be read hides nothing
	return purged
}

// setPurged hides purged values on all screens.
func (s *Screen) setPurged(p *findings.PurgedValues) {
	s.Purged, s.Masks.purged = p, p
	s.Masks.forget()
}

// scanned shows what a scan has found, here and in the tree.
func (s *Screen) scanned(found scanned) tea.Cmd {
	s.engine, s.took, s.aside = found.engine, found.took, found.aside
	s.setPurged(found.purged)
	first := s.survey == nil
	s.setSurvey(found.survey)
	s.env.Emit(act.Secrets{In: found.survey.ByPath()})
	open := s.Waiting()
	if !first && open > s.told && !s.shell.Shows(keymap.ScreenSecrets) { // of the first, the tab and the summary tell
		key := s.env.Keys.KeyFor(keymap.Global, keymap.ScreenSecrets)
		s.shell.Report(kit.Warn, fmt.Sprintf("Found %s. Press %s to review %s", kit.CountGrouped(open, "secret"), key, text.Plural(open, "it", "them")))
		s.env.Emit(act.Urgent{})
	}
	s.told = open
	return s.turned()
}

// ScanAgain scans after something else than an edit changed what a scan finds.
func (s *Screen) ScanAgain() tea.Cmd {
	if s.shell.Shows(keymap.ScreenSecrets) {
		return s.scan()
	}
	return s.ScanSoon()
}
