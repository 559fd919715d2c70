package transcript_test

import (
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// One call, told in the shapes and the ways in which programs write it, beside the formats that are generated.
func TestShapes(t *testing.T) {
	const (
		input = `{"command":"delete","path":"/memories/x"}`
		done  = `"Successfully deleted /memories/x"`
		fails = `"Error: The path /memories/x does not exist"`
	)
	good, bad := told{"c1", input, done, false}, told{"c1", input, fails, true}
	for name, c := range map[string]struct {
		text string
		want told
	}{
		"log of chat completions": {`{"request":{"messages":[{"role":"user","content":"x"}]},"response":{"choices":[{"index":0,"message":` +
			`{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"memory","arguments":` + encoded(input) + `}}]}}]}}` + "\n" +
			`{"request":{"messages":[{"role":"user","content":"x"},{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"memory",` +
			`"arguments":` + encoded(input) + `}}]},{"role":"tool","tool_call_id":"c1","content":` + done + `}]},"response":{}}`, good},
		"chunks of chat completions": {`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","function":` +
			`{"name":"memory","arguments":""}}]}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` + encoded(input[:9]) + `}}]}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":` + encoded(input[9:]) + `}}]}}]}` + "\n\n" +
			`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}` + "\n\ndata: [DONE]\n" +
			`{"role":"tool","tool_call_id":"c1","content":` + done + `}`, good},
		"a streamed answer in a string": {`{"request":{"messages":[]},"response":{"body":` + encoded(`event: x`+"\n"+
			`data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1","name":"memory","input":{}}}`+"\n\n"+
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":`+encoded(input)+`}}`+"\n\n"+
			`data: {"type":"content_block_stop","index":0}`+"\n\n") + `}}`, told{"c1", input, "", false}},
		"a batch": {`{"custom_id":"x","result":{"type":"succeeded","message":{"role":"assistant","content":[` + useOf(good) + `]}}}` + "\n" +
			`{"custom_id":"x","params":{"messages":[{"role":"assistant","content":[` + useOf(good) + `]},{"role":"user","content":[` +
			result(good) + `]}]}}`, good},
		"codex exec": {`{"type":"item.completed","item":{"id":"c1","type":"mcp_tool_call","server":"notes","tool":"memory","arguments":` +
			input + `,"result":null,"error":{"message":` + fails + `},"status":"failed"}}`, bad},
		"gemini's stream-json": {`{"type":"tool_use","tool_name":"mcp_notes_memory","tool_id":"c1","parameters":` + input + `}` + "\n" +
			`{"type":"tool_result","tool_id":"c1","status":"success","output":` + done + `}`, good},
		"an item of a server": {`{"output":[{"id":"c1","type":"mcp_call","arguments":` + encoded(input) + `,"name":"memory","server_label":"n",` +
			`"output":null,"error":{"content":` + fails + `}}]}`, bad},
		"AutoGen": {`{"type":"ToolCallRequestEvent","content":[{"id":"c1","arguments":` + encoded(input) + `,"name":"memory"}]}` + "\n" +
			`{"type":"ToolCallExecutionEvent","content":[{"content":` + fails + `,"name":"memory","call_id":"c1","is_error":true}]}`, bad},
		"a tool named by the type of a part": {`[{"role":"user","parts":[]},{"role":"assistant","parts":[{"type":"step-start"},` +
			`{"type":"tool-memory","toolCallId":"c1","state":"output-available","input":` + input + `,"output":` + done + `}]}]`, good},
		"a dynamic tool that failed": {`[{"role":"assistant","parts":[{"type":"dynamic-tool","toolName":"memory","toolCallId":"c1",` +
			`"state":"output-error","input":` + input + `,"errorText":` + fails + `}]}]`, bad},
		"a part whose input is still coming": {`[{"role":"assistant","parts":[{"type":"tool-memory","toolCallId":"c1",` +
			`"state":"input-available","input":` + input + `}]}]`, told{"c1", input, "", false}},
		"an invocation that stands twice": {`[{"role":"assistant","parts":[{"type":"tool-invocation","toolInvocation":{"state":"result",` +
			`"toolCallId":"c1","toolName":"memory","args":` + input + `,"result":` + done +
			`}}],"toolInvocations":[{"state":"result","toolCallId":"c1","toolName":"memory","args":` + input + `,"result":` + done + `}]}]`, good},
		"invocations of older " +
			"messages": {`[{"role":"assistant","content":"","toolInvocations":[{"state":"result","toolCallId":"c1","toolName":"memory","args":` +
			input + `,"result":` + done + `}]}]`, good},
		"a step, and the messages it made": {`[{"content":[{"type":"tool-call","toolCallId":"c1","toolName":"memory","input":` +
			input + `},{"type":"tool-result","toolCallId":"c1","output":` + done +
			`}],"response":{"messages":[{"role":"assistant","content":[{"type":"tool-call","toolCallId":"c1","toolName":"memory","input":` +
			input + `}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","output":{"type":"text","value":` + done +
			`}}]}]}}]`, good},
		"a class instead of a type": {`[{"lc":1,"id":["messages","AIMessage"],"kwargs":{"tool_calls":[{"id":"c1","name":"memory","args":` +
			input + `}]}},{"lc":1,"id":["messages","ToolMessage"],"kwargs":{"content":` + fails + `,"tool_call_id":"c1","status":"error"}}]`, bad},
		"a type outside of the data": {`[{"type":"ai","data":{"tool_calls":[{"id":"c1","name":"memory","args":` + input +
			`}]}},{"type":"tool","data":{"content":` + done + `,"tool_call_id":"c1","status":"success"}}]`, good},
		"a result that the user's side gives": {`{"type":"agent.tool_use","id":"c1","name":"memory","input":` + input + `}` + "\n" +
			`{"type":"user.tool_result","tool_use_id":"c1","content":` + fails + `,"is_error":true}`, bad},
		"messages of MCP": {`{"jsonrpc":"2.0","id":"c1","method":"tools/call","params":{"name":"memory","arguments":` +
			input + `}}` + "\n" + `{"jsonrpc":"2.0","id":"c1","result":{"content":` + fails + `,"isError":true}}`, bad},
		"a stream that says a call begins": {`{"type":"response.output_item.added","item":{"type":"function_call","call_id":"c1",` +
			`"name":"memory","arguments":""}}` + "\n" +
			`{"type":"response.output_item.done","item":{"type":"function_call","call_id":"c1","name":"memory","arguments":` + encoded(input) +
			`}}` + "\n" + `{"type":"function_call_output","call_id":"c1","output":` + done + `}`, good},
		"a random id of letters, told of twice": {`{"response":{"output":[{"type":"function_call","call_id":"call_abCdEfGhIjKlMnOpQrSt",` +
			`"name":"memory","arguments":` + encoded(input) + `}]}}` + "\n" +
			`{"request":{"input":[{"role":"user"},{"type":"function_call","call_id":"call_abCdEfGhIjKlMnOpQrSt","name":"memory","arguments":` +
			encoded(input) + `},{"type":"function_call_output","call_id":"call_abCdEfGhIjKlMnOpQrSt","output":` + done + `}]}}`,
			told{"call_abCdEfGhIjKlMnOpQrSt", input, done, false}},
	} {
		t.Run(name, func(t *testing.T) {
			r := read(t, nil, c.text)
			check(t, r, []told{c.want})
		})
	}
}

// Where the writers keep session, model and time of a call.
func TestWhereWritersKeepTheRest(t *testing.T) {
	const call = `{"type":"tool_use","id":"c1","name":"memory","input":` + listR + `}`
	for name, c := range map[string]struct{ text, session, model, time string }{
		"the beginning of a stream": {"data: {\"type\":\"message_start\",\"message\":{\"model\":\"m-1\"}}\n\ndata: " +
			"{\"type\":\"content_block_start\",\"index\":0,\"content_block\":" + call +
			"}\n\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n", "", "m-1", ""},
		"a stream, an event a line": {`{"type":"stream_event","session_id":"s","event":{"type":"message_start","message":{"model":"m-1"}}}` +
			"\n" + `{"type":"stream_event","session_id":"s","event":{"type":"content_block_start","index":0,"content_block":` + call + `}}` +
			"\n" + `{"type":"stream_event","session_id":"s","event":{"type":"content_block_stop","index":0}}`, "s", "m-1", ""},
		"an answer that is created": {"data: {\"type\":\"response.created\",\"response\":{\"model\":\"m-1\"}}\n\ndata: " +
			"{\"type\":\"response.output_item.done\",\"item\":{\"type\":\"function_call\",\"call_id\":\"c1\",\"name\":\"memory\",\"arguments\":" +
			encoded(listR) + "}}\n", "", "m-1", ""},
		"a result of a batch": {`{"custom_id":"b","result":{"type":"succeeded","message":{"role":"assistant","content":[` + call + "]}}}\n",
			"b", "", ""},
		"the name of a model": {`[{"parts":[{"part_kind":"tool-call","tool_name":"memory","tool_call_id":"c1","args":` + listR +
			`}],"model_name":"m-1","kind":"response"}]`, "", "m-1", ""},
		"a short name of the time": {`{"ts":"2026-11-20T09:00:00Z","response":{"content":[` + call + `]}}`, "", "", "2026-11-20T09:00:00Z"},
	} {
		calls := read(t, nil, c.text).Calls()
		if len(calls) != 1 || calls[0].Session != c.session || calls[0].Model != c.model || calls[0].Time != c.time {
			t.Errorf("%s: %d calls, %+v", name, len(calls), calls)
		}
	}
}

// A character that a stream cuts in two is whole in the input.
func TestStreamCutsACharacter(t *testing.T) {
	var b strings.Builder
	for _, piece := range []string{`{\"command\":\"delete\",\"path\":\"/memories/\ud83d`, `\ude42\\u00e9\\ud83d\\`, `ude42 \ud83d x\"}`} {
		b.WriteString(`data: {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"` + piece + `"}}` +
			"\n\n")
	}
	r := read(t, nil, `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1",`+
		`"name":"memory","input":{}}}`+"\n\n"+b.String()+`data: {"type":"content_block_stop","index":0}`)
	check(t, r, []told{{"c1", `{"command":"delete","path":"/memories/🙂\u00e9\ud83d\ude42 ` + "\ufffd" + ` x"}`, "", false}})
}

// Programs that omit the flag do not claim success: the text decides. A flag that is set stays.
func TestFlagLeftOut(t *testing.T) {
	result := func(flag string) string {
		return body([]string{`{"role":"assistant","content":[` + useOf(told{id: "a", input: makeA}) + `]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"File created successfully at: /memories/a.md"}]}`,
			`{"role":"assistant","content":[` + useOf(told{id: "b", input: strings.Replace(makeA, "one", "1", 1)}) + `]}`,
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"Error: File /memories/a.md already exists"` + flag +
				`}]}`})
	}
	for flag, want := range map[string]transcript.Verdict{"": transcript.Identical, `,"is_error":true`: transcript.Identical,
		`,"is_error":false`: transcript.OtherDialect} {
		calls := read(t, nil, result(flag)).Calls()
		if s := trackOf(t, calls).Steps[1]; s.Verdict != want || s.Result.IsError != (flag != `,"is_error":false`) {
			t.Errorf("with %q: %s (%s), %v", flag, s.Verdict, s.Detail, s.Result.IsError)
		}
	}
}

// A read of Claude Code that has the file only in its text: numbers before the lines, a reminder behind them.
func TestReadThatOnlyShowsTheFile(t *testing.T) {
	for _, between := range []string{"\u2192", "\t"} {
		var s session
		s.call("Read", `{"file_path":"`+memoryDir+`a.md"}`, "     1"+between+"one\n     2"+between+
			"two\n\n<system-reminder>\nnever\n</system-reminder>\n", "", false)
		s.call("Edit", `{"file_path":"`+memoryDir+`a.md","old_string":"two","new_string":"three"}`, "The file has been updated.", "", false)
		calls := read(t, nil, s.String()).Calls()
		track := trackOf(t, calls)
		if f, _ := track.File("/memories/a.md", 2); string(f.Data) != "one\nthree\n" || transcript.TotalOf(track.Steps).By[transcript.Identical] != 2 {
			t.Errorf("%q: %q, %+v", between, f.Data, track.Steps)
		}
	}
}

// Cline answers calls with texts that name the tool and the file; other files have such texts, too.
func TestTextsOfCline(t *testing.T) {
	text := `[{"role":"assistant","content":[{"type":"tool_use","id":"w","name":"write_to_file","input":{"absolutePath":"c:\\p\\memory-bank\\a.md",` +
		`"content":"one\n"}},{"type":"tool_use","id":"s","name":"read_file","input":{"path":"src/a.md"}},` +
		`{"type":"tool_use","id":"r","name":"read_file","input":{"path":"memory-bank/a.md"}}]},{"role":"user","content":[` +
		`{"type":"text","text":"[write_to_file for 'c:\\p\\memory-bank\\a.md'] Result:\nThe content was successfully saved."},` +
		`{"type":"text","text":"[read_file for 'src/a.md'] Result:\n1 | no\n\n(File has 1 lines total.)"},` +
		`{"type":"text","text":"[read_file for 'memory-bank/a.md'] Result:\n1 | two\n\n(File has 1 lines total.)"}]}]`
	_, got := stepsOf(t, read(t, nil, text).Calls())
	if !slices.Equal(got, []string{"/memories/a.md identical ", "/memories/a.md differs the file differs from line 1 on; another program changed it after call 1"}) {
		t.Errorf("%q", got)
	}
}
