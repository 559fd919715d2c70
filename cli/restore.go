package cli

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
	"memcurator/render/text"
)

const restoreHelp = `Restore a file, a folder or the whole store as it was. u in the UI, or undo, reverts a restore.

Usage:
  memcurator restore [DIR] PATH [--at TIME|REV] [--as PATH]

Without --at you get the file as it was before its newest change, so a deleted file comes back. What
has its name now is replaced. Files created later stay as they are.

/memories restores the whole store as one act. It needs --at, lists what it will do, and asks. A
store that has lost all its files is for "memcurator doctor --accept-empty".

Flags:
{flags}
Examples:
  memcurator restore notes.md
  memcurator restore projects --at yesterday --as projects-yesterday
  memcurator restore /memories --at "2026-01-31 15:04"
`

func restoreCommand(run *session.Session) *cobra.Command {
	var at, as string
	var asJSON, yes bool
	c := &cobra.Command{
		Use: "restore [DIR] PATH", Short: "Restore a file, a folder or the whole store", Long: restoreHelp,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return missingPath(c)
			}
			p, err := run.Past(c, args, true, nil)
			switch {
			case err != nil:
				return err
			case p.AgentPath == "":
				return missingPath(c)
			case p.AgentPath == memstore.Root && at == "":
				return session.WrongUse("Restoring the whole store needs --at TIME or --at REV")
			case as != "" && !strings.HasPrefix(as, "/"):
				as = memstore.AgentPath(as)
			case as != "" && !session.IsAgentPath(as):
				return session.WrongUse("%q is not an agent path. Example: --as notes/old.md", as)
			}
			if err := run.CanConfirm(yes || p.AgentPath != memstore.Root, "restore"); err != nil {
				return err
			}
			return run.Need(p, func() error {
				r := undo.Restore{Path: p.AgentPath, As: as}
				if at != "" {
					rev, err := parsePoint(p, c.Context(), at)
					if err != nil {
						return err
					}
					r.At = &rev
					if when, err := config.ParseMoment(at, time.Now()); err == nil && !isRevision(at) {
						said := fmt.Sprintf("As of %s, revision #%d", output.Clock(when), rev)
						if rev == 0 {
							said = fmt.Sprintf("As of %s, which is before the journal's first change", output.Clock(when))
						}
						run.Say(said)
					}
				}
				return carryOut(run, c.Context(), p, asJSON, func(e *undo.Editor) (*undo.Plan, error) {
					plan, err := e.PlanRestore(c.Context(), r)
					switch {
					case errors.Is(err, past.ErrNotThere):
						if at == "" {
							return nil, session.Failed(err, "The journal has no earlier state of %s; memcurator log lists what it has", r.Path)
						}
						return nil, session.Failed(err, "%s did not exist at that point", r.Path)
					case errors.Is(err, memstore.ErrExist):
						return nil, session.Failed(err, "%s exists. Pass another path with --as", r.As)
					}
					if err == nil && r.Path == memstore.Root {
						err = confirmRestore(run, p, plan, yes)
					}
					return plan, err
				})
			})
		},
	}
	c.Flags().StringVar(&at, "at", "", "restore the state after revision `REV`, or at a time")
	c.Flags().StringVar(&as, "as", "", "restore to `PATH` instead, which must not exist")
	c.Flags().BoolVar(&yes, "yes", false, "restore a whole store without asking")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON Lines: action, path, old_path, bytes, undoes, merged")
	return c
}

// confirmRestore lists what restoring a whole store will do, and asks the user to confirm.
func confirmRestore(run *session.Session, p *session.Recorded, plan *undo.Plan, yes bool) error {
	if yes || len(plan.Conflicts) > 0 || len(plan.Steps) == 0 {
		return nil
	}
	for _, s := range plan.Steps {
		run.SayPlain(fmt.Sprintf("%-8s %s", actionOf(s), s.Path))
	}
	return run.Confirm(false, "Restore %s in %s? undo reverts it", text.Count(len(plan.Steps), "path"), p.Dir)
}
