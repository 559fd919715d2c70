package transcript_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

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

func read(t testing.TB, folders []string, files ...string) *transcript.Reader {
	t.Helper()
	r := transcript.NewReader(folders)
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
		r := read(t, nil, strings.Join(c.lines, "\n"))
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
	check(t, read(t, nil, message(full)+"\n"+message(bare)), []told{full})
	check(t, read(t, nil, message(bare)+"\n"+message(full)), []told{full})
	check(t, read(t, nil, message(bare)), []told{bare})
}

// Files without a call, each with the sentence that says what was seen. A call that is quoted was not made.
func TestFilesWithoutACall(t *testing.T) {
	whole := body(conversation())
	for _, c := range []struct{ name, text, says string }{
		{"empty", "", "it is empty"},
		{"no transcript", "hello\nworld\n", "No transcript in f: no JSON found"},
		{"other lines", strings.Repeat("{\"a\":1}\n", 3), "No memory calls in f, 3 messages"},
		{"another tool", `{"role":"assistant","content":[` + otherTool + "]}\n", "No memory calls in f, 1 message"},
		{"NUL", "{\"memory\":\"\x00\"}\n{\"a\":1}\n", "line 1 is damaged"},
		{"deep", strings.Repeat("[", 20000) + strings.Repeat("]", 20000), "No memory calls in f"},
		{"cut off", whole[:strings.Index(whole, `"id":"t4"`)], "the last line is incomplete"},
		{"a stream cut off in an input", `data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"s1",` +
			`"name":"memory","input":{}}}` + "\n" + `data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta",` +
			`"partial_json":"{\"command\":\"vi"}}` + "\n", "No memory calls in f"},
		{"half of UTF-16", "\xff\xfe{", "no JSON found"},
		{"broken gzip", "\x1f\x8b\x08broken....", "it looks like gzip that can't be unpacked"},
		{"quoted in prose", `{"role":"assistant","content":[{"type":"text","text":"{\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",` +
			`\"input\":{\"command\":\"view\",\"path\":\"/memories\"}}"}]}` + "\n", "No memory calls in f"},
		{"quoted as a response", `{"prompt":"x","response":"{\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",` +
			`\"input\":{\"command\":\"delete\",\"path\":\"/memories/a\"}}"}` + "\n", "No memory calls in f"},
		{"quoted as a list", `{"prompt":"x","response":"[{\"type\":\"tool_use\",\"id\":\"q\",\"name\":\"memory\",` +
			`\"input\":{\"command\":\"delete\",\"path\":\"/memories/a\"}}]"}` + "\n", "No memory calls in f"},
		{"quoted in a result", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":[{"type":"tool_use","id":"q",` +
			`"name":"memory","input":{"command":"view"}}]}]}` + "\n", "No memory calls in f"},
		{"a summary", `{"type":"user","isCompactSummary":true,"uuid":"u","sessionId":"s","message":{"role":"user","content":"tool_use ` +
			`memory {\"command\":\"view\"}"}}` + "\n", "No memory calls in f"},
	} {
		r := transcript.NewReader(nil)
		err := r.Read("f", strings.NewReader(c.text))
		if got := fmt.Sprint(err, r.Summary().Describe("f")); len(r.Calls()) > 0 || !strings.Contains(got, c.says) {
			t.Errorf("%s: %d calls, %q, want %q", c.name, len(r.Calls()), got, c.says)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte(body(conversation())))
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
		sound(t, string(data)) // whatever it is, nothing may panic
	})
}
