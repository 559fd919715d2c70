package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// Each of these says the same: a view without a session's trouble, and its result.
func TestShapes(t *testing.T) {
	const input = `{"command":"view","path":"/memories"}`
	args := encoded(input)
	want := []told{{id: "c1", input: input, result: `"The path /memories does not exist. Please provide a valid path."`, failed: true}}
	text := want[0].result
	for _, c := range []struct{ name, text string }{
		{"chat completions",
			`{"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"memory",` +
				`"arguments":` + args + `}}]},{"role":"tool","tool_call_id":"c1","content":` + text + `}]}`},
		{"items of responses",
			`{"input":[{"type":"function_call","call_id":"c1","name":"memory","arguments":` + args +
				`},{"type":"function_call_output","call_id":"c1","output":` + text + `}]}`},
		{"log of chat completions",
			`{"request":{"messages":[{"role":"user","content":"x"}]},"response":{"choices":[{"index":0,"message":{"role":"assistant",` +
				`"tool_calls":[{"id":"c1","function":{"name":"memory","arguments":` + args + `}}]}}]}}` + "\n" +
				`{"request":{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"memory",` +
				`"arguments":` + args + `}}]},{"role":"tool","tool_call_id":"c1","content":` + text + `}]},"response":{}}`},
		{"chunks of chat completions",
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"memory","arguments":""}}]}}]}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` + encoded(input[:9]) + `}}]}}]}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` + encoded(input[9:]) + `}}]}}]}` + "\n\n" +
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n" +
				`{"role":"tool","tool_call_id":"c1","content":` + text + `}`},
		{"a batch",
			`{"custom_id":"x","result":{"type":"succeeded","message":{"role":"assistant","content":[` + useOf(want[0]) + `]}}}` + "\n" +
				`{"custom_id":"x","params":{"messages":[{"role":"assistant","content":[` + useOf(want[0]) + `]},{"role":"user","content":[` +
				result(want[0]) + `]}]}}`},
		{"stream-json",
			`{"type":"system","subtype":"init","session_id":"s"}` + "\n" +
				`{"type":"assistant","session_id":"s","message":{"role":"assistant","content":[` + useOf(want[0]) + `]}}` + "\n" +
				`{"type":"user","session_id":"s","message":{"role":"user","content":[` + result(want[0]) + `]},"tool_use_result":"Error"}`},
		{"events of a managed agent",
			`{"type":"agent.custom_tool_use","id":"c1","name":"memory","input":` + input + `,"processed_at":"2026-01-02T03:04:05Z"}` + "\n" +
				`{"type":"agent.custom_tool_use","id":"c1","name":"memory","input":` + input + `,"session_thread_id":""}` + "\n" +
				`{"type":"user.custom_tool_result","custom_tool_use_id":"c1","content":` + text + `,"is_error":true}`},
		{"Bedrock Converse",
			`{"messages":[{"role":"assistant","content":[{"toolUse":{"toolUseId":"c1","name":"memory","input":` + input +
				`}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"c1","content":` + text + `,"status":"error"}}]}]}`},
		{"Pydantic AI",
			`[{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"memory","tool_call_id":"c1","args":` + args +
				`}]},{"kind":"request","parts":[{"part_kind":"tool-return","tool_call_id":"c1","content":` + text + `}]}]`},
		{"Vercel AI SDK",
			`[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"memory","input":` + input +
				`}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","output":{"type":"error-text","value":` + text + `}}]}]`},
		{"LangChain",
			`[{"type":"ai","data":{"content":[` + useOf(want[0]) + `],"tool_calls":[{"id":"c1","name":"memory","args":` + input +
				`}]}},{"type":"tool","data":{"type":"tool","tool_call_id":"c1","content":` + text + `,"status":"error"}}]`},
		{"VS Code chat",
			`{"version":3,"sessionId":"s","requests":[{"timestamp":1767322800000,` +
				`"result":{"metadata":{"toolCallResults":{"c1":{"content":[{"value":` + text +
				`}]}},"toolCallRounds":[{"toolCalls":[{"id":"c1","name":"memory","arguments":` + args + `}]}]}}}]}`},
		{"log of operations of VS Code chat",
			`{"kind":0,"v":{"version":3,"sessionId":"s","requests":[]}}` + "\n" +
				`{"kind":1,"k":["requests",0,"result"],"v":{"metadata":{"toolCallRounds":[{"toolCalls":[{"id":"c1","name":"memory","arguments":` +
				args + `}]}],"toolCallResults":{"c1":{"content":` + text + `}}}}}`},
		{"a chat replay",
			`{"exportedAt":"x","prompts":[{"prompt":"p","logs":[{"id":"c1","kind":"toolCall","tool":"memory","args":` + args +
				`,"response":[` + text + `]}]}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			want := slices.Clone(want)
			switch c.name {
			case "VS Code chat":
				want[0].result = `[{"value":` + text + `}]`
			case "a chat replay":
				want[0].result = "[" + text + "]"
			}
			r := read(t, transcript.Options{}, c.text+"\n")
			check(t, r, want)
			if s := r.Summary(); s.Other != 0 {
				t.Errorf("%d calls of others", s.Other)
			}
		})
	}
}

// Results of a batch come in any order, and each is a conversation of its own.
func TestBatchConversations(t *testing.T) {
	line := func(id string) string {
		return `{"custom_id":"` + id + `","result":{"type":"succeeded","message":{"role":"assistant","content":[` +
			useOf(told{id: "call_0", input: `{"command":"view","path":"/memories"}`}) + "]}}}\n"
	}
	calls := read(t, transcript.Options{}, line("b")+line("a")+`{"custom_id":"c","result":{"type":"errored","error":{"type":"memory"}}}`+
		"\n").Calls()
	if len(calls) != 2 || calls[0].Session != "b" || calls[1].Session != "a" {
		t.Errorf("found %+v", calls)
	}
}

// session writes lines of a session file of Claude Code.
type session struct {
	strings.Builder
	n int
}

const memoryDir = "/home/u/.claude/projects/-home-u-p/memory/"

func (s *session) stamp() string {
	s.n++
	return fmt.Sprintf(`"uuid":"u%d","sessionId":"s1","timestamp":"2026-01-02T03:04:%02d.000Z","isSidechain":false`, s.n, s.n)
}

// call writes a call and its result; extra is toolUseResult, "" for none.
func (s *session) call(tool, input, content, extra string, failed bool) {
	id := fmt.Sprintf("toolu_01A09q90qw90lq9178%04d", 1000+s.n)
	fmt.Fprintf(s, `{"type":"assistant",%s,"message":{"model":"m-2","role":"assistant","content":[{"type":"tool_use","id":"%s",`+
		`"name":"%s","input":%s}]}}`+"\n", s.stamp(), id, tool, input)
	if extra != "" {
		extra = `,"toolUseResult":` + extra
	}
	fmt.Fprintf(s, `{"type":"user",%s%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":%s,`+
		`"is_error":%v}]}}`+"\n", s.stamp(), extra, id, encoded(content), failed)
}

func (s *session) write(name, text, original string) {
	s.call("Write", `{"file_path":"`+memoryDir+name+`","content":`+encoded(text)+`}`, "ok", `{"type":"update","originalFile":`+original+
		`}`, false)
}

func (s *session) edit(name, from, to, original string) {
	s.call("Edit", `{"file_path":"`+memoryDir+name+`","old_string":`+encoded(from)+`,"new_string":`+encoded(to)+`}`, "ok",
		`{"originalFile":`+original+`}`, false)
}

func TestClaudeCode(t *testing.T) {
	var s session
	s.WriteString(`{"type":"summary","leafUuid":"x","summary":"memory"}` + "\n" +
		`{"type":"file-history-snapshot","messageId":"memory","snapshot":{}}` + "\n")
	s.call("Read", `{"file_path":"/home/u/p/memory/notes.md"}`, "elsewhere", "", false) // no memory folder
	s.edit("MEMORY.md", "old", "new", encoded("an old line\n"))
	s.write("b.md", "one two one\n", "null")
	s.call("Edit", `{"file_path":"`+memoryDir+`b.md","old_string":"one","new_string":"1"}`, "File has not been read yet",
		`"Error: File has not been read yet"`, true)
	s.call("MultiEdit", `{"file_path":"`+memoryDir+
		`b.md","edits":[{"old_string":"one","new_string":"1","replace_all":true},{"old_string":"two","new_string":"2"}]}`, "ok",
		`{"originalFile":`+encoded("one two one\n")+`}`, false)
	s.call("Read", `{"file_path":"`+memoryDir+`b.md"}`, "     1\t1 2 1",
		`{"type":"text","file":{"content":"1 2 1","numLines":1,"startLine":1,"totalLines":1}}`, false)
	fmt.Fprintf(&s, `{"type":"system","subtype":"compact_boundary",%s}`+"\n"+
		`{"type":"user",%s,"isCompactSummary":true,"message":{"role":"user","content":"memory {\"type\":\"tool_use\",\"name\":\"Write\"}"}}`+
		"\n", s.stamp(), s.stamp())
	s.write("b.md", "three\n", encoded("by hand\n"))
	s.call("Edit", `{"file_path":"`+memoryDir+`b.md","old_string":"three","new_string":"3"}`, "ok",
		`{"originalFile":"three\n","newString":"III","userModified":true}`, false)
	s.call("Bash", `{"command":"cat > `+memoryDir+`c.md <<E\nIII\nE"}`, "", "", false)
	s.call("Write", `{"file_path":"`+memoryDir+`../../../x","content":"x"}`, "ok", "", false)
	text := s.String()

	want := []transcript.Verdict{
		transcript.Identical, transcript.Identical, transcript.Identical, transcript.Identical, transcript.Identical,
		transcript.Drift, transcript.Identical, transcript.Identical, transcript.NotReplayable,
	}
	// A resumed copy repeats the lines of the session it resumes, under its own name.
	resumed := strings.ReplaceAll(text, `"sessionId":"s1"`, `"sessionId":"s2"`)
	for name, r := range map[string]*transcript.Reader{
		"alone": read(t, transcript.Options{}, text), "with a resumed copy": read(t, transcript.Options{}, text, resumed),
		"files in another order": read(t, transcript.Options{}, resumed[len(resumed)/2:], text),
	} {
		calls := r.Calls()
		p, err := transcript.NewReplay(shown, transcript.Handler{})
		if err != nil {
			t.Fatal(err)
		}
		var got []transcript.Verdict
		for _, c := range calls {
			step := p.Step(t.Context(), c)
			got = append(got, step.Verdict)
			if c.Model != "m-2" || c.When.IsZero() {
				t.Errorf("%s: call %s has model %q, time %q", name, c.ID, c.Model, c.Time)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: verdicts %v\nwant %v", name, got, want)
		}
		for file, text := range map[string]string{"MEMORY.md": "an new line\n", "c.md": "III\n"} {
			if got := content(t, p, file); got != text {
				t.Errorf("%s: %s ends as %q, want %q", name, file, got, text)
			}
		}
	}
}

func content(t *testing.T, p *transcript.Replay, name string) string {
	t.Helper()
	f, err := p.Backend().Open(name, 0)
	if err != nil {
		t.Error(err)
		return ""
	}
	defer func() { _ = f.Close() }()
	info, err := f.Info()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size)
	if _, err := f.ReadAt(data, 0); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// Calls of subagents did run: they are taken in order of time, and marked.
func TestSubagentsAndTime(t *testing.T) {
	line := func(uuid, when, id string, side bool) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"%s","sessionId":"s","timestamp":"%s","isSidechain":%v,`+
			`"message":{"role":"assistant","content":[%s]}}`+"\n",
			uuid, when, side, useOf(told{id: id, input: `{"command":"view","path":"/memories"}`}))
	}
	calls := read(t, transcript.Options{}, line("1", "2026-01-01T00:00:03Z", "c", false)+line("2", "2026-01-01T00:00:01Z", "a", false),
		line("3", "2026-01-01T00:00:02Z", "b", true)).Calls()
	if len(calls) != 3 || calls[0].ID != "a" || calls[1].ID != "b" || calls[2].ID != "c" || !calls[1].Side || calls[0].Side {
		t.Errorf("found %+v", calls)
	}
}

// A read leaves the last newline of a file out: that is not a drift when the next edit shows the file whole.
func TestReadLeavesTheLastNewlineOut(t *testing.T) {
	var s session
	s.call("Read", `{"file_path":"`+memoryDir+`a.md"}`, "     1\u2192one",
		`{"type":"text","file":{"content":"one","numLines":1,"startLine":1,"totalLines":1}}`, false)
	s.edit("a.md", "one", "two", encoded("one\n"))
	s.edit("a.md", "two", "three", encoded("two")) // this one is
	calls := read(t, transcript.Options{}, s.String()).Calls()
	track := shownTrack(t, calls)
	for i, want := range []transcript.Verdict{transcript.Identical, transcript.Identical, transcript.Drift} {
		if got := track.Steps()[i]; got.Verdict != want {
			t.Errorf("call %d: %s (%s), want %s", i, got.Verdict, got.Detail, want)
		}
	}
	if files := filesAfter(track, 2); files["/memories/a.md"] != "two\n" {
		t.Errorf("the memory is %q", files)
	}
}
