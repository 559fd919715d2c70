package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
)

const initHelp = `Create starter files for a software project over many sessions of an agent.

Usage:
  memcurator init [DIR]

Creates DIR and its missing parents (mode 0700). An existing file is never replaced.

Files:
  progress.md   what is done, what comes next
  features.md   the features, and which of them work end to end
  startup.md    how to start and end a session

Global flags: memcurator help flags

Examples:
  memcurator init ~/agent/memories
  memcurator prompt --pattern multi-session    # the text for the agent that goes with it
`

// startingFiles are the initial notes.
var startingFiles = []memstore.Command{
	{Name: memstore.CmdCreate, Path: memstore.Root + "/progress.md", FileText: `# Progress log

What has been done and what comes next. Newest session first. Written before each session ends.

**Status:** not started
**Next:** initializer session: fill features.md and startup.md before any other work

## What remains

- everything, see features.md
`},
	{Name: memstore.CmdCreate, Path: memstore.Root + "/features.md", FileText: `# Feature checklist

The scope of the work. One feature at a time. A box is checked only after the feature was seen working
from end to end, not when its code is written. Features are added, never removed or reworded to fit.

- [ ] F-001 (describe the first feature, and the steps that show that it works)
`},
	{Name: memstore.CmdCreate, Path: memstore.Root + "/startup.md", FileText: `# Startup notes

At the start of every session:

1. Read progress.md, then features.md
2. Run the startup script of the project: (name it here, once there is one)
3. Check that what worked last time still works; repair that first
4. Pick the first feature that is not checked

At the end of every session:

1. Update progress.md: what was completed, what remains
2. Check a feature in features.md only if it was verified from end to end
`},
}

func initCommand(run *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Create starter files for a project",
		Long:  initHelp,
		RunE: func(c *cobra.Command, args []string) error {
			return writeFiles(run, c, args)
		},
		ValidArgsFunction: session.CompleteDirs,
	}
	return c
}

// writeFiles creates the files through the tool's own handler, which never replaces anything.
func writeFiles(run *session.Session, c *cobra.Command, args []string) error {
	s, err := run.Settings()
	if err != nil {
		return err
	}
	t, err := run.Target(c, args, false)
	if err != nil {
		return err
	}
	return create(run, c.Context(), s, t.Opening, run.Out)
}

// startMemory begins a memory with the initial files for work over many sessions.
func startMemory(run *session.Session, ctx context.Context, s session.Settings, at session.Opening) error {
	return create(run, ctx, s, at, io.Discard)
}

// create creates the initial notes in a store, and the store itself if it doesn't exist. They are the user's, and undone as one.
func create(run *session.Session, ctx context.Context, s session.Settings, at session.Opening, out io.Writer) error {
	s, err := run.ForStore(s, at.Dir)
	if err != nil {
		return err
	}
	at.Create = true
	backend, err := run.OpenBackend(at)
	if err != nil {
		return err
	}
	recording, err := run.Record(ctx, at.Dir, "init", backend, s.Retention())
	if err != nil {
		return errors.Join(err, backend.Close())
	}
	store := memstore.New(backend, memstore.Options{
		Dialect: s.Dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: recording.Recorders(),
		Warn: func(err error) { run.Log.Warn("store", "error", err) },
	})
	defer store.Close()
	defer func() {
		if err := recording.Close(); err != nil {
			run.Log.Warn("journal", "error", err)
		}
	}()
	ctx = memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator, Group: "init " + rand.Text(), As: "init"})
	for _, file := range startingFiles {
		r := store.Do(ctx, file)
		switch {
		case errors.Is(r.Err, memstore.ErrExist):
			run.Say(file.Path + " exists, kept")
		case r.IsError:
			return &session.ExitError{Code: session.ExitFailed, Text: r.Content, Verbatim: true, Cause: r.Err}
		default:
			if _, err := fmt.Fprintln(out, r.Content); err != nil {
				return err
			}
		}
	}
	return nil
}
