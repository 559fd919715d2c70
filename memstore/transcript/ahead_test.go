package transcript_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"memcurator/memstore/transcript"
)

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
	all := conversation()
	for i, m := range all {
		all[i] = m + "\n" + `{"role":"user","content":"` + strings.Repeat("x", i<<18) + `"}`
	}
	check(t, read(t, transcript.Options{}, strings.Join(all, "\n")+"\n"), truth)
}
