package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/between"
	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/transfer"
	"memcurator/memstore/undo"
)

const undoHelp = `Undo your last act, or revert changes by anyone. undo --redo reverts an undo.

Usage:
  memcurator undo [DIR]              your newest act (actor curator), also from an earlier start
  memcurator undo [DIR] REV...       these changes, whoever made them
  memcurator undo [DIR] --group N    changes made as one, such as a folder deletion

Prints each path and what happened to it. Later edits of the same file stay: only the change itself
is reverted. If later edits conflict, nothing changes, and the exit status is 1. What can't be
restored, such as a pipe, is named; the rest is undone, and the exit status is 1.

A move between stores is undone in both. If the other store can't be changed, undo says so, undoes
this half unless that would delete the only copy, and finishes when you run it again.

Flags:
{flags}
Examples:
  memcurator undo
  memcurator undo 12 14
`

type undoFlags struct {
	group              int64
	redo, dryRun, json bool
	yes                bool // it never asks: for scripts that pass it to every command
}

func undoCommand(run *session.Session) *cobra.Command {
	var flags undoFlags
	c := &cobra.Command{
		Use: "undo [DIR] [REV...]", Short: "Undo your last act, or revert any change", Long: undoHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkRevisions(args, true); err != nil {
				return err
			}
			p, err := run.Past(c, args, false, isRevision)
			if p != nil {
				asked := len(p.Words) > 0
				if asked && (flags.group != 0 || flags.redo) || flags.group != 0 && flags.redo {
					return session.WrongUse("Pass only one of REV, --group and --redo")
				}
			}
			return session.Need(p, err, func() error {
				return carryOut(run, c.Context(), p, flags.dryRun, flags.json, func(e *undo.Editor, open transfer.Opener) (*undo.Plan, error) {
					return planUndo(c.Context(), p, e, flags, open)
				})
			})
		},
		ValidArgsFunction: session.CompleteDirs,
	}
	session.DirFlag(c)
	f := c.Flags()
	f.Int64Var(&flags.group, "group", 0, "undo group `N`, as log --json prints it")
	f.BoolVar(&flags.redo, "redo", false, "redo what the newest undo undid")
	f.BoolVar(&flags.dryRun, "dry-run", false, "print what would be done, change nothing")
	f.BoolVar(&flags.yes, "yes", false, "do not ask; undo never does")
	f.BoolVar(&flags.json, "json", false, "print JSON Lines: action, path, old_path, bytes, undoes, merged, store")
	return c
}

