// Package stores finds the memory directories of this machine, lists them, and lets the user pick one.
package stores

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore/overview"
	"memcurator/tui"
)

const storesHelp = `List every memory on this machine, with what a session loads of it and what is unread.

Usage:
  memcurator stores

Listed are [stores.NAME] and [discover] paths of the configuration, and what Claude Code, VS Code,
Codex, Gemini CLI, Qwen Code and other agents keep for you and for the projects that they worked in:
docs/stores.md has every place. Nothing else is looked at.

Each row has agent, project, files, size, the last change, unread changes (of a store with a
journal), the load at the start of a session against its limit, the state (ok, running, stranded,
damaged or unreadable) and the directory; below it is what is wrong. --scan also counts what your
rules propose (due) and the secrets, which reads all files. A store that doesn't answer within a
second is unreadable. Looking changes no store.

memcurator without a directory shows the same list to choose from.

Flags:
{flags}
Examples:
  memcurator stores --scan
  memcurator stores --json | jq -r 'select(.state == "stranded").path'
`

func Command(run *session.Session) *cobra.Command {
	var asJSON, scan bool
	c := &cobra.Command{
		Use: "stores", Short: "List every memory on this machine", Long: storesHelp, Args: session.NoArguments,
		RunE:              func(c *cobra.Command, _ []string) error { return printStores(run, c.Context(), asJSON, scan) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line: path, dir, agent, project, name, kind, files, bytes, changed, "+
		"unread, due, secrets (null: unknown), load (lines, bytes, tokens, limit_lines, limit_bytes, limit_chars, limit_tokens; null: on "+
		"demand), state, problems, more, newest, missing")
	c.Flags().BoolVar(&scan, "scan", false, "also count what is due, and secrets: reads all files")
	return c
}

func printStores(run *session.Session, ctx context.Context, asJSON, scan bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	reader := run.Overview(s)
	rows := list(ctx, reader)
	if len(rows) == 0 {
		run.Say(session.NoStores)
	}
	parts := overview.LoadPart | overview.UnreadPart
	if scan {
		parts = overview.Everything
	}
	reader.Fill(ctx, rows, parts, func(at int, row overview.Row) { rows[at] = row })
	if err := ctx.Err(); err != nil {
		return session.Failed(err, "Stopped")
	}
	if asJSON {
		return printJSON(run, rows)
	}
	return printTable(run, s, rows, scan)
}

// list finds the stores within [session.ListFor].
func list(ctx context.Context, reader *overview.Reader) []overview.Row {
	ctx, cancel := context.WithTimeout(ctx, session.ListFor)
	defer cancel()
	return reader.List(ctx)
}

// ErrLeft ends the program without an error if the user quits the picker.
var ErrLeft = errors.New("no store was chosen")

// Offer is an entry of the list other than a store, chosen by the user.
type Offer string

// Offers.
const (
	offerNone Offer = ""
	OfferDemo Offer = "demo"
	OfferInit Offer = "init"
)

// NewStore is the directory of a memory created from the list.
const NewStore = "./memories"

var offers = []tui.FoundStore{
	{Name: string(OfferDemo), Offer: "take a tour of two minutes: nothing of yours is touched"},
	{Name: string(OfferInit), Offer: "start a memory here, in " + NewStore + ", with files for work over many sessions"},
}

// Pick lets the user choose a store of this machine, or another way to begin.
func Pick(run *session.Session, ctx context.Context, s session.Settings) (dir string, offer Offer, err error) {
	found := list(ctx, run.Overview(s))
	rows := make([]tui.FoundStore, len(found))
	for i, f := range found {
		rows[i] = tui.FoundStore{
			Name: f.Name, Dir: session.Title(f.Dir), Agent: f.Agent, Project: f.Project, Files: f.Files, Bytes: f.Bytes, More: f.More,
			Newest: f.Newest, Missing: f.Missing,
		}
	}
	ctx, stop := session.UntilSignal(ctx, session.EndSignals...)
	defer stop()
	at, err := tui.Pick(ctx, append(rows, offers...), s.Theme, screen.Preferences(s), run.Env.Stdin, run.Env.Stdout)
	switch {
	case err != nil:
		return "", offerNone, session.Failed(err, "The list of memory directories failed: %s", session.Reason(err))
	case at < 0:
		return "", offerNone, ErrLeft
	case at >= len(found):
		return "", Offer(offers[at-len(found)].Name), nil
	}
	return found[at].Dir, offerNone, nil
}
