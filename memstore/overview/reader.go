package overview

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/discover"
	"memcurator/render/loadlimit"
)

// patience is how long a store may take to answer at all.
const patience = time.Second

// Reader finds stores and what is known of them.
type Reader struct {
	Machine discover.Machine
	Named   []discover.Place // in the configuration
	Opener  Opener
	// Workers is how many stores are read at once; below 1: one a processor, at most four.
	Workers int
}

// List returns a row for each store, from names, sizes and times alone. Where ctx ends early, counts are incomplete and say so.
func (r *Reader) List(ctx context.Context) []Row {
	found := r.Machine.Find(ctx, r.Named)
	rows := make([]Row, len(found))
	for i, f := range found {
		rows[i] = RowOf(f)
	}
	return rows
}

// Each lists the stores of this machine as they are found, then fills in parts of them; a row is reported whenever more is known of it,
// one at a time, and its Path says which it is. It returns when all is known, or ctx ends.
func (r *Reader) Each(ctx context.Context, parts Part, report func(Row)) {
	var rows []Row
	at := map[string]int{}
	r.Machine.Each(ctx, r.Named, func(f discover.Found) {
		i, again := at[f.Path]
		if !again {
			i = len(rows)
			at[f.Path] = i
			rows = append(rows, Row{})
		}
		rows[i] = RowOf(f)
		report(rows[i])
	})
	if parts == 0 {
		return
	}
	r.Fill(ctx, rows, parts, func(_ int, row Row) { report(row) })
}

// TextStranded is the problem of a stranded store.
const TextStranded = "Its project was renamed or deleted"

// RowOf is the row of a store before anything in it is read.
func RowOf(f discover.Found) Row {
	r := Row{Found: f, State: OK}
	if f.Stranded && !(f.Counted && f.Files == 0 && !f.More) { // an empty store has nothing to move
		r.note(0, Stranded, TextStranded)
	}
	if f.Problem != "" {
		r.note(0, Unreadable, f.Problem)
		r.Done = Everything
	}
	if f.Missing {
		r.note(0, Unreadable, "No such directory")
		r.Done = Everything
	}
	return r
}

// Fill finds out parts of rows and reports each row whenever more is known of it, one at a time. Stores that changed last come first. It
// returns when all is known, or ctx ends; what a store that doesn't answer says after that is dropped.
func (r *Reader) Fill(ctx context.Context, rows []Row, parts Part, report func(at int, row Row)) {
	f := &filling{Reader: r, ctx: ctx, parts: parts, rows: slices.Clone(rows), report: report}
	defer f.end()
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return rows[b].Newest.Compare(rows[a].Newest) })
	workers := r.Workers
	if workers < 1 {
		workers = min(runtime.GOMAXPROCS(0), 4)
	}
	f.turns = make(chan struct{}, workers)
	f.each(order, f.load)
	if parts&^LoadPart != 0 {
		f.each(order, f.inspect)
	}
}

// filling is one Fill.
type filling struct {
	*Reader
	ctx    context.Context
	parts  Part
	turns  chan struct{} // held by the stores that are being read
	report func(at int, row Row)

	mu    sync.Mutex
	rows  []Row
	ended bool
}

func (f *filling) end() {
	f.mu.Lock()
	f.ended = true
	f.mu.Unlock()
}

// update changes a row and reports it.
func (f *filling) update(at int, change func(*Row)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ended {
		return
	}
	change(&f.rows[at])
	f.report(at, f.rows[at])
}

// row is a copy of a row.
func (f *filling) row(at int) Row {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rows[at]
}

// each runs a step for rows in an order, some at once, and waits for them.
func (f *filling) each(order []int, step func(at int)) {
	var group sync.WaitGroup
	defer group.Wait()
	for _, at := range order {
		select {
		case f.turns <- struct{}{}:
		case <-f.ctx.Done():
			return
		}
		group.Go(func() {
			defer func() { <-f.turns }()
			step(at)
		})
	}
}

// outcome is what the first look at a store found out.
type outcome struct {
	start     *Load
	notLoaded []string // problems of files that a session should load
	troubles  []string // what the memory of another program has that can't be understood
	err       error
}

// load finds out whether a store answers, and what a session loads of it. It doesn't wait for one that hasn't answered in time.
func (f *filling) load(at int) {
	row := f.row(at)
	if row.Missing || row.Problem != "" {
		return
	}
	answer := make(chan outcome, 1)
	go func() { answer <- f.look(row) }()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	var o outcome
	select {
	case o = <-answer:
	case <-f.ctx.Done():
		return
	case <-timer.C:
		f.update(at, func(r *Row) {
			r.Done = Everything
			r.note(LoadPart, Unreadable, "No answer within a second")
		})
		return
	}
	f.update(at, func(r *Row) {
		r.Done |= LoadPart
		switch {
		case errors.Is(o.err, ErrSealed):
			r.Done = Everything
			if r.State != Encrypted && r.Files > 0 {
				r.Files-- // the file of the encryption itself isn't a note
			}
			r.note(LoadPart, Encrypted, "It is encrypted: open it with its key to see more")
		case o.err != nil:
			r.Done = Everything
			r.note(LoadPart, Unreadable, sentence(o.err))
		default:
			r.Start = o.start
			if r.Start != nil && r.Start.Gauge.Level() == loadlimit.Past {
				r.note(LoadPart, OverLimit, "")
			}
			for _, p := range o.notLoaded {
				r.note(LoadPart, NotLoaded, p)
			}
			for _, p := range o.troubles {
				r.note(LoadPart, OK, p)
			}
		}
	})
}

// look opens a store and reads what a session loads of it.
func (f *filling) look(row Row) (o outcome) {
	b, err := f.Opener.Open(row.Found)
	if err != nil {
		return outcome{err: err}
	}
	defer func() { _ = b.Close() }() // it was only read
	if f.parts&LoadPart == 0 {
		return o
	}
	if o.start, o.notLoaded, o.err = f.startOf(row.Found, b); o.err == nil {
		if t, ok := b.(backend.Adapted); ok {
			o.troubles, o.err = t.Troubles()
		}
	}
	return o
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

// inspect finds out what takes the journal, the configuration, or reading all files.
func (f *filling) inspect(at int) {
	row := f.row(at)
	if row.Done&f.parts == f.parts {
		return
	}
	if f.parts&^quick == 0 && !f.Opener.Recorded(row.Found) {
		f.update(at, func(r *Row) { r.Done |= UnreadPart })
		return
	}
	b, err := f.Opener.Open(row.Found)
	if err == nil {
		defer func() { _ = b.Close() }() // it was only read
		err = f.read(at, row.Found, b)
	}
	if err != nil && f.ctx.Err() == nil {
		f.update(at, func(r *Row) {
			r.Done = Everything
			r.note(LoadPart, Unreadable, sentence(err))
		})
	}
}