func planUndo(ctx context.Context, r *session.Recorded, e *undo.Editor, flags undoFlags, open transfer.Opener) (p *undo.Plan, err error) {
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
		p, err = transfer.PlanLast(ctx, e, r.Journal, "redo", open)
	default:
		p, err = transfer.PlanLast(ctx, e, r.Journal, "undo", open)
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

// carryOut reconciles the journal with the disk, makes the plan, carries it out and prints it.
func carryOut(run *session.Session, ctx context.Context, p *session.Recorded, dryRun, asJSON bool,
	plan func(*undo.Editor, transfer.Opener) (*undo.Plan, error)) error {
	if err := run.Emptied(ctx, p.Journal, p.Dir); err != nil {
		return err
	}
	if _, err := p.Journal.Reconcile(ctx, nil); err != nil && !dryRun {
		return err
	}
	store := memstore.New(p.Backend, memstore.Options{
		Dialect: p.Dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: []memstore.Recorder{p.Journal},
		Warn: run.Warnings().Once(),
	})
	e := undo.NewEditor(p.Journal, store)
	var other *between.Stores
	open := func(ctx context.Context, dir string) (_ transfer.Place, _ func(), err error) {
		if other, err = between.Recorded(ctx, run, p.Settings, dir); err != nil {
			run.Log.Info("open the other store of a move", "error", err)
			return transfer.Place{}, nil, err
		}
		return other.To, other.Close, nil
	}
	planned, err := plan(e, open)
	if err != nil {
		return err
	}
	if len(planned.Conflicts) > 0 {
		return conflicts(run, p, planned)
	}
	both, err := transfer.PlanBoth(ctx, planned, open)
	if stop, is := errors.AsType[*transfer.Elsewhere](err); is {
		return session.Failed(err, "%s", stop)
	} else if err != nil {
		return err
	}
	defer both.Close()
	if both.Steps() == 0 && len(planned.Skipped) > 0 {
		return skipped(run, planned)
	}
	if both.Steps() == 0 {
		run.Say(planned.NothingText())
		return nil
	}
	done := len(planned.Steps)
	if !dryRun {
		if done, err = both.Carry(ctx, e); err != nil {
			err = carryError(err, done, planned)
		}
	}
	if err = errors.Join(printBoth(run, p, both, done, asJSON), err); err != nil {
		return err
	}
	sayStays(run, planned)
	if !dryRun {
		run.Say(carriedText(run, p, planned, done))
		switch {
		case both.Stays:
			run.Say(both.Left + ". Both texts are kept")
		case both.Left != "":
			run.Say(fmt.Sprintf("%s. To finish later: %s", both.Left, againText(run, p, planned)))
		}
	} else if act := planned.ActText(); act != "" {
		run.Say("Would " + planned.Command + " " + act)
	}
	return skipped(run, planned)
}

// carriedText says what changed, and how to reverse it.
func carriedText(run *session.Session, p *session.Recorded, planned *undo.Plan, done int) string {
	did := map[string]string{"undo": "Undid", "redo": "Redid", "revert": "Reverted", "restore": "Restored"}[planned.Command]
	back := "Undo with: " + commandText(run, p, "undo")
	if planned.Command == "undo" {
		back = "Redo with: " + commandText(run, p, "undo --redo")
	}
	what := output.Counted(done, "file")
	if done == len(planned.Steps) && len(planned.Skipped) == 0 {
		what = cmp.Or(planned.ActText(), what)
	}
	return fmt.Sprintf("%s %s. %s", cmp.Or(did, "Changed"), what, back)
}

// againText is the command that finishes an undo or a redo.
func againText(run *session.Session, p *session.Recorded, planned *undo.Plan) string {
	if planned.Command == "redo" {
		return commandText(run, p, "undo --redo")
	}
	return commandText(run, p, "undo")
}

// commandText is a command for the same store.
func commandText(run *session.Session, p *session.Recorded, command string) string {
	said := session.Program + " " + command
	if usual, err := run.Locator().UsualDir(); err != nil || usual != p.Dir {
		said += " " + session.Typed(p.Dir)
	}
	return said
}

// sayStays names the later changes that an undo leaves in place.
func sayStays(run *session.Session, p *undo.Plan) {
	if p.Since.Count == 0 {
		return
	}
	since := output.Clock(p.Made)
	if p.Title != "" {
		since = p.Title + " of " + since
	}
	n := p.Since.Newest
	run.Say(fmt.Sprintf("Kept later changes: %s since %s, newest #%d by %s (%s %s)",
		output.Counted(p.Since.Count, "change"), since, n.Rev, n.Actor, n.Command, n.Path))
}

// skipped lists what could not be restored; nil if everything was.
func skipped(run *session.Session, p *undo.Plan) error {
	if len(p.Skipped) == 0 {
		return nil
	}
	for _, c := range p.Skipped[1:] {
		run.Say(fmt.Sprintf("%s %s (#%d)", c.Path, c.Text(), c.Rev))
	}
	c := p.Skipped[0]
	rest := "Did the rest"
	if len(p.Steps) == 0 {
		rest = "Nothing changed"
	}
	return session.Failed(past.ErrNotKept, "%s %s (#%d). %s", c.Path, c.Text(), c.Rev, rest)
}

func carryError(err error, done int, p *undo.Plan) error {
	if stop, is := errors.AsType[*transfer.Elsewhere](err); is {
		return session.Failed(err, "%s. Run it again to finish", stop)
	}
	if done == len(p.Steps) { // it was stopped before the other store
		return err
	}
	at := p.Steps[done].Path
	why := cmp.Or(memstore.Reason(err), session.Reason(err))
	if errors.Is(err, memstore.ErrExist) {
		why = memstore.Reason(memstore.ErrChanged) // something else has appeared at the path
	}
	return session.Failed(err, "Can't change %s: %s. Did %d of %d steps", at, why, done, len(p.Steps))
}

func conflicts(run *session.Session, at *session.Recorded, p *undo.Plan) error {
	for _, c := range p.Conflicts[1:] {
		run.Say(fmt.Sprintf("%s %s (#%d)", c.Path, c.Text(), c.Rev))
	}
	c := p.Conflicts[0]
	next := ""
	if c.Why == undo.WhyChanged {
		next = fmt.Sprintf(". To choose a side: %s %s, then 2, and r on #%d", session.Program, session.Typed(at.Dir), c.Rev)
	}
	return session.Failed(past.ErrConflict, "%s %s (#%d). Nothing changed%s", c.Path, c.Text(), c.Rev, next)
}

// stepLine is a line of undo --json and restore --json.
type stepLine struct {
	Action  string  `json:"action"`
	Path    string  `json:"path"`
	OldPath *string `json:"old_path"`
	Bytes   int     `json:"bytes"`
	Undoes  *int64  `json:"undoes"`
	Merged  bool    `json:"merged"`
	Store   *string `json:"store"` // the other store of a move
}

// printBoth prints the steps in the store at hand that were done, and those in the other one of a move.
func printBoth(run *session.Session, p *session.Recorded, both *transfer.Both, done int, asJSON bool) error {
	err := printSteps(run, p, both.Here.Steps[:done], "", asJSON)
	if err == nil && both.There != nil && done == len(both.Here.Steps) {
		err = printSteps(run, p, both.There.Steps, both.Dir, asJSON)
	}
	return err
}

// printSteps prints steps; store is the directory of another store than that of the command.
func printSteps(run *session.Session, p *session.Recorded, steps []undo.PlannedStep, store string, asJSON bool) error {
	in := ""
	if store != "" {
		in = " in " + output.OneLine(session.Place(store))
	}
	out, lines := run.Out.JSONLines(), run.Out.Lines(p.Settings)
	for _, s := range steps {
		line := stepLine{Action: actionOf(s), Path: s.Path, Bytes: len(s.Data), Merged: s.Merged, Store: output.OrNull(store),
			OldPath: output.OrNull(s.OldPath), Undoes: output.OrNull(s.Undoes)}
		var err error
		switch {
		case asJSON:
			err = out.Encode(line)
		case s.OldPath != "":
			_, err = fmt.Fprintf(lines, "%-8s %s -> %s%s\n", line.Action, s.OldPath, s.Path, in)
		case s.Merged:
			_, err = fmt.Fprintf(lines, "%-8s %s%s (%s)\n", line.Action, s.Path, in, keptText(s.Kept))
		default:
			_, err = fmt.Fprintf(lines, "%-8s %s%s\n", line.Action, s.Path, in)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// keptText names the later edit of a file that a step keeps.
func keptText(kept past.Revision) string {
	if kept.Rev == 0 {
		return "later edits kept"
	}
	return fmt.Sprintf("later edits kept, newest #%d by %s", kept.Rev, kept.Actor)
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
