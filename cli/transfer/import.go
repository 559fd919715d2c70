package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/bundle"
	"memcurator/memstore/journal"
)

const importHelp = `Read a bundle, which export wrote, into a store.

Usage:
  memcurator import FILE [STORE]

FILE is a bundle, or the folder that export --to wrote. import checks every digest before it changes
anything, and refuses a bundle that is damaged or whose names lead out of the store.

As with copy, nothing is overwritten without --replace, the rules of the store apply, and undo
undoes it. If the bundle has a journal, and the store is empty and has none, import reads the
journal too, with every earlier version.

Flags:
{flags}
Examples:
  memcurator import memories.zip ~/agent/memories
  memcurator import --create with-history.zip ./memories
`

func ImportCommand(run *session.Session) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: "import FILE [STORE]", Short: "Read a bundle into a store", Long: importHelp,
		RunE: func(c *cobra.Command, args []string) error { return importBundle(run, c, args, f) },
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return session.CompleteDirs(nil, args[1:], "")
		},
	}
	f.flags(c.Flags())
	return c
}

func importBundle(run *session.Session, c *cobra.Command, args []string, f flags) error {
	if len(args) == 0 || len(args) > 2 {
		return session.WrongUse("Usage: import FILE [STORE]")
	}
	s, err := run.Settings()
	if err != nil {
		return err
	}
	dir := ""
	if len(args) == 2 {
		dir = args[1]
	} else if dir, err = run.UsualDir(); err != nil {
		return err
	}
	to, err := run.Name(dir)
	if err != nil {
		return err
	}
	if !f.yes && !f.dryRun && !run.CanAsk() {
		return session.NotAsked(c.Name())
	}
	ctx, restore := session.UntilSignal(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	b, err := bundle.Open(args[0])
	if err != nil {
		return openError(args[0], err)
	}
	defer b.Close()
	store, err := b.Unpack(ctx)
	if err != nil {
		return openError(args[0], err)
	}
	defer store.Close()
	if b.Past != nil && !f.dryRun {
		if done, err := importPast(run, ctx, b, args[0], to, f); done || err != nil {
			return err
		}
	}
	x, err := run.Into(ctx, s, store, args[0], to, session.BetweenOptions{Look: f.dryRun, Create: f.create})
	if err != nil {
		return err
	}
	defer x.Close()
	x.Replace, x.Report = f.replace, run.Progress()
	t := &transferring{run: run, Between: x, flags: f, from: session.Named{Dir: args[0]}, to: to, settings: s, imports: true}
	return t.do(ctx)
}

func openError(file string, err error) error {
	switch {
	case errors.Is(err, bundle.ErrNewer):
		return session.Failed(err, "A newer version of %s wrote %s", session.Program, file)
	case errors.Is(err, bundle.ErrFormat):
		return session.Failed(err, "Can't import %s: %s", file, bundleReason(err))
	}
	return session.Failed(err, "Can't read %s: %s", file, session.Reason(err))
}

// importPast brings the journal along if the store is empty and has none. done reports that the notes are there, too: they are written
// first, so that the journal finds the store as it ends.
func importPast(run *session.Session, ctx context.Context, b *bundle.Bundle, file string, to session.Named, f flags) (done bool, err error) {
	entries, err := os.ReadDir(to.Dir)
	switch {
	case err == nil && len(entries) > 0, err == nil && run.HasJournal(to.Dir), err != nil && !f.create:
		run.Say("Skipped the journal of the bundle: the store has notes or a journal")
		return false, nil
	case to.Path != "":
		return false, nil
	}
	if !f.yes {
		if err := run.Confirm("Import %s (%s) with their journal to %s?", output.Counted(len(b.Notes), "note"),
			memstore.FormatSize(memstore.Docs, b.Bytes()), to.Dir); err != nil {
			return true, err
		}
	}
	past, err := os.CreateTemp("", "memcurator-past-*") // 0600
	if err != nil {
		return true, writeError(err, to.Dir)
	}
	defer func() {
		_ = past.Close()
		_ = os.Remove(past.Name())
	}()
	if err := b.CopyPast(past); err != nil {
		return true, openError(file, err)
	}
	if _, err := past.Seek(0, io.SeekStart); err != nil {
		return true, openError(file, err)
	}
	dir, err := run.OpenPlain(to.Dir, true)
	if err != nil {
		return true, err
	}
	defer dir.Close()
	if err := b.WriteInto(ctx, dir); err != nil {
		return true, openError(file, err)
	}
	n, err := readPast(run, ctx, to.Dir, dir, past)
	if err != nil {
		return true, err
	}
	run.Say(fmt.Sprintf("Imported %s (%s) and %s to %s", output.Counted(len(b.Notes), "note"),
		memstore.FormatSize(memstore.Docs, b.Bytes()), output.Counted(n, "revision"), to.Dir))
	return true, nil
}

// readPast fills an empty journal, and records how the notes differ from how it ends: not at all if nothing changed while the bundle was
// written.
func readPast(run *session.Session, ctx context.Context, dir string, b memstore.Backend, past io.Reader) (revisions int, err error) {
	j, err := run.OpenJournal(dir, journal.Options{Backend: b, Process: "cli"})
	if err != nil {
		return 0, session.Failed(err, "Can't open the journal of %s: %s", dir, session.JournalReason(err))
	}
	defer j.Close()
	n, err := j.Import(ctx, past)
	switch {
	case errors.Is(err, journal.ErrFormat):
		return 0, session.Failed(err, "Imported the notes, but the journal of the bundle is damaged")
	case err != nil:
		return 0, session.PastError(err)
	}
	_, err = j.Reconcile(ctx, nil)
	return n, session.PastError(err)
}
