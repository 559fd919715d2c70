package past

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/undo"
)

const restoreHelp = `Restore a file or a folder as it was, as new revisions: a restore can be undone.

Usage:
  memcurator restore [DIR] AGENT-PATH [--at REV|TIME] [--as AGENT-PATH]

Without --at it is put back as it was before the newest change: what was deleted comes back.
Where another file has come to the path since, the old one gets a name beside it
(notes.restored.md). Files with the same bytes stay as they are, and so do files that came
since. /memories restores the whole store as one act, which one undo reverts: it needs --at,
lists what it will do, and asks.

Flags:
      --dir DIR         the memory directory, instead of the argument
      --at WHEN         as it was after a revision, or at a time: 2026-01-31, "2026-01-31 15:04", 7d
      --as AGENT-PATH   put it there; nothing may be there
      --yes             restore a whole store without asking
      --dry-run         say what would be done and do nothing
      --json            one JSON object a step: action, path, old_path, bytes, undoes, merged
Flags of every command: see memcurator help

Examples:
  memcurator restore /memories/notes.md
  memcurator restore /memories/projects --at 7d --as /memories/projects-last-week
`

func RestoreCommand(run *session.Session) *cobra.Command {
	var at, as string
	var dryRun, asJSON, yes bool
	c := &cobra.Command{
		Use: "restore [DIR] AGENT-PATH", Short: "Restore a file or a folder as it was", Long: restoreHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, true, nil)
			switch {
			case p != nil && p.Dir != "" && p.AgentPath == "":
				return session.WrongUse("Name a path as the agent does, as in: %s restore /memories/notes.md", session.Program)
			case p != nil && p.AgentPath == memstore.Root && at == "":
				return session.WrongUse("Say which state of the whole store to restore, with --at REV or --at TIME.")
			case p != nil && p.AgentPath == memstore.Root && !yes && !dryRun && !run.CanAsk():
				return session.WrongUse("Nothing was done: restoring a whole store asks first. To restore without the question, add --yes.")
			case as != "" && !session.IsAgentPath(as):
				return session.WrongUse("%q is not an agent path; write --as /memories/...", as)
			}
			return session.Need(p, err, func() error {
				r := undo.Restore{Path: p.AgentPath, As: as}
				if at != "" {
					if r.At, err = parsePoint(p, c.Context(), at); err != nil {
						return err
					}
				}
				return carryOut(run, c.Context(), p, dryRun, asJSON, func(e *undo.Editor) (*undo.Plan, error) {
					plan, err := e.PlanRestore(c.Context(), r)
					switch {
					case errors.Is(err, past.ErrNotThere):
						return nil, session.Failed(err, "Nothing was at %s then.", r.Path)
					case errors.Is(err, memstore.ErrExist):
						return nil, session.Failed(err, "Something is at %s already; name another path with --as.", r.As)
					}
					if err == nil && r.Path == memstore.Root && !yes && !dryRun {
						err = confirmRestore(run, p, plan)
					}
					return plan, err
				})
			})
		},
		ValidArgsFunction: run.CompletePaths,
	}
	session.DirFlag(c)
	c.Flags().StringVar(&at, "at", "", "a revision or a time")
	c.Flags().StringVar(&as, "as", "", "another path")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "do nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a step")
	return c
}

// confirmRestore lists what restoring a whole store will do, and asks the user to confirm.
func confirmRestore(run *session.Session, p *session.Recorded, plan *undo.Plan) error {
	if len(plan.Conflicts) > 0 || len(plan.Steps) == 0 {
		return nil
	}
	for _, s := range plan.Steps {
		run.SayPlain(fmt.Sprintf("%-8s %s", actionOf(s), s.Path))
	}
	return run.Confirm("Restore %s in %s?", output.Counted(len(plan.Steps), "path"), p.Dir)
}
