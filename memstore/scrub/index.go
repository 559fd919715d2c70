package scrub

import (
	"encoding/binary"
	"iter"
	"slices"
)

// Index finds many strings at once. It is immutable.
type Index struct {
	number  map[string]int   // of each string
	lengths map[uint64][]int // of the strings with a beginning, the longest first
	filter  []uint64         // a bit for each beginning, hashed
	shift   uint             // of the hash, so that it is the number of a bit
}

// MinIndexed is the length of the beginnings, in bytes: many tokens share four or five.
const MinIndexed = 6

// NewIndex finds the strings that have at least MinIndexed bytes. The number of one is its index in the list, the first where it is in
// the list twice.
func NewIndex(list []string) *Index {
	x := &Index{number: make(map[string]int, len(list)), lengths: map[uint64][]int{}, shift: 64 - 10}
	for 1<<(64-x.shift) < len(list)*16 && x.shift > 64-maxFilter {
		x.shift--
	}
	x.filter = make([]uint64, 1<<(64-x.shift)/64)
	for n, s := range list {
		if _, twice := x.number[s]; twice || len(s) < MinIndexed {
			continue
		}
		x.number[s] = n
		key := beginning([]byte(s[:MinIndexed]))
		if lengths := x.lengths[key]; !slices.Contains(lengths, len(s)) {
			x.lengths[key] = append(lengths, len(s))
		}
		h := x.bit(key)
		x.filter[h>>6] |= 1 << (h & 63)
	}
	for _, lengths := range x.lengths {
		slices.SortFunc(lengths, func(a, b int) int { return b - a })
	}
	return x
}

// maxFilter bounds the filter: 1<<maxFilter bits, which a processor keeps at hand.
const maxFilter = 22

func (x *Index) bit(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (x.shift & 63) }

// beginning packs the first MinIndexed bytes of b, which must have that many.
func beginning(b []byte) uint64 {
	return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32
}

// mayBegin is false for most texts that begin with none of the strings.
func (x *Index) mayBegin(b []byte) bool {
	if len(b) < MinIndexed {
		return false
	}
	h := x.bit(beginning(b))
	return x.filter[h>>6]&(1<<(h&63)) != 0
}

// At yields the strings that text has at an offset, the longest first: their numbers and where they end.
func (x *Index) At(text []byte, at int) iter.Seq2[int, int] {
	return func(yield func(number, end int) bool) {
		if !x.mayBegin(text[at:]) {
			return
		}
		for _, n := range x.lengths[beginning(text[at:])] {
			if at+n > len(text) {
				continue
			}
			if number, ok := x.number[string(text[at:at+n])]; ok && !yield(number, at+n) {
				return
			}
		}
	}
}
