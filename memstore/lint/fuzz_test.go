package lint

import (
	"bytes"
	"testing"
)

func FuzzInspect(f *testing.F) {
	for _, r := range loadPlanted().rules {
		f.Add([]byte(r.Finds[0]))
	}
	f.Add([]byte("\u2067\u202e\r\x1b[31m\U000E0041\ufe0f\ufe0f\xff"))
	f.Add([]byte("[a](b.md) /memories/x.md\n- [x] F-001 to F-009"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := inspect(data)
		for _, one := range c.findings {
			if one.Count < len(one.Places) || len(one.Places) == 0 || one.Reason == "" {
				t.Fatalf("%+v", one)
			}
			last := -1
			for _, p := range one.Places {
				if p.Start < last || p.End < p.Start || p.End > len(data) {
					t.Fatalf("%s: place %+v behind %d of %d bytes", one.Rule, p, last, len(data))
				}
				if line := int64(bytes.Count(data[:p.Start], []byte("\n"))) + 1; p.Line != line ||
					p.Column != int64(p.Start-bytes.LastIndexByte(data[:p.Start], '\n')) {
					t.Fatalf("%s: %+v is in line %d", one.Rule, p, line)
				}
				last = p.Start
			}
		}
	})
}
