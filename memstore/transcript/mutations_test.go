package transcript_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// quotedPath is in what texts quote: no call is on it.
const quotedPath = "/memories/quoted-only.md"

// mutated is a transcript that was damaged: cut, spliced, reordered, with values of other types, with bytes that aren't text.
func mutated(r *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	for range 1 + r.IntN(3) {
		switch r.IntN(6) {
		case 0:
			from := r.IntN(len(text) + 1)
			text = text[:from] + text[min(len(text), from+r.IntN(400)):]
		case 1:
			from := r.IntN(len(text) + 1)
			to := min(len(text), from+r.IntN(2000))
			at := r.IntN(len(text) + 1)
			text = text[:at] + text[from:to] + text[at:]
		case 2:
			r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			text = strings.Join(lines, "")
		case 3:
			other := []string{"null", "7", "true", `"x"`, "[]", "{}", `[{"type":"text","text":1}]`, "-1e99"}[r.IntN(8)]
			if at := strings.Index(text[r.IntN(len(text)+1):], `":`); at >= 0 {
				at += strings.Index(text, text[at:]) + 2
				if at < len(text) && text[at] == '"' {
					if end := strings.IndexByte(text[at+1:], '"'); end >= 0 {
						text = text[:at] + other + text[at+end+2:]
					}
				}
			}
		case 4: // a crash leaves NUL
			at := r.IntN(len(text) + 1)
			text = text[:at] + strings.Repeat("\x00", r.IntN(9000)) + text[at:]
		case 5:
			b := []byte(text)
			for range 5 {
				if len(b) > 0 {
					b[r.IntN(len(b))] = byte(r.IntN(256))
				}
			}
			text = string(b)
		}
		if text == "" {
			return text
		}
	}
	return text
}

// sound reads and replays a transcript that may be damaged: every input and result is JSON, and every step has a verdict.
func sound(t *testing.T, text string) []*transcript.Call {
	t.Helper()
	reader := transcript.NewReader(nil)
	_ = reader.Read("f", strings.NewReader(text)) // it may be unreadable
	calls := reader.Calls()
	for _, s := range trackOf(t, calls).Steps {
		if !json.Valid(s.Input) || s.Result != nil && !json.Valid(s.Result.Raw) || s.Verdict == "" {
			t.Fatalf("the call %s, %+v came to %q", s.Input, s.Result, s.Verdict)
		}
	}
	return calls
}

// Whatever goes wrong with a transcript, nothing panics, and what texts quote is no call. A transcript that is cut off has no
// call that wasn't made. MEMCURATOR_MUTATIONS is how many of each format are tried, at least 30.
func TestMutations(t *testing.T) {
	times, _ := strconv.Atoi(os.Getenv("MEMCURATOR_MUTATIONS"))
	g := generate(t, 31, 8, memstore.Docs)
	made := map[string]bool{}
	for _, c := range g.calls {
		made[string(canonical([]byte(c.input)))] = true
	}
	all := g.agents()
	maps.Copy(all, g.formats(t))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := rand.New(rand.NewPCG(3, uint64(len(name))))
		for range max(30, times) {
			cut := all[name][:r.IntN(len(all[name])+1)]
			for _, c := range sound(t, cut) {
				if !made[string(canonical(c.Input))] {
					t.Fatalf("%s: a call that was not made: %s\nin %q", name, c.Input, cut)
				}
			}
			text := mutated(r, all[name])
			for _, c := range sound(t, text) {
				if cmd, err := memstore.DecodeCommand(c.Input); err == nil && c.Family == transcript.Memory && cmd.Path == quotedPath {
					t.Fatalf("%s: a call that was only quoted: %s\nin %q", name, c.Input, text)
				}
			}
		}
	}
}
