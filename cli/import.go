package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/tables"
	"memcurator/memstore/bundle"
	"memcurator/memstore/transfer"
)

const importHelp = `Read a bundle, which export wrote, into a store.

Usage:
  memcurator import FILE [DST]

Reads all of FILE before it changes anything, and refuses one that is damaged or whose names lead
out of the store. Asks, keeps other text and can be undone, as copy. FILE may also be an export of
cc-memory; if DST is a database of cc-memory, its server must not run.

Flags:
{flags}
Example:
  memcurator import --create memories.zip ./memories
`

func importCommand(run *session.Session) *cobra.Command {
	var f flags
	c := &cobra.Command{
		Use: "import FILE [DST]", Short: "Read a bundle into a store", Long: importHelp,
		RunE: func(c *cobra.Command, args []string) error { return importBundle(run, c, args, f) },
	}
	f.flags(c.Flags())
	return c
}

func importBundle(run *session.Session, c *cobra.Command, args []string, f flags) error {
	if len(args) == 0 || len(args) > 2 || c.Flags().Changed("dir") {
		return session.WrongUse("Usage: import FILE [DST]")
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
	to, err := run.Name(dir, f.create)
	if err != nil {
		return err
	}
	ctx, restore := session.UntilStopped(c.Context())
	defer restore()
	store, err := importedFrom(args[0])
	if err != nil {
		return err
	}
	defer store.Close()
	if err := run.CanConfirm(f.yes, c.Name()); err != nil {
		return err
	}
	t := &transferring{run: run, flags: f, from: session.Target{Opening: session.Opening{Dir: args[0]}}, to: to, settings: s,
		Transfer: transfer.Transfer{Import: true, Replace: f.replace}}
	defer t.close()
	if t.To, err = t.open(ctx, to, true); err != nil {
		return err
	}
	t.From = transfer.Place{Store: store, Title: args[0]}
	return t.do(ctx)
}

// importedFrom opens a bundle, or an export of cc-memory.
func importedFrom(file string) (*memstore.Store, error) {
	if tables.CCMemoryExport.Recognize(file) {
		b, err := adapt.Open(tables.CCMemoryExport, file)
		if err == nil {
			_, err = b.Version() // reads it
		}
		if err != nil {
			return nil, session.Failed(err, "Can't import %s: %s", file, err)
		}
		return memstore.New(b, memstore.Options{}), nil
	}
	store, err := bundle.Open(file)
	if err != nil {
		return nil, openError(file, err)
	}
	return store, nil
}

func openError(file string, err error) error {
	if errors.Is(err, bundle.ErrFormat) {
		return session.Failed(err, "Can't import %s: %s", file, bundleReason(err))
	}
	return session.Failed(err, "Can't read %s: %s", file, session.Reason(err))
}
