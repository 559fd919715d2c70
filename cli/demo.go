package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore"
)

const demoHelp = `Try memcurator on a sample store while an agent works on it.

Usage:
  memcurator demo

All is temporary and removed at the end; your stores, state and configuration are never read or
changed.

Global flags: memcurator help flags
`

func demoCommand(run *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Try memcurator on a sample store with an agent at work",
		Long:  demoHelp,
		Args:  session.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			return runDemo(run, c.Context())
		},
	}
}

// runDemo shows the demo's files, with an agent at work on them. The run is confined to them.
func runDemo(run *session.Session, ctx context.Context) (err error) {
	if !run.Env.StdinTerminal || !run.Env.StdoutTerminal {
		return session.WrongUse("The demo needs a terminal")
	}
	ctx, stop := session.WhileShown(ctx)
	defer stop()
	temp, err := os.MkdirTemp("", "memcurator-demo-")
	if err != nil {
		return session.Failed(err, "The demo needs a temporary directory: %s", session.Reason(err))
	}
	defer func() { err = cmp.Or(err, removeDemo(temp)) }()
	s, err := demoSettings(run, temp)
	if err != nil {
		return err
	}
	calls, err := readLines[demoCall](run.Env.Assets, demoCalls, fakeKey("agent"))
	if err != nil {
		return session.Failed(err, "Can't read the demo's calls: %s", session.Reason(err))
	}
	began := time.Now()
	w, err := buildWorld(run, ctx, temp, s.Dialect, began)
	if err != nil {
		return err
	}
	opened, err := screen.OpenStore(run, ctx, s, w.dir, screen.Way{Follow: func(session.Settings) bool { return false }})
	if err != nil {
		return err
	}
	opened.Title, opened.Name, opened.Badge, opened.Path, opened.Real = "demo store", "", "demo", "", ""
	opened.Looked = time.Date(began.Year(), began.Month(), began.Day()-1, 7, 30, 0, 0, began.Location()) // yesterday morning
	opened.Titles = func(context.Context, []string) map[string]string { return w.prompts }
	agent := memstore.New(opened.Handlers.Backend(), memstore.Options{
		Dialect: s.Dialect, Origin: memstore.Origin{Actor: memstore.Agent, Session: demoSession, Model: demoModel},
		Recorders: []memstore.Recorder{opened.Journal, opened.Watch},
	})
	working, stopWork := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		work(working, agent, calls)
	}()
	end := opened.Close
	opened.Close = func() {
		stopWork()
		<-done
		end()
	}
	return screen.Show(run, ctx, opened, nil)
}

// work carries out the calls of the demo's agent, until ctx ends.
func work(ctx context.Context, agent *memstore.Store, calls []demoCall) {
	for _, call := range calls {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Duration(call.AfterMS) * time.Millisecond):
			agent.DoJSON(ctx, call.Input)
		}
	}
}

// removing is how long the end of the demo waits for what may still write among its files: a job of the interface that was left running.
const removing = 2 * time.Second

// removeDemo removes the files of a demo.
func removeDemo(temp string) error {
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := os.RemoveAll(temp)
		if err == nil {
			return nil
		}
		if time.Since(began) > removing {
			return session.Failed(err, "Can't remove the demo's files in %s: %s", temp, session.Reason(err))
		}
	}
}

// demoSession is the session of the demo's agent.
const demoSession = "c3d8"

// demoSettings are the settings of the demo: those of its own configuration, in its folder.
func demoSettings(run *session.Session, temp string) (session.Settings, error) {
	run.Confine(temp)
	data, err := fs.ReadFile(run.Env.Assets, demoConfig)
	if err == nil {
		err = os.WriteFile(filepath.Join(temp, "config.toml"), data, 0o600)
	}
	if err != nil {
		return session.Settings{}, session.Failed(err, "Can't write the demo's configuration: %s", session.Reason(err))
	}
	return run.Settings()
}

// demoCall is a call of the demo's agent: a line of its script.
type demoCall struct {
	AfterMS int             `json:"after_ms"` // preceding pause
	Input   json.RawMessage `json:"input"`    // input of the memory tool
}
