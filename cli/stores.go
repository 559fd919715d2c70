package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"memcurator/memstore/config"
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

func (a *app) storesCommand() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "stores", Short: "List the memory directories found on this machine", Long: storesHelp, Args: noArguments,
		RunE:              func(c *cobra.Command, _ []string) error { return a.stores(c.Context(), asJSON) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

func (a *app) stores(ctx context.Context, asJSON bool) error {
	s, err := a.settings()
	if err != nil {
		return err
	}
	found := a.findStores(ctx, s)
	if len(found) == 0 {
		a.say("No memory directory was found. Name one, as in: " + program + " DIR")
	}
	if asJSON {
		return a.storesJSON(found)
	}
	var out io.Writer = a.out
	if a.env.StdoutTerminal {
		out = &screenWriter{w: a.out, options: text.Options{ASCII: s.theme.ASCII}}
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
		line := fmt.Sprintf("%8s  %-16s  %s", count, newest, title(f.Dir))
		if f.Name != "" {
			line += "  (" + f.Name + ")"
		}
		fmt.Fprintln(out, line)
	}
	return a.out.err
}

// storesJSON prints one object a line; the keys are a contract.
func (a *app) storesJSON(found []discover.Found) error {
	e := json.NewEncoder(a.jsonOut())
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
	return a.out.err
}

func (a *app) findStores(ctx context.Context, s settings) []discover.Found {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()
	var named []discover.Place
	for _, one := range s.config.Stores() {
		named = append(named, discover.Place{Name: one.Name, Dir: one.Dir})
	}
	return discover.Find(ctx, named, discover.WellKnown(config.Home(a.env.Getenv)))
}

// errLeft ends the program where the user leaves the picker: nothing went wrong.
var errLeft = errors.New("no store was chosen")

// pick lets the user choose among the stores of this machine; noStore is the error where
// there is none to choose from.
func (a *app) pick(ctx context.Context, s settings, noStore error) (string, error) {
	found := a.findStores(ctx, s)
	if len(found) == 0 {
		return "", noStore
	}
	rows := make([]tui.FoundStore, len(found))
	for i, f := range found {
		rows[i] = tui.FoundStore{Name: f.Name, Dir: title(f.Dir), Files: f.Files, More: f.More, Newest: f.Newest, Missing: f.Missing}
	}
	ctx, stop := untilSignal(ctx, endSignals...)
	defer stop()
	at, err := tui.Pick(ctx, rows, s.theme, s.preferences(), a.env.Stdin, a.env.Stdout)
	switch {
	case err != nil:
		return "", failed(err, "The list of memory directories ended with an error: %s.", reason(err))
	case at < 0:
		return "", errLeft
	}
	return found[at].Dir, nil
}
