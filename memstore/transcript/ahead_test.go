package transcript_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"memcurator/memstore/transcript"
)

// However much is read at once, the lines are those of the text, whole and in their order.
func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 500 {
		var b strings.Builder
		for range r.IntN(12) {
			b.WriteString(strings.Repeat("x", r.IntN(40)))
			b.WriteByte("\n\nx"[r.IntN(3)])
		}
		text := b.String()
		undo := transcript.SetChunks(1+r.IntN(16), r.IntN(8))
		got, err := transcript.Lines(iotest.HalfReader(strings.NewReader(text)), int64(len(text)*r.IntN(2)))
		undo()
		if err != nil || got != text {
			t.Fatalf("%q was read from %q, %v", got, text, err)
		}
	}
}

// What fails while it is read ahead ends the reading as it would have without that.
func TestReadAheadFails(t *testing.T) {
	text := strings.Repeat("{\"role\":\"user\",\"content\":\"x\"}\n", 20_000)
	for name, in := range map[string]io.Reader{
		"an error": io.MultiReader(strings.NewReader(text), iotest.ErrReader(errors.ErrUnsupported)),
		"a panic":  io.MultiReader(strings.NewReader(text), panicking{}),
	} {
		r, err := transcript.NewReader(transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Read("f", in); err == nil {
			t.Errorf("%s is not told", name)
		}
	}
}

type panicking struct{}

func (panicking) Read([]byte) (int, error) { panic("broken") }

// What is kept of a long line is not read over by the lines after it.
func TestLongLineIsKept(t *testing.T) {
	defer transcript.SetChunks(64, 16)()
	all := conversation()
	for i, m := range all {
		all[i] = m + "\n" + `{"role":"user","content":"` + strings.Repeat("x", i*20) + `"}`
	}
	check(t, read(t, transcript.Options{}, strings.Join(all, "\n")+"\n"), truth)
}
