package tui

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// scrubber takes values out of the store; report may be nil.
func (m *Model) scrubber(report func(findings.Step, int, int)) *findings.Scrubber {
	o, base := m.options, ""
	if o.Scrub.StateDir != "" {
		base = filepath.Dir(o.Scrub.StateDir)
	}
	return &findings.Scrubber{
		Engine: m.sensitive.engine, Memory: o.Scrub.Memory, Treatment: o.Scrub.Treatment, Store: o.Store, Journal: o.Journal,
		StateDir: o.Scrub.StateDir, Dir: o.Scrub.Dir, Base: base, Class: maps.Clone(m.sensitive.box.Classes()), Action: maps.Clone(m.sensitive.box.Actions()), Report: report,
	}
}

// placesOf counts the places of some values.
func placesOf(groups []*findings.Group) (live, past int) {
	for _, g := range groups {
		live += g.Live
		past += len(g.Places) - g.Live
	}
	return live, past
}

// takeOutQuestion asks from where values are taken out; yes is everywhere.
type takeOutQuestion struct {
	*question
	filesOnly func() tea.Cmd
}

// Scopes implements overlay.Overlay.
func (q *takeOutQuestion) Scopes() []keymap.Scope {
	return []keymap.Scope{keymap.TakeOut, keymap.Motion}
}

// askPurge asks before what has no undo, and offers what has.
func (m *Model) askPurge(groups []*findings.Group) {
	if m.refused() || m.sensitive.stop != nil {
		return
	}
	live, past := placesOf(groups)
	body := ui.PurgeQuestion(m.env, len(groups), live, past, groups[0].Places[0].Path, m.undoKey())
	if m.sensitive.aside > 0 {
		body += ui.PurgeAside(m.sensitive.aside)
	}
	m.open(&takeOutQuestion{
		question:  &question{Question: overlay.NewQuestion(m.env, ui.TextPurgeTitle, body), yes: func() tea.Cmd { return m.takeOut(groups, true) }},
		filesOnly: func() tea.Cmd { return m.takeOut(groups, false) },
	})
}

// askRedact asks before files are rewritten.
func (m *Model) askRedact(groups []*findings.Group) {
	if m.refused() || m.sensitive.stop != nil {
		return
	}
	live, past := placesOf(groups)
	q := &question{Question: overlay.NewQuestion(m.env, ui.TextRedactTitle, ui.RedactQuestion(len(groups), live, past, m.undoKey()))}
	q.yes = func() tea.Cmd { return m.takeOut(groups, false) }
	m.open(q)
}

// takenOut is the outcome of the work.
type takenOut struct {
	done   *findings.Done
	purged *findings.Purged // nil: files only
	count  int64            // of purges afterwards; below 0: not known
	err    error
}

// takeOut does the work. Esc in the box stops it between two files; what is done stays, and of a purge the rest is
// carried on with by the next one.
func (m *Model) takeOut(groups []*findings.Group, purge bool) tea.Cmd {
	ctx, stop := context.WithCancel(context.Background())
	m.sensitive.stop = stop
	m.env.Jobs.Cancel(ownerScan)
	label := ui.LabelRedact
	if purge {
		label = ui.LabelPurge
	}
	worker, step := m.scrubber(nil), &m.sensitive.step
	step.Store(findings.StepFiles)
	if m.sensitive.box.AcceptsAll() {
		worker.All = func(string) bool { return true }
	}
	return m.env.Jobs.StartWrite(ownerScrub, label, func(_ context.Context, p *ui.Progress) (any, error) {
		defer stop()
		worker.Report = func(now findings.Step, done, all int) {
			step.Store(now)
			p.Set(int64(done), int64(all))
		}
		worker.Accept(groups)
		var out takenOut
		if purge {
			out.purged, out.err = worker.Purge(ctx)
			out.done, out.count = &out.purged.Done, purgesOf(worker.Journal)
		} else {
			out.done, out.err = worker.Redact(ctx)
		}
		return out, nil
	})
}

func (m *Model) scrubFailed() {
	m.sensitive.stop, m.sensitive.stopping = nil, false
}

