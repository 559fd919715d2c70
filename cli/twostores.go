package cli

import (
	"context"
	"errors"
	"os"
	"runtime"
	"sync"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/memstore/findings"
	"memcurator/memstore/policy"
	"memcurator/memstore/scrub"
	"memcurator/memstore/transfer"
)

// twoStores are two open stores, and a transfer between them.
type twoStores struct {
	*transfer.Transfer
	closers []func()
}

// Close closes both stores.
func (b *twoStores) Close() {
	for i := len(b.closers) - 1; i >= 0; i-- {
		b.closers[i]()
	}
}

// openTwo opens two stores, the destination for edits and the source too if the transfer moves.
func openTwo(ctx context.Context, run *session.Session, s session.Settings, from, to session.Named, f flags) (*twoStores, error) {
	if config.Within(to.Real, from.Real) || config.Within(from.Real, to.Real) {
		return nil, session.WrongUse("%s and %s are the same store, or one is inside the other", from.Dir, to.Dir)
	}
	b := &twoStores{Transfer: &transfer.Transfer{Move: f.move}}
	err := b.openDestination(ctx, run, s, to, f)
	if err == nil {
		b.From, err = b.open(ctx, run, s, from, f.move)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// openInto opens a store for notes from one in memory, which the caller closes.
func openInto(ctx context.Context, run *session.Session, s session.Settings, from *memstore.Store, title string, to session.Named,
	f flags) (*twoStores, error) {
	b := &twoStores{Transfer: &transfer.Transfer{From: transfer.Place{Store: from, Title: title}}}
	if err := b.openDestination(ctx, run, s, to, f); err != nil {
		b.Close()
		return nil, err
	}
	b.From.Secrets = b.To.Secrets
	return b, nil
}

// secretsIn returns what counts the secrets in the notes of a store, by its rules and without what the user dismissed there.
func secretsIn(run *session.Session, s session.Settings, dir string) func(agentPath string, text []byte) int {
	engine := sync.OnceValue(func() *scrub.Engine { return run.ScrubRules().SomeEngine(s, s.OfStore().Scrub, run.Say) })
	memory := sync.OnceValue(func() *findings.State {
		state := ""
		if dir != "" {
			state = run.State().Left(dir)
		}
		m, _ := findings.OpenState(state) // without it, nothing is dismissed
		return m
	})
	return func(agentPath string, text []byte) int {
		return findings.Count(engine(), memory(), agentPath, text)
	}
}

// openDestination opens the destination for edits, and makes its directory first if that is wanted.
func (b *twoStores) openDestination(ctx context.Context, run *session.Session, s session.Settings, to session.Named, f flags) (err error) {
	if f.create {
		made, err := run.Locator().OpenPlain(to.Dir, true)
		if err != nil {
			return err
		}
		_ = made.Close() // it was only made
	} else if _, err := os.Lstat(to.Dir); errors.Is(err, os.ErrNotExist) {
		return session.Failed(err, "No directory %s. --create makes it", to.Dir)
	}
	b.To, err = b.open(ctx, run, s, to, true)
	return err
}

// open opens one of the two stores; edit: it will change.
func (b *twoStores) open(ctx context.Context, run *session.Session, s session.Settings, n session.Named,
	edit bool) (p transfer.Place, err error) {
	if sealed, err := run.Locator().Sealed(n.Dir); err == nil && sealed {
		return p, session.Failed(session.ErrNoJournal,
			"The store %s is encrypted. Notes move only between stores with a journal, so that undo works", n.Dir)
	}
	if s, err = run.ForStore(s, n.Dir); err != nil {
		return p, err
	}
	p = transfer.Place{Title: session.Title(n.Dir), Policy: policy.New(s.OfStore()), Secrets: secretsIn(run, s, n.Dir)}
	if edit {
		e, err := run.Edit(ctx, session.Opening{Dir: n.Dir}, "cli", s, memstore.Origin{}, true)
		if err != nil {
			return p, err
		}
		b.closers = append(b.closers, e.Close)
		if e.Journal == nil {
			return p, session.Failed(transfer.ErrNoJournal, "Nothing changed: undo needs a journal, and %s has none", n.Dir)
		}
		p.Store, p.Record = e.Store, e.Journal
		return p, nil
	}
	plain, err := run.Locator().OpenPlain(n.Dir, false)
	if err != nil {
		return p, err
	}
	b.closers = append(b.closers, func() { _ = plain.Close() })
	as := memstore.Options{Workers: runtime.NumCPU(), Origin: memstore.Origin{Actor: memstore.Curator}, ReadOnly: true}
	if _, err = run.Guard(&as, s, plain, run.Say); err != nil {
		return p, err
	}
	p.Store = memstore.New(plain, as)
	return p, nil
}
