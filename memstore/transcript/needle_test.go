package transcript_test

import (
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
