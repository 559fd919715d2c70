package transcript_test

import (
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// What is kept of a long line is not read over by the lines after it.
func TestLongLineIsKept(t *testing.T) {
	all := conversation()
	for i, m := range all {
		all[i] = m + "\n" + `{"role":"user","content":"` + strings.Repeat("x", i<<18) + `"}`
	}
	check(t, read(t, transcript.Options{}, strings.Join(all, "\n")+"\n"), truth)
}
