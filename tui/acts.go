package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/policy"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// ownerAct names the job of the act under way.
const ownerAct = "act"

// act is one thing that is done to the store by key.
type act struct {
	label string
	work  func(context.Context, *ui.Progress) (any, error)
	ended func(value any) tea.Cmd
}

// acts are done one after the other in the order of the keys: an undo that is asked for while
// files are being deleted takes back that deletion and not what was before it.
type acts struct {
	waiting []act
	busy    func(value any) tea.Cmd // takes the outcome of the act under way; nil: there is none
}

func (m *Model) do(a act) tea.Cmd {
	m.acts.waiting = append(m.acts.waiting, a)
	return m.nextAct()
}

func (m *Model) nextAct() tea.Cmd {
	if m.acts.busy != nil || len(m.acts.waiting) == 0 {
		return nil
	}
	a := m.acts.waiting[0]
	m.acts.waiting, m.acts.busy = m.acts.waiting[1:], a.ended
	return m.env.Jobs.StartWrite(ownerAct, a.label, a.work)
}

// actEnded shows what the act did, also in the lists of revisions: a revision may have
// been taken back by it.
func (m *Model) actEnded(done ui.Done) tea.Cmd {
	ended := m.acts.busy
	m.acts.busy = nil
	cmds := []tea.Cmd{}
	if ended != nil {
		cmds = append(cmds, ended(done.Value))
	}
	for _, list := range m.openLists() {
		cmds = append(cmds, list.Reread())
	}
	return tea.Batch(append(cmds, m.nextAct())...)
}

// actFailed forgets what was waiting: it was asked for in the belief that this one works.
func (m *Model) actFailed() {
	m.acts = acts{}
	m.curate.stop = nil
}

// undoResult is what an act on the journal came to.
type undoResult struct {
	plan  *undo.Plan
	asked bool // the plan must be shown and confirmed first
	done  int  // steps
	err   error
}

// planner decides what an act on the journal is going to do.
type planner func(context.Context, *undo.Editor) (*undo.Plan, error)

// takeBack plans and carries out an act on the journal. What is in the way is shown, and
// nothing is done then.
func (m *Model) takeBack(plan planner) tea.Cmd {
	return m.takeBackIf(func(*undo.Plan) bool { return true }, plan)
}

// takeBackIf is takeBack that shows a plan that is not obvious, and does it only after a yes.
func (m *Model) takeBackIf(obvious func(*undo.Plan) bool, plan planner) tea.Cmd {
	switch {
	case !m.mayWrite():
		return nil
	case m.options.Journal == nil:
		m.tell(ui.Info, noJournalText(m.options.NoJournal))
		return nil
	}
	j, store, log := m.options.Journal, m.options.Store, m.options.Log
	return m.do(act{
		label: "putting back",
		work: func(ctx context.Context, progress *ui.Progress) (any, error) {
			j.Flush() // what was done a moment ago may be what is meant
			e := undo.NewEditor(j, store)
			e.Report = func(done, total int) { progress.Set(int64(done), int64(total)) }
			e.Warn = func(err error) { log.Warn("journal", "error", err) }
			var p undoResult
			p.plan, p.err = plan(ctx, e)
			switch {
			case p.err != nil, len(p.plan.Conflicts) > 0:
			case len(p.plan.Steps) > 0 && !obvious(p.plan):
				p.asked = true
			default:
				p.done, p.err = e.Carry(ctx, p.plan)
			}
			return p, nil
		},
		ended: m.tookBack,
	})
}

// noJournalText says why a screen of revisions cannot be shown.
func noJournalText(why string) string {
	if why == "" {
		why = "it was started without one"
	}
	return "there is no journal: " + why
}

func (m *Model) tookBack(value any) tea.Cmd {
	p, ok := value.(undoResult)
	if !ok {
		return nil
	}
	if p.plan == nil || p.err != nil && len(p.plan.Steps) == 0 {
		m.tell(ui.Warn, m.whyNothing(p.err))
		return nil
	}
	if len(p.plan.Conflicts) > 0 {
		return m.openPastConflict(p.plan)
	}
	if p.asked {
		return m.askUndo(p.plan)
	}
	if len(p.plan.Steps) == 0 && len(p.plan.Skipped) == 0 {
		m.tell(ui.Info, "there is nothing to do: it is so already")
		return nil
	}
	if len(p.plan.Steps) == 0 {
		m.tell(ui.Warn, skippedText(p.plan.Skipped[0]))
		return nil
	}
	said := m.saidOf(p.plan, p.plan.Steps[:p.done])
	if p.err != nil {
		m.options.Log.Error("act on the journal", "error", p.err)
		m.tell(ui.Fail, stoppedAtText(said, p.plan.Steps[p.done].Path, reasonOf(p.err), len(p.plan.Steps)-p.done))
		return nil
	}
	if n := len(p.plan.Skipped); n > 0 {
		m.tell(ui.Warn, notBackText(said, skippedText(p.plan.Skipped[0]), n))
		return nil
	}
	m.tell(ui.Info, said)
	return nil
}

