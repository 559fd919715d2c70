package cli

import (
	"context"
	"slices"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/policy"
	"memcurator/memstore/transfer"
)

// close closes both stores, the one that was opened last first.
func (t *transferring) close() {
	for _, end := range slices.Backward(t.closers) {
		end()
	}
}

// open opens one of the two stores; edit: it will change.
func (t *transferring) open(ctx context.Context, n session.Target, edit bool) (p transfer.Place, err error) {
	if sealed, err := t.run.Sealed(n.Dir); err == nil && sealed {
		return p, session.Failed(session.ErrNoJournal,
			"The store %s is encrypted. Notes move only between stores with a journal, so that undo works", n.Dir)
	}
	s, err := t.run.ForStore(t.settings, n.Dir)
	if err != nil {
		return p, err
	}
	p = transfer.Place{Title: session.Title(n.Dir), Policy: policy.New(s.OfStore())}
	if edit {
		e, err := t.run.Edit(ctx, n.Opening, "cli", s, memstore.Origin{}, true)
		if err != nil {
			return p, err
		}
		t.closers = append(t.closers, e.Close)
		if e.Journal == nil {
			return p, session.Failed(transfer.ErrNoJournal, "Nothing changed: undo needs a journal, and %s has none", n.Dir)
		}
		p.Store, p.Record = e.Store, e.Journal
		return p, nil
	}
	plain, err := t.run.OpenPlain(n.Dir, false)
	if err != nil {
		return p, err
	}
	t.closers = append(t.closers, func() { _ = plain.Close() })
	as := memstore.Options{Origin: memstore.Origin{Actor: memstore.Curator}, ReadOnly: true}
	if err = t.run.Guard(&as, s, plain, t.run.Say); err != nil {
		return p, err
	}
	p.Store = memstore.New(plain, as)
	return p, nil
}
