package scrub

import (
	"bytes"
	"encoding/json"
	"sync"
	"testing"

	"memcurator/memstore/scrub/view"
)

// fuzzEngine is made once: the targets run in one process.
var fuzzEngine = sync.OnceValue(func() *Engine {
	e, _ := New(Options{})
	return e
})

var fuzzNames = []string{"a.md", "a.json", "a.jsonl", "a.yaml", "a.xml", "a.toml", "a.env", "a.csv", "a.txt"}

func seeds(f *testing.F) {
	for _, file := range []string{"finds.txt", "leaves.txt"} {
		for i, c := range readLines(f, file, 0) {
			f.Add(uint8(i), []byte(c.text))
		}
	}
	f.Add(uint8(1), []byte(`{"a":"\ud83d\ude00 password: \u0068unter2x\n","n":[1,2,{"pin":4821}]}`))
	f.Add(uint8(4), []byte("<a b='x'><password>h&#117;nter2&amp;x</password><![CDATA[password: hunter2x]]></a>"))
	f.Add(uint8(116), []byte("token 00011279A8BC\n{\""))
	f.Add(uint8(0xaf), []byte("<A A=\"pw\" A0000=\"\"/>"))
	f.Add(uint8(0), []byte("\xff\xfep\x00w\x00:\x00 \x00h\x00u\x00n\x00t\x00e\x00r\x002\x00x\x00"))
	f.Add(uint8(0), []byte("password: REDACTED:password REDACTED: REDACTED:password:"))
}

// FuzzScrub: offsets are in range and ordered, nothing panics, a second run changes
// nothing, and what could be parsed still can.
func FuzzScrub(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, kind uint8, text []byte) {
		e := fuzzEngine()
		name := fuzzNames[int(kind)%len(fuzzNames)]
		last := 0
		for _, found := range e.Find(name, text) {
			if found.Start < last || found.End <= found.Start || found.End > len(text) {
				t.Fatalf("%s %q: %+v after %d", name, text, found, last)
			}
			last = found.End
		}
		out, _ := e.Scrub(name, text, nil)
		if again, counts := e.Scrub(name, out, nil); len(counts) > 0 || !bytes.Equal(again, out) {
			t.Fatalf("%s %q: the second run makes %q of %q", name, text, again, out)
		}
		if format := view.FormatOf(name, text); parses(format, text) && !parses(format, out) {
			t.Fatalf("%s %q: does not parse any more: %q", name, text, out)
		}
	})
}

// parses reports a text that a reader of its format accepts.
func parses(format view.Format, text []byte) bool {
	switch format {
	case view.JSON:
		return json.Valid(text)
	case view.JSONL:
		for _, line := range bytes.Split(text, []byte("\n")) {
			if len(bytes.TrimSpace(line)) > 0 && !json.Valid(line) {
				return false
			}
		}
		return true
	}
	return true
}
