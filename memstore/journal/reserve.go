package journal

import (
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/journal/content"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// reserve records edits while the disk is full, without their bytes, and passes them to the journal once the disk has room. Records are
// added in the store's turn only. Safe for concurrent use.
type reserve struct {
	j *Journal
	*sidecar.Reserve

	mu    sync.Mutex
	next  time.Time // no attempt to empty it before
	warns atomic.Bool
}

// create makes the file. If the disk is full now, the next start tries again.
func (r *reserve) create() {
	r.j.mu.Lock()
	unmade := r.j.pool.Unmade
	r.j.mu.Unlock()
	if unmade != nil || !r.j.Lasts() {
		return
	}
	if err := failed("reserve", sidecar.MakeReserve(r.j.path)); err != nil &&
		!errors.Is(err, past.ErrFull) && !errors.Is(err, fs.ErrExist) {
		r.j.options.Warn(err)
	}
}

// reserved is a record as an edit.
type reserved struct {
	status byte
	in     *intent
	sides  []sides
}

// read lists the edits that wait, and the number of the newest that ever did.
func (r *reserve) read() (list []*reserved, last int64, err error) {
	records, last, err := r.Records()
	for _, rec := range records {
		in, sides, err := decodeReserved(rec.Body)
		if err != nil {
			break
		}
		list = append(list, &reserved{rec.Status, in, sides})
	}
	return list, last, err
}

// add writes an edit down; dropped are the records that had to go for it.
func (r *reserve) add(in *intent, list []sides) (dropped int, err error) {
	_, dropped, err = r.Add(func(id int64) []byte {
		in.id = id
		return encodeReserved(in, list)
	}, reservedNames)
	return dropped, err
}

// reservedNames are the paths that a record is about.
func reservedNames(body []byte) (names []string, ok bool) {
	in, _, err := decodeReserved(body)
	if err != nil {
		return nil, false
	}
	for i := range in.changes {
		names = append(names, in.changes[i].name)
	}
	return names, true
}

var errReserved = errors.New("a record of the reserve cannot be read")

// begin writes an edit into the reserve, since the journal has no room. cause says so.
func (r *reserve) begin(in *intent, list []sides, cause error) (func(error), error) {
	for i := range in.changes {
		if in.changes[i].shape != past.Renamed {
			in.changes[i].added, in.changes[i].removed = count(in.texts[i][0], in.texts[i][1])
		}
	}
	dropped, err := r.add(in, list)
	if err != nil {
		return nil, cause
	}
	if dropped > 0 {
		r.j.options.Warn(&past.Error{Op: "reserve", Err: ErrCrowded, Cause: cause})
	} else if !r.warns.Swap(true) {
		r.j.options.Warn(&past.Error{Op: "reserve", Err: ErrReserved, Cause: cause})
	}
	var once sync.Once
	return func(err error) {
		once.Do(func() {
			status := sidecar.Done
			if err != nil {
				status = sidecar.Withdrawn
			}
			if err := r.End(in.id, status); err != nil {
				r.j.options.Warn(failed("reserve", err)) // the disk is asked then
			}
		})
	}, nil
}

// drainAgain is how long after an attempt that found no room the next one is made.
const drainAgain = time.Second

// drain takes over what waits in the reserve, in the store's turn: everything, or ErrFull where there is still no room.
// What comes next is recorded after it, so that the past keeps its order.
func (r *reserve) drain() error {
	if !r.Pending() {
		return nil
	}
	r.mu.Lock()
	early := time.Now().Before(r.next)
	if !early {
		r.next = time.Now().Add(drainAgain)
	}
	r.mu.Unlock()
	if early {
		return &past.Error{Op: "reserve", Err: past.ErrFull}
	}
	list, last, err := r.read()
	if err != nil {
		return failed("reserve", err)
	}
	if err := r.openAgain(); err != nil {
		return err
	}
	r.j.Flush()
	r.readReserved(list)
	if err := r.j.tx("reserve", true, func(w *tableWriter) error { return r.takeOver(w, list, last) }); err != nil {
		return err
	}
	r.mu.Lock()
	r.next = time.Time{}
	r.mu.Unlock()
	r.warns.Store(false)
	return failed("reserve", r.Clear(last))
}

// drainInTurn is drain for callers without the store's turn.
func (r *reserve) drainInTurn(ctx context.Context) error {
	if !r.Pending() {
		return nil
	}
	return r.j.disk.locked(ctx, r.drain)
}

// openAgain opens a journal that could not be opened for lack of room.
func (r *reserve) openAgain() error {
	r.j.mu.Lock()
	defer r.j.mu.Unlock()
	if r.j.pool.Unmade == nil || !errors.Is(r.j.pool.Unmade, past.ErrFull) {
		return nil
	}
	defer r.j.pool.Hold()()
	if err := r.j.opening.open(); err != nil {
		return failed("open", err)
	}
	r.j.pool.Unmade = nil
	return nil
}

// readReserved reads the bytes that the newest edits of paths have left, where they are still there.
func (r *reserve) readReserved(list []*reserved) {
	if r.j.options.Backend == nil {
		return
	}
	newest := map[string]*content.Content{}
	for _, rec := range list {
		for i := range rec.in.changes {
			if c := &rec.in.changes[i]; c.kind == memstore.KindFile && c.shape != past.Removed && rec.sides[i].after != nil {
				newest[c.name] = rec.sides[i].after
			}
		}
	}
	room := int64(recordBytes)
	for name, c := range newest {
		if !c.Hashed || c.Size > room {
			continue // the comparison with the disk reads it
		}
		if got, _, _, err := r.j.disk.readOnce(name); err == nil && got.Hashed && got.Sum == c.Sum && got.Data != nil {
			c.Data = got.Data
			room -= c.Size
		}
	}
}

// takeOver records the edits that the journal does not have.
func (r *reserve) takeOver(w *tableWriter, list []*reserved, last int64) error {
	if err := r.j.settler.settleAll(w); err != nil { // what was announced before
		return err
	}
	var known int64
	if _, err := w.Row("SELECT value FROM meta WHERE key = ?", []any{schema.MetaReserved}, &known); err != nil {
		return err
	}
	var all []*intent
	for _, rec := range list {
		all = append(all, rec.in)
	}
	for _, rec := range list {
		if rec.in.id <= known || rec.status == sidecar.Withdrawn {
			continue
		}
		if err := w.putSides(rec.in, rec.sides, 0, len(rec.sides)); err != nil {
			return err
		}
		if rec.status == sidecar.Open {
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
	return w.set(schema.MetaReserved, max(known, last))
}

// encodeReserved is an edit without its bytes. Changes that do not fit are omitted: comparing with the disk finds them.
func encodeReserved(in *intent, list []sides) []byte {
	e := fields{}
	e.number(in.id)
	e.number(in.time.UnixNano())
	e.number(int64(in.pid))
	e.number(int64(in.role))
	for _, s := range []string{in.owner, in.group, string(in.actor), in.command, in.session, in.model, in.tool, in.process} {
		e.text(s)
	}
	for i := range in.changes {
		c := &in.changes[i]
		one := fields{}
		mode := int64(-1)
		if c.hasMode {
			mode = int64(c.beforeMode)
		}
		for _, n := range []int64{int64(c.kind), int64(c.shape), c.size, mode, timeNumber(c.beforeTime), c.undoes, int64(c.added),
			int64(c.removed)} {
			one.number(n)
		}
		one.text(c.name)
		one.text(c.oldName)
		one.side(list[i].before)
		one.side(list[i].after)
		if len(e.b)+len(one.b) > sidecar.RecordMost {
			break
		}
		e.b = append(e.b, one.b...)
	}
	return e.b
}

func decodeReserved(b []byte) (in *intent, list []sides, err error) {
	d := fields{b: b}
	in = &intent{id: d.int(), maker: maker{time: schema.Time(d.int())}}
	in.pid, in.role = int(d.int()), schema.Role(d.int())
	in.owner, in.group = d.string(), d.string()
	in.actor, in.command, in.session = memstore.Actor(d.string()), d.string(), d.string()
	in.model, in.tool, in.process = d.string(), d.string(), d.string()
	for len(d.b) > 0 && !d.bad {
		c := change{kind: memstore.Kind(d.int()), shape: past.Shape(d.int()), size: d.int()}
		if mode := d.int(); mode >= 0 {
			c.beforeMode, c.hasMode = os.FileMode(mode).Perm(), true
		}
		c.beforeTime, c.undoes, c.added, c.removed = schema.SomeTime(d.int()), d.int(), int(d.int()), int(d.int())
		c.name, c.oldName = d.string(), d.string()
		s := sides{d.content(), d.content()}
		if c.shape == past.Renamed {
			s.after = s.before
		}
		if !goodName([]byte(c.name)) || c.oldName != "" && !goodName([]byte(c.oldName)) || c.shape < past.Made ||
			c.shape > past.Renamed || !goodKind(int(c.kind)) {
			d.bad = true
		}
		in.changes, list = append(in.changes, c), append(list, s)
	}
	if d.bad {
		return nil, nil, errReserved
	}
	return in, list, nil
}

// fields are numbers and texts one after the other.
type fields struct {
	b   []byte
	bad bool // something else was read than was expected
}

func (f *fields) number(n int64) { f.b = binary.AppendVarint(f.b, n) }

func (f *fields) text(s string) {
	f.number(int64(len(s)))
	f.b = append(f.b, s...)
}

// side writes whether there is one, and its size and digest.
func (f *fields) side(c *content.Content) {
	switch {
	case c == nil:
		f.number(0)
	case !c.Hashed:
		f.number(1)
		f.number(c.Size)
	default:
		f.number(2)
		f.number(c.Size)
		f.text(string(c.Sum[:]))
	}
}

func (f *fields) int() int64 {
	n, used := binary.Varint(f.b)
	if used <= 0 {
		f.b, f.bad = nil, true
		return 0
	}
	f.b = f.b[used:]
	return n
}

func (f *fields) string() string {
	n := f.int()
	if n < 0 || n > int64(len(f.b)) {
		f.b, f.bad = nil, true
		return ""
	}
	s := string(f.b[:n])
	f.b = f.b[n:]
	return s
}

func (f *fields) content() *content.Content {
	kind := f.int()
	if kind == 0 {
		return nil
	}
	c := &content.Content{Size: f.int(), Hashed: kind == 2, Why: content.WhyNoRoom}
	if c.Hashed && copy(c.Sum[:], f.string()) != len(c.Sum) || kind > 2 || c.Size < 0 {
		f.bad = true
	}
	return c
}

func timeNumber(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}
