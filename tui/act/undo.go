package act

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
	"memcurator/tui/overlay"
)

// undoResult is the outcome of an undo of any kind.
type undoResult struct {
	plan     *undo.Plan
	question *undoQuestion // the plan must be shown and confirmed first; nil: it was carried out
	done     int           // steps
	err      error
}

// Planner plans an undo of any kind.
type Planner func(context.Context, *undo.Editor) (*undo.Plan, error)

// RunUndo plans and executes an undo of any kind. If there are conflicts, it shows them and
// changes nothing.
func (q *Queue) RunUndo(plan Planner) tea.Cmd { return q.runIf(nil, plan) }

// runIf is RunUndo that asks for confirmation unless the plan is obvious. ask returns the question, nil for an obvious plan; nil: it
// always is. It does I/O. A restore may begin in the past; what begins only in the present uses [Queue.runInPresent].
func (q *Queue) runIf(ask func(context.Context, *undo.Plan) (*undoQuestion, error), plan Planner) tea.Cmd {
	switch {
	case q.told(q.WhyUnwritable()):
		return nil
	case q.Journal == nil:
		q.shell.Tell(kit.Info, NoJournalText(q.NoJournal))
		return nil
	}
	j, store, purged, agreed := q.Journal, q.Handlers, q.Purged, q.agreed
	return Do(q, Edit[undoResult]{
		Label: "restoring",
		Work: func(ctx context.Context, progress *kit.Progress) (undoResult, error) {
			e := undo.NewEditor(j, store)
			e.Report = func(done, total int) { progress.Set(int64(done), int64(total)) }
			var p undoResult
			p.plan, p.err = plan(ctx, e)
			if p.err != nil || len(p.plan.Conflicts) > 0 {
				return p, nil
			}
			if ask != nil && len(p.plan.Steps) > 0 {
				p.question, p.err = ask(ctx, p.plan)
			}
			if back := broughtBack(p.plan, store.Backend(), purged); back != "" && p.err == nil && p.plan != agreed {
				if p.question == nil {
					p.question = q.question(p.plan)
					p.question.Title = actText(p.plan.Command) + " " + kit.CountGrouped(len(p.plan.Steps), "change") + "?"
				}
				p.question.After = strings.TrimLeft(p.question.After+"\n"+back, "\n")
			}
			if p.question == nil && p.err == nil {
				p.done, p.err = e.Carry(ctx, p.plan)
			}
			return p, nil
		},
		Done: q.undoDone,
	})
}

// broughtBack says which files get a purged value back; "" for none. It does I/O.
func broughtBack(p *undo.Plan, b memstore.Backend, purged *findings.PurgedValues) string {
	var lines []string
	for _, s := range p.Steps {
		now, _ := memstore.ReadFile(b, memstore.BackendName(s.Path), memstore.Look, math.MaxInt64) // of what can't be read, all comes back
		if says := purged.ReturnText(kit.PathText(s.Path), now, s.Data); says != "" {
			lines = append(lines, text.Clean(says))
		}
	}
	return strings.Join(lines, "\n")
}

// runInPresent is runIf of an undo, redo or revert. The past refuses those: they would change the present, which is out of sight.
func (q *Queue) runInPresent(ask func(context.Context, *undo.Plan) (*undoQuestion, error), plan Planner) tea.Cmd {
	if q.told(q.shell.WhyPast()) {
		return nil
	}
	return q.runIf(ask, plan)
}

