package transcript_test

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
	"memcurator/memstore/transcript/said"
)

func trackOf(t testing.TB, calls []*transcript.Call, files map[string][]byte) *transcript.Track {
	t.Helper()
	track, err := transcript.NewTrack(transcript.Start{Files: files}, transcript.Handler{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range calls {
		track.Add(t.Context(), c)
	}
	return track
}

// Every format yields every call, byte for byte, with the verdict identical, and the memory after
// every call is the one that the agent had.
func TestGenerated(t *testing.T) {
	for seed, d := range memstore.Dialects() {
		g := generate(t, uint64(seed), 30, d)
		for name, text := range g.formats(t) {
			if d != memstore.Docs && name != "messages" && name != "completions" {
				continue // formats know nothing about dialects
			}
			t.Run(fmt.Sprintf("%s-%s", name, d), func(t *testing.T) {
				r := read(t, transcript.Options{}, text)
				want := g.calls
				if name == "converse" { // the text is in a block
					want = nil
					for _, c := range g.calls {
						c.result = `[{"text":` + c.result + `}]`
						want = append(want, c)
					}
				}
				check(t, r, want)
				start, _ := transcript.Begin(r.Calls())
				h, err := transcript.Guess(t.Context(), r.Calls(), start, memstore.Docs)
				if err != nil {
					t.Fatal(err)
				}
				track, err := transcript.NewTrack(start, h)
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range r.Calls() {
					track.Add(t.Context(), c)
				}
				compareStates(t, track, g)
			})
		}
	}
}

func compareStates(t *testing.T, track *transcript.Track, g generated) {
	t.Helper()
	for i, s := range track.Steps() {
		if s.Verdict != transcript.Identical {
			t.Fatalf("call %d, %s: %s (%s)", i+1, s.Input, s.Verdict, s.Detail)
		}
		if got := filesAfter(track, i+1); !maps.Equal(got, g.after[i]) {
			t.Fatalf("after call %d the memory is %q, want %q", i+1, got, g.after[i])
		}
	}
}

func filesAfter(track *transcript.Track, n int) map[string]string {
	got := map[string]string{}
	for _, h := range track.Held(n) {
		if data, ok := track.Content(h.Path, n); ok {
			got[h.Path] = string(data)
		}
	}
	return got
}

// The memory after any call can be made anew.
func TestMemoryAfterACall(t *testing.T) {
	g := generate(t, 9, 80, memstore.Docs)
	whole := trackOf(t, read(t, transcript.Options{}, strings.Join(g.messages(), "\n")).Calls(), nil)
	b, err := whole.Memory(40)
	if err != nil {
		t.Fatal(err)
	}
	if got := filesOf(t, b); !maps.Equal(got, g.after[39]) {
		t.Errorf("the memory after call 40 is %q, want %q", got, g.after[39])
	}
}

// Compaction removes what was seen; clearing says that it may be gone.
func TestBoundaries(t *testing.T) {
	g := generate(t, 2, 6, memstore.Docs)
	lines := strings.SplitAfter(g.formats(t)["claude-code"], "\n")
	at := 3 * 3 // after the third call
	text := strings.Join(lines[:at], "") + `{"type":"system","subtype":"compact_boundary","uuid":"c1","sessionId":"s1","timestamp":"` +
		g.stamp(2) + `"}` + "\n" + strings.Join(lines[at:], "")
	r := read(t, transcript.Options{}, text)
	track := trackOf(t, r.Calls(), nil)
	track.SetBoundaries(r.Boundaries())
	if b := track.Boundaries(); len(b) != 1 || b[0].Kind != transcript.Compaction || b[0].Step != 3 {
		t.Fatalf("boundaries %+v", b)
	}
	cleared := strings.Replace(strings.Join(g.messages(), "\n")+"\n", `"role":"assistant"`,
		`"context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919","cleared_tool_uses":2}]},"role":"assistant"`, 1)
	if b := read(t, transcript.Options{}, cleared).Boundaries(); len(b) != 1 || b[0].Kind != transcript.Clearing || b[0].Cleared != 2 {
		t.Errorf("boundaries %+v", b)
	}
}

// Around each call of every format that has a conversation there is what was said, the call itself among it.
func TestAround(t *testing.T) {
	g := generate(t, 3, 12, memstore.Docs)
	withTexts := map[string]bool{"messages": true, "claude-code": true, "body": true, "body-spread": true, "log": true, "array": true,
		"gzip": true, "completions": true, "messages-crlf": true, "utf-16": true}
	for name, text := range g.formats(t) {
		calls := read(t, transcript.Options{}, text).Calls()
		for _, i := range []int{1, 6, 11} {
			var from io.Reader = strings.NewReader(text)
			said, err := said.Around(from, calls[i])
			if err != nil {
				t.Fatal(err)
			}
			here, before := -1, ""
			for k, s := range said {
				if s.Here && s.ID == calls[i].ID {
					here = k
				}
				if here < 0 && s.Tool == "" {
					before = s.Text
				}
			}
			want := strings.TrimSpace(g.text[i])
			if i%3 == 0 && i > 0 && name != "claude-code" && name != "completions" {
				want = strings.TrimSpace(g.text[i-1])
			}
			if here < 0 || withTexts[name] && before != want {
				t.Errorf("%s, call %d: of %d things said the call is number %d, before it %q was said, want %q", name, i, len(said), here, before, want)
			}
		}
	}
}

// Where a log shows the conversation, it is known which results the server cleared: the oldest, except for tools
// that the request excludes.
func TestClearingThatIsTold(t *testing.T) {
	use := func(id, name, input string) string {
		return fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}`, id, name, input)
	}
	result := func(id, text string) string {
		return fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%s}]}`, id, encoded(text))
	}
	seenA := "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo\n     3\t"
	history := strings.Join([]string{
		use("w", "web_search", `{}`), result("w", "memory"), use("m1", "memory", makeA),
		result("m1", "File created successfully at: /memories/a.md"),
		use("b1", "bash", `{}`), result("b1", "x"), use("m2", "memory", `{"command":"view","path":"/memories/b.md"}`),
		result("m2", strings.ReplaceAll(seenA, "a.md", "b.md")),
		use("m3", "memory", viewA), result("m3", seenA),
	}, ",")
	last := `{"type":"message","role":"assistant","context_management":{"applied_edits":[{"type":"clear_tool_uses_20250919",` +
		`"cleared_tool_uses":%d}]},"content":[{"type":"tool_use","id":"m4","name":"memory","input":` + listR + `}]}`
	edits := `"context_management":{"edits":[{"type":"clear_tool_uses_20250919","exclude_tools":["web_search"],"clear_tool_inputs":%v}]}`
	for _, c := range []struct {
		n      int
		inputs bool
		lost   [2]int // after which step the results of steps 2 and 3 were
		exact  bool
	}{
		{2, false, [2]int{0, 0}, true}, // m1 and bash
		{3, false, [2]int{3, 0}, true}, // and m2
		{4, false, [2]int{3, 3}, true}, // and m3
		{4, true, [2]int{3, 3}, true},
		{5, false, [2]int{0, 0}, false}, // fewer exist, and it is unknown which
	} {
		text := `{"request":{` + fmt.Sprintf(edits, c.inputs) + `,"messages":[` + history + `]},"response":` + fmt.Sprintf(last, c.n) + `}`
		r := read(t, transcript.Options{}, text)
		track := trackOf(t, r.Calls(), map[string][]byte{"/memories/b.md": []byte("one\ntwo\n")})
		track.SetBoundaries(r.Boundaries())
		b := track.Boundaries()
		if len(b) != 1 || b[0].Exact != c.exact || b[0].Step != 3 {
			t.Fatalf("%+v: boundaries %+v", c, b)
		}
		if lost := [2]int{track.LostAfter(2), track.LostAfter(3)}; lost != c.lost {
			t.Errorf("%+v: lost %v", c, lost)
		}
	}
}
