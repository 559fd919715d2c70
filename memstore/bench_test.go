package memstore

import (
	"bytes"
	"fmt"
	"strings"
)

// bigText is the largest file that a view shows: 999,999 rows, 56 MB.
func bigText() []byte {
	var b bytes.Buffer
	for i := range maxRows - 1 {
		fmt.Fprintf(&b, "line %06d: the quick brown fox jumps over the lazy dog\n", i+1)
	}
	return b.Bytes()
}

// A note of 3.6 KB, as agents write them.
var note = strings.Repeat("- a remembered line of some length, as notes have\n", 73)
