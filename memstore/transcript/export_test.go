package transcript

import (
	"memcurator/memstore"
)

// SetFreely lowers the bytes that a packed file may grow to, until the function it returns is called.
func SetFreely(n int64) func() {
	was := freely
	freely = n
	return func() { freely = was }
}

// Reconstruct is reconstruct.
var Reconstruct = reconstruct

// Compaction is compaction.
const Compaction = compaction

// PairAt is pairAt.
var PairAt = pairAt

// FindMemory finds the places that name a memory; prose: without passing over the words of prose at once.
func FindMemory(block []byte, rates []byte, prose bool) (list []int) {
	n := needle{text: []byte("memor"), good: namesMemory, prose: prose}
	n.tune(sample(rates))
	for at := n.find(block, 0); at < len(block); at = n.find(block, at+1) {
		list = append(list, at)
	}
	return list
}

// Decode is decode with all texts.
func Decode(input []byte) (memstore.Command, error) { return decode(input, true) }

// SetHeldWhole lowers how much of a file that is one JSON value is held as a whole, until the function it returns is called.
func SetHeldWhole(n int) func() {
	was := heldWhole
	heldWhole = n
	return func() { heldWhole = was }
}
