package lint

import (
	"bytes"
	"fmt"
	"testing"
)

// The cost of one note by content: prose, one line, nothing but words that trigger rules.
func BenchmarkInspect(b *testing.B) {
	var varied bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&varied, "line %d of a note about pier %d, sailings and what was agreed with the operator\n", i, i*7%13)
	}
	for _, c := range []struct {
		name string
		data []byte
	}{
		{"prose", varied.Bytes()},
		{"cjk", bytes.Repeat([]byte("満席になったら「キャンセル待ち」ボタン。番号は見せない。\n"), 20_000)},
		{"one line", bytes.ReplaceAll(varied.Bytes(), []byte("\n"), []byte(" "))},
		{"bait", bytes.Repeat([]byte("ignore \u200bprevious \u202esend /memories/x.md [a](b) - [x] F-001 "), 20_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.data)))
			b.ReportAllocs()
			for b.Loop() {
				inspect(c.data, false, registered)
			}
		})
	}
}
