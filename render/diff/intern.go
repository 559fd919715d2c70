package diff

import (
	"bytes"
	"hash/maphash"
	"math"
)

// interner numbers lines: equal lines get equal numbers, from 0. It finds a
// line by a seeded hash, so that no text can be crafted to slow it down, and
// compares the bytes to confirm the match.
type interner struct {
	seed  maphash.Seed
	limit int
	table table
	known [][]byte // the first line with each number
}

func newInterner(limit int) *interner {
	return &interner{seed: maphash.MakeSeed(), limit: limit, table: newTable()}
}

// outcome is how numbering ended.
type outcome uint8

const (
	complete outcome = iota
	tooMany          // more distinct lines than the limit
	outOfTime
)

// checkEvery is the number of lines between two checks of the clock.
const checkEvery = 8192

// number returns the numbers of the lines of text. A line with its newline
// differs from the same bytes without one.
func (in *interner) number(text []byte, late func() bool) ([]int32, outcome) {
	ids := make([]int32, 0, len(text)/40+8)
	for len(text) > 0 {
		if len(ids)%checkEvery == checkEvery-1 && late() {
			return nil, outOfTime
		}
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		id := in.add(text[:end:end])
		if len(in.known) > in.limit || len(ids) == math.MaxInt32 {
			return nil, tooMany
		}
		ids = append(ids, id)
		text = text[end:]
	}
	return ids, complete
}

func (in *interner) add(line []byte) int32 {
	key := maphash.Bytes(in.seed, line)
	slot := in.table.find(key)
	for {
		id := in.table.slots[slot]
		if id < 0 {
			in.known = append(in.known, line)
			return in.table.put(slot, key)
		}
		if in.table.keys[id] == key && bytes.Equal(in.known[id], line) {
			return id
		}
		slot = in.table.next(slot)
	}
}

// table is an open hash table from 64-bit keys to numbers from 0. Two entries
// may have the same key; the caller tells them apart.
type table struct {
	slots []int32 // -1: free
	keys  []uint64
	shift uint // 64 - log2(len(slots))
}

func newTable() table {
	t := table{}
	t.resize(10)
	return t
}

func (t *table) resize(log uint) {
	t.shift = 64 - log
	t.slots = make([]int32, 1<<log)
	for i := range t.slots {
		t.slots[i] = -1
	}
	for id, key := range t.keys {
		slot := t.find(key)
		for t.slots[slot] >= 0 {
			slot = t.next(slot)
		}
		t.slots[slot] = int32(id)
	}
}

// find returns the first slot to try. The multiplication spreads keys that
// are not hashes (pairs of numbers).
func (t *table) find(key uint64) int {
	return int(key * 0x9E3779B97F4A7C15 >> t.shift)
}

func (t *table) next(slot int) int { return (slot + 1) & (len(t.slots) - 1) }

// put uses a free slot and keeps the table at most half full.
func (t *table) put(slot int, key uint64) int32 {
	id := int32(len(t.keys))
	t.keys = append(t.keys, key)
	t.slots[slot] = id
	if 2*len(t.keys) > len(t.slots) {
		t.resize(65 - t.shift)
	}
	return id
}

// exact returns the number of a key that is its own value, not a hash.
func (t *table) exact(key uint64) int32 {
	slot := t.find(key)
	for {
		id := t.slots[slot]
		if id < 0 {
			return t.put(slot, key)
		}
		if t.keys[id] == key {
			return id
		}
		slot = t.next(slot)
	}
}
