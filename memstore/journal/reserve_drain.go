package journal

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// metaReserved is the key of the number of the newest record of the reserve that the journal has.
const metaReserved = "reserved"

// drainAgain is how long after an attempt that found no room the next one is made.
const drainAgain = time.Second

// drain takes over what waits in the reserve, in the store's turn: everything, or ErrFull where there is still no room.
// What comes next is recorded after it, so that the past keeps its order.
func (r *reserve) drain() error {
	if !r.pending() {
		return nil
	}
	r.mu.Lock()
	early := time.Now().Before(r.next)
	if !early {
		r.next = time.Now().Add(drainAgain)
	}
	list, h, err := r.read()
	r.mu.Unlock()
	if early {
		return &past.Error{Op: "reserve", Err: past.ErrFull}
	}
	if err != nil {
		return failed("reserve", err)
	}
	if err := r.openAgain(); err != nil {
		return err
	}
	r.j.Flush()
	r.readReserved(list)
	if err := r.j.tx("reserve", true, func(w *writer) error { return r.takeOver(w, list, h.last) }); err != nil {
		return err
	}
	r.mu.Lock()
	r.next = time.Time{}
	r.mu.Unlock()
	r.warns.Store(false)
	return failed("reserve", r.clear(h.last))
}

// drainInTurn is drain for callers without the store's turn.
func (r *reserve) drainInTurn(ctx context.Context) error {
	if !r.pending() {
		return nil
	}
	return r.j.disk.locked(ctx, r.drain)
}

// openAgain opens a journal that could not be opened for lack of room.
func (r *reserve) openAgain() error {
	r.j.mu.Lock()
	defer r.j.mu.Unlock()
	if r.j.unmade == nil || !errors.Is(r.j.unmade, past.ErrFull) {
		return nil
	}
	r.j.archive.mu.Lock()
	defer r.j.archive.mu.Unlock()
	if err := r.j.open(); err != nil {
		return failed("open", err)
	}
	r.j.unmade = nil
	return nil
}

// readReserved reads the bytes that the newest edits of paths have left, where they are still there.
func (r *reserve) readReserved(list []*reserved) {
	if r.j.options.Backend == nil {
		return
	}
	newest := map[string]*content{}
	for _, rec := range list {
		for i := range rec.in.changes {
			if c := &rec.in.changes[i]; c.kind == memstore.KindFile && c.shape != past.Removed && rec.sides[i].after != nil {
				newest[c.name] = rec.sides[i].after
			}
		}
	}
	room := int64(recordBytes)
	for name, c := range newest {
		if !c.hashed || c.size > room {
			continue // the comparison with the disk reads it
		}
		if got, _, _, err := r.j.disk.readOnce(name); err == nil && got.hashed && got.sum == c.sum && got.data != nil {
			c.data = got.data
			room -= c.size
		}
	}
}

// takeOver records the edits that the journal does not have.
func (r *reserve) takeOver(w *writer, list []*reserved, last int64) error {
	if err := r.j.settler.settleAll(w); err != nil { // what was announced before
		return err
	}
	var known int64
	if _, err := w.row("SELECT value FROM meta WHERE key = ?", []any{metaReserved}, &known); err != nil {
		return err
	}
	var all []*intent
	for _, rec := range list {
		all = append(all, rec.in)
	}
	for _, rec := range list {
		if rec.in.id <= known || rec.status == reservedWithdrawn {
			continue
		}
		if err := w.putSides(rec.in, rec.sides, 0, len(rec.sides)); err != nil {
			return err
		}
		if rec.status == reservedOpen {
			if err := r.j.settler.judge(w, rec.in, all); err != nil {
				return err
			}
		}
		in := *rec.in
		in.id = 0 // it has no intent
		if _, err := w.settle(&in); err != nil {
			return err
		}
	}
	return w.set(metaReserved, max(known, last))
}
