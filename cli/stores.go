package cli

import (
	"context"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore/overview"
)

const storesHelp = `List every memory on this machine, with what a session loads of it and what is unread.

Usage:
  memcurator stores

Lists the notes and instruction files that Claude Code, VS Code, Codex, Gemini CLI and other agents
keep for you and for the projects that they worked in. Add stores with [stores.NAME] or [discover]
paths in the configuration.

Each row shows agent, project, files, size, last change, unread changes, what a session loads
against its limit, the state (unreadable, damaged, stranded, over limit, not loaded, encrypted, ok:
the first that applies) and the directory. Problems follow below the row. Listing changes no store.

Flags:
{flags}
Examples:
  memcurator stores --scan
  memcurator stores --json | jq -r 'select(.state == "stranded").path'
`

func storesCommand(run *session.Session) *cobra.Command {
	var asJSON, scan bool
	c := &cobra.Command{
		Use: "stores", Short: "List every memory on this machine", Long: storesHelp, Args: session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return printStores(run, c.Context(), asJSON, scan) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line: path, dir, agent, project, name, kind, files, bytes, changed, "+
		"unread, due, secrets (null: unknown), load (lines, bytes, tokens, limit_lines, limit_bytes, limit_chars, limit_tokens; null: on "+
		"demand), state, problems, more, missing")
	c.Flags().BoolVar(&scan, "scan", false, "also count what is due, and secrets; reads every file")
	return c
}

// noStores is the message on a machine without a store.
const noStores = "No memory directory found. Try " + session.Program + " demo, start one with " + session.Program +
	" init DIR, or pass DIR"

func printStores(run *session.Session, ctx context.Context, asJSON, scan bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	reader := run.Overview(s)
	rows := reader.List(ctx)
	if len(rows) == 0 && ctx.Err() == nil {
		run.Say(noStores)
	}
	reader.Fill(ctx, rows, scan, func(at int, row overview.Row) { rows[at] = row })
	if err := ctx.Err(); err != nil {
		return session.Failed(err, "Stopped")
	}
	print := func() error { return printTable(run, s, rows, scan) }
	if asJSON {
		print = func() error { return printJSON(run, rows) }
	}
	return print()
}
