package watch

import (
	"io"
	"os"
	"slices"
	"sync"

	"memcurator/memstore"
)

// The sentences that say why bytes are not kept.
const (
	whyUnread     = "The bytes were not read before the change came: the copies were still being made."
	whyUnreadable = "The file could not be read."
	whyTooBig     = "The file is larger than the limit for kept copies."
	whyFull       = "The copies have reached their limit in all."
	whyGivenUp    = "The copy was given up to make room for newer changes."
	whyNoSpill    = "The folder for temporary files takes no more copies."
	whyPurged     = "The copy was given up: values were purged from the store since."
	whyClosed     = "The watch has ended, and its copies with it."
)

// spill keeps contents in one temporary file, each distinct content once and encrypted with
// a key of this process. Only the places are in memory. It is shared by the owner, the readers and the recorder.
type spill struct {
	mu       sync.RWMutex
	file     *os.File // nil: could not be made, or closed
	seal     seal     // of everything in file
	number   uint64   // of the content written last
	closed   bool
	blobs    map[memstore.Digest]*blob
	free     []extent // holes by offset, never adjacent
	end      int64    // everything from here on is free
	used     int64    // bytes of all blobs
	pinned   int64    // bytes of the blobs that a change holds
	loose    []*blob  // not pinned when they were made, oldest first
	held     []*blob  // pinned, oldest first
	maxAll   int64    // of used, before loose blobs are given up
	maxHeld  int64    // of pinned, before the oldest are given up
	nameLeft string   // to be removed on close, where an open file cannot be unlinked
}

type extent struct{ off, size int64 }

// blob is one distinct content. Its fields are guarded by the spill's lock.
type blob struct {
	spill  *spill
	number uint64 // for the seal
	digest memstore.Digest
	at     extent
	refs   int    // last known contents that it is
	pin    bool   // a change holds it
	gone   string // why the bytes are no longer there
}

// newSpill makes the file in dir ("": the system's temporary folder). Without a
// file everything works but for the bytes.
func newSpill(dir string, maxAll, maxHeld int64) *spill {
	s := &spill{blobs: make(map[memstore.Digest]*blob), maxAll: maxAll, maxHeld: maxHeld}
	f, err := os.CreateTemp(dir, "memcurator-*") // 0600 by its contract
	if err != nil {
		return s
	}
	s.file, s.seal = f, newSeal()
	if !unlinkOpen(f.Name()) {
		s.nameLeft = f.Name()
	}
	return s
}

// put keeps data. Only a change may push older copies out; when a copy of the
// baseline finds no room the answer is why.
func (s *spill) put(data []byte, digest memstore.Digest, forChange bool) (*blob, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.blobs[digest]; b != nil {
		b.refs++
		return b, ""
	}
	if s.file == nil {
		return nil, whyNoSpill
	}
	size := int64(len(data))
	if s.used+size > s.maxAll && !forChange {
		return nil, whyFull
	}
	s.makeRoom(size)
	at := s.allot(size)
	s.number++
	if err := s.seal.writeAt(s.file, s.number, data, at.off); err != nil {
		s.release(at)
		return nil, whyNoSpill
	}
	b := &blob{spill: s, number: s.number, digest: digest, at: at, refs: 1}
	s.blobs[digest] = b
	s.used += size
	s.loose = append(s.loose, b)
	if len(s.loose) > 2*len(s.blobs)+1024 {
		s.loose = slices.DeleteFunc(s.loose, func(b *blob) bool { return b.pin || b.gone != "" })
	}
	return b, ""
}

// makeRoom gives up the oldest copies that no change holds, then the oldest
// that changes hold, until size more bytes fit the limits.
func (s *spill) makeRoom(size int64) {
	for len(s.loose) > 0 && s.used+size > s.maxAll {
		if b := s.loose[0]; !b.pin && b.gone == "" {
			s.drop(b, whyGivenUp)
		}
		s.loose = s.loose[1:]
	}
	for len(s.held) > 0 && s.pinned+size > s.maxHeld {
		if b := s.held[0]; b.gone == "" {
			s.drop(b, whyGivenUp)
		}
		s.held = s.held[1:]
	}
}

func (s *spill) drop(b *blob, why string) {
	b.gone = why
	delete(s.blobs, b.digest)
	s.used -= b.at.size
	if b.pin {
		s.pinned -= b.at.size
	}
	s.release(b.at)
}

// allot finds a place: the first hole that is large enough, else the end.
func (s *spill) allot(size int64) extent {
	for i, hole := range s.free {
		if hole.size < size {
			continue
		}
		s.free[i] = extent{hole.off + size, hole.size - size}
		if s.free[i].size == 0 {
			s.free = slices.Delete(s.free, i, i+1)
		}
		return extent{hole.off, size}
	}
	at := extent{s.end, size}
	s.end += size
	return at
}

// release makes a place a hole and joins it with its neighbours.
func (s *spill) release(at extent) {
	if at.size == 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(s.free, at.off, func(e extent, off int64) int {
		return int(min(max(e.off-off, -1), 1))
	})
	s.free = slices.Insert(s.free, i, at)
	if i+1 < len(s.free) && s.free[i].off+s.free[i].size == s.free[i+1].off {
		s.free[i].size += s.free[i+1].size
		s.free = slices.Delete(s.free, i+1, i+2)
	}
	if i > 0 && s.free[i-1].off+s.free[i-1].size == s.free[i].off {
		s.free[i-1].size += s.free[i].size
		s.free = slices.Delete(s.free, i, i+1)
	}
	if last := len(s.free) - 1; last >= 0 && s.free[last].off+s.free[last].size == s.end {
		s.end = s.free[last].off
		s.free = s.free[:last]
	}
}

// hold marks v as part of a change; unhold takes away one use as last known content.
func (s *spill) hold(v *Version) {
	if v == nil || v.blob == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := v.blob; !b.pin && b.gone == "" {
		b.pin = true
		s.pinned += b.at.size
		s.held = append(s.held, b)
	}
}

func (s *spill) unref(v *Version) {
	if v == nil || v.blob == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := v.blob
	if b.refs--; b.refs <= 0 && !b.pin && b.gone == "" {
		s.drop(b, whyGivenUp)
	}
}

func (s *spill) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.file == nil {
		return
	}
	s.file.Close() // nothing in it is needed any more
	s.file = nil
	if s.nameLeft != "" {
		os.Remove(s.nameLeft)
	}
}

func (b *blob) kept() (bool, string) {
	b.spill.mu.RLock()
	defer b.spill.mu.RUnlock()
	if b.spill.file == nil {
		return false, whyClosed
	}
	return b.gone == "", b.gone
}

// readAt holds the lock while it reads, so that the place is not given to
// other bytes meanwhile.
func (b *blob) readAt(p []byte, off int64) (int, error) {
	b.spill.mu.RLock()
	defer b.spill.mu.RUnlock()
	if b.gone != "" || b.spill.file == nil {
		return 0, ErrNotKept
	}
	if off < 0 || off >= b.at.size {
		return 0, io.EOF
	}
	short := false
	if rest := b.at.size - off; int64(len(p)) > rest {
		p, short = p[:rest], true
	}
	n, err := b.spill.file.ReadAt(p, b.at.off+off)
	b.spill.seal.stream(b.number, off).XORKeyStream(p[:n], p[:n])
	if err == nil && short {
		err = io.EOF
	}
	return n, err
}
