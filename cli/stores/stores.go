// Package stores finds the memory directories of this machine, lists them, and lets the user pick one.
package stores

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/render/text"
	"memcurator/tui"
)

const storesHelp = `List the memory directories found on this machine, with agent, project, files and size.

Usage:
  memcurator stores

Searched are [stores.NAME] of the configuration, ./memories, ./memory/memories,
./.claude/agent-memory/*, and in the home folder memories, .claude/projects/*/memory and
.claude/agent-memory/*. Only names, sizes and times are read.

memcurator without a directory shows the same list to choose from.

Flags:
{flags}
Examples:
  memcurator stores
`

// lookFor limits the search for stores; counts that are incomplete by then say so.
const lookFor = 2 * time.Second

func Command(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "stores", Short: "List the memory directories found on this machine", Long: storesHelp, Args: session.NoArguments,
		RunE:              func(c *cobra.Command, _ []string) error { return printStores(run, c.Context(), asJSON) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object per line: name, dir, agent, project, kind, files, bytes, more, changed, "+
		"newest, missing")
	return c
}

func printStores(run *session.Session, ctx context.Context, asJSON bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	found := findStores(run, ctx, s)
	if len(found) == 0 {
		run.Say(textNoStores)
	}
	if asJSON {
		return storesJSON(run, found)
	}
	var out io.Writer = run.Out
	if run.Env.StdoutTerminal {
		out = &output.ScreenWriter{W: run.Out, Options: text.Options{ASCII: s.Theme.ASCII}}
	}
	if len(found) > 0 {
		fmt.Fprintln(out, storeRow("agent", "project", "files", "size", "changed", "directory"))
	}
	for _, f := range found {
		count, size, changed := fmt.Sprint(f.Files), memstore.FormatSize(memstore.Docs, f.Bytes), "-"
		if f.More {
			count += "+"
		}
		if f.Missing {
			count, size = "missing", "-"
		}
		if !f.Newest.IsZero() {
			changed = f.Newest.Format("2006-01-02 15:04")
		}
		fmt.Fprintln(out, storeRow(cmp.Or(f.Agent, "-"), cmp.Or(f.Name, f.Project, "-"), count, size, changed, session.Title(f.Dir)))
	}
	return run.Out.Err
}

const textNoStores = "No memory directory found. Try " + session.Program + " demo, start one with " + session.Program +
	" init --pattern multi-session DIR, or pass DIR"

// storeRow is a row of the list.
func storeRow(agent, project, files, size, changed, dir string) string {
	cell := func(s string, width int) string { return text.Pad(text.Truncate(text.Clean(s), width, "~"), width) }
	return fmt.Sprintf("%s  %s  %7s  %7s  %-16s  %s", cell(agent, 12), cell(project, 16), files, size, changed, dir)
}

// storesJSON prints one object per line; the keys are a contract.
func storesJSON(run *session.Session, found []discover.Found) error {
	e := json.NewEncoder(run.JSONOut())
	e.SetEscapeHTML(false)
	for _, f := range found {
		line := struct {
			Name    *string    `json:"name"`
			Dir     string     `json:"dir"`
			Agent   *string    `json:"agent"`
			Project *string    `json:"project"`
			Kind    string     `json:"kind"`
			Files   int        `json:"files"`
			Bytes   int64      `json:"bytes"`
			More    bool       `json:"more"`
			Changed *time.Time `json:"changed"`
			Newest  *time.Time `json:"newest"`
			Missing bool       `json:"missing"`
		}{
			Dir: f.Dir, Agent: output.OrNull(f.Agent), Project: output.OrNull(f.Project), Kind: "dir", Files: f.Files, Bytes: f.Bytes,
			More: f.More, Missing: f.Missing,
		}
		if abs, err := filepath.Abs(f.Dir); err == nil {
			line.Dir = abs
		}
		if f.Name != "" {
			line.Name = &f.Name
		}
		if !f.Newest.IsZero() {
			line.Newest, line.Changed = &f.Newest, &f.Newest
		}
		if err := e.Encode(line); err != nil {
			return err
		}
	}
	return run.Out.Err
}

func findStores(run *session.Session, ctx context.Context, s session.Settings) []discover.Found {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	var named []discover.Place
	for _, one := range s.Config.Stores() {
		named = append(named, discover.Place{Name: one.Name, Dir: one.Dir})
	}
	return run.Machine().Find(ctx, named)
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
	found := findStores(run, ctx, s)
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
