package transcript_test

import (
	"bytes"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// BenchmarkReader reads lines of 20 KB of which one in fifty holds a call.
func BenchmarkReader(b *testing.B) {
	filler := `{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"` + strings.Repeat(`alpha beta\n\tfunc \"x\" `, 900) + `"}]}` + "\n"
	var text bytes.Buffer
	for range 20 {
		text.WriteString(strings.Repeat(filler, 49))
		text.WriteString(strings.Join(conversation(), "\n") + "\n")
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r, err := transcript.NewReader(transcript.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if err := r.Read("f", bytes.NewReader(text.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
