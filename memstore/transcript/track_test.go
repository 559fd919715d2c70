package transcript_test

import (
	"fmt"
	"maps"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// trackOf replays calls in the wording of the documentation.
func trackOf(t testing.TB, calls []*transcript.Call) *transcript.Track {
	t.Helper()
	docs := memstore.Docs
	track, err := transcript.NewTrack(t.Context(), calls, &docs)
	if err != nil {
		t.Fatal(err)
	}
	return track
}

// stepOn replays a call on a memory that has some files, and no others.
func stepOn(t testing.TB, files map[string]string, call *transcript.Call) transcript.Step {
	t.Helper()
	calls := []*transcript.Call{listingOf()}
	for path, text := range files {
		calls = append(calls, recorded(`{"command":"create","path":"`+path+`","file_text":`+encoded(text)+`}`,
			"File created successfully at: "+path, false))
	}
	return trackOf(t, append(calls, call)).Steps[len(calls)]
}

// Every format yields every call with its input byte for byte, the text of its result and the verdict identical, and the memory after
// every call is the one that the agent had. Formats of programs also have its session, model and time.
func TestGenerated(t *testing.T) {
	for seed, d := range memstore.Dialects() {
		g := generate(t, uint64(seed), 30, d)
		formats, agents := g.formats(t), g.agents()
		if d != memstore.Docs { // formats know nothing about dialects
			formats, agents = map[string]string{"messages": formats["messages"], "completions": formats["completions"]}, nil
		}
		maps.Copy(formats, agents)
		for name, text := range formats {
			t.Run(fmt.Sprintf("%s-%s", name, d), func(t *testing.T) {
				calls := read(t, nil, text).Calls()
				if len(calls) != len(g.calls) {
					t.Fatalf("%d calls of %d", len(calls), len(g.calls))
				}
				for i, c := range calls {
					w := g.calls[i]
					if string(c.Input) != w.input || c.Result == nil || encoded(c.Result.Text) != w.result || c.Result.Failed() != w.failed {
						t.Fatalf("call %d is %s, %+v\nwant %s, %s, %v", i, c.Input, c.Result, w.input, w.result, w.failed)
					}
					if agents[name] != "" && (c.Model != "m-1" || !c.When.Equal(g.times[i]) || c.Session != "s-1" && !nameless[name]) {
						t.Errorf("call %d has the session %q, the model %q and the time %s, want %s", i, c.Session, c.Model, c.When, g.times[i])
					}
				}
				track, err := transcript.NewTrack(t.Context(), calls, nil)
				if err != nil {
					t.Fatal(err)
				}
				compareStates(t, track, g)
			})
		}
	}
}

func compareStates(t *testing.T, track *transcript.Track, g generated) {
	t.Helper()
	for i, s := range track.Steps {
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
	for _, f := range track.Files(n) {
		got[f.Path] = string(f.Data)
	}
	return got
}
