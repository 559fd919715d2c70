package transcript_test

import (
	"bytes"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// What is looked for in lines leaves out none that holds a call: a text in front of a transcript makes
// the reader look at every line.
func TestNeedles(t *testing.T) {
	for name, text := range generate(t, 3, 40, memstore.Docs).formats(t) {
		if name == "body-spread" || strings.HasPrefix(name, "vscode") || !strings.HasPrefix(text, "{") {
			continue // looked at as a whole, or packed
		}
		var found, all []string
		for _, c := range read(t, transcript.Options{}, text).Calls() {
			found = append(found, c.ID+string(c.Input))
		}
		for _, c := range read(t, transcript.Options{}, "a log\n"+text).Calls() {
			all = append(all, c.ID+string(c.Input))
		}
		if len(found) == 0 || !reflect.DeepEqual(found, all) {
			t.Errorf("%s: %d calls, of %d when every line is looked at", name, len(found), len(all))
		}
	}
}

func TestWorthALook(t *testing.T) {
	for text, want := range map[string]bool{
		`{"name":"memory","input":{}}`:                                  true,
		`{"name": "copilot_memory"}`:                                    true,
		`{"body":"{\"name\":\"memory\"}"}`:                              true,
		`{"body":"{\"body\":\"{\\\"name\\\":\\\"memory\\\"}\"}"}`:       true,
		`{"body":"{\"name\":\"a_memory\"}"}`:                            true,
		`{"body":"{\u0022name\u0022:\u0022memory\u0022}"}`:              true,
		`{"name":"\u006demory"}`:                                        true,
		`{"file_path":"/home/x/.claude/projects/-x/memory/a.md"}`:       true,
		`{"file_path":"C:\\Users\\x\\.claude\\projects\\p\\memory\\a"}`: true,
		`{"file_path":"\/mnt\/memory\/a.md"}`:                           true,
		`{"file_path":"/home/x/.claude/agent-memory-local/a.md"}`:       true,
		`{"command":"rm -r ~/.claude/projects/-x/memory"}`:              true,
		`{"type":"system","subtype":"compact_boundary"}`:                true,
		`{"content":[{"type":"compaction","content":"x"}]}`:             true,
		`{"type":"agent.thread_context_compacted"}`:                     true,
		`{"text":"a compact disc"}`:                                     false,
		`{"content":{"encoding": "base64","text":"eyJ"}}`:               true,
		`{"text":"the memory of an elephant, memory_limit, in-memory"}`: false,
		`{"source":{"type":"base64","data":"eyJ"}}`:                     false,
		`{"text":"caf\u00e9"}`:                                          false,
		`{"text":"\nmemory\n"}`:                                         false,
		`memory`:                                                        true,
	} {
		if got := transcript.WorthALook([]byte(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func FuzzPairAt(f *testing.F) {
	f.Add([]byte(strings.Repeat("m.... ", 20)+"memory"), byte('m'), byte('y'), uint8(5), uint8(0))
	f.Add([]byte(strings.Repeat("\x00\x01\x80\x81", 20)), byte(0x80), byte(1), uint8(3), uint8(1))
	f.Fuzz(func(t *testing.T, block []byte, a, b byte, distance, from uint8) {
		i, d := min(int(from), len(block)), 1+int(distance)
		want := len(block)
		for at := i; at+d < len(block); at++ {
			if block[at] == a && block[at+d] == b {
				want = at
				break
			}
		}
		if got := transcript.PairAt(block, i, d, a, b); got != want {
			t.Errorf("at %d, want %d", got, want)
		}
	})
}

// Prose is passed over without a difference to looking at each of its words.
func FuzzProse(f *testing.F) {
	f.Add([]byte(strings.Repeat("the memory of ", 9)+`"memory" memory-bank/ /memories in-memory `+strings.Repeat("a memory,", 9)), uint8(3))
	f.Add([]byte(`memory memory-bank memory "memory memory-bank /memory`+strings.Repeat(" memory", 20)), uint8(0))
	f.Fuzz(func(t *testing.T, block []byte, from uint8) {
		for _, rates := range [][]byte{block, []byte("mmmm oooo"), []byte("rrrr eeee mm"), nil} {
			part := block[min(len(block), int(from)):]
			if got, want := transcript.FindMemory(part, rates, true), transcript.FindMemory(part, rates, false); !slices.Equal(got, want) {
				t.Errorf("%q with the bytes of %q: %d, want %d", part, rates, got, want)
			}
		}
	})
}

// A text is found at every place, whatever bytes it is looked for by.
func TestFind(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 2000 {
		text := []byte("memory")[:1+r.IntN(6)]
		block := make([]byte, r.IntN(300))
		for i := range block {
			block[i] = "memoryx "[r.IntN(8)]
		}
		for range 3 {
			if at := r.IntN(len(block) + 1); at+len(text) <= len(block) {
				copy(block[at:], text)
			}
		}
		from := r.IntN(len(block) + 1)
		want := len(block)
		if i := bytes.Index(block[from:], text); i >= 0 {
			want = from + i
		}
		if got := transcript.FindFrom(text, block, from, block[:r.IntN(len(block)+1)]); got != want {
			t.Fatalf("%q in %q from %d: %d, want %d", text, block, from, got, want)
		}
	}
}
