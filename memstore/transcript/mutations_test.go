package transcript_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

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
			text = text[:r.IntN(len(text)+1)]
		case 1:
			from := r.IntN(len(text) + 1)
			text = text[:from] + text[min(len(text), from+r.IntN(400)):]
		case 2:
			from := r.IntN(len(text) + 1)
			to := min(len(text), from+r.IntN(2000))
			at := r.IntN(len(text) + 1)
			text = text[:at] + text[from:to] + text[at:]
		case 3:
			r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
			text = strings.Join(lines, "")
		case 4:
			other := []string{"null", "7", "true", `"x"`, "[]", "{}", `[{"type":"text","text":1}]`, "-1e99"}[r.IntN(8)]
			if at := strings.Index(text[r.IntN(len(text)+1):], `":`); at >= 0 {
				at += strings.Index(text, text[at:]) + 2
				if at < len(text) && text[at] == '"' {
					if end := strings.IndexByte(text[at+1:], '"'); end >= 0 {
						text = text[:at] + other + text[at+end+2:]
					}
				}
			}
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

// Whatever goes wrong with a transcript, nothing panics or takes long, every input and result is JSON, and what texts quote is no
// call. MEMCURATOR_MUTATIONS is how many of each format are tried.
func TestMutations(t *testing.T) {
	times := 30
	if n, err := strconv.Atoi(os.Getenv("MEMCURATOR_MUTATIONS")); err == nil {
		times = n
	}
	g := generate(t, 31, 8, memstore.Docs)
	all := g.agents()
	maps.Copy(all, g.formats(t))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		r := rand.New(rand.NewPCG(3, uint64(len(name))))
		for range times {
			text := mutated(r, all[name])
			from := time.Now()
			reader := transcript.NewReader(transcript.Options{})
			_ = reader.Read("f", bytes.NewReader([]byte(text))) // it may be unreadable
			calls := reader.Calls()
			for _, c := range calls {
				if !json.Valid(c.Input) || c.Result != nil && !json.Valid(c.Result.Raw) {
					t.Fatalf("%s: the call %s %s isn't JSON", name, c.Input, c.Result.Raw)
				}
				if cmd, err := memstore.DecodeCommand(c.Input); err == nil && c.Family == transcript.Memory && cmd.Path == quotedPath {
					t.Fatalf("%s: a call that was only quoted: %s\nin %q", name, c.Input, text)
				}
			}
			track, err := transcript.NewTrack(shown, transcript.Handler{})
			if err != nil {
				continue // names that a store doesn't take
			}
			for _, c := range calls {
				track.Add(t.Context(), c)
			}
			if took := time.Since(from); took > 10*time.Second {
				t.Fatalf("%s: reading and replaying took %s", name, took)
			}
		}
	}
}
