package sidecar

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// reserveName is a file in the state folder that occupies space before it is needed: when the disk is full, it records which edits
// are made by whom, without their bytes, until the journal can take them over.
const reserveName = "reserve.bin"

// The file is a page with its head and two halves, one of them in use. When that is full, what is still needed goes to
// the other one, and the head is written last: a process that is killed in between loses nothing. The file never grows, so writing
// to it needs no free space. Records are added in the store's turn only.
const (
	reserveSize = 256 << 10
	reserveHead = 4 << 10
	reserveHalf = (reserveSize - reserveHead) / 2

	// RecordMost bounds the body of a record.
	RecordMost = 16 << 10
)

var reserveMagic = [8]byte{'m', 'c', 'r', 's', 'r', 'v', '1', '\n'}

// How what a record is about has ended.
const (
	Open byte = iota // the process was killed, or is about to say
	Done
	Withdrawn
)

// recordFrame precedes a record: length and checksum of it, and how it has ended.
const recordFrame = 9

// Reserve is the file. The zero value has none. Safe for concurrent use.
type Reserve struct {
	path string

	mu   sync.Mutex
	file *os.File
}

// NewReserve is the reserve beside a database, whether there is one or not.
func NewReserve(database string) *Reserve { return &Reserve{path: reserveFile(database)} }

func reserveFile(database string) string { return filepath.Join(filepath.Dir(database), reserveName) }

// Record is one that waits in the reserve. Its body begins with its number, as [binary.AppendVarint] has it.
type Record struct {
	Status byte
	Body   []byte
	data   []byte // frame included
}

// ID is the number of the record; numbers never repeat.
func (r *Record) ID() int64 {
	id, _ := binary.Varint(r.Body)
	return id
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

// MakeReserve makes the file beside a database where it is missing and the disk has room. Another process may do so at the same time.
func MakeReserve(database string) error {
	path := reserveFile(database)
	info, err := os.Stat(path)
	switch {
	case err == nil && (info.Size() == reserveSize || time.Since(info.ModTime()) < time.Minute):
		return nil
	case err == nil: // its maker was killed, or the disk was full
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

// open opens the file once; nil means that it does not exist.
func (r *Reserve) open() *os.File {
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

// Close frees the file, which is no longer used.
func (r *Reserve) Close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		_ = r.file.Close()
	}
	r.file, r.path = nil, ""
}

// Pending reports whether something waits in the reserve: one read of a few bytes, before every edit.
func (r *Reserve) Pending() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, err := r.head()
	return err == nil && h.used > 0
}

func (r *Reserve) head() (head, error) {
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

// bytes are those of the half in use.
func (r *Reserve) bytes() ([]byte, head, error) {
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
		if n > RecordMost || at+recordFrame+n > len(half) {
			return
		}
		body := half[at+recordFrame : at+recordFrame+n]
		if crc32.ChecksumIEEE(body) != binary.LittleEndian.Uint32(half[at+4:]) || !visit(at, body) {
			return
		}
		at += recordFrame + n
	}
}

// Records lists what waits, and the number of the newest record that ever was.
func (r *Reserve) Records() (list []Record, last int64, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list, h, err := r.records()
	return list, h.last, err
}

func (r *Reserve) records() (list []Record, h head, err error) {
	half, h, err := r.bytes()
	if err != nil {
		return nil, h, err
	}
	eachRecord(half, func(at int, body []byte) bool {
		list = append(list, Record{half[at+8], body, half[at : at+recordFrame+len(body)]})
		return true
	})
	return list, h, nil
}

// Add writes a record. encode makes its body of the number that it gets; names are what an earlier record is about, ok is false
// where it cannot be read. dropped are the records that had to go for it.
func (r *Reserve) Add(encode func(id int64) []byte, names func(body []byte) (list []string, ok bool)) (id int64, dropped int, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h, err := r.head()
	if err != nil {
		return 0, 0, err
	}
	id = max(time.Now().UnixNano(), h.last+1)
	body := encode(id)
	record := binary.LittleEndian.AppendUint32(nil, uint32(len(body)))
	record = binary.LittleEndian.AppendUint32(record, crc32.ChecksumIEEE(body))
	record = append(append(record, Open), body...)
	if int(h.used)+len(record) > reserveHalf {
		if h, dropped, err = r.makeRoom(names); err != nil {
			return id, 0, err
		}
	}
	if _, err := r.file.WriteAt(record, h.start()+int64(h.used)); err != nil {
		return id, dropped, err
	}
	h.used, h.last = h.used+uint32(len(record)), id
	_, err = r.file.WriteAt(h.encode(), 0)
	return id, dropped, err
}

// makeRoom writes what is needed to the other half: not what was withdrawn, and of the rest first no older record about a name
// that has a newer one, then no oldest one, until a quarter is free.
func (r *Reserve) makeRoom(names func([]byte) ([]string, bool)) (head, int, error) {
	list, h, err := r.records()
	if err != nil {
		return h, 0, err
	}
	size := 0
	about := map[int64][]string{}
	newest := map[string]int64{}
	for i := range list {
		rec := &list[i]
		of, ok := names(rec.Body)
		if !ok {
			list = list[:i]
			break
		}
		if rec.Status == Withdrawn {
			continue
		}
		size += len(rec.data)
		about[rec.ID()] = of
		for _, name := range of {
			newest[name] = rec.ID()
		}
	}
	list = slices.DeleteFunc(list, func(rec Record) bool { return rec.Status == Withdrawn })
	dropped := 0
	for _, any := range []bool{false, true} {
		list = slices.DeleteFunc(list, func(rec Record) bool {
			id := rec.ID()
			if size <= reserveHalf*3/4 || !any && slices.ContainsFunc(about[id], func(name string) bool { return newest[name] == id }) {
				return false
			}
			size -= len(rec.data)
			dropped++
			return true
		})
	}
	kept := make([]byte, 0, reserveHalf)
	for i := range list {
		kept = append(kept, list[i].data...)
	}
	h.half, h.used = 1-h.half, uint32(len(kept))
	if _, err := r.file.WriteAt(kept[:reserveHalf], h.start()); err != nil {
		return h, 0, err
	}
	_, err = r.file.WriteAt(h.encode(), 0)
	return h, dropped, err
}

// End notes how what a record is about has ended.
func (r *Reserve) End(id int64, status byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	half, h, err := r.bytes()
	if err != nil {
		return err
	}
	eachRecord(half, func(at int, body []byte) bool {
		if n, _ := binary.Varint(body); n != id {
			return true
		}
		_, err = r.file.WriteAt([]byte{status}, h.start()+int64(at)+8)
		return false
	})
	return err
}

// Clear overwrites everything, if nothing has come after the record with the number last.
func (r *Reserve) Clear(last int64) error {
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
