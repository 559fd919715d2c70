// Package stores finds the memory directories of this machine, lists them, and lets the user pick one.
package stores

import (
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
	"memcurator/memstore/discover"
	"memcurator/render/text"
	"memcurator/tui"
)

const storesHelp = `List the memory directories found on this machine: those of the configuration, then those in
the places where agents are known to keep them.

Usage:
  memcurator stores

Looked at are [stores.NAME] of the configuration, ./memories, ./memory/memories,
./.claude/agent-memory/*, and in the home folder memories, .claude/projects/*/memory and
.claude/agent-memory/*. Names, sizes and times are read, no content.

The columns are the files, the time of the newest one, the directory, and the name that the
configuration gives it. The same list opens as a picker when the user interface is started
without a directory and there is none in the usual places.

Flags:
      --json      one JSON object a line: name, dir, files, more, newest, missing
Flags of every command: see memcurator help

Examples:
  memcurator stores
`

// lookFor bounds the search for stores; counts that are not complete by then say so.
const lookFor = 2 * time.Second

func Command(run *session.Session) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "stores", Short: "List the memory directories found on this machine", Long: storesHelp, Args: session.NoArguments,
		RunE:              func(c *cobra.Command, _ []string) error { return printStores(run, c.Context(), asJSON) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func printStores(run *session.Session, ctx context.Context, asJSON bool) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	found := findStores(run, ctx, s)
	if len(found) == 0 {
		run.Say("No memory directory was found. Name one, as in: " + session.Program + " DIR")
	}
	if asJSON {
		return storesJSON(run, found)
	}
	var out io.Writer = run.Out
	if run.Env.StdoutTerminal {
		out = &output.ScreenWriter{W: run.Out, Options: text.Options{ASCII: s.Theme.ASCII}}
	}
	for _, f := range found {
		count, newest := fmt.Sprint(f.Files), "-"
		if f.More {
			count += "+"
		}
		if f.Missing {
			count = "missing"
		}
		if !f.Newest.IsZero() {
			newest = f.Newest.Format("2006-01-02 15:04")
		}
		line := fmt.Sprintf("%8s  %-16s  %s", count, newest, session.Title(f.Dir))
		if f.Name != "" {
			line += "  (" + f.Name + ")"
		}
		fmt.Fprintln(out, line)
	}
	return run.Out.Err
}

// storesJSON prints one object a line; the keys are a contract.
func storesJSON(run *session.Session, found []discover.Found) error {
	e := json.NewEncoder(run.JSONOut())
	e.SetEscapeHTML(false)
	for _, f := range found {
		line := struct {
			Name    *string    `json:"name"`
			Dir     string     `json:"dir"`
			Files   int        `json:"files"`
			More    bool       `json:"more"`
			Newest  *time.Time `json:"newest"`
			Missing bool       `json:"missing"`
		}{Dir: f.Dir, Files: f.Files, More: f.More, Missing: f.Missing}
		if abs, err := filepath.Abs(f.Dir); err == nil {
			line.Dir = abs
		}
		if f.Name != "" {
			line.Name = &f.Name
		}
		if !f.Newest.IsZero() {
			line.Newest = &f.Newest
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

// ErrLeft ends the program where the user leaves the picker: nothing went wrong.
var ErrLeft = errors.New("no store was chosen")

// Pick lets the user choose among the stores of this machine; noStore is the error where
// there is none to choose from.
func Pick(run *session.Session, ctx context.Context, s session.Settings, noStore error) (string, error) {
	found := findStores(run, ctx, s)
	if len(found) == 0 {
		return "", noStore
	}
	rows := make([]tui.FoundStore, len(found))
	for i, f := range found {
		rows[i] = tui.FoundStore{Name: f.Name, Dir: session.Title(f.Dir), Files: f.Files, More: f.More, Newest: f.Newest, Missing: f.Missing}
	}
	ctx, stop := session.UntilSignal(ctx, session.EndSignals...)
	defer stop()
	at, err := tui.Pick(ctx, rows, s.Theme, screen.Preferences(s), run.Env.Stdin, run.Env.Stdout)
	switch {
	case err != nil:
		return "", session.Failed(err, "The list of memory directories ended with an error: %s.", session.Reason(err))
	case at < 0:
		return "", ErrLeft
	}
	return found[at].Dir, nil
}
