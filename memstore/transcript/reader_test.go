package transcript_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// told is a call of the ground truth.
type told struct {
	id, input string
	result    string // JSON; "" for none
	failed    bool
}

// truth is a conversation with what trips readers up: parallel calls answered in another order, calls
// quoted in texts, a call of another memory tool, escapes, and a last call without a result.
var truth = []told{
	{"t1", `{"command":"view","path":"/memories"}`,
		`"Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n4.0K\t/memories"`, false},
	{"t2", `{"command":"create","path":"/memories/a.md","file_text":"{\"type\":\"tool_use\",\"name\":\"memory\"}\nünï 😀 \u0000 ` +
		`\ud83d\ude00\n"}`, `"File created successfully at: /memories/a.md"`, false},
	{"t3", `{ "command" : "create" ,"path":"/memories/b.md","file_text":""}`,
		`[{"type":"text","text":"File created successfully at: /memories/b.md"}]`, false},
	{"t4", `{"command":"delete","path":"/memories/../x"}`, `"Error: Path /memories/../x would escape /memories directory"`, true},
	{"t5", `{"command":"rename","old_path":"/memories/b.md","new_path":"/memories/c.md"}`, "", false},
}

func useOf(c told) string {
	return fmt.Sprintf(`{"type":"tool_use","id":%q,"name":"memory","input":%s}`, c.id, c.input)
}

func result(c told) string {
	flag := ""
	if c.failed {
		flag = `,"is_error":true`
	}
	return fmt.Sprintf(`{"type":"tool_result","tool_use_id":%q,"content":%s%s}`, c.id, c.result, flag)
}

const (
	otherTool   = `{"type":"tool_use","id":"o1","name":"memory","input":{"action":"add","text":"x"}}`
	otherResult = `{"type":"tool_result","tool_use_id":"o1","content":[{"type":"tool_use","id":"q","name":"memory",` +
		`"input":{"command":"delete","path":"/memories"}}]}`
)

// conversation is the truth as messages.
func conversation() []string {
	assistant := func(blocks ...string) string {
		return `{"role":"assistant","content":[` + strings.Join(blocks, ",") + `]}`
	}
	user := func(blocks ...string) string { return `{"role":"user","content":[` + strings.Join(blocks, ",") + `]}` }
	return []string{
		`{"role":"user","content":"run {\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",\"input\":{\"command\":\"view\"}}"}`,
		assistant(`{"type":"text","text":"memory"}`, useOf(truth[0])), user(result(truth[0])),
		assistant(useOf(truth[1]), otherTool, useOf(truth[2])), user(result(truth[2]), otherResult, result(truth[1])),
		assistant(useOf(truth[3])), user(result(truth[3])),
		assistant(useOf(truth[4])),
	}
}

func body(messages []string) string {
	return `{"model":"m-1","max_tokens":5,"messages":[` + strings.Join(messages, ",") + `]}`
}

func requestLog(wrap func(request, response string) string) string {
	var b strings.Builder
	all := conversation()
	for i := 1; i < len(all); i += 2 {
		b.WriteString(wrap(body(all[:i]), strings.Replace(all[i], "{", `{"type":"message","model":"m-1",`, 1)) + "\n")
	}
	return b.String()
}

// canonical is one spelling for all spellings of a JSON value: the log of a chat is put together anew.
func canonical(v []byte) []byte {
	var x any
	if json.Unmarshal(v, &x) != nil {
		return v
	}
	out, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return out
}

func encoded(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(out)
}

func indented(text string) string {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "  "); err != nil {
		panic(err)
	}
	return out.String()
}

