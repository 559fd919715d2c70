// Package disk is what the interface knows about the store on disk: the tree as the watch has seen it last, how far the watch can be
// trusted, and the comparison of the journal with the disk after the start. The shell owns it.
package disk

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// Options are what is watched.
type Options struct {
	Watch   *watch.Watcher
	Journal *journal.Journal
	// Compare is set if the journal needs a comparison with the disk.
	Compare bool
	// Compared is called with the newest revision after the comparison.
	Compared func(last int64) tea.Cmd
	// Lasting is set if the journal outlasts the program, so that what it could not keep is of interest.
	Lasting bool
	// Quiet is set if no store is open, so that how it is watched is of no interest.
	Quiet bool
}

// Disk is the store on the disk. All methods run on the Bubble Tea goroutine.
type Disk struct {
	Options
	store *act.Store

	env      *kit.Env
	shell    kit.Shell
	compared bool // the comparison has begun
}

// New makes a disk of which nothing is known.
func New(env *kit.Env, shell kit.Shell, store *act.Store, o Options) *Disk {
	return &Disk{Options: o, store: store, env: env, shell: shell}
}

// UpdateMsg is an update of the watch.
type UpdateMsg watch.Update

// WaitForUpdate delivers the next update; the caller repeats it after each.
func (d *Disk) WaitForUpdate() tea.Cmd { return waitForUpdate(d.Watch) }

func waitForUpdate(w *watch.Watcher) tea.Cmd {
	return func() tea.Msg {
		select {
		case u := <-w.Updates():
			return UpdateMsg(u)
		case <-w.Done():
			return nil
		}
	}
}

// Take takes an update.
func (d *Disk) Take(u UpdateMsg) (kit.TreeChange, tea.Cmd) {
	d.tellState(u)
	c := kit.TreeChange{
		Loading: u.State == watch.Loading, Live: u.State == watch.Live,
		Tree: d.store.Snapshot == nil || u.Snapshot.Root != d.store.Snapshot.Root,
		Back: d.store.Watched == watch.Unavailable && u.State != watch.Unavailable,
	}
	d.store.Snapshot, d.store.Watched = u.Snapshot, u.State
	if c.Loading || d.compared {
		return c, nil
	}
	d.compared = true // not earlier: both read the whole store the first time
	return c, d.compare()
}

// tellState tells the user when the watch becomes more or less reliable.
func (d *Disk) tellState(u UpdateMsg) {
	was := d.store.Watched
	if u.State == watch.Unavailable && was != watch.Unavailable {
		d.shell.Report(kit.Fail, "The folder is gone, showing the last copy. [!] shows how to relink")
	}
	if !d.Quiet && u.State == watch.Limited && was != watch.Limited && u.Note != "" {
		d.shell.Report(kit.Warn, u.Note)
	}
	if !d.Quiet && u.State == watch.Polling && was != watch.Polling {
		d.shell.Report(kit.Info, u.Note)
	}
	if was == watch.Unavailable && u.State != watch.Unavailable {
		d.shell.Report(kit.Info, "The folder is back")
	}
}

// Owner names the job that compares the journal with the disk.
const Owner = "compare"

// comparison is the outcome of comparing the journal with the disk.
type comparison struct {
	journal.Progress
	last int64 // the newest revision then
}

// compare records what happened while the program was not running. A store that is seen for the
// first time is read whole.
func (d *Disk) compare() tea.Cmd {
	if !d.Compare {
		return nil
	}
	j, tree, wait := d.Journal, d.store.Snapshot, d.env.Debounce
	if d.store.Watched != watch.Live && d.store.Watched != watch.Polling {
		tree = nil
	}
	work := func(ctx context.Context, progress *kit.Progress) (c comparison, err error) {
		// The first keys go before it: to read a store for the first time takes a processor.
		if err := kit.Debounce(ctx, wait); err != nil {
			return c, err
		}
		defer FreeMemory() // of what was read
		c.Progress, err = j.ReconcileTree(ctx, tree, func(p journal.Progress) { progress.Set(int64(p.Done), int64(p.Files)) })
		if err != nil {
			return c, err
		}
		c.last, err = j.Last(ctx)
		return c, err
	}
	return kit.Start(d.env.Jobs, kit.Job[comparison]{
		Owner: Owner, Label: kit.LabelCompare, Work: work, Done: d.taken,
	})
}

// taken reports what the comparison found, and what it had to leave out.
func (d *Disk) taken(c comparison) tea.Cmd {
	if c.LeftOut > 0 && d.Lasting {
		d.shell.Report(kit.Info, kit.Count(c.LeftOut, "file")+
			" too large for the journal: the first change can't be undone")
	}
	if c.Revisions > 0 {
		them := "them"
		if c.Revisions == 1 {
			them = "it"
		}
		d.shell.Report(kit.Info, d.env.Keyed(kit.Count(c.Revisions, "change")+" made while memcurator was closed. {global/changes} shows "+them))
	}
	return d.Compared(c.last)
}
