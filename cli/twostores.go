package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"memcurator/cli/session"
	"memcurator/memstore"
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

// transferOptions say what is going to be done with two stores.
type transferOptions struct {
	Move   bool // the source changes too
	Create bool // make the directory of the destination
}

// openTwo opens two stores, the destination for edits and the source too if the transfer moves.
func openTwo(ctx context.Context, run *session.Session, s session.Settings, from, to session.Named, o transferOptions) (*twoStores, error) {
	if to.ByFile {
		to.Path = "" // the store is meant
	}
	if err := apart(from, to); err != nil {
		return nil, err
	}
	if err := makeDestination(run, to.Dir, o); err != nil {
		return nil, err
	}
	b := &twoStores{Transfer: &transfer.Transfer{Move: o.Move}}
	var err error
	if b.From, err = b.open(ctx, run, s, from, o.Move); err == nil {
		b.To, err = b.open(ctx, run, s, to, true)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// openInto opens a store for notes from one in memory, which the caller closes.
func openInto(ctx context.Context, run *session.Session, s session.Settings, from *memstore.Store, title string, to session.Named,
	o transferOptions) (*twoStores, error) {
	if to.ByFile {
		to.Path = "" // the store is meant
	}
	if to.Path != "" {
		return nil, session.WrongUse("%s is in the store %s. Name the store", memstore.BackendName(to.Path), to.Dir)
	}
	if err := makeDestination(run, to.Dir, o); err != nil {
		return nil, err
	}
	b := &twoStores{Transfer: &transfer.Transfer{From: transfer.Place{Store: from, Title: title}}}
	var err error
	if b.To, err = b.open(ctx, run, s, to, true); err != nil {
		b.Close()
		return nil, err
	}
	b.From.Secrets = b.To.Secrets
	return b, nil
}

// secretsIn returns what finds the secrets in the notes of a store, by its rules and without what the user dismissed there.
func secretsIn(run *session.Session, s session.Settings, dir string) func(agentPath string, text []byte) []transfer.Secret {
	engine := sync.OnceValue(func() *scrub.Engine { return run.ScrubRules().SomeEngine(s, s.OfStore().Scrub, run.Say) })
	memory := sync.OnceValue(func() *findings.Memory {
		state := ""
		if dir != "" {
			state = run.State().Left(dir)
		}
		m, _ := findings.OpenMemory(state) // without it, nothing is dismissed
		return m
	})
	return func(agentPath string, text []byte) (list []transfer.Secret) {
		for _, one := range findings.Sightings(engine(), memory(), agentPath, text) {
			list = append(list, transfer.Secret{Line: one.Line, Class: one.Class.Title, Rule: one.Rule, Severity: one.Severity.String(),
				Masked: one.Masked})
		}
		return list
	}
}

// makeDestination makes the directory of the destination if that is wanted, and names the flag if it isn't there.
func makeDestination(run *session.Session, dir string, o transferOptions) error {
	if err := nameable(dir, o.Create); err != nil {
		return err
	}
	if !o.Create {
		if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
			return session.Failed(err, "No directory %s. --create makes it", dir)
		}
		return nil
	}
	b, err := run.Locator().OpenPlain(dir, true)
	if err == nil {
		_ = b.Close() // it was only made
	}
	return err
}

// nameable refuses to make a directory that is named like a file of another program: whoever names that means the file.
func nameable(dir string, create bool) error {
	_, err := os.Lstat(dir)
	if !create || !errors.Is(err, os.ErrNotExist) {
		return nil
	}
	switch ext := strings.ToLower(filepath.Ext(dir)); ext {
	case ".json", ".jsonl", ".db", ".sqlite", ".sqlite3":
		return session.WrongUse("No file %s, and --create makes only directories. Let its program make the file, or name a directory", dir)
	}
	return nil
}

// apart refuses two stores that are the same, or one inside the other.
func apart(from, to session.Named) error {
	switch {
	case to.Path != "":
		return session.WrongUse("%s is in the store %s. DST names a store, and notes keep their paths", memstore.BackendName(to.Path), to.Dir)
	}
	above, below := transfer.Inside(from.Real, to.Real), transfer.Inside(to.Real, from.Real)
	switch {
	case above && below:
		return session.WrongUse("%s and %s are the same store", from.Dir, to.Dir)
	case above:
		return session.WrongUse("The store %s is inside %s", to.Dir, from.Dir)
	case below:
		return session.WrongUse("The store %s is inside %s", from.Dir, to.Dir)
	}
	return nil
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
	p = transfer.Place{Path: n.Real, Title: session.Title(n.Dir), Policy: policy.New(s.OfStore()), Secrets: secretsIn(run, s, n.Dir),
		Cautions: run.Machine().Of(ctx, n.Real).Cautions}
	if edit {
		e, err := run.Edit(ctx, n.Dir, "cli", s, run.Warnings().Once())
		if err != nil {
			return p, err
		}
		b.closers = append(b.closers, e.Close)
		if !e.Recorded() {
			return p, session.Failed(transfer.ErrNoJournal, "Nothing changed: undo needs a journal, and %s has none", n.Dir)
		}
		p.Store, p.Record = e.Store, e.Journal()
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

// transferReason says why a transfer stopped, as a sentence without its full stop.
func transferReason(err error) string {
	if errors.Is(err, transfer.ErrNoJournal) {
		return transfer.ErrNoJournal.Error()
	}
	return session.StoreReason(err)
}