func (q *Queue) undoDone(p undoResult) tea.Cmd {
	if p.plan == nil || p.err != nil && len(p.plan.Steps) == 0 {
		q.shell.Tell(kit.Warn, q.planErrorText(p.err))
		return nil
	}
	if len(p.plan.Conflicts) > 0 {
		return q.openConflict(p.plan)
	}
	if p.question != nil {
		return q.askUndo(p.plan, p.question)
	}
	if len(p.plan.Steps)+len(p.plan.Skipped) == 0 {
		q.shell.Tell(kit.Info, p.plan.NothingText())
		return nil
	}
	if len(p.plan.Steps) == 0 {
		q.shell.Tell(kit.Warn, conflictText(p.plan.Skipped[0]))
		return nil
	}
	said, next := doneText(p.plan, p.plan.Steps[:p.done]), nextText(p.plan.Command, q.UndoKeys())
	if p.err != nil {
		stopped := fmt.Sprintf("%s: %s. %s left, %s again",
			kit.PathText(p.plan.Steps[p.done].Path), Reason(p.err), kit.Count(len(p.plan.Steps)-p.done, "step"), p.plan.Command)
		if p.done > 0 {
			stopped = said + ". " + stopped + next
		}
		q.shell.Tell(kit.Fail, stopped)
		return nil
	}
	if lines := conflictLines(p.plan.Skipped); len(lines) > 0 {
		q.shell.Tell(kit.Warn, said+"; "+lines[0]+next)
		if len(lines) > 1 {
			box := overlay.NewText(q.env, "Not restored", conflictsText(lines, "All else was restored."), false)
			q.shell.Open(kit.Box{Overlay: box})
		}
		return nil
	}
	q.shell.Tell(kit.Info, said+next)
	if e := extentOf(p.plan.Steps); len(e.files) == 1 && e.files[0].does == "restore" && q.shell.Shows(keymap.ScreenBrowse) {
		q.env.Emit(Made{e.files[0].path}) // back where the user was
	}
	return nil
}

// conflictText explains the conflict at one path.
func conflictText(c undo.Conflict) string { return kit.PathText(c.Path) + " " + c.Text() }

