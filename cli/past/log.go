// Package past has the commands about what was done to a store: log, show, diff, blame, search and trash read its
// journal, undo and restore bring back what was, as new revisions.
package past

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/past"
)

const logHelp = `List what was done to a store: every revision, oldest first.

Usage:
  memcurator log [DIR] [AGENT-PATH]

exec, mcp and the user interface record each edit, and what other programs did. With AGENT-PATH,
/memories or below: what was done to it and below it. A star marks what nobody has read yet.
The columns are the number of the revision, the time, who did it (agent, external, curator,
replay), the command, lines added and removed, and the path. (unseen) was found on disk at the
next start; (uncertain) was under way when its process died.

Flags:
      --dir DIR          the memory directory, instead of the argument
      --actor NAME       of these only (may be repeated)
      --command NAME     of these only: create, str_replace, insert, delete, rename, edit, undo ...
      --since TIME       from then on: 2026-01-31, "2026-01-31 15:04", or how long ago: 30m, 7d
      --until TIME       before then
      --session ID       of this session only
      --group N          of this group only: what was done, and is undone, as one
      --unread           what nobody has read only
      --follow           of the one file AGENT-PATH, under the names that it had before
      --limit N          the newest N only
      --json             one JSON object a line: rev, time, actor, command, path, old_path, before,
                         after (SHA-256 or null), added, removed, session, tool_use_id, group,
                         unread, kind, model, process, pinned, note, undoes
Flags of every command: see memcurator help

Examples:
  memcurator log ~/agent/memories --since 24h
  memcurator log /memories/notes.md --follow
`

type logFlags struct {
	actors, commands      []string
	since, until, session string
	group                 int64
	unread, follow, json  bool
	limit                 int
}

func LogCommand(run *session.Session) *cobra.Command {
	var flags logFlags
	c := &cobra.Command{
		Use: "log [DIR] [AGENT-PATH]", Short: "List what was done to a store", Long: logHelp,
		Annotations: session.HelpRow("log  [DIR] [AGENT-PATH]", "list what was done to a store; show, diff, blame, search: look closer"),
		RunE: func(c *cobra.Command, args []string) error {
			p, err := run.Past(c, args, true, nil)
			return run.List(p, err, func() error { return printLog(run, c, p, flags) })
		},
		ValidArgsFunction: run.CompletePaths,
	}
	session.DirFlag(c)
	f := c.Flags()
	f.StringArrayVar(&flags.actors, "actor", nil, "of these only")
	f.StringArrayVar(&flags.commands, "command", nil, "of these only")
	f.StringVar(&flags.since, "since", "", "from then on")
	f.StringVar(&flags.until, "until", "", "before then")
	f.StringVar(&flags.session, "session", "", "of this session")
	f.Int64Var(&flags.group, "group", 0, "of this group")
	f.BoolVar(&flags.unread, "unread", false, "unread only")
	f.BoolVar(&flags.follow, "follow", false, "follow renames")
	f.IntVar(&flags.limit, "limit", 0, "the newest only")
	f.BoolVar(&flags.json, "json", false, "one JSON object a line")
	session.Complete(c, "actor", string(memstore.Agent), string(memstore.External), string(memstore.Curator), string(memstore.Replay))
	return c
}

func printLog(run *session.Session, c *cobra.Command, p *session.Recorded, flags logFlags) error {
	filter := past.Filter{
		Commands: flags.commands, Session: flags.session, Group: flags.group, Unread: flags.unread,
		Path: p.AgentPath, Newest: true, Limit: flags.limit,
	}
	for _, name := range flags.actors {
		filter.Actors = append(filter.Actors, memstore.Actor(name))
	}
	var err error
	if flags.since != "" {
		if filter.Since, err = session.ParseWhen(flags.since, time.Now()); err != nil {
			return err
		}
	}
	if flags.until != "" {
		if filter.Until, err = session.ParseWhen(flags.until, time.Now()); err != nil {
			return err
		}
	}
	if flags.limit < 0 {
		return session.WrongUse("--limit %d is not a number of revisions.", flags.limit)
	}
	out, lines := run.JSONLines(), run.Lines(p.Settings)
	show := func(r past.Revision) bool {
		if flags.json {
			err = out.Encode(r)
		} else {
			_, err = fmt.Fprintln(lines, rowOf(r))
		}
		return err == nil
	}
	if flags.limit == 0 && !flags.follow {
		filter.Newest = false
		if listErr := p.Journal.List(c.Context(), filter, show); listErr != nil {
			return listErr
		}
		return err
	}
	list, err := newest(p, c, filter, flags.follow)
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		show(list[i])
	}
	return err
}

// newest lists revisions newest first, or those of one file with its renames followed.
func newest(p *session.Recorded, c *cobra.Command, filter past.Filter, follow bool) ([]past.Revision, error) {
	if !follow {
		return past.Revisions(c.Context(), p.Journal, filter)
	}
	if p.AgentPath == "" {
		return nil, session.WrongUse("--follow needs the path of a file.")
	}
	of := map[int64]bool{}
	if err := p.Journal.History(c.Context(), p.AgentPath, func(r past.Revision) bool {
		of[r.Rev] = true
		return true
	}); err != nil {
		return nil, err
	}
	limit := filter.Limit
	filter.Path, filter.Limit = "", 0
	var list []past.Revision
	err := p.Journal.List(c.Context(), filter, func(r past.Revision) bool {
		if of[r.Rev] {
			list = append(list, r)
		}
		return limit == 0 || len(list) < limit
	})
	return list, err
}
