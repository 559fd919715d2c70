package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/render/text"
	"memcurator/tui"
)

const demoHelp = `See memcurator at work: the user interface on a store of its own, while a scripted agent views,
writes, edits, renames and deletes memories for a few minutes. When the agent has finished, the
interface stays open.

Usage:
  memcurator demo [--speed N]

The store is a temporary copy that is removed at the end. Nothing of yours is read or changed.
Where there is no terminal, and with --plain, each command of the agent is printed with its
result, without pauses.

Flags:
      --speed N       how fast the agent works: 1 as written (default), 2 twice as fast
Flags of every command: see memcurator help

Examples:
  memcurator demo
  memcurator demo --theme light --speed 3
  memcurator demo --plain | less
`

func demoCommand(run *session.Session) *cobra.Command {
	var speed float64
	c := &cobra.Command{
		Use:   "demo",
		Short: "See it at work on a store of its own",
		Long:  demoHelp,
		Args:  session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if !(speed > 0) { // not a number included
				return session.WrongUse("The speed must be above 0.")
			}
			return runDemo(run, c.Context(), speed)
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().Float64Var(&speed, "speed", 1, "how fast the agent works")
	return c
}

func runDemo(run *session.Session, ctx context.Context, speed float64) (err error) {
	s, err := run.LenientSettings()
	if err != nil {
		return err
	}
	if s.Broken != nil && screen.Why(run, s) != "" {
		return session.MistakesError(s.Broken)
	}
	script, err := readScript(run.Env.Assets)
	if err != nil {
		return session.Failed(err, "The script of the demo cannot be read: %s.", session.Reason(err))
	}
	// Whatever ends the demo, the copy goes with it: also a reader of the output that
	// leaves, which is then an error of the write and no longer the end of the process.
	signal.Ignore(syscall.SIGPIPE)
	ctx, away, stop := session.WhileShown(ctx)
	defer stop()
	temp, err := os.MkdirTemp("", "memcurator-demo-")
	if err != nil {
		return session.Failed(err, "The demo needs a temporary directory: %s.", session.Reason(err))
	}
	defer func() {
		if e := os.RemoveAll(temp); e != nil && err == nil {
			err = session.Failed(e, "The temporary copy %s could not be removed: %s.", temp, session.Reason(e))
		}
	}()
	dir := filepath.Join(temp, "memories")
	if err := copyStore(run.Env.Assets, dir); err != nil {
		return session.Failed(err, "The store of the demo cannot be written to %s: %s.", dir, session.Reason(err))
	}
	backend, err := session.OpenPlain(dir, false)
	if err != nil {
		return err
	}
	defer backend.Close()
	agent := memstore.Options{Dialect: s.Dialect, Origin: memstore.Origin{Actor: memstore.Agent, Session: "demo"}}
	if screen.Why(run, s) != "" {
		return printScript(run, ctx, s, memstore.New(backend, agent), script)
	}
	o := tui.Options{Title: "demo store", Badge: "demo", Follow: true, Away: away}
	if o.Journal, err = demoJournal(dir, backend); err != nil {
		return err
	}
	defer o.Journal.Close()
	return screen.Show(run, ctx, s, backend, o, func(ctx context.Context, r []memstore.Recorder) {
		agent.Recorders = r
		store := memstore.New(backend, agent)
		for _, step := range script {
			if !pause(ctx, time.Duration(float64(step.AfterMS)*float64(time.Millisecond)/speed)) {
				return
			}
			store.DoJSON(ctx, step.Input)
		}
	})
}

// pause reports whether the time passed before ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// printScript carries the script out at once, each command with its result as text.
func printScript(run *session.Session, ctx context.Context, s session.Settings, store *memstore.Store, script []step) error {
	var out io.Writer = run.Out
	if run.Env.StdoutTerminal {
		out = &output.ScreenWriter{W: run.Out, Options: text.Options{ASCII: s.Theme.ASCII}}
	}
	for _, step := range script {
		if ctx.Err() != nil {
			return session.Failed(ctx.Err(), "Ended by a signal before the end of the script.")
		}
		r := store.DoJSON(ctx, step.Input)
		if _, err := fmt.Fprintf(out, "> %s\n%s\n\n", step.Input, r.Content); err != nil {
			return session.OutputError(err)
		}
	}
	return nil
}

// demoJournal opens a journal for the time of the demo, beside its store.
func demoJournal(dir string, b memstore.Backend) (*journal.Journal, error) {
	state := filepath.Join(filepath.Dir(dir), "state")
	if err := os.Mkdir(state, 0o700); err != nil {
		return nil, session.Failed(err, "The demo needs a temporary directory: %s.", session.Reason(err))
	}
	j, err := journal.Open(state, journal.Options{Backend: b, Process: "ui"})
	if err != nil {
		return nil, session.Failed(err, "The demo cannot keep its journal: %s.", session.JournalReason(err))
	}
	return j, nil
}

// copyStore writes the bundled store to dir, for the owner only.
func copyStore(assets fs.FS, dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	store, err := fs.Sub(assets, demoStore)
	if err != nil {
		return err
	}
	return fs.WalkDir(store, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if d.IsDir() {
			return os.Mkdir(to, 0o700)
		}
		data, err := fs.ReadFile(store, name)
		if err != nil {
			return err
		}
		return os.WriteFile(to, data, 0o600)
	})
}

// step is one call of the scripted agent.
type step struct {
	AfterMS int             `json:"after_ms"` // pause before it
	Input   json.RawMessage `json:"input"`    // of the memory tool
}
