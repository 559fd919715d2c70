package cli

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/past"
)

const logHelp = `List recorded changes, oldest first.

Usage:
  memcurator log [DIR] [PATH]

With PATH, only changes at or below it. Each row shows the revision, the time, the actor (agent,
external, curator, replay), the command, lines added and removed, the path, the session, and the
other store of a move or copy. * is unread; (unseen) was found on disk at the next start;
(uncertain) was being written when its process died.

TIME is today, yesterday, monday, 2h (ago), 7d, 2026-01-31, or "2026-01-31 15:04".

Flags:
{flags}
Examples:
  memcurator log ~/agent/memories --since yesterday
  memcurator log notes.md --follow
`

type logFlags struct {
	since, session string
	follow, json   bool
	limit          int
}

func logCommand(run *session.Session) *cobra.Command {
	var flags logFlags
	c := &cobra.Command{
		Use: "log [DIR] [PATH]", Short: "List recorded changes", Long: logHelp,
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, true, nil)
			if err != nil {
				return err
			}
			return run.List(p, func() error { return printLog(run, c, p, flags) })
		},
	}
	f := c.Flags()
	f.StringVar(&flags.since, "since", "", "only changes since `TIME`")
	f.StringVar(&flags.session, "session", "", "only changes of the session `ID`")
	f.BoolVar(&flags.follow, "follow", false, "follow the file PATH through its renames")
	f.IntVarP(&flags.limit, "limit", "n", 0, "only the newest `N`")
	f.BoolVar(&flags.json, "json", false, "print JSON Lines: rev, time, actor, command, path, old_path, before, after "+
		"(SHA-256 or null), added, removed, session, tool_use_id, turn, group, unread, kind, model, process, note, undoes, transfer")
	return c
}

// filter selects what the flags ask for; the session is as typed.
func (flags logFlags) filter() (past.Filter, error) {
	f := past.Filter{Session: flags.session, Newest: true, Limit: flags.limit}
	var err error
	if flags.since != "" {
		if f.Since, err = session.ParseWhen(flags.since, time.Now()); err != nil {
			return f, err
		}
	}
	if flags.limit < 0 {
		return f, session.WrongUse("--limit must be 1 or more, not %d", flags.limit)
	}
	return f, nil
}

func printLog(run *session.Session, c *cobra.Command, p *session.Recorded, flags logFlags) error {
	filter, err := flags.filter()
	if err != nil {
		return err
	}
	if flags.follow && p.AgentPath == "" {
		return session.WrongUse("--follow needs the PATH of a file")
	}
	filter.Path, filter.Follow = p.AgentPath, flags.follow
	list, err := past.Revisions(c.Context(), p.Journal, filter)
	switch {
	case err != nil || len(list) > 0:
	case flags.since != "" || flags.session != "" || p.AgentPath != "":
		run.Say("No matching changes")
	default:
		run.Say("No changes recorded. What others change is found when the interface, exec or mcp starts")
	}
	rows := run.Out.Rows(p.Settings, flags.json)
	for _, r := range slices.Backward(list) {
		if err == nil {
			err = rows.Print(r, "%s", rowOf(r))
		}
	}
	return err
}