// scrubEnded tells what was done, and looks again at everything that may show it.
func (m *Model) scrubEnded(done ui.Done) tea.Cmd {
	m.scrubFailed()
	out, ok := done.Value.(takenOut)
	if !ok {
		return nil
	}
	var cmds []tea.Cmd
	if out.purged != nil && !errors.Is(out.err, findings.ErrNoPurge) && !errors.Is(out.err, findings.ErrUnderWay) { // one that was stopped may have rewritten files
		m.purged.count = max(m.purged.count, out.count)
		cmds = append(cmds, m.forgetPurged())
	}
	d := out.done
	switch {
	case errors.Is(out.err, findings.ErrUnderWay):
		m.tell(ui.Warn, ui.TextPurgeAtWork)
	case errors.Is(out.err, findings.ErrNoPurge):
	case errors.Is(out.err, context.Canceled):
		m.tell(ui.Warn, m.env.Keyed(whereStopped(out.purged)))
	case out.err != nil:
		m.options.Log.Error("scrub", "error", out.err)
		m.tell(ui.Fail, ui.ScrubFailedText(d.Files, reasonOf(out.err), out.purged != nil))
	case out.purged != nil:
		report := reportOf(out.purged)
		m.sensitive.report = &report
		m.showPurgeReport()
	default:
		m.tell(ui.Info, ui.RedactedText(d.Values, d.Files, d.Names, len(d.Failed)))
	}
	cmds = append(cmds, m.scan(runtime.NumCPU()))
	for _, list := range m.openLists() {
		cmds = append(cmds, list.Reread())
	}
	return tea.Batch(cmds...)
}

// purgesOf is how many purges a journal has been through, for a job; below 0 where nobody knows.
func purgesOf(j *journal.Journal) int64 {
	if j == nil {
		return -1
	}
	n, err := j.Purges(context.Background())
	if err != nil {
		return -1
	}
	return n
}

// whereStopped says what is left to do after esc.
func whereStopped(p *findings.Purged) string {
	switch {
	case p == nil:
		return ui.TextScrubStopped
	case p.Journal.Number > 0:
		return ui.TextPurgeUnproved
	}
	return ui.TextPurgeStopped
}

// showPurgeReport shows what the last purge did: what it tells to change is not changed in a minute.
func (m *Model) showPurgeReport() {
	r := m.sensitive.report
	if r == nil {
		m.tell(ui.Info, ui.TextNoPurgeYet)
		return
	}
	m.open(overlay.NewText(m.env, "purge", ui.TextPurgeEnded, ui.PurgeReport(*r), len(r.Left)+len(r.NotRead) > 0))
}

// reportOf gives a purge its words.
func reportOf(p *findings.Purged) ui.Purge {
	out := ui.Purge{
		Places: p.Values, Files: p.Files, Names: p.Names, Revisions: p.Journal.Revisions, Contents: p.Journal.Contents, State: len(p.State),
		Sought: p.Left.Files, InGit: p.Left.Git != nil, Common: p.Left.Common,
	}
	if g := p.Left.Git; g != nil {
		out.Commits, out.Unread, out.Staged = g.Commits, g.Unread, g.Staged
	}
	for _, one := range p.Left.Unread {
		out.NotRead = append(out.NotRead, fmt.Sprintf("%s (%s)", ui.UnreadName(one.Path, one.Past), one.Why.Sentence()))
	}
	out.Forgotten = p.Journal.Forgotten
	for _, name := range p.Outside {
		out.Gone = append(out.Gone, ui.PurgedFile(name, false))
	}
	for _, name := range p.Removed {
		out.Gone = append(out.Gone, ui.PurgedFile(name, true))
	}
	for _, l := range p.Left.Left {
		out.Left = append(out.Left, fmt.Sprintf("%s (%s)", l.Where, l.Form))
	}
	for _, l := range p.Left.Linked {
		out.Left = append(out.Left, ui.LeftLinked(l.Path, l.Others, l.Inode))
	}
	for _, s := range p.Left.Stores {
		out.Left = append(out.Left, ui.LeftInStore(s.Path, s.Dir, s.Places))
	}
	for _, r := range p.Left.Rotate {
		out.Rotate = append(out.Rotate, fmt.Sprintf("%s (%d): %s", r.Class.Title, r.Values, r.Class.Rotate))
	}
	for _, f := range p.Failed {
		out.Failed = append(out.Failed, fmt.Sprintf("%s (%s)", f.Path, f.Why.Sentence()))
	}
	return out
}
