package cli

import (
	"context"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
)

const storesHelp = `List every memory on this machine, with what a session loads of it and what is unread.

Usage:
  memcurator stores

Lists the notes and instruction files that Claude Code, VS Code, Codex, Gemini CLI and other agents
keep for you and for the projects that they worked in. Add stores with [stores.NAME] or [discover]
paths in the configuration.

Each row shows agent, project, files, size, last change, unread changes, what is due by your rules,
secrets, what a session loads against its limit, the state (unreadable, damaged, stranded, over limit,
not loaded, encrypted, ok: the first that applies) and the directory. Problems follow below the row.
Listing reads every file, and changes no store.

Flags:
{flags}
Examples:
  memcurator stores
  memcurator stores --json | jq -r 'select(.state == "stranded").path'
`

func storesCommand(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "stores", Short: "List every memory on this machine", Long: storesHelp, Args: session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return printStores(run, c.Context(), asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line: path, dir, agent, project, name, kind, files, bytes, changed, "+
		"unread, due, secrets (null: unknown), load (lines, bytes, tokens, limit_lines, limit_bytes, limit_chars, limit_tokens; null: on "+
		"demand), state, problems, more, missing")
	return c
}

// noStores is the message on a machine without a store.
const noStores = "No memory directory found. Try " + session.Program + " demo, start one with " + session.Program +
	" init DIR, or pass DIR"

func printStores(run *session.Session, ctx context.Context, asJSON bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	rows := run.Overview(s).All(ctx)
	if err := ctx.Err(); err != nil {
		return session.Failed(err, "Stopped")
	}
	if len(rows) == 0 {
		run.Say(noStores)
	}
	if asJSON {
		return printJSON(run, rows)
	}
	return printTable(run, s, rows)
}
