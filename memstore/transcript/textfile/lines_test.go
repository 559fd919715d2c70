package textfile_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"memcurator/memstore/transcript/textfile"
)

// Whatever the size of a read, the lines are those of the text, whole and in their order.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(strings.Repeat("x", r.IntN(40)))
			b.WriteByte("\n\nx"[r.IntN(3)])
		}
		text := b.String()
		undo := textfile.SetChunks(1+r.IntN(16), r.IntN(8))
		got, err := textfile.JoinLines(iotest.HalfReader(strings.NewReader(text)), int64(len(text)*r.IntN(2)))
		undo()
		if err != nil || got != text {
			t.Fatalf("%q was read from %q, %v", got, text, err)
		}
	}
}
