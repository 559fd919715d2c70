package transcript_test

import (
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// shown is the start of a replay that takes what calls show of the memory before it.
var shown = transcript.Start{Shown: true}

func shownTrack(t testing.TB, calls []*transcript.Call) *transcript.Track {
	t.Helper()
	return startedWith(t, calls, shown)
}

func trackOf(t testing.TB, calls []*transcript.Call, files map[string][]byte) *transcript.Track {
	t.Helper()
	return startedWith(t, calls, transcript.Start{Files: files})
}

func startedWith(t testing.TB, calls []*transcript.Call, start transcript.Start) *transcript.Track {
	t.Helper()
	track, err := transcript.NewTrack(start, transcript.Handler{})
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
				h, err := transcript.Guess(t.Context(), r.Calls(), shown, memstore.Docs)
				if err != nil {
					t.Fatal(err)
				}
				track, err := transcript.NewTrack(shown, h)
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

// Around each call of every format that has a conversation there is what was said, the call itself among it.
func TestAround(t *testing.T) {
	g := generate(t, 3, 12, memstore.Docs)
	withTexts := map[string]bool{"messages": true, "claude-code": true, "body": true, "body-spread": true, "log": true, "array": true,
		"gzip": true, "completions": true, "messages-crlf": true, "utf-16": true}
	for name, text := range g.formats(t) {
		calls := read(t, transcript.Options{}, text).Calls()
		for _, i := range []int{1, 6, 11} {
			var from io.Reader = strings.NewReader(text)
			said, err := transcript.Around(from, calls[i])
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
