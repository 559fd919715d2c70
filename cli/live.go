package cli

import (
	"context"
	"io"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/watch"
)

// liveRecording is the journal of a store that is watched: edits through our handlers are
// recorded as they are made, those of other programs as the watcher sees them.
type liveRecording struct {
	recording
	app  *app
	mu   sync.Mutex
	todo []*watch.Change // seen and not recorded yet
	wake chan struct{}   // holds a token while there is something to do
	over chan struct{}   // closed when nothing comes any more
	idle chan struct{}   // closed when everything is recorded
}

// recordFor opens the journal in a state folder, "" for none, and begins to compare the disk
// with it beside the user interface. Without a journal the interface works too: what could not be
// taken back is refused there.
func (a *app) recordFor(ctx context.Context, folder string, b memstore.Backend) *liveRecording {
	r := &liveRecording{app: a, wake: make(chan struct{}, 1), over: make(chan struct{}), idle: make(chan struct{})}
	if folder == "" {
		close(r.idle)
		return r
	}
	j, err := journal.Open(folder, journal.Options{Backend: b, Process: "ui", Warn: a.journalWarning})
	if err != nil {
		a.log.Warn("journal", "error", err, "cause", cause(err))
		close(r.idle)
		return r
	}
	r.recording = *a.compare(ctx, j)
	go r.run()
	return r
}

// known tells the watcher which changes another process of ours has made.
func (r *liveRecording) known(list []*watch.Change) {
	if r.journal == nil {
		return
	}
	observations := make([]journal.Observation, len(list))
	for i, c := range list {
		observations[i] = observation(c)
	}
	makers, err := r.journal.Attribute(context.Background(), observations)
	if err != nil {
		r.app.journalWarning(err)
		return
	}
	for i, m := range makers {
		if m.Actor == "" {
			continue
		}
		list[i].Actor = m.Actor
		switch m.Command {
		case memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert, memstore.CmdDelete, memstore.CmdRename:
			list[i].Command = m.Command // an undo keeps the word for what it did to the path
		}
	}
}

// take hands on what other programs have done.
func (r *liveRecording) take(list []*watch.Change) {
	if r.journal == nil {
		return
	}
	r.mu.Lock()
	r.todo = append(r.todo, list...)
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

func (r *liveRecording) run() {
	defer close(r.idle)
	for open := true; open; {
		select {
		case <-r.wake:
		case <-r.over:
			open = false
		}
		r.mu.Lock()
		list := r.todo
		r.todo = nil
		r.mu.Unlock()
		observations := make([]journal.Observation, len(list))
		for i, c := range list {
			observations[i] = observation(c)
		}
		if _, err := r.journal.Observe(observations); err != nil {
			r.app.journalWarning(err) // the next start finds on disk what is missing
		}
	}
}

// end records what was seen and closes the journal. It is called after the watch has ended.
func (r *liveRecording) end() {
	close(r.over)
	<-r.idle
	if err := r.close(); err != nil {
		r.app.journalWarning(err)
	}
}

func observation(c *watch.Change) journal.Observation {
	return journal.Observation{
		Time: c.Time, Command: c.Command, Kind: c.Kind, Path: c.Path, OldPath: c.OldPath,
		Before: seenBytes(c.Before), After: seenBytes(c.After), Made: c.Kind == memstore.KindDir && c.Command == memstore.CmdCreate,
	}
}

// seenBytes are the bytes of a version, read when they are asked for.
func seenBytes(v *watch.Version) *journal.Seen {
	if v == nil {
		return nil
	}
	s := &journal.Seen{Digest: v.Digest(), Size: v.Size()}
	if kept, _ := v.Kept(); kept {
		s.Read = func() ([]byte, error) { return io.ReadAll(io.NewSectionReader(v, 0, v.Size())) }
	}
	return s
}
