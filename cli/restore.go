package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"memcurator/memstore"
	"memcurator/memstore/journal"
)

const restoreHelp = `Put a file or a folder back as it was, as new revisions: a restore can be undone.

Usage:
  memcurator restore [DIR] AGENT-PATH [--at REV|TIME] [--as AGENT-PATH]

Without --at it is put back as it was before the newest change: what was deleted comes back.
Where another file has come to the path since, the old one gets a name beside it
(notes.restored.md). What is there already with the same bytes stays.

Flags:
      --dir DIR         the memory directory, instead of the argument
      --at WHEN         as it was after a revision, or at a time: 2026-01-31, "2026-01-31 15:04", 7d
      --as AGENT-PATH   put it there; nothing may be there
      --dry-run         say what would be done and do nothing
      --json            one JSON object a step: action, path, old_path, bytes, undoes, merged
Flags of every command: see memcurator help

Examples:
  memcurator restore /memories/notes.md
  memcurator restore /memories/projects --at 7d --as /memories/projects-last-week
`

func (a *app) restoreCommand() *cobra.Command {
	var at, as string
	var dryRun, asJSON bool
	c := &cobra.Command{
		Use: "restore [DIR] AGENT-PATH", Short: "Put a file or a folder back as it was", Long: restoreHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := a.past(c, args, true, nil)
			switch {
			case p != nil && p.dir != "" && p.agentPath == "":
				return wrongUse("Name a path as the agent does, as in: %s restore /memories/notes.md", program)
			case as != "" && !isAgentPath(as):
				return wrongUse("%q is no path of the agent; write --as /memories/...", as)
			}
			return need(p, err, func() error {
				r := journal.Restore{Path: p.agentPath, As: as}
				if at != "" {
					if r.At, err = p.parsePoint(c.Context(), at); err != nil {
						return err
					}
				}
				return a.change(c.Context(), p, dryRun, asJSON, func(e *journal.Editor) (*journal.Plan, error) {
					plan, err := e.PlanRestore(c.Context(), r)
					switch {
					case errors.Is(err, journal.ErrNotThere):
						return nil, failed(err, "Nothing was at %s then.", r.Path)
					case errors.Is(err, memstore.ErrExist):
						return nil, failed(err, "Something is at %s already; name another path with --as.", r.As)
					}
					return plan, err
				})
			})
		},
		ValidArgsFunction: a.completePaths,
	}
	dirFlag(c)
	c.Flags().StringVar(&at, "at", "", "a revision or a time")
	c.Flags().StringVar(&as, "as", "", "another path")
	c.Flags().BoolVar(&dryRun, "dry-run", false, "do nothing")
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a step")
	return c
}