func read(t testing.TB, o transcript.Options, files ...string) *transcript.Reader {
	t.Helper()
	r := transcript.NewReader(o)
	for _, f := range files {
		if err := r.Read("f", strings.NewReader(f)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// check compares the calls found with the truth, byte for byte.
func check(t *testing.T, r *transcript.Reader, want []told) {
	t.Helper()
	calls := r.Calls()
	for i, c := range calls {
		if i >= len(want) {
			t.Errorf("extra call %s %s", c.ID, c.Input)
			continue
		}
		w := want[i]
		if c.ID != w.id || string(c.Input) != w.input {
			t.Errorf("call %d is %s %s\nwant %s %s", i, c.ID, c.Input, w.id, w.input)
		}
		switch {
		case c.Result == nil:
			if w.result != "" {
				t.Errorf("call %s has no result", c.ID)
			}
		case string(c.Result.Raw) != w.result && string(canonical(c.Result.Raw)) != string(canonical([]byte(w.result))) || c.Result.IsError != w.failed:
			t.Errorf("call %s has the result %s, %v\nwant %s, %v", c.ID, c.Result.Raw, c.Result.IsError, w.result, w.failed)
		}
	}
	if len(calls) < len(want) {
		t.Errorf("found %d calls of %d", len(calls), len(want))
	}
}

func TestFormats(t *testing.T) {
	all := conversation()
	plain := func(request, response string) string {
		return `{"response":` + response + `,"request":` + request + `}`
	}
	inStrings := func(request, response string) string {
		return `{"request":{"body":` + encoded(request) + `},"response":{"body":` + encoded(response) + `}}`
	}
	for _, c := range []struct{ name, text string }{
		{"body", body(all)},
		{"body over lines", strings.ReplaceAll(body(all), `{"role"`, "\n{\"role\"")},
		{"bare array", "[" + strings.Join(all, ",") + "]"},
		{"a message a line", strings.Join(all, "\n") + "\n"},
		{"with CRLF and a byte order mark", "\ufeff" + strings.Join(all, "\r\n\r\n")},
		{"log with repeated history", requestLog(plain)},
		{"log with bodies in strings", requestLog(inStrings)},
		{"log with retries", requestLog(plain) + requestLog(plain)},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := read(t, transcript.Options{}, c.text)
			check(t, r, truth)
			s := r.Summary()
			if s.Other != 1 || s.Bad != 0 || s.CutLast {
				t.Errorf("summary %+v, want 1 other call", s)
			}
		})
	}
}

func TestStreams(t *testing.T) {
	input := `{"command":"create","path":"/memories/ü.md","file_text":"a\u00e9\"b"}`
	var pieces []string
	for i := 0; i < len(input); i += 7 {
		pieces = append(pieces, input[i:min(i+7, len(input))])
	}
	pieces[2] = strings.ToValidUTF8(pieces[2], "?")
	input = strings.Join(pieces, "")
	events := []string{
		`{"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}`,
		`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"s1","name":"memory","input":{}}}`,
		`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}`,
	}
	for _, p := range pieces {
		events = append(events, `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":`+encoded(p)+`}}`)
	}
	cut := len(events)
	events = append(events, `{"type":"content_block_stop","index":1}`, `{"type":"message_stop"}`)
	sse := func(events []string, end string) string {
		var b strings.Builder
		b.WriteString(": a comment" + end)
		for _, e := range events {
			b.WriteString("event: x" + end + "data: " + e + end + end)
		}
		return b.String()
	}
	want := []told{{id: "s1", input: input}}
	check(t, read(t, transcript.Options{}, sse(events, "\n")+"data: [DONE]\n\n"), want)
	check(t, read(t, transcript.Options{}, sse(events, "\r\n")), want)
	check(t, read(t, transcript.Options{}, `{"type":"stream_event","session_id":"s","event":`+
		strings.Join(events, "}\n{\"type\":\"stream_event\",\"session_id\":\"s\",\"event\":")+"}\n"), want)
	check(t, read(t, transcript.Options{}, `{"request":{"messages":[]},"response":{"body":`+encoded(sse(events, "\n"))+`}}`), want)

	r := read(t, transcript.Options{}, sse(events[:cut-1], "\n"))
	if calls := r.Calls(); len(calls) != 1 || !calls[0].Cut {
		t.Errorf("a stream that was cut off gave %+v", calls)
	}
}

func TestPacked(t *testing.T) {
	text := body(conversation())
	var g bytes.Buffer
	w := gzip.NewWriter(&g)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	check(t, read(t, transcript.Options{}, g.String()), truth)
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, read(t, transcript.Options{}, string(z.EncodeAll([]byte(text), nil))), truth)
}

// Ids that a server counts from 0 in each conversation name other calls there; those that are unique
// name the same call wherever they stand.
func TestIdentity(t *testing.T) {
	one := func(first, id, path string) string {
		c := told{id: id, input: `{"command":"view","path":"` + path + `"}`, result: `"x"`}
		return body([]string{`{"role":"user","content":"` + first + `"}`, `{"role":"assistant","content":[` + useOf(c) + `]}`,
			`{"role":"user","content":[` + result(c) + `]}`})
	}
	const unique = "toolu_01A09q90qw90lq917835lq9"
	for _, c := range []struct {
		name  string
		lines []string
		want  int
	}{
		{"two conversations", []string{one("a", "call_0", "/memories"), one("b", "call_0", "/memories")}, 2},
		{"the same request twice", []string{one("a", "call_0", "/memories"), one("a", "call_0", "/memories")}, 1},
		{"a unique id after compaction", []string{one("a", unique, "/memories"), one("b", unique, "/memories")}, 1},
	} {
		r := read(t, transcript.Options{}, strings.Join(c.lines, "\n"))
		if n := len(r.Calls()); n != c.want {
			t.Errorf("%s: %d calls, want %d", c.name, n, c.want)
		}
	}
}

