package session

import (
	"context"
	"errors"
	"os"
	"runtime"

	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/transfer"
)

// Between is a transfer between two open stores.
type Between struct {
	*transfer.Transfer
	closers []func()
}

// Close closes both stores.
func (b *Between) Close() {
	for i := len(b.closers) - 1; i >= 0; i-- {
		b.closers[i]()
	}
}

// BetweenOptions say what is going to be done with two stores.
type BetweenOptions struct {
	Move   bool // the source changes too
	Look   bool // nothing changes: no journal is opened
	Create bool // make the directory of the destination
}

// Between opens two stores, the destination for edits and the source too if the transfer moves.
func (run *Session) Between(ctx context.Context, s Settings, from, to Named, o BetweenOptions) (*Between, error) {
	if to.file {
		to.Path = "" // the chain is meant
	}
	if err := apart(from, to); err != nil {
		return nil, err
	}
	if err := run.makeDestination(to.Dir, o); err != nil {
		return nil, err
	}
	b := &Between{Transfer: &transfer.Transfer{Move: o.Move}}
	if from.Path != "" {
		b.Paths = []string{from.Path}
	}
	var err error
	if b.From, err = b.open(run, ctx, s, from, o.Move && !o.Look); err == nil {
		b.To, err = b.open(run, ctx, s, to, !o.Look)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// Into opens a store for notes from one in memory, which the caller closes.
func (run *Session) Into(ctx context.Context, s Settings, from *memstore.Store, title string, to Named,
	o BetweenOptions) (*Between, error) {
	if to.file {
		to.Path = "" // the chain is meant
	}
	if to.Path != "" {
		return nil, WrongUse("%s is in the store %s. Name the store", memstore.BackendName(to.Path), to.Dir)
	}
	if err := run.makeDestination(to.Dir, o); err != nil {
		return nil, err
	}
	b := &Between{Transfer: &transfer.Transfer{From: transfer.Place{Store: from, Title: title}}}
	var err error
	if b.To, err = b.open(run, ctx, s, to, !o.Look); err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// makeDestination makes the directory of the destination if that is wanted, and names the flag if it isn't there.
func (run *Session) makeDestination(dir string, o BetweenOptions) error {
	if !o.Create {
		if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
			return Failed(err, "No directory %s. --create makes it", dir)
		}
	}
	return run.makeDir(dir, o.Create && !o.Look)
}

// makeDir makes the directory of a store if that is wanted.
func (run *Session) makeDir(dir string, wanted bool) error {
	if !wanted {
		return nil
	}
	b, err := run.Locator().OpenPlain(dir, true)
	if err == nil {
		_ = b.Close() // it was only made
	}
	return err
}

// apart refuses two stores that are the same, or one inside the other.
func apart(from, to Named) error {
	switch {
	case to.Path != "":
		return WrongUse("%s is in the store %s. DST names a store, and notes keep their paths", memstore.BackendName(to.Path), to.Dir)
	}
	above, below := transfer.Inside(from.real, to.real), transfer.Inside(to.real, from.real)
	switch {
	case above && below:
		return WrongUse("%s and %s are the same store", from.Dir, to.Dir)
	case above:
		return WrongUse("The store %s is inside %s", to.Dir, from.Dir)
	case below:
		return WrongUse("The store %s is inside %s", from.Dir, to.Dir)
	}
	return nil
}

// open opens one of the two stores.
func (b *Between) open(run *Session, ctx context.Context, s Settings, n Named, edits bool) (p transfer.Place, err error) {
	if sealed, err := run.Locator().Sealed(n.Dir); err == nil && sealed {
		return p, Failed(ErrNoJournal, "The store %s is encrypted. Notes move only between stores with a journal, so that undo works", n.Dir)
	}
	if s, err = run.ForStore(s, n.Dir); err != nil {
		return p, err
	}
	p = transfer.Place{Path: n.real, Title: Title(n.Dir), Policy: policy.New(s.OfStore())}
	if edits {
		e, err := run.Edit(ctx, n.Dir, "cli", s, run.WarnOnce())
		if err != nil {
			return p, err
		}
		b.closers = append(b.closers, e.Close)
		if !e.Recorded() {
			return p, Failed(transfer.ErrNoJournal, "Nothing changed: undo needs a journal, and %s has none", n.Dir)
		}
		p.Store, p.Record = e.Store, e.Journal()
		return p, nil
	}
	backend, err := run.Locator().OpenPlain(n.Dir, false)
	if err != nil {
		return p, err
	}
	b.closers = append(b.closers, func() { _ = backend.Close() })
	o := memstore.Options{Workers: runtime.NumCPU(), Origin: memstore.Origin{Actor: memstore.Curator}, ReadOnly: true}
	if _, err = run.Guard(&o, s, backend, run.Say); err != nil {
		return p, err
	}
	p.Store = memstore.New(backend, o)
	return p, nil
}

// TransferReason says why a transfer stopped, as a sentence without its full stop.
func TransferReason(err error) string {
	if errors.Is(err, transfer.ErrNoJournal) {
		return transfer.ErrNoJournal.Error()
	}
	return StoreReason(err)
}
