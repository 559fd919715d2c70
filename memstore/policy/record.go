package policy

import (
	"context"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal"
)

// FactsOf is what a journal knows of the paths that are there now. A nil journal knows nothing. Bring it up to the
// disk first ([journal.Journal.Reconcile]), or what other programs have done since is not in it;
// but take Known before that, as a comparison with the disk is dated by the clock in doubt.
func FactsOf(ctx context.Context, j *journal.Journal) (*Facts, error) {
	f := &Facts{Journal: map[string]Recorded{}}
	if j == nil {
		return f, nil
	}
	if err := j.List(ctx, journal.Filter{}, func(r journal.Revision) bool {
		f.take(r)
		return true
	}); err != nil {
		return nil, err
	}
	uses, err := j.Uses(ctx)
	if err != nil {
		return nil, err
	}
	for path, u := range uses {
		one := f.Journal[path]
		one.Uses += u.Views
		if u.Last.After(one.Used) {
			one.Used = u.Last
		}
		f.Journal[path] = one
		f.know(u.Last)
	}
	return f, nil
}

func (f *Facts) know(at time.Time) {
	if at.After(f.Known) {
		f.Known = at
	}
}

// take follows one revision; they come oldest first.
func (f *Facts) take(r journal.Revision) {
	f.know(r.Time)
	switch r.Shape {
	case journal.Removed:
		delete(f.Journal, r.Path)
		return
	case journal.Renamed:
		f.move(r)
	}
	one := f.Journal[r.Path]
	switch r.Shape {
	case journal.Made:
		one.FirstSeen, one.Changed = r.Time, r.Time
	case journal.Edited:
		one.Changed = r.Time
	case journal.Renamed:
		one.Moved = r.Time
	}
	if r.Actor == memstore.Agent {
		one.Used = r.Time
		one.Uses++
	}
	f.Journal[r.Path] = one
}

// move takes what is known along to the new name, of a folder for all that is in it.
func (f *Facts) move(r journal.Revision) {
	if r.Kind != memstore.KindDir {
		f.Journal[r.Path] = f.Journal[r.OldPath]
		delete(f.Journal, r.OldPath)
		return
	}
	for path, one := range f.Journal {
		if rest, ok := strings.CutPrefix(path, r.OldPath+"/"); ok {
			delete(f.Journal, path)
			one.Moved = r.Time
			f.Journal[r.Path+"/"+rest] = one
		}
	}
}
