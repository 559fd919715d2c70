package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

const undoHelp = `Undo your last act, or revert changes by anyone. undo --redo reverts an undo.

Usage:
  memcurator undo [DIR]              your newest act (actor curator), also from an earlier start
  memcurator undo [DIR] REV...       these changes, whoever made them
  memcurator undo [DIR] --group N    changes made as one, such as a folder deletion

Later edits of the same file stay: only the change itself is reverted. If later edits conflict,
nothing changes, and the exit status is 1. What can't be restored, such as a pipe, is named; the
rest is undone, and the exit status is 1.

Flags:
{flags}
Example:
  memcurator undo 12 14
`

type undoFlags struct {
	group      int64
	redo, json bool
}

func undoCommand(run *session.Session) *cobra.Command {
	var flags undoFlags
	c := &cobra.Command{
		Use: "undo [DIR] [REV...]", Short: "Undo your last act, or revert any change", Long: undoHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, false, isRevision)
			if err != nil {
				return err
			}
			if len(p.Words) > 0 && (flags.group != 0 || flags.redo) {
				return session.WrongUse("Pass only one of REV, --group and --redo")
			}
			return run.Need(p, func() error {
				return carryOut(run, c.Context(), p, flags.json, func(e *undo.Editor) (*undo.Plan, error) {
					return planUndo(c.Context(), p, e, flags)
				})
			})
		},
	}
	f := c.Flags()
	f.Int64Var(&flags.group, "group", 0, "undo group `N`, as log --json prints it")
	f.BoolVar(&flags.redo, "redo", false, "redo what the newest undo undid")
	f.BoolVar(&flags.json, "json", false, "print JSON Lines: action, path, old_path, bytes, undoes, merged")
	c.MarkFlagsMutuallyExclusive("group", "redo")
	return c
}

func planUndo(ctx context.Context, r *session.Recorded, e *undo.Editor, flags undoFlags) (p *undo.Plan, err error) {
	var revs []int64
	for _, word := range r.Words {
		found, err := revisionOf(r, ctx, word)
		if err != nil {
			return nil, err
		}
		revs = append(revs, found.Rev)
	}
	switch {
	case len(revs) > 0:
		p, err = e.PlanRevert(ctx, revs...)
	case flags.group != 0:
		p, err = e.PlanGroup(ctx, flags.group)
	case flags.redo:
		p, err = e.PlanRedo(ctx)
	default:
		p, err = e.PlanUndo(ctx)
	}
	switch {
	case errors.Is(err, past.ErrNothing) && flags.redo:
		return nil, session.Failed(err, "Nothing to redo")
	case errors.Is(err, past.ErrNothing):
		return nil, session.Failed(err, "Nothing to undo")
	case errors.Is(err, past.ErrNoRevision):
		return nil, session.Failed(err, "No group %d. The numbers: %s log --json", flags.group, session.Program)
	}
	return p, err
}

// carryOut compares the journal with the disk, makes the plan, carries it out and prints it.
func carryOut(run *session.Session, ctx context.Context, p *session.Recorded, asJSON bool,
	plan func(*undo.Editor) (*undo.Plan, error)) error {
	if err := run.Emptied(ctx, p.Journal, p.Dir); err != nil {
		return err
	}
	if _, err := p.Journal.Sync(ctx, past.Hints{Unseen: true}); err != nil {
		return err
	}
	e := undo.NewEditor(p.Journal, run.CuratedStore(p.Dialect, p.Backend, p.Journal))
	planned, err := plan(e)
	if err != nil {
		return err
	}
	if len(planned.Conflicts) > 0 {
		return conflicts(run, p, planned)
	}
	if len(planned.Steps) == 0 && len(planned.Skipped) > 0 {
		return skipped(run, planned)
	}
	if len(planned.Steps) == 0 {
		run.Say(planned.NothingText())
		return nil
	}
	written := map[string][]byte{}
	for _, s := range planned.Steps {
		written[s.Path] = s.Data
	}
	if err := bringBack(run, p.Backend, written); err != nil {
		return err
	}
	done, err := e.Carry(ctx, planned)
	if err != nil {
		err = carryError(err, done, planned)
	}
	if err = errors.Join(printSteps(run, p, planned.Steps[:done], asJSON), err); err != nil {
		return err
	}
	run.Say(carriedText(run, p, planned, done))
	return skipped(run, planned)
}

