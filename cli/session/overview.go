package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/discover"
	"memcurator/memstore/findings"
	"memcurator/memstore/overview"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/statedir"
)

// Overview returns the reader of all stores of this machine.
func (run *Session) Overview(s Settings) *overview.Reader {
	var named []discover.Place
	for _, one := range s.Config.Stores() {
		named = append(named, discover.Place{Name: one.Name, Dir: one.Dir.Value})
	}
	for _, dir := range s.Config.Paths() {
		named = append(named, discover.Place{Dir: dir})
	}
	there, _ := statedir.Known(run.State().Base)
	for _, f := range there {
		named = append(named, discover.Place{Dir: f.Path})
	}
	return &overview.Reader{Machine: run.Machine(), Named: named, Opener: &looker{run: run, settings: s, engines: map[string]*scrub.Engine{}}}
}

// looker opens stores for an overview. It asks for no key.
type looker struct {
	run      *Session
	settings Settings // of the whole run

	mu      sync.Mutex
	engines map[string]*scrub.Engine // by what is configured: most stores share one
}

// engine returns the engine for the settings of a store.
func (l *looker) engine(s Settings) (*scrub.Engine, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	configured := fmt.Sprint(s.OfStore().Scrub)
	if l.engines[configured] == nil {
		e, err := l.run.Engine(s, func(string) {})
		if err != nil {
			return nil, err
		}
		l.engines[configured] = e
	}
	return l.engines[configured], nil
}

var _ overview.Opener = (*looker)(nil)

// Open implements [overview.Opener].
func (l *looker) Open(f discover.Found) (memstore.Backend, error) {
	if f.Kind != discover.KindDir {
		return l.run.OpenPlain(f.Path, false)
	}
	if _, err := os.Lstat(filepath.Join(f.Path, age.HeaderName)); err == nil {
		return nil, overview.ErrSealed
	}
	b, err := memstore.OpenDir(f.Path, memstore.DirOptions{Lazy: !f.Load.OnDemand()})
	if err != nil {
		return nil, OpenError(f.Path, err, false)
	}
	return b, nil
}

// Record implements [overview.Opener]. It compares a journal with the disk first, as a command that lists does.
func (l *looker) Record(ctx context.Context, f discover.Found, b memstore.Backend) (*overview.Record, error) {
	s, err := l.run.ForStore(l.settings, f.Path)
	if err != nil {
		return nil, err
	}
	r := &overview.Record{Settings: s.OfStore()}
	r.Engine = func() (*scrub.Engine, error) { return l.engine(s) }
	l.journal(ctx, f, b, r)
	r.Findings, _ = findings.OpenState(l.run.State().Left(f.Path)) // without it, nothing is dismissed
	return r, nil
}

// journal opens the journal of a store and compares it with the disk.
func (l *looker) journal(ctx context.Context, f discover.Found, b memstore.Backend, r *overview.Record) {
	j, err := l.run.JournalOf(f.Path, "cli", b, false)
	if errors.Is(err, ErrNoJournal) {
		return
	}
	if err != nil {
		r.Problem = "Can't read the journal: " + JournalReason(err)
		return
	}
	r.Journal = j
	if n, err := j.Emptied(ctx); err == nil && n > 0 {
		r.Problem = "Its only file is gone. Is a mount missing?"
		if n > 1 {
			r.Problem = "All its files are gone. Is a mount missing?"
		}
		return
	}
	_, _ = j.Sync(ctx, past.Hints{Unseen: true}) // the next look finds the rest
}
