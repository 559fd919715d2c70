package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/past"
	"memcurator/render/text"
)

const logHelp = `List recorded changes, oldest first.

Usage:
  memcurator log [DIR] [PATH]

With PATH, only changes at or below it. Each row shows the revision, the time, the actor (agent,
external, curator, replay), the command, lines added and removed, the path, the session, the other
store of a move or copy, and the git commit that contains the change. * is unread; (unseen) was
found on disk at the next start; (uncertain) was being written when its process died.

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
			return run.List(p, err, func() error {
				if err := checkRecorded(p, c.Context()); err != nil {
					return err
				}
				return printLog(run, c, p, flags)
			})
		},
	}
	f := c.Flags()
	f.StringVar(&flags.since, "since", "", "only changes since `TIME`")
	f.StringVar(&flags.session, "session", "", "only changes of the session `ID`; its beginning, or as rows show it, is enough")
	f.BoolVar(&flags.follow, "follow", false, "follow the file PATH through its renames")
	f.IntVarP(&flags.limit, "limit", "n", 0, "only the newest `N`")
	f.BoolVar(&flags.json, "json", false, "print JSON Lines: rev, time, actor, command, path, old_path, before, after "+
		"(SHA-256 or null), added, removed, session, tool_use_id, group, unread, kind, model, process, note, undoes, commit, "+
		"message, transfer")
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
	if filter.Session, err = sessionNamed(c.Context(), p, flags.session); err != nil {
		return err
	}
	run.LearnCommits(c.Context(), p.Dir, p.Journal)
	out, lines := run.Out.JSONLines(), run.Out.Lines(p.Settings)
	shown := 0
	show := func(r past.Revision) bool {
		shown++
		if flags.json {
			err = out.Encode(r)
		} else {
			_, err = fmt.Fprintln(lines, rowOf(r))
		}
		return err == nil
	}
	if flags.limit == 0 {
		filter.Newest = false
		if listErr := p.Journal.List(c.Context(), filter, show); listErr != nil {
			return listErr
		}
		if err == nil && shown == 0 {
			run.Say(nothingListed)
		}
		return err
	}
	list, err := past.Revisions(c.Context(), p.Journal, filter)
	for i := len(list) - 1; i >= 0 && err == nil; i-- {
		show(list[i])
	}
	if err == nil && shown == 0 {
		run.Say(nothingListed)
	}
	return err
}

const nothingListed = "No matching changes"

// sessionNamed completes the prefix of a session's ID, as screens and lists shorten it. If no session begins with it, it is returned
// unchanged.
func sessionNamed(ctx context.Context, p *session.Recorded, typed string) (string, error) {
	if typed == "" {
		return typed, nil
	}
	var matches []string
	err := p.Journal.List(ctx, past.Filter{}, func(r past.Revision) bool {
		if r.Session == typed {
			matches = []string{typed}
			return false
		}
		if (strings.HasPrefix(r.Session, typed) || text.ShortID(r.Session) == typed) && !slices.Contains(matches, r.Session) {
			matches = append(matches, r.Session)
		}
		return true
	})
	switch {
	case err != nil || len(matches) == 0:
		return typed, err
	case len(matches) > 1:
		return typed, session.WrongUse("%d sessions begin with %s, such as %s", len(matches), typed, text.Clean(matches[0]))
	}
	return matches[0], nil
}