// carriedText says what changed, and how to reverse it.
func carriedText(run *session.Session, p *session.Recorded, planned *undo.Plan, done int) string {
	back := "Undo with: " + run.Command("undo", p.Dir)
	if planned.Command == "undo" {
		back = "Redo with: " + run.Command("undo --redo", p.Dir)
	}
	return fmt.Sprintf("%s: %s. %s", planned.DidText(), text.Count(done, "file"), back)
}

// skipped lists what could not be restored; nil if everything was.
func skipped(run *session.Session, p *undo.Plan) error {
	if len(p.Skipped) == 0 {
		return nil
	}
	rest := "Did the rest"
	if len(p.Steps) == 0 {
		rest = "Nothing changed"
	}
	return session.Failed(past.ErrNotKept, "%s. %s", sayAll(run, p.Skipped), rest)
}

func carryError(err error, done int, p *undo.Plan) error {
	at := p.Steps[done].Path
	why := cmp.Or(memstore.Reason(err), session.Reason(err))
	if errors.Is(err, memstore.ErrExist) {
		why = memstore.Reason(memstore.ErrChanged) // something else has appeared at the path
	}
	return session.Failed(err, "Can't change %s: %s. Did %d of %d steps", at, why, done, len(p.Steps))
}

func conflicts(run *session.Session, at *session.Recorded, p *undo.Plan) error {
	said, next := sayAll(run, p.Conflicts), ""
	if c := p.Conflicts[0]; c.Why == undo.WhyChanged {
		next = fmt.Sprintf(". To choose a side, run %s %s, press 2, and r on #%d", session.Program, session.Typed(at.Dir), c.Rev)
	}
	return session.Failed(past.ErrConflict, "%s. Nothing changed%s", said, next)
}

// sayAll says why changes can't be undone, and returns the first reason for the error.
func sayAll(run *session.Session, list []undo.Conflict) string {
	said := make([]string, len(list))
	for i, c := range list {
		if said[i] = fmt.Sprintf("Can't undo #%d: %s %s", c.Rev, c.Path, c.Text()); i > 0 {
			run.Say(said[i])
		}
	}
	return said[0]
}

// stepLine is a line of undo --json and restore --json.
type stepLine struct {
	Action  string  `json:"action"`
	Path    string  `json:"path"`
	OldPath *string `json:"old_path"`
	Bytes   int     `json:"bytes"`
	Undoes  *int64  `json:"undoes"`
	Merged  bool    `json:"merged"`
}

// printSteps prints steps.
func printSteps(run *session.Session, p *session.Recorded, steps []undo.PlannedStep, asJSON bool) error {
	rows := run.Out.Rows(p.Settings, asJSON)
	for _, s := range steps {
		line := stepLine{Action: actionOf(s), Path: s.Path, Bytes: len(s.Data), Merged: s.Merged,
			OldPath: output.OrNull(s.OldPath), Undoes: output.OrNull(s.Undoes)}
		what := s.Path
		switch {
		case s.OldPath != "":
			what = s.OldPath + " -> " + s.Path
		case s.Merged:
			what += " (later edits kept)"
		}
		if err := rows.Print(line, "%-8s %s", line.Action, what); err != nil {
			return err
		}
	}
	return nil
}

func actionOf(s undo.PlannedStep) string {
	switch {
	case s.OldPath != "":
		return "rename"
	case s.Remove:
		return "delete"
	case s.Expect != nil:
		return "rewrite"
	}
	return "create"
}