// stoppedAtText says how far an act came.
func stoppedAtText(said, path, why string, left int) string {
	return fmt.Sprintf("%s. It stopped at %s: %s; %s left", said, text.Clean(path), why, ui.Count(left, "step"))
}

// notBackText adds to what an act did what it could not restore: the first path with its reason, and how many in all.
func notBackText(said, first string, n int) string {
	said += "; " + text.Clean(first)
	if n > 1 {
		said += fmt.Sprintf("; %d more cannot be restored either", n-1)
	}
	return said
}

// skippedText says why a path cannot be restored.
func skippedText(c undo.Conflict) string { return conflictText(c.Path, string(c.Why)) }

// conflictText says what stands in the way at one path; why is the journal's word.
func conflictText(path, why string) string {
	says := map[string]string{
		"changed":  "was changed in the same lines since",
		"gone":     "is not there any more",
		"taken":    "is something else by now",
		"not kept": "cannot be restored: its bytes were not kept",
		"full":     "is no longer empty",
		"special":  "cannot be restored: it was a pipe, a socket or a device",
	}[why]
	return text.Clean(path) + " " + says
}

const textNameTaken = "something is there by now; choose another name"

// whyNothing says why an act could not even be planned.
func (m *Model) whyNothing(err error) string {
	switch {
	case errors.Is(err, past.ErrNothing):
		return "there is nothing of yours to take back"
	case errors.Is(err, past.ErrNotThere):
		return "nothing was there then"
	case errors.Is(err, past.ErrNoRevision):
		return "this change is not in the journal"
	case errors.Is(err, past.ErrNotKept):
		return "the bytes before it are not kept"
	case errors.Is(err, memstore.ErrExist):
		return textNameTaken
	}
	m.options.Log.Error("act on the journal", "error", err)
	return "the journal cannot be used now: " + err.Error()
}

// reasonOf says why a step was not done.
func reasonOf(err error) string {
	switch {
	case errors.Is(err, context.Canceled):
		return "you stopped it"
	case errors.Is(err, policy.ErrUsed):
		return "the agent has used it just now"
	case errors.Is(err, memstore.ErrChanged):
		return "another program changed it just now"
	case errors.Is(err, memstore.ErrExist):
		return "something else is there by now"
	case errors.Is(err, memstore.ErrNotExist):
		return "it is gone"
	case errors.Is(err, memstore.ErrNotRecorded):
		return "it could not be recorded first"
	case errors.Is(err, memstore.ErrPermission):
		return "permission denied"
	}
	return "it could not be done"
}

// saidOf says what the steps of a plan did.
func (m *Model) saidOf(p *undo.Plan, steps []undo.PlannedStep) string {
	var s undoneCounts
	for _, step := range steps {
		s.Path = step.Path
		if step.Kind == memstore.KindDir && step.OldPath == "" {
			s.Folders++
			continue
		}
		switch {
		case step.OldPath != "":
			s.Moved++
		case step.Remove:
			s.Gone++
		case step.Expect == nil:
			s.Back++
		case step.Merged:
			s.Merged++
		default:
			s.Rewritten++
		}
		s.File = step.Path
	}
	return stepsText(p.Command, s, m.undoKeys())
}

// undoneCounts is what an act on the journal did.
type undoneCounts struct {
	Back, Gone, Moved, Rewritten, Merged int // files
	Folders                              int // made or taken away
	Path                                 string
	File                                 string // the last path that is no folder
}

// files counts all that are no folders.
func (s undoneCounts) files() int { return s.Back + s.Gone + s.Moved + s.Rewritten + s.Merged }

