package findings

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// cleanOthers removes the values from other state folders that may contain the past of this store. The proof finds what it can't clean.
func (s *Scrubber) cleanOthers(ctx context.Context, p *Purged) error {
	list, err := s.elsewhere()
	if err != nil {
		return ctx.Err()
	}
	for _, e := range list {
		if e.Relation == Stranger || e.Err != nil {
			continue
		}
		s.lookAs(e.Relation, func() { err = s.cleanOther(ctx, e, p) })
		if ctx.Err() != nil {
			return ctx.Err()
		}
		_ = err // the proof reports what remains there, and what it could not read
	}
	return nil
}

// lookAs runs look with the values to search for in another state folder: all values of this store if the folder has the past of its
// files, otherwise only the chosen ones.
func (s *Scrubber) lookAs(r Relation, look func()) {
	if r == Earlier {
		look()
		return
	}
	s.onlyAccepted(look)
}

// cleanOther cleans one of them.
func (s *Scrubber) cleanOther(ctx context.Context, e otherFolder, p *Purged) error {
	unlock, err := purgeTurn(ctx, e.Dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := errors.Join(s.cleanState(ctx, e.folder(), p), s.cleanOutside(ctx, e.Dir, p)); err != nil {
		return err
	}
	return s.openOther(e, func(j *journal.Journal, b memstore.Backend) error { return s.cleanJournal(ctx, e, j, b, p) })
}

// folder labels the state folder's files with the name of its store.
func (e otherFolder) folder() stateFolder { return stateFolder{e.Dir, e.Name() + ": "} }

// hasJournal reports whether the folder has a journal.
func (e otherFolder) hasJournal() bool {
	info, err := os.Stat(journal.Path(e.Dir))
	return err == nil && info.Size() > 0
}

// openOther opens the journal of another state folder, if it has one, along with the store's files if they still exist.
func (s *Scrubber) openOther(e otherFolder, work func(*journal.Journal, memstore.Backend) error) (err error) {
	if !e.hasJournal() {
		return nil
	}
	var o journal.Options
	if e.live() {
		b, err := memstore.OpenDir(e.Path, memstore.DirOptions{})
		if err != nil {
			return err
		}
		defer b.Close() // nothing was written
		o.Backend = b
	}
	j, err := journal.Open(e.Dir, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	return work(j, o.Backend)
}

// cleanJournal purges the journal of another state folder, if it contains a value.
func (s *Scrubber) cleanJournal(ctx context.Context, e otherFolder, j *journal.Journal, b memstore.Backend, p *Purged) error {
	if b != nil { // record what was removed from its files before rewriting its past
		if _, err := j.Sync(ctx, past.Hints{Unseen: true}); err != nil {
			return err
		}
	}
	reach("other opened")
	held, err := s.heldIn(ctx, j)
	if err != nil || !held {
		return err
	}
	done, err := j.Purge(ctx, past.Purge{Redact: s.cleanPast})
	if at := journal.Path(e.Dir); err == nil && !slices.Contains(p.Outside, at) {
		p.Outside = append(p.Outside, at)
	}
	p.Journal.Contents += done.Contents
	p.Journal.Forgotten += done.Forgotten
	p.Journal.Revisions += done.Revisions
	p.Journal.Names += done.Names
	p.Journal.Texts += done.Texts
	reach("other journal")
	return err
}

// heldIn reports whether a journal contains a value.
func (s *Scrubber) heldIn(ctx context.Context, j *journal.Journal) (held bool, err error) {
	err = j.Contents(ctx, func(k past.Kept, text []byte) bool {
		held = s.holds(k.Path, text)
		return !held && ctx.Err() == nil
	})
	if err != nil || held || ctx.Err() != nil {
		return held, cmp.Or(err, ctx.Err())
	}
	if err = j.Names(ctx, func(at string) bool {
		held = s.holds("", []byte(filepath.Base(at)))
		return !held && ctx.Err() == nil
	}); err != nil || held {
		return held, err
	}
	err = j.Texts(ctx, func(_, text string) bool {
		held = s.holds("", []byte(text))
		return !held && ctx.Err() == nil
	})
	return held, cmp.Or(err, ctx.Err())
}

// others searches the other state folders below the base. In one that may contain the past of this store, it reports each place; another
// store is only named.
func (p *proof) others() error {
	list, err := p.s.elsewhere()
	if err != nil {
		p.skip(p.s.Base, Unreadable)
		return nil
	}
	for _, e := range list {
		one := &proof{s: p.s, ctx: p.ctx, values: p.values, needles: p.needles, seen: map[leftPlace]bool{}}
		one.residue.Common = p.residue.Common
		p.s.lookAs(e.Relation, func() { err = one.other(e) })
		p.residue.Files += one.residue.Files
		p.residue.Bytes += one.residue.Bytes
		for _, u := range one.residue.Unread {
			p.skip(u.Path, u.Why)
		}
		switch n := len(one.residue.Left); {
		case err != nil:
			return err
		case e.Relation != Stranger:
			p.residue.Left = append(p.residue.Left, one.residue.Left...)
		case n > 0:
			p.residue.Stores = append(p.residue.Stores, otherStore{Path: e.Path, Dir: e.Dir, Places: n})
		}
	}
	return nil
}

// other searches one state folder.
func (p *proof) other(e otherFolder) error {
	where := "journal of " + e.Name()
	if e.Err != nil {
		p.skip("state of "+e.Name(), Unreadable)
		return p.ctx.Err()
	}
	if err := p.folder(e.folder(), e.hasJournal() || journal.IsOpen(e.Dir)); err != nil || !e.hasJournal() {
		return cmp.Or(err, p.outside(e.Dir))
	}
	if err := p.outside(e.Dir); err != nil {
		return err
	}
	// A journal that won't be changed is opened read-only.
	j, err := journal.Open(e.Dir, journal.Options{Look: e.Relation == Stranger})
	if err != nil {
		p.skip(where, reasonOfJournal(err))
		return p.ctx.Err()
	}
	defer j.Close() // findings are already reported
	return p.past(where+": ", j)
}