// A real result beats the placeholder that a client puts in its place.
func TestClearedResults(t *testing.T) {
	full, bare := truth[0], truth[0]
	bare.result = `"[Old tool result content cleared]"`
	message := func(c told) string {
		return body([]string{`{"role":"assistant","content":[` + useOf(c) + `]}`, `{"role":"user","content":[` + result(c) + `]}`})
	}
	check(t, read(t, transcript.Options{}, message(full)+"\n"+message(bare)), []told{full})
	check(t, read(t, transcript.Options{}, message(bare)+"\n"+message(full)), []told{full})
	check(t, read(t, transcript.Options{}, message(bare)), []told{bare})
}

func TestBadInput(t *testing.T) {
	whole := body(conversation())
	for _, c := range []struct {
		name, text string
		err        error
		says       string
	}{
		{"empty", "", transcript.ErrEmpty, ""},
		{"printed log", strings.Repeat("tool memory: view /memories\n", 30), nil, "No calls in f: it is a printed log, 30 mentions of memory"},
		{"no transcript", "hello\nworld\n", nil, "No transcript in f: no JSON found"},
		{"other lines", strings.Repeat("{\"a\":1}\n", 3), nil, "No memory calls in f, 3 messages"},
		{"another tool", `{"role":"assistant","content":[` + otherTool + "]}\n", nil,
			"No memory calls in f, 1 message, 1 call of another tool named memory"},
		{"NUL", "{\"memory\":\"\x00\"}\n{\"a\":1}\n", nil, "line 1 is damaged"},
		{"deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), nil, "No memory calls in f"},
	} {
		r := transcript.NewReader(transcript.Options{})
		if err := r.Read("f", strings.NewReader(c.text)); !errors.Is(err, c.err) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.err)
		}
		if got := r.Summary().Describe("f"); len(r.Calls()) > 0 || !strings.Contains(got, c.says) {
			t.Errorf("%s: %d calls, %q, want %q", c.name, len(r.Calls()), got, c.says)
		}
	}
	cut := read(t, transcript.Options{}, whole[:strings.Index(whole, `"id":"t4"`)])
	check(t, cut, nil)
	if !cut.Summary().CutLast {
		t.Error("a file that was cut off does not say so")
	}
	// The last of two equal keys counts, and bytes that are not UTF-8 stay as they are.
	odd := `{"role":"assistant","content":[{"type":"tool_use","id":"d","name":"memory","input":{"command":"nosuch"},` +
		`"input":{"command":"view","path":"/memories/` + "\xff" + `\ud800"}}]}`
	check(t, read(t, transcript.Options{}, odd), []told{{id: "d", input: `{"command":"view","path":"/memories/` + "\xff" + `\ud800"}`}})
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(body(conversation())))
	f.Add([]byte(indented(body(conversation()))[:900]))
	f.Add([]byte(strings.Join(conversation(), "\n")))
	f.Add([]byte("data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"id\":\"a\"," +
		"\"name\":\"memory\"}}\n"))
	g := generate(f, 1, 2, memstore.Docs)
	for _, text := range g.formats(f) {
		f.Add([]byte(text))
	}
	for _, text := range g.agents() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := transcript.NewReader(transcript.Options{})
		_ = r.Read("f", bytes.NewReader(data)) // whatever it is, nothing may panic
		calls := r.Calls()
		for _, c := range calls {
			if !c.Cut && !json.Valid(c.Input) {
				t.Errorf("the input %q is not JSON", c.Input)
			}
			if c.Result != nil && !json.Valid(c.Result.Raw) {
				t.Errorf("the result %q is not JSON", c.Result.Raw)
			}
		}
		for _, c := range calls[:min(len(calls), 3)] {
			_, _ = transcript.Around(bytes.NewReader(data), c) // as above
		}
		p, err := transcript.NewReplay(shown, transcript.Handler{})
		if err != nil {
			return // names that a store does not take
		}
		for _, c := range calls {
			if s := p.Step(t.Context(), c); s.Verdict == "" {
				t.Errorf("no verdict for %s", c.Input)
			}
		}
	})
}
