package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"memcurator/cli/between"
	"memcurator/cli/output"
	"memcurator/cli/session"
	"memcurator/cli/tty"
	"memcurator/memstore"
	"memcurator/memstore/adapt/ccmemory"
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
journal too, with every earlier version, unless a rule of the store refuses or masks a note. Then
undo reverts the newest of those versions; to undo the import, delete the folder.

FILE may also be an export of cc-memory, and STORE a database of cc-memory, whose server must not
run. Records are compared by their IDs, keys and names; those that differ stay without --replace.
The database is written once, with all of them or none; one undo reverts it.

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
	} else if dir, err = run.Locator().UsualDir(); err != nil {
		return err
	}
	to, err := run.Locator().Name(dir)
	if err != nil {
		return err
	}
	if err := between.Nameable(to.Dir, f.create); err != nil {
		return err
	}
	ctx, restore := tty.UntilSignal(c.Context(), os.Interrupt, syscall.SIGTERM)
	defer restore()
	if ccmemory.ExportAdapter.Recognize(args[0]) {
		if !f.yes && !f.dryRun && !run.CanAsk() {
			return session.NotAsked(c.Name())
		}
		return importRecords(run, ctx, args[0], to, f)
	}
	b, err := bundle.Open(args[0])
	if err != nil {
		return openError(args[0], err)
	}
	defer b.Close()
	store, err := b.Store(ctx)
	if err != nil {
		return openError(args[0], err)
	}
	defer store.Close()
	if !f.yes && !f.dryRun && !run.CanAsk() {
		return session.NotAsked(c.Name())
	}
	if b.Past != nil && !f.dryRun {
		if done, err := importPast(run, ctx, s, b, store, args[0], to, f); done || err != nil {
			return err
		}
	}
	x, err := between.Into(ctx, run, s, store, args[0], to, between.Options{Look: f.dryRun, Create: f.create})
	if err != nil {
		return err
	}
	defer x.Close()
	x.Import, x.Replace, x.Report = true, f.replace, run.Progress()
	t := &transferring{run: run, Stores: x, flags: f, from: session.Named{Dir: args[0]}, to: to, settings: s, imports: true}
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