// conflictLines explains conflicts, each once.
func conflictLines(list []undo.Conflict) (lines []string) {
	for _, c := range list {
		if line := text.Clean(conflictText(c)); !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}

const textNameTaken = "That name is taken. Choose another"

// planErrorText explains why an undo could not be planned.
func (q *Queue) planErrorText(err error) string {
	var why reason
	switch {
	case errors.As(err, &why):
		return string(why)
	case errors.Is(err, past.ErrNothing) && q.purges:
		return q.env.Keyed("Nothing to undo. A purge can't be undone")
	case errors.Is(err, past.ErrNothing):
		return strings.TrimSuffix("Nothing to undo in "+text.Clean(q.Title), " in ")
	case errors.Is(err, past.ErrNotThere):
		return "Nothing existed there at that point"
	case errors.Is(err, past.ErrNoRevision):
		return "The journal has no such revision"
	case errors.Is(err, past.ErrNotKept):
		return "The journal did not keep the content before it"
	case errors.Is(err, memstore.ErrExist):
		return textNameTaken
	}
	return "Can't undo or restore: " + err.Error()
}

// doneText says what the steps of a plan did: "Undid revert #43: rewrote a.md".
func doneText(p *undo.Plan, steps []undo.PlannedStep) string {
	e := extentOf(steps)
	said := p.DidText() + ": " + e.text(p.Command)
	putsBack := slices.ContainsFunc(e.files, func(r reached) bool { return r.does == "restore" || r.does == "move" })
	if p.Title != "" && p.Command != "redo" && putsBack { // as of an apply: see Restored of [past.Fact]
		said += ", time limits start again"
	}
	switch {
	case e.overwritten > 0:
		said += ", " + kit.Count(e.overwritten, "later edit") + " overwritten"
	case e.merged:
		said += ", later edits kept"
	}
	return said
}

// nextText names the key that reverses an act.
func nextText(command string, keys Keys) string {
	switch {
	case command == "undo" && keys.Redo != "":
		return ". " + keys.Redo + " redoes"
	case command != "undo" && keys.Undo != "":
		return ". " + keys.Undo + " undoes"
	}
	return ""
}

const textPastConflictFooter = "current against restored: {confirm/yes} restores, {confirm/no} keeps the current version"

// runPlan carries out a plan that is made already.
func (q *Queue) runPlan(p *undo.Plan) tea.Cmd {
	return q.RunUndo(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
}

// openConflict shows the conflicts of a plan. A single file that has changed since is shown as a
// diff, and yes overwrites it; otherwise the reasons are listed, and yes does the rest.
func (q *Queue) openConflict(p *undo.Plan) tea.Cmd {
	if canMerge(p) {
		return q.openMerge(p, 0)
	}
	c := p.Conflicts[0]
	if step, ok := forced(c); ok && len(p.Conflicts) == 1 && len(p.Steps) == 0 {
		yes := func() tea.Cmd {
			p.Conflicts, p.Steps = nil, []undo.PlannedStep{step}
			return q.runPlan(p)
		}
		foot := textPastConflictFooter
		if step.Remove {
			foot = "{confirm/yes} deletes the file, {confirm/no} keeps it"
		}
		box := diffpane.NewBox(q.env, actText(p.Command)+" anyway?", q.env.Keyed(foot))
		q.shell.Open(kit.Box{Overlay: box, Answers: kit.Answers(yes, nil)})
		return box.Show(diffpane.Of(conflictText(c), c.Path, c.Ours, step.Data))
	}
	lines := conflictLines(p.Conflicts)
	if len(p.Steps) == 0 {
		body := conflictsText(lines, "Nothing changed. Revert the later edits first")
		q.shell.Open(kit.Box{Overlay: overlay.NewText(q.env, "Can't "+p.Command+": later edits", body, false)})
		return nil
	}
	title := actText(p.Command) + " " + kit.CountGrouped(len(p.Steps), "change") + ", skip " + kit.Number(len(p.Conflicts)) + "?"
	does := undoText(q.env, &undoQuestion{Group: p.Title, Files: extentOf(p.Steps).all})
	q.shell.Ask(title, does+"\n\n"+conflictsText(lines, "Skipped changes stay as they are."), func() tea.Cmd {
		p.Conflicts = nil
		leaveOut(p)
		return q.runPlan(p)
	})
	return nil
}

// leaveOut lets a plan say that it does not do all that it was asked.
func leaveOut(p *undo.Plan) {
	if p.Of != "" && !strings.HasPrefix(p.Of, "part of ") {
		p.Of = "part of " + p.Of
	}
}

// actText names an act at the beginning of a title.
func actText(command string) string { return strings.ToUpper(command[:1]) + command[1:] }

// conflictsText lists conflicts, and says what happens to them.
func conflictsText(lines []string, outcome string) string {
	shown := lines[:min(len(lines), 12)]
	body := strings.Join(shown, "\n")
	if more := len(lines) - len(shown); more > 0 {
		body += "\nand " + kit.Number(more) + " more"
	}
	return body + "\n\n" + outcome
}

// forced is the step that overrides a conflict, provided the file has not changed since the plan
// was made. Not ok: no text to write.
func forced(c undo.Conflict) (undo.PlannedStep, bool) {
	step := memstore.Step{Kind: memstore.KindFile, Path: c.Path, Data: c.Theirs, Undoes: c.Rev}
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
	return undo.PlannedStep{Step: step}, true
}

// undoEdits undoes the curator's last group of edits.
func (q *Queue) undoEdits() tea.Cmd {
	return q.runInPresent(q.askUnlessObvious(), func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) { return e.PlanUndo(ctx) })
}

// redoEdits reverses the newest undo of edits.
func (q *Queue) redoEdits() tea.Cmd {
	return q.runInPresent(q.askUnlessObvious(), func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		p, err := e.PlanRedo(ctx)
		if errors.Is(err, past.ErrNothing) {
			err = reason(TextNothingToRedo)
		}
		return p, err
	})
}

const TextNothingToRedo = "Nothing to redo"

// reason is why an undo can't be planned, as the user is told.
type reason string

func (r reason) Error() string { return string(r) }
