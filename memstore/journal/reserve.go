package journal

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// reserveName is a file in the state folder that occupies space before it is needed: when the disk is full, it records which edits
// are made by whom, without their bytes, until the journal can take them over.
const reserveName = "reserve.bin"

// The file is a page with its head and two halves of which one is in use. Where that is full, what is still needed goes to
// the other one, and the head is written last: a process that is killed in between loses nothing. The file never grows, so writing
// to it needs no free space. Records are added in the store's turn only.
const (
	reserveSize = 256 << 10
	reserveHead = 4 << 10
	reserveHalf = (reserveSize - reserveHead) / 2
	reserveMost = 16 << 10 // of one record: what has no room of a larger edit is found by comparing with the disk
)

var reserveMagic = [8]byte{'m', 'c', 'r', 's', 'r', 'v', '1', '\n'}

// How an edit in the reserve has ended.
const (
	reservedOpen byte = iota // the process was killed, or is about to say
	reservedDone
	reservedWithdrawn
)

// recordFrame precedes a record: length and checksum of it, and how the edit has ended.
const recordFrame = 9

// reserve is the file. Safe for concurrent use.
type reserve struct {
	j    *Journal
	path string

	mu    sync.Mutex
	file  *os.File
	next  time.Time // no attempt to empty it before
	warns atomic.Bool
}

// head is the first page. The numbers of records never repeat, so that none is taken over twice.
type head struct {
	half, used uint32 // the half in use, and how many of its bytes
	last       int64  // the number of the newest record
}

func (h head) encode() []byte {
	b := append([]byte{}, reserveMagic[:]...)
	b = binary.LittleEndian.AppendUint32(b, h.half)
	b = binary.LittleEndian.AppendUint32(b, h.used)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.last))
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
}

const headSize = 28

var errReserve = errors.New("the reserve cannot be used")

func decodeHead(b []byte) (h head, err error) {
	if len(b) < headSize || [8]byte(b[:8]) != reserveMagic || crc32.ChecksumIEEE(b[:24]) != binary.LittleEndian.Uint32(b[24:]) {
		return h, errReserve
	}
	h = head{binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:]), int64(binary.LittleEndian.Uint64(b[16:]))}
	if h.half > 1 || h.used > reserveHalf {
		return h, errReserve
	}
	return h, nil
}

// start is where a half begins.
func (h head) start() int64 { return reserveHead + int64(h.half)*reserveHalf }

// makeReserve makes the file where it is missing and the disk has room. Another process may do so at the same time.
func makeReserve(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && (info.Size() == reserveSize || time.Since(info.ModTime()) < time.Minute):
		return nil
	case err == nil: // whoever made it was killed, or had no room
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(append(head{}.encode(), make([]byte, reserveSize-headSize)...))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(path) // a part of it is of no use, and takes room
	}
	return err
}

// create makes the file. If there is no room for it now, the next start tries again.
func (r *reserve) create() {
	r.j.mu.Lock()
	unmade := r.j.unmade
	r.j.mu.Unlock()
	if unmade != nil || !r.j.Lasts() {
		return
	}
	if err := failed("reserve", makeReserve(reserveFile(r.j.path))); err != nil &&
		!errors.Is(err, past.ErrFull) && !errors.Is(err, fs.ErrExist) {
		r.j.options.Warn(err)
	}
}

// open opens the file once; nil means that there is none.
func (r *reserve) open() *os.File {
	if r.file != nil || r.path == "" {
		return r.file
	}
	f, err := os.OpenFile(r.path, os.O_RDWR, 0)
	if err != nil {
		return nil
	}
	if info, err := f.Stat(); err != nil || info.Size() != reserveSize {
		_ = f.Close()
		return nil
	}
	r.file = f
	return f
}

func (r *reserve) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		_ = r.file.Close()
	}
	r.file, r.path = nil, ""
}

// pending reports whether something waits in the reserve: one read of a few bytes, before every edit.
func (r *reserve) pending() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, err := r.head()
	return err == nil && h.used > 0
}

func (r *reserve) head() (head, error) {
	f := r.open()
	if f == nil {
		return head{}, errReserve
	}
	b := make([]byte, headSize)
	if _, err := f.ReadAt(b, 0); err != nil {
		return head{}, err
	}
	return decodeHead(b)
}

// reserved is a record as it is in the file.
type reserved struct {
	status byte
	in     *intent
	sides  []sides
	data   []byte // frame included
}

// bytes are those of the half in use.
func (r *reserve) bytes() ([]byte, head, error) {
	h, err := r.head()
	if err != nil {
		return nil, h, err
	}
	half := make([]byte, h.used)
	_, err = r.file.ReadAt(half, h.start())
	return half, h, err
}

// eachRecord visits the records of a half until visit returns false, or one is damaged.
func eachRecord(half []byte, visit func(at int, body []byte) bool) {
	for at := 0; at+recordFrame <= len(half); {
		n := int(binary.LittleEndian.Uint32(half[at:]))
		if n > reserveMost || at+recordFrame+n > len(half) {
			return
		}
		body := half[at+recordFrame : at+recordFrame+n]
		if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(half[at+4:]) || !visit(at, body) {
			return
		}
		at += recordFrame + n
	}
}

// read lists the records.
func (r *reserve) read() (list []*reserved, h head, err error) {
	half, h, err := r.bytes()
	if err != nil {
		return nil, h, err
	}
	eachRecord(half, func(at int, body []byte) bool {
		in, sides, err := decodeReserved(body)
		if err == nil {
			list = append(list, &reserved{half[at+8], in, sides, half[at : at+recordFrame+len(body)]})
		}
		return err == nil
	})
	return list, h, nil
}

