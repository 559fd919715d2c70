package transcript_test

import (
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

func FuzzPairAt(f *testing.F) {
	f.Add([]byte(strings.Repeat("m.... ", 20)+"memory"), byte('m'), byte('y'), uint8(5), uint8(0))
	f.Add([]byte(strings.Repeat("\x00\x01\x80\x81", 20)), byte(0x80), byte(1), uint8(3), uint8(1))
	f.Fuzz(func(t *testing.T, block []byte, a, b byte, distance, from uint8) {
		i, d := min(int(from), len(block)), 1+int(distance)
		want := len(block)
		for at := i; at+d < len(block); at++ {
			if block[at] == a && block[at+d] == b {
				want = at
				break
			}
		}
		if got := transcript.PairAt(block, i, d, a, b); got != want {
			t.Errorf("at %d, want %d", got, want)
		}
	})
}

// Prose is passed over without a difference to looking at each of its words.
func FuzzProse(f *testing.F) {
	f.Add([]byte(strings.Repeat("the memory of ", 9)+`"memory" memory-bank/ /memories in-memory `+strings.Repeat("a memory,", 9)), uint8(3))
	f.Add([]byte(`memory memory-bank memory "memory memory-bank /memory`+strings.Repeat(" memory", 20)), uint8(0))
	f.Fuzz(func(t *testing.T, block []byte, from uint8) {
		for _, rates := range [][]byte{block, []byte("mmmm oooo"), []byte("rrrr eeee mm"), nil} {
			part := block[min(len(block), int(from)):]
			if got, want := transcript.FindMemory(part, rates, true), transcript.FindMemory(part, rates, false); !slices.Equal(got, want) {
				t.Errorf("%q with the bytes of %q: %d, want %d", part, rates, got, want)
			}
		}
	})
}