// stepsText says what came back, and how that is undone.
func stepsText(command string, s undoneCounts, keys undoRedoKeys) string {
	name := ui.Count(s.files(), "file")
	switch {
	case s.files() == 1:
		name = text.Clean(s.File)
	case s.files() == 0 && s.Folders == 1:
		name, s.Back = text.Clean(s.Path)+"/", 1
	case s.files() == 0:
		name, s.Back = ui.Count(s.Folders, "folder"), 1
	}
	var parts []string
	add := func(n int, what string) {
		switch {
		case n == 0:
		case n == s.files() || s.files() <= 1:
			parts = append(parts, name+" "+what)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(s.Back, "came back")
	add(s.Moved, "moved back")
	add(s.Rewritten, "as before")
	add(s.Merged, "as before, with what was done since")
	add(s.Gone, "taken away")
	said := map[string]string{"undo": "undone", "redo": "done again", "revert": "taken back", "restore": "put back"}[command]
	if said == "" {
		said = command
	}
	said += ": " + strings.Join(parts, ", ")
	key, does := keys.Undo, "undoes it"
	if command == "undo" {
		key, does = keys.Redo, "does it again"
	}
	if key == "" {
		return said
	}
	return said + "; " + key + " " + does
}

const textPastConflictFooter = "as it is now against what {confirm/yes} puts there, undoable; {confirm/no} leaves it"

// openPastConflict shows what stands in the way of a plan. One file that has moved on is a
// diff, and yes puts the other text in its place; else the reasons are listed, and yes does the rest.
func (m *Model) openPastConflict(p *undo.Plan) tea.Cmd {
	if canMerge(p) {
		return m.openMerge(p, 0)
	}
	c := p.Conflicts[0]
	if step, ok := forced(c); ok && len(p.Conflicts) == 1 && len(p.Steps) == 0 {
		yes := func() tea.Cmd {
			p.Conflicts, p.Steps = nil, []undo.PlannedStep{step}
			return m.takeBack(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
		}
		box := diffpane.NewBox(m.env, ownerConflict, pastConflictTitle(p.Command), m.env.Keyed(textPastConflictFooter))
		m.openBox(ui.Box{Overlay: box, Answers: answers(yes, nil)})
		return m.compareIn(box, diffpane.Comparison{
			Title: conflictText(c.Path, string(c.Why)), Path: c.Path, Before: inMemory(c.Ours), After: inMemory(step.Data),
		})
	}
	lines := make([]string, len(p.Conflicts))
	for i, c := range p.Conflicts {
		lines[i] = conflictText(c.Path, string(c.Why))
	}
	if len(p.Steps) == 0 {
		m.open(overlay.NewText(m.env, "conflict", pastConflictTitle(p.Command), conflictsText(m.env, lines, 0), false))
		return nil
	}
	m.ask(pastConflictTitle(p.Command), conflictsText(m.env, lines, len(p.Steps)), func() tea.Cmd {
		p.Conflicts = nil
		return m.takeBack(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
	})
	return nil
}

// pastConflictTitle heads what stands in the way of an act on the journal.
func pastConflictTitle(command string) string {
	return "The file has moved on: " + command + " needs your word"
}

// conflictsText lists conflicts; rest is how many other steps could be done.
func conflictsText(e *ui.Env, lines []string, rest int) string {
	shown := lines[:min(len(lines), 12)]
	body := strings.Join(shown, "\n")
	if more := len(lines) - len(shown); more > 0 {
		body += fmt.Sprintf("\nand %d more", more)
	}
	if rest == 0 {
		return body + "\n\nNothing was done."
	}
	return body + e.Keyed("\n\nNothing was done yet. {confirm/yes} does the other "+ui.Count(rest, "step")+", {confirm/no} leaves all as it is.")
}

// forced is the step that does what a conflict is in the way of, on what was there when it
// was planned. Not ok: there is no text to be put in place.
func forced(c undo.Conflict) (undo.PlannedStep, bool) {
	step := memstore.Step{Kind: memstore.KindFile, Path: c.Path, Data: c.Theirs}
	switch c.Why {
	case undo.WhyChanged:
		if c.Ours == nil {
			return undo.PlannedStep{}, false
		}
		sum := memstore.Sum(c.Ours)
		step.Expect, step.Remove = &sum, c.Theirs == nil
	case undo.WhyTaken:
		if c.Ours == nil || c.Theirs == nil {
			return undo.PlannedStep{}, false
		}
		sum := memstore.Sum(c.Ours)
		step.Expect = &sum
	case undo.WhyGone:
		if c.Theirs == nil {
			return undo.PlannedStep{}, false
		}
	default:
		return undo.PlannedStep{}, false
	}
	return undo.PlannedStep{Step: step, Undoes: c.Rev}, true
}
