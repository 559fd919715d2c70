package bigfile

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// A file that grew and was opened again is known as if it had been read from the start, and
// the one before stays as it was.
func TestGrownKnowsWhatWasKnown(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		text := ""
		grow := func() {
			for range r.IntN(300) {
				text += strings.Repeat([]string{"a", "é", "\xff", "\r", "\x00"}[r.IntN(5)], r.IntN(40)) + "\n"
			}
			text += strings.Repeat("x", r.IntN(3)) // the last line may go on
		}
		grow()
		f := New(Bytes([]byte(text)))
		if err := f.Index(context.Background(), nil); err != nil {
			t.Fatal(err)
		}
		for range 4 {
			before, facts := f, f.Facts()
			grow()
			f = before.Grown(Bytes([]byte(text)))
			other := before.Grown(Bytes([]byte(text + "other end\n"))) // of the same file, at the same time
			fresh := New(Bytes([]byte(text)))
			for _, g := range []*File{other, f, fresh} {
				if err := g.Index(context.Background(), nil); err != nil {
					t.Fatal(err)
				}
			}
			if got, want := f.Facts(), fresh.Facts(); got != want {
				t.Fatalf("seed %d: %+v, want %+v", seed, got, want)
			}
			if before.Facts() != facts {
				t.Fatalf("seed %d: the file before changed", seed)
			}
			lines := f.Facts().Lines
			for range 5 {
				first := r.IntN(lines)
				got, err := f.Page(first, 10, 100)
				want, _ := fresh.Page(first, 10, 100)
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d: page at %d differs, %v", seed, first, err)
				}
			}
		}
	}
}
