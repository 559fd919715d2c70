package overview

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/discover"
	"memcurator/render/loadlimit"
)

// readers is how many stores are read at once.
const readers = 4

// Reader finds stores and what is known of them.
type Reader struct {
	Machine discover.Machine
	Named   []discover.Place // in the configuration
	Opener  Opener
}

// All returns a row for each store with all that is known of it, those that changed last first.
func (r *Reader) All(ctx context.Context) []Row {
	known := map[string]Row{}
	r.Each(ctx, func(row Row) { known[row.Path] = row })
	return slices.SortedFunc(maps.Values(known), func(a, b Row) int {
		return cmp.Or(b.Newest.Compare(a.Newest), strings.Compare(a.Path, b.Path))
	})
}

// Each lists the stores of this machine as they are found, then finds out all about them; a row is reported whenever more is known of it,
// one at a time, and its Path says which it is. It returns when all is known, or ctx ends; what a store that doesn't answer says after
// that is dropped.
func (r *Reader) Each(ctx context.Context, report func(Row)) {
	f := &filling{Reader: r, ctx: ctx, report: report}
	defer f.end()
	var rows []Row
	r.Machine.Each(ctx, r.Named, func(found discover.Found) {
		row := RowOf(found)
		rows = append(rows, row)
		report(row)
	})
	slices.SortStableFunc(rows, func(a, b Row) int { return b.Newest.Compare(a.Newest) })
	var group errgroup.Group
	group.SetLimit(readers)
	for _, row := range rows {
		if row.Done {
			continue
		}
		group.Go(func() error {
			f.fill(row)
			return nil
		})
	}
	_ = group.Wait() // a store that can't be read says so in its row
}

// textStranded is the problem of a stranded store.
const textStranded = "Its project was renamed or deleted"

// RowOf is the row of a store before anything in it is read.
func RowOf(f discover.Found) Row {
	r := Row{Found: f, State: OK}
	if f.Stranded && (f.Files > 0 || f.More) { // an empty store has nothing to move
		r.note(Stranded, textStranded)
	}
	if len(f.Others) > 0 {
		r.note(OK, "Shared with "+strings.Join(f.Others, ", ")+": "+f.Agent+" gives these projects one folder")
	}
	if f.Problem != "" {
		r.note(Unreadable, f.Problem)
		r.Done = true
	}
	if f.Missing {
		r.note(Unreadable, "No such directory")
		r.Done = true
	}
	return r
}

// filling is one run of [Reader.Each].
type filling struct {
	*Reader
	ctx    context.Context
	report func(Row)

	mu    sync.Mutex
	ended bool
}

func (f *filling) end() {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
}

// tell reports a row, unless its store answers too late.
func (f *filling) tell(r *Row) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.report(*r)
	}
}

// fill finds out what is asked about a store. It waits no longer than until ctx ends.
func (f *filling) fill(r Row) {
	if f.ctx.Err() != nil {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := f.read(&r)
		if err != nil && f.ctx.Err() != nil {
			return
		}
		if err != nil {
			r.fail(err)
		}
		r.Done = true
		f.tell(&r)
	}()
	select {
	case <-done:
	case <-f.ctx.Done():
	}
}

// fail says why no more will be known of a store.
func (r *Row) fail(err error) {
	if !errors.Is(err, ErrSealed) {
		r.note(Unreadable, sentence(err))
		return
	}
	if r.Files > 0 {
		r.Files-- // the file of the encryption itself isn't a note
	}
	r.note(Encrypted, "It is encrypted: open it with its key to see more")
}

// read opens a store, and finds out first what a session loads of it.
func (f *filling) read(r *Row) error {
	b, err := f.Opener.Open(r.Found)
	if err != nil {
		return err
	}
	defer func() { _ = b.Close() }() // it was only read
	if !r.Found.Load.OnDemand() {
		start, err := r.Found.Load.Read(f.ctx, b)
		if err != nil {
			return err
		}
		r.Start = &Load{Given: start.Given, Gauge: start.Gauge()}
		if r.Start.Gauge.Level() == loadlimit.Past {
			r.note(OverLimit, "")
		}
		for _, p := range start.Problems() {
			r.note(NotLoaded, p)
		}
	}
	if t, ok := b.(backend.Adapted); ok {
		troubles, err := t.Troubles()
		if err != nil {
			return err
		}
		for _, p := range troubles {
			r.note(OK, p)
		}
	}
	f.tell(r)
	return f.record(r, b)
}

// sentence is an error as a problem of a row.
func sentence(err error) string {
	switch {
	case errors.Is(err, memstore.ErrPermission):
		return "Can't read: permission denied"
	case errors.Is(err, memstore.ErrNotExist):
		return "No such directory"
	case errors.Is(err, memstore.ErrNotDir):
		return "It is not a directory"
	}
	return err.Error()
}
