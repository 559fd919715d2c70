package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"memcurator/cli/screen"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/tui"
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

func runDemo(run *session.Session, ctx context.Context) (err error) {
	if !run.Env.StdinTerminal || !run.Env.StdoutTerminal {
		return session.WrongUse("The demo needs a terminal")
	}
	ctx, away, stop := session.WhileShown(ctx)
	defer stop()
	d, err := prepareDemo(run, ctx)
	if err != nil {
		return err
	}
	defer func() {
		if e := d.remove(); err == nil {
			err = e
		}
	}()
	first, err := d.open(ctx, away)
	if err != nil {
		return err
	}
	return screen.Show(run, ctx, first, nil)
}

// demo is a demo with its files.
type demo struct {
	*demoWorld
	run      *session.Session // confined to its files
	settings session.Settings
	calls    []demoCall
	temp     string
	closed   sync.Once // the backend
}

// removing is how long the end of the demo waits for what may still write among its files: a job of the interface that was left running.
const removing = 2 * time.Second

// remove removes the files. It may be called again: what was still being written at the first call may have brought a folder back.
func (d *demo) remove() error {
	d.closed.Do(func() {
		if d.demoWorld != nil {
			_ = d.backend.Close()
		}
	})
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		err := os.RemoveAll(d.temp)
		if err == nil {
			return nil
		}
		if time.Since(began) > removing {
			return session.Failed(err, "Can't remove the demo's files in %s: %s", d.temp, session.Reason(err))
		}
	}
}

// prepareDemo makes the files of a demo. The session is confined to them.
func prepareDemo(run *session.Session, ctx context.Context) (_ *demo, err error) {
	temp, err := os.MkdirTemp("", "memcurator-demo-")
	if err != nil {
		return nil, session.Failed(err, "The demo needs a temporary directory: %s", session.Reason(err))
	}
	d := &demo{run: run, temp: temp}
	defer func() {
		if err != nil {
			_ = d.remove() // the error above comes first
		}
	}()
	s, err := demoSettings(run, temp)
	if err != nil {
		return nil, err
	}
	d.calls, err = readLines[demoCall](run.Env.Assets, demoCalls, fakeKey("agent"))
	if err != nil {
		return nil, session.Failed(err, "Can't read the demo's calls: %s", session.Reason(err))
	}
	if d.demoWorld, err = buildWorld(run, ctx, temp, s.Dialect, time.Now()); err != nil {
		return nil, err
	}
	d.settings, err = run.ForStore(s, d.dir)
	return d, err
}

// open opens the demo for the interface. Its files go with it.
func (d *demo) open(ctx context.Context, away *atomic.Int32) (_ tui.Opened, err error) {
	run, w := d.run, d.demoWorld
	defer func() {
		if err != nil {
			_ = d.remove() // the error above comes first
		}
	}()
	o := tui.Options{
		Title: "demo store", Badge: "demo", Away: away, StateDir: run.State().Folder(w.dir), CopyDir: d.temp,
		Summary: true, Looked: w.looked(), Titles: w.titles,
		Transcripts: screen.Transcripts(run, w.dir),
	}
	if err := screen.OpenJournal(run, w.dir, w.backend, &o); err != nil {
		return tui.Opened{}, err
	}
	opened, err := screen.Open(run, ctx, d.settings, w.backend, o, func(ctx context.Context, r []memstore.Recorder) {
		agent := memstore.New(w.backend, memstore.Options{
			Dialect: d.settings.Dialect, Origin: memstore.Origin{Actor: memstore.Agent, Session: demoSession, Model: demoModel}, Recorders: r,
		})
		for _, call := range d.calls {
			if !pause(ctx, time.Duration(call.AfterMS)*time.Millisecond) {
				return
			}
			agent.DoJSON(ctx, call.Input)
		}
	})
	if err != nil {
		_ = o.Journal.Close() // nothing was written
		return tui.Opened{}, err
	}
	return screen.Close(opened, func() {
		_ = o.Journal.Close() // its files go as well
		_ = d.remove()
	}), nil
}

// demoSession is the session of the demo's agent.
const demoSession = "c3d8"

// demoSettings are the settings of the demo, with the user's theme.
func demoSettings(run *session.Session, temp string) (session.Settings, error) {
	s, err := run.LenientSettings()
	if err != nil {
		return s, err
	}
	run.Flags.Theme = cmp.Or(run.Flags.Theme, string(s.Theme.Name))
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

// looked is when the demo's user last looked: yesterday morning.
func (w *demoWorld) looked() time.Time {
	return time.Date(w.began.Year(), w.began.Month(), w.began.Day()-1, 7, 30, 0, 0, w.began.Location())
}

// titles returns the prompts of sessions.
func (w *demoWorld) titles(context.Context, []string) map[string]string { return w.prompts }

// demoCall is a call of the demo's agent: a line of its script.
type demoCall struct {
	AfterMS int             `json:"after_ms"` // preceding pause
	Input   json.RawMessage `json:"input"`    // input of the memory tool
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
