package tui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// undoesUnasked is the most files that an undo changes without a question: as many as one takes in at a glance.
const undoesUnasked = 5

// undo takes back what the curator did last, as a group.
func (m *Model) undo() tea.Cmd {
	return m.takeBackIf(isObvious, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) { return e.PlanUndo(ctx) })
}

// redo takes back the newest undo.
func (m *Model) redo() tea.Cmd {
	return m.takeBackIf(isObvious, func(ctx context.Context, e *undo.Editor) (*undo.Plan, error) {
		p, err := e.PlanRedo(ctx)
		if errors.Is(err, past.ErrNothing) {
			err = errNothingToRedo
		}
		return p, err
	})
}

// errNothingToRedo is ErrNothing of a redo.
var errNothingToRedo = errors.New(ui.TextNothingToRedo)

// isObvious reports whether the user knows what an undo is going to do without a list: the last thing that happened in the
// store, and only a few files.
func isObvious(p *undo.Plan) bool {
	files := 0
	for _, s := range p.Steps {
		if s.Kind != memstore.KindDir || s.OldPath != "" {
			files++
		}
	}
	return p.Since.Count == 0 && files <= undoesUnasked
}

// askUndo lists what a plan is going to do, and carries it out after a yes.
func (m *Model) askUndo(p *undo.Plan) tea.Cmd {
	m.acts.waiting = nil // what was asked for behind it was asked for in the belief that this one is done
	u := ui.Undoing{Redo: p.Command == "redo", Title: p.Title, Made: p.Made, Since: p.Since.Count}
	for _, s := range p.Steps {
		u.Steps = append(u.Steps, undoStep(s))
	}
	for _, c := range p.Skipped {
		u.Skipped = append(u.Skipped, ui.ConflictText(c.Path, string(c.Why)))
	}
	if n := p.Since.Newest; n.Rev != 0 {
		u.Newest = fmt.Sprintf("%s  %s  %s  %s", n.Time.In(m.env.Now().Location()).Format("15:04:05"), n.Actor, n.Command, n.Path)
	}
	title := ui.TextUndoTitle
	if u.Redo {
		title = ui.TextRedoTitle
	}
	m.open(&question{Question: overlay.NewQuestion(m.env, title, ui.UndoText(m.env, u)), yes: func() tea.Cmd {
		return m.takeBack(func(context.Context, *undo.Editor) (*undo.Plan, error) { return p, nil })
	}})
	return nil
}

// undoStep names a step of a plan.
func undoStep(s undo.PlannedStep) ui.UndoStep {
	step := ui.UndoStep{Does: "restore", Path: s.Path, OldPath: s.OldPath}
	switch {
	case s.OldPath != "":
		step.Does = "move"
	case s.Remove:
		step.Does = "delete"
	case s.Expect != nil:
		step.Does = "rewrite"
	}
	if s.Merged {
		step.Keeps = "what was done since"
	}
	if s.Kept.Rev != 0 {
		step.Keeps = fmt.Sprintf("#%d of %s", s.Kept.Rev, s.Kept.Actor)
	}
	return step
}