// importPast brings the journal along if the store is empty and has none, and no rule of the store refuses or changes a note. done reports
// that the notes are there, too. The journal comes first and whole: if the notes don't follow, it knows which, and another import
// completes them.
func importPast(run *session.Session, ctx context.Context, s session.Settings, b *bundle.Bundle, store *memstore.Store, file string,
	to session.Named, f flags) (done bool, err error) {
	entries, err := os.ReadDir(to.Dir)
	switch {
	case to.Path != "" || err != nil && !f.create:
		return false, nil // opening the store says why
	case len(entries) > 0 || run.State().HasJournal(to.Dir): // the journal of a folder that was deleted, too
		run.Say("Skipped the journal of the bundle: the store has notes or a journal")
		return false, nil
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
	if err := checkPast(ctx, past, file); err != nil {
		return true, err
	}
	why, err := refused(run, ctx, s, b, store, to)
	if err != nil {
		return true, err
	}
	if why != "" {
		run.Say("Skipped the journal of the bundle: " + why)
		return false, nil
	}
	if !f.yes {
		if err := run.Confirm("Import %s (%s) with their journal to %s?", output.Counted(len(b.Notes), "note"),
			memstore.FormatSize(memstore.Docs, b.Bytes()), session.Place(to.Dir)); err != nil {
			return true, err
		}
	}
	dir, err := run.Locator().OpenPlain(to.Dir, true)
	if err != nil {
		return true, err
	}
	defer dir.Close()
	n, err := readPast(run, ctx, b, store, dir, to.Dir, past)
	if err != nil {
		return true, err
	}
	run.Say(fmt.Sprintf("Imported %s (%s) and %s to %s. To undo the import, delete the folder", output.Counted(len(b.Notes), "note"),
		memstore.FormatSize(memstore.Docs, b.Bytes()), output.Counted(n, "revision"), session.Place(to.Dir)))
	return true, nil
}

// checkPast reads the journal of a bundle into a temporary one, so that a damaged or hostile one is refused before anything changes.
func checkPast(ctx context.Context, past *os.File, file string) (err error) {
	dir, err := os.MkdirTemp("", "memcurator-past-*") // 0700
	if err != nil {
		return session.Failed(err, "Can't check the journal of %s: %s", file, session.Reason(err))
	}
	defer os.RemoveAll(dir)
	j, err := journal.Open(dir, journal.Options{})
	if err != nil {
		return session.Failed(err, "Can't check the journal of %s: %s", file, session.JournalReason(err))
	}
	defer j.Close()
	if _, err = past.Seek(0, io.SeekStart); err == nil {
		_, err = j.ImportNamed(ctx, past, bundle.IsName)
	}
	if errors.Is(err, journal.ErrFormat) {
		detail := ""
		if c := session.Cause(err); c != nil {
			detail = ": " + output.OneLine(c.Error())
		}
		return session.Failed(err, "Can't import %s: its journal is damaged%s", file, detail)
	}
	return session.PastError(err)
}

// refused says why the rules of a store refuse or change one of the notes, which it finds out on a store in memory; "" if they don't.
func refused(run *session.Session, ctx context.Context, s session.Settings, b *bundle.Bundle, store *memstore.Store,
	to session.Named) (why string, err error) {
	if s, err = run.ForStore(s, to.Dir); err != nil {
		return "", err
	}
	backend := memstore.NewMemory()
	defer func() { _ = backend.Close() }() // it is in memory
	o := memstore.Options{Origin: memstore.Origin{Actor: memstore.Curator}}
	if _, err := run.Guard(&o, s, backend, run.Say); err != nil {
		return "", err
	}
	trial := memstore.New(backend, o)
	ctx = memstore.WithOrigin(ctx, o.Origin)
	err = b.Steps(store, func(step memstore.Step) error {
		if why != "" {
			return ctx.Err()
		}
		checked, _, err := trial.Guarded(ctx, step)
		switch {
		case errors.Is(err, memstore.ErrRefused):
			why = "a rule of the store refuses " + output.OneLine(memstore.BackendName(step.Path))
			return nil
		case err != nil:
			return err
		case memstore.Sum(checked.Data) != memstore.Sum(step.Data):
			why = "a rule of the store masks values in " + output.OneLine(memstore.BackendName(step.Path))
			return nil
		}
		return trial.Apply(ctx, step)
	})
	if err != nil {
		return "", session.Failed(err, "Can't check the notes: %s", session.StoreReason(err))
	}
	return why, nil
}

// readPast fills an empty journal, writes the notes, and records how they differ from how the journal ends: not at all if nothing else
// wrote meanwhile.
func readPast(run *session.Session, ctx context.Context, b *bundle.Bundle, store *memstore.Store, dir memstore.Backend, name string,
	past io.ReadSeeker) (revisions int, err error) {
	if _, err := past.Seek(0, io.SeekStart); err != nil {
		return 0, session.Failed(err, "Can't read the journal of the bundle: %s", session.Reason(err))
	}
	j, err := run.OpenJournal(name, journal.Options{Backend: dir, Process: "cli"})
	if err != nil {
		return 0, session.Failed(err, "Can't open the journal of %s: %s", name, session.JournalReason(err))
	}
	defer j.Close()
	n, err := j.ImportNamed(ctx, past, bundle.IsName)
	if err != nil {
		return 0, session.PastError(err)
	}
	into := memstore.New(dir, memstore.Options{Origin: memstore.Origin{Actor: memstore.Curator}})
	if err := b.Steps(store, func(step memstore.Step) error { return into.Apply(ctx, step) }); err != nil {
		return 0, session.Failed(err, "Can't write the notes to %s: %s. To complete them, import again", name, session.StoreReason(err))
	}
	_, err = j.Reconcile(ctx, nil)
	return n, session.PastError(err)
}
