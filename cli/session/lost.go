package session

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/journal"
	"memcurator/memstore/overview"
	"memcurator/memstore/statedir"
	"memcurator/memstore/undo"
)

// Listing is Overview for a list that people see: it has the stores, too, of which only the journal remains.
func (run *Session) Listing(s Settings) *overview.Reader {
	r := run.Overview(s)
	r.Lost = run.lost
	return r
}

// lost finds the stores of which only the journal remains, and the found ones that their folders have become by moving.
func (run *Session) lost(ctx context.Context, found []discover.Found) (list []overview.Lost) {
	_, gone, err := statedir.Known(run.State().Base)
	if err != nil {
		run.Log.Warn("other state folders cannot be listed", "error", err)
	}
	if len(gone) == 0 {
		return nil
	}
	var there []statedir.Identity
	for _, f := range found {
		if f.Kind != discover.KindDir || f.Missing || run.State().HasJournal(f.Path) {
			continue
		}
		if id, err := statedir.Identify(f.Path); err == nil {
			id.Path = f.Path
			there = append(there, id)
		}
	}
	for _, g := range gone {
		one := overview.Lost{Found: run.Machine().Of(ctx, g.Path), Seen: g.Seen}
		if at := slices.IndexFunc(there, g.SameDirectory); at >= 0 {
			one.Now = there[at].Path
		}
		list = append(list, one)
	}
	return list
}

// MakeFolder makes the folder of a store that is gone: its own, or the one of the file that names it.
func MakeFolder(dir string) error {
	if filepath.Ext(dir) == ".md" {
		dir = filepath.Dir(dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Failed(err, "Can't create %s: %s", dir, makeReason(err))
	}
	return nil
}

// CountLost is how many files the journal of a store has whose folder is gone.
func (run *Session) CountLost(ctx context.Context, of *statedir.Folder) (int, error) {
	b := memstore.NewMemory()
	defer func() { _ = b.Close() }() // in memory
	j, err := journal.Open(of.Dir, journal.Options{Backend: b, Look: true})
	if err != nil {
		return 0, Failed(err, "Can't open the journal of %s: %s", of.Path, JournalReason(err))
	}
	defer func() { _ = j.Close() }() // it was only read
	return j.Emptied(ctx)
}

// AcceptLoss records as one group that a store has lost all its files.
func AcceptLoss(ctx context.Context, j *journal.Journal) (group int64, err error) {
	_, group, err = j.AcceptEmpty(ctx)
	return group, err
}

// Restored is the plan to restore what a group has removed.
func Restored(ctx context.Context, e *undo.Editor, group int64) (*undo.Plan, error) {
	plan, err := e.PlanGroup(ctx, group)
	if err == nil {
		plan.Command = "restore"
	}
	return plan, err
}

// Recover brings back a store of which only the journal remains: the store that its folder has become takes over the journal, else its
// files are restored. It returns what names the store from now on.
func (run *Session) Recover(ctx context.Context, s Settings, lost overview.Lost) (dir string, err error) {
	if lost.Now != "" {
		if _, _, _, err := statedir.Relink(run.State().Base, lost.Path, lost.Now); err != nil {
			return "", Failed(err, "Can't take over the journal: %s", Reason(err))
		}
		return lost.Now, nil
	}
	if err := MakeFolder(lost.Path); err != nil {
		return "", err
	}
	if s, err = run.ForStore(s, lost.Path); err != nil {
		return "", err
	}
	p := &Recorded{Settings: s, Target: Target{Opening: Opening{Dir: lost.Path}}}
	if err := run.OpenPast(p); err != nil {
		return "", err
	}
	defer p.Close()
	if n, err := p.Journal.Emptied(ctx); err != nil || n == 0 { // it had none, or it has some again
		return lost.Path, PastError(err)
	}
	e := undo.NewEditor(p.Journal, memstore.New(p.Backend, memstore.Options{
		Dialect: s.Dialect, Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: []memstore.Recorder{p.Journal},
	}))
	group, err := AcceptLoss(ctx, p.Journal)
	if err != nil {
		return "", PastError(err)
	}
	plan, err := Restored(ctx, e, group)
	if err != nil {
		return "", PastError(err)
	}
	if done, err := e.Carry(ctx, plan); err != nil {
		return "", Failed(err, "Restored only %d of %d files: %s", done, len(plan.Steps), Reason(err))
	}
	return lost.Path, nil
}

// Forget leaves a store whose folder is gone out of lists; its journal stays.
func (run *Session) Forget(dir string) error {
	f := run.State().Gone(dir)
	if f == nil {
		return Failed(nil, "Nothing to forget: %s has no journal, or its folder still exists", dir)
	}
	if err := f.Forget(); err != nil {
		return Failed(err, "Can't write to %s: %s", f.Dir, Reason(err))
	}
	return nil
}