// add writes an edit down; dropped are the records that had to go for it.
func (r *reserve) add(in *intent, list []sides) (dropped int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, err := r.head()
	if err != nil {
		return 0, err
	}
	in.id = max(time.Now().UnixNano(), h.last+1)
	body := encodeReserved(in, list)
	record := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	record = binary.LittleEndian.AppendUint32(record, crc32.ChecksumIEEE(body))
	record = append(append(record, reservedOpen), body...)
	if int(h.used)+len(record) > reserveHalf {
		if h, dropped, err = r.makeRoom(); err != nil {
			return 0, err
		}
	}
	if _, err := r.file.WriteAt(record, h.start()+int64(h.used)); err != nil {
		return dropped, err
	}
	h.used, h.last = h.used+uint32(len(record)), in.id
	_, err = r.file.WriteAt(h.encode(), 0)
	return dropped, err
}

// makeRoom writes what is needed to the other half: not what was withdrawn, and of the rest first no older edit of a path
// that has a newer one, then no oldest one, until a quarter is free.
func (r *reserve) makeRoom() (head, int, error) {
	list, h, err := r.read()
	if err != nil {
		return h, 0, err
	}
	size := 0
	newest := map[string]int64{}
	list = slices.DeleteFunc(list, func(rec *reserved) bool { return rec.status == reservedWithdrawn })
	for _, rec := range list {
		size += len(rec.data)
		for i := range rec.in.changes {
			newest[rec.in.changes[i].name] = rec.in.id
		}
	}
	dropped := 0
	for _, any := range []bool{false, true} {
		list = slices.DeleteFunc(list, func(rec *reserved) bool {
			if size <= reserveHalf*3/4 || !any && slices.ContainsFunc(rec.in.changes, func(c change) bool { return newest[c.name] == rec.in.id }) {
				return false
			}
			size -= len(rec.data)
			dropped++
			return true
		})
	}
	kept := make([]byte, 0, reserveHalf)
	for _, rec := range list {
		kept = append(kept, rec.data...)
	}
	h.half, h.used = 1-h.half, uint32(len(kept))
	if _, err := r.file.WriteAt(kept[:reserveHalf], h.start()); err != nil {
		return h, 0, err
	}
	_, err = r.file.WriteAt(h.encode(), 0)
	return h, dropped, err
}

// end notes how an edit has ended.
func (r *reserve) end(id int64, status byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	half, h, err := r.bytes()
	if err != nil {
		return err
	}
	eachRecord(half, func(at int, body []byte) bool {
		d := fields{b: body}
		if d.int() != id {
			return true
		}
		_, err = r.file.WriteAt([]byte{status}, h.start()+int64(at)+8)
		return false
	})
	return err
}

// clear overwrites everything, if nothing has come after the record with the number last.
func (r *reserve) clear(last int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, err := r.head()
	if err != nil || h.last != last {
		return err
	}
	h.half, h.used = 0, 0
	if _, err := r.file.WriteAt(h.encode(), 0); err != nil {
		return err
	}
	_, err = r.file.WriteAt(make([]byte, reserveSize-reserveHead), reserveHead)
	return err
}

// encodeReserved is an edit without its bytes. Changes that have no room are left out.
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
		if len(e.b)+len(one.b) > reserveMost {
			break
		}
		e.b = append(e.b, one.b...)
	}
	return e.b
}

func timeNumber(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

func decodeReserved(b []byte) (in *intent, list []sides, err error) {
	d := fields{b: b}
	in = &intent{id: d.int(), maker: maker{time: unixTime(d.int())}}
	in.pid, in.role = int(d.int()), role(d.int())
	in.owner, in.group = d.string(), d.string()
	in.actor, in.command, in.session = memstore.Actor(d.string()), d.string(), d.string()
	in.model, in.tool, in.process = d.string(), d.string(), d.string()
	for len(d.b) > 0 && !d.bad {
		c := change{kind: memstore.Kind(d.int()), shape: past.Shape(d.int()), size: d.int()}
		if mode := d.int(); mode >= 0 {
			c.beforeMode, c.hasMode = os.FileMode(mode).Perm(), true
		}
		c.beforeTime, c.undoes, c.added, c.removed = someTime(d.int()), d.int(), int(d.int()), int(d.int())
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
		return nil, nil, errReserve
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
func (f *fields) side(c *content) {
	switch {
	case c == nil:
		f.number(0)
	case !c.hashed:
		f.number(1)
		f.number(c.size)
	default:
		f.number(2)
		f.number(c.size)
		f.text(string(c.sum[:]))
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

func (f *fields) content() *content {
	kind := f.int()
	if kind == 0 {
		return nil
	}
	c := &content{size: f.int(), hashed: kind == 2, why: whyNoRoom}
	if c.hashed && copy(c.sum[:], f.string()) != len(c.sum) || kind > 2 || c.size < 0 {
		f.bad = true
	}
	return c
}

func reserveFile(database string) string { return filepath.Join(filepath.Dir(database), reserveName) }

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
			status := reservedDone
			if err != nil {
				status = reservedWithdrawn
			}
			if err := r.end(in.id, status); err != nil {
				r.j.options.Warn(failed("reserve", err)) // the disk is asked then
			}
		})
	}, nil
}
