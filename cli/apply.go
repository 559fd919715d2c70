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
	"memcurator/memstore/policy"
	"memcurator/memstore/upkeep"
	"memcurator/render/text"
)

const applyHelp = `Carry out what plan proposes.

Usage:
  memcurator apply [DIR]

Prints the plan and asks. Files that changed since are skipped and named. Indexes and links follow:
MEMORY.md loses the entries of deleted files. "memcurator undo" undoes all of it; without a journal
nothing is applied. ctrl+c stops between two files.

Flags:
{flags}
Example, for cron:
  0 4 * * *  memcurator apply --yes /home/me/agent/memories
`

type applyFlags struct {
	suggest, yes, json bool
}

func applyCommand(run *session.Session) *cobra.Command {
	var flags applyFlags
	c := &cobra.Command{
		Use: "apply [DIR]", Short: "Carry out what plan proposes", Long: applyHelp,
		RunE: func(c *cobra.Command, args []string) error { return applyPlan(run, c, args, flags) },
	}
	f := c.Flags()
	f.BoolVar(&flags.yes, "yes", false, "do not ask")
	suggestFlag(c, &flags.suggest)
	f.BoolVar(&flags.json, "json", false, "one JSON object for each file: as plan, and result (done, skipped, left) with why")
	return c
}

func applyPlan(run *session.Session, c *cobra.Command, args []string, flags applyFlags) error {
	if err := run.CanConfirm(flags.yes, "apply"); err != nil {
		return err
	}
	w, err := openCurated(run, c, args, true)
	if err != nil {
		return err
	}
	defer w.Close()
	if !w.ruled() && !flags.suggest {
		run.Say(fmt.Sprintf("No rules for this store, so nothing to apply. Try: %s", run.Command("plan --suggest", w.Dir)))
		return nil
	}
	if w.Journal == nil {
		return session.Failed(policy.ErrNoJournal, "Nothing applied, because undo needs a journal: %s", w.noRecord)
	}
	ctx, restore := session.UntilStopped(c.Context())
	defer restore()
	p, err := propose(run, ctx, w, flags.suggest)
	if err != nil {
		return err
	}
	for _, note := range p.Notes { // what it doesn't cover
		run.Say(note)
	}
	changing, _ := p.Changing()
	if len(changing) == 0 {
		run.Say("Nothing to apply")
		return nil
	}
	if err := confirm(run, w, p, changing, flags); err != nil {
		return err
	}
	return carryOutPlan(run, ctx, w, changing, flags)
}

// confirm shows what apply will do and asks.
func confirm(run *session.Session, w *curating, p *policy.Plan, changing []policy.Action, flags applyFlags) error {
	if flags.yes {
		if p.Everything() {
			run.Say(output.Capital(summary(w, p)) + ".")
		}
		return nil
	}
	if !flags.json {
		if err := printActions(run, w, changing, false); err != nil {
			return err
		}
	}
	return run.Confirm(false, "%s? \"%s\" undoes it.", output.Capital(summary(w, p)), run.Command("undo", w.Dir))
}

// appliedLine is a line of apply --json.
type appliedLine struct {
	actionLine
	Result string  `json:"result"`
	Why    *string `json:"why"`
}

func carryOutPlan(run *session.Session, ctx context.Context, w *curating, changing []policy.Action, flags applyFlags) error {
	store := run.CuratedStore(w.Dialect, w.Backend, w.Journal)
	out, runErr := policy.Apply{Store: store, Journal: w.Journal}.Run(ctx, changing)
	if err := printOutcome(run, w, out, flags); err != nil {
		return err
	}
	for _, s := range out.Skipped {
		run.Say(fmt.Sprintf("Skipped %s: %s", s.Path, session.StoreReason(s.Why)))
	}
	if said := upkeep.Said(out.Followed); said != "" {
		run.Say("Updated " + text.Clean(said))
	}
	for _, r := range out.LeftBehind {
		run.Say(fmt.Sprintf("Skipped %s: it changed meanwhile. Preview its repair with: %s", text.Clean(r.Path),
			run.Command("plan --suggest", w.Dir)))
	}
	done := fmt.Sprintf("Applied %d of %d (%s)", len(out.Done), len(changing), memstore.FormatSize(w.Dialect, out.Bytes))
	if len(out.Done) == 0 && runErr == nil && len(changing) > 0 {
		return session.Failed(nil, "%s", done)
	}
	done += ". Undo with: " + run.Command("undo", w.Dir)
	switch {
	case errors.Is(runErr, context.Canceled):
		return session.Failed(runErr, "Stopped. %s", done)
	case runErr != nil:
		return session.Failed(runErr, "%s. %s", output.Capital(session.StoreReason(runErr)), done)
	}
	run.Say(done)
	return nil
}

func printOutcome(run *session.Session, w *curating, out policy.Outcome, flags applyFlags) error {
	if !flags.json {
		if flags.yes {
			return printActions(run, w, out.Done, false)
		}
		return nil
	}
	lines := run.Out.JSONLines()
	var err error
	for _, one := range out.Done {
		err = cmp.Or(err, lines.Encode(appliedLine{actionLineOf(one), "done", nil}))
	}
	for _, s := range out.Skipped {
		err = cmp.Or(err, lines.Encode(appliedLine{actionLineOf(s.Action), "skipped", output.OrNull(session.StoreReason(s.Why))}))
	}
	for _, one := range out.Left {
		err = cmp.Or(err, lines.Encode(appliedLine{actionLineOf(one), "left", nil}))
	}
	return err
}
