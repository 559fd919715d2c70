package journal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
)

// noteOf is a note of about size bytes that compresses as notes do.
func noteOf(size int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	words := []string{"agent", "memory", "project", "decided", "because", "the", "of", "was", "next", "step", "check", "file", "build", "note"}
	var out []byte
	for len(out) < size {
		out = append(out, words[r.IntN(len(words))]...)
		out = append(out, ' ')
		if r.IntN(10) == 0 {
			out = fmt.Appendf(out, "%x\n", r.Uint32())
		}
	}
	return out[:size]
}

// rewritten is a text with a few pieces of it removed, inserted, moved and replaced.
func rewritten(r *rand.Rand, text []byte) []byte {
	text = bytes.Clone(text)
	for range 1 + r.IntN(4) {
		if len(text) == 0 {
			return noteOf(r.IntN(600), r.Uint64())
		}
		from := r.IntN(len(text))
		to := from + r.IntN(min(len(text)-from, 200)+1)
		piece := bytes.Clone(text[from:to])
		switch r.IntN(4) {
		case 0:
			text = append(text[:from:from], text[to:]...)
		case 1:
			text = append(text[:from:from], append(noteOf(r.IntN(100), r.Uint64()), text[from:]...)...)
		case 2:
			text = append(append(text[:from:from], text[to:]...), piece...)
		default:
			text = append(text[:from:from], append(noteOf(len(piece), r.Uint64()), text[to:]...)...)
		}
	}
	return text
}
