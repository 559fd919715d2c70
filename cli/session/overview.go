package session

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/config"
	"memcurator/memstore/discover"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/overview"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/memstore/statedir"
)

// Overview returns the reader of all stores of this machine.
func (run *Session) Overview(s Settings) *overview.Reader {
	var named []discover.Place
	for _, one := range s.Config.Stores() {
		named = append(named, discover.Place{Name: one.Name, Dir: one.Dir})
	}
	for _, dir := range s.Config.Paths() {
		named = append(named, discover.Place{Dir: dir})
	}
	return &overview.Reader{Machine: run.Machine(), Named: named, Opener: &looker{run: run, settings: s, engines: map[string]*scrub.Engine{}}}
}

// looker opens stores for an overview. It asks for no key.
type looker struct {
	run      *Session
	settings Settings // of the whole run

	mu      sync.Mutex
	engines map[string]*scrub.Engine // by what is configured; most stores share one
}

var _ overview.Opener = (*looker)(nil)

// Open implements [overview.Opener].
func (l *looker) Open(f discover.Found) (memstore.Backend, error) {
	if sealed, err := age.Found(f.Path); err != nil {
		return nil, err
	} else if sealed {
		return nil, overview.ErrSealed
	}
	return memstore.OpenDir(f.Path, memstore.DirOptions{})
}

// Record implements [overview.Opener]. It compares a journal with the disk first, as a command that lists does, and makes none unless
// the configuration wants all stores recorded.
func (l *looker) Record(ctx context.Context, f discover.Found, b memstore.Backend) (*overview.Record, error) {
	s, err := l.run.ForStore(l.settings, f.Path)
	if err != nil {
		return nil, err
	}
	r := &overview.Record{Settings: s.OfStore()}
	r.Engine = func() (*scrub.Engine, error) { return l.engine(s, r.Settings.Scrub) }
	l.journal(ctx, f, b, r)
	state := ""
	if dir, err := statedir.Path(l.run.StateBase(), f.Path); err == nil && isDir(dir) {
		state = dir
	}
	if r.Memory, err = findings.OpenMemory(state); err != nil {
		l.run.Log.Warn("can't read the cached findings", "error", err)
	}
	return r, nil
}

// engine returns the engine for what is configured.
func (l *looker) engine(s Settings, per config.Scrub) (*scrub.Engine, error) {
	key := fmt.Sprint(per)
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.engines[key]; e != nil {
		return e, nil
	}
	e, err := l.run.ScrubEngine(scrub.Options{}, s, per, nil, l.run.Noted)
	if err == nil {
		l.engines[key] = e
	}
	return e, err
}

// journal opens the journal of a store and compares it with the disk.
func (l *looker) journal(ctx context.Context, f discover.Found, b memstore.Backend, r *overview.Record) {
	if !l.run.HasJournal(f.Path) {
		return
	}
	fail := func(err error) {
		l.run.Log.Warn("journal", "store", f.Path, "error", err, "cause", Cause(err))
		r.NoJournal, r.Problem = err, "Can't read the journal: "+JournalReason(err)
	}
	j, err := l.run.OpenJournal(f.Path, journal.Options{Backend: b, Process: "cli"})
	if err != nil {
		j, err = l.run.OpenJournal(f.Path, journal.Options{Backend: b, Look: true})
	}
	if err != nil {
		fail(err)
		return
	}
	r.Journal = j
	span, err := j.Span(ctx)
	if err != nil {
		r.Close()
		r.Journal = nil
		fail(err)
		return
	}
	r.Known = span.Newest
	if n, err := j.Emptied(ctx); err == nil && n > 0 {
		r.Problem = fmt.Sprintf("All %d files are gone. Is a mount missing?", n)
		return
	}
	if _, err := j.Reconcile(ctx, nil); err != nil && !errors.Is(err, past.ErrReadOnly) && ctx.Err() == nil {
		l.run.Log.Warn("the comparison of journal and disk ended early", "store", f.Path, "error", err)
	}
}
