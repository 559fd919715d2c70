package transcript_test

import (
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// What the programs that write transcripts do in other ways than most: one call, told in each of them.
func TestWhatWritersDo(t *testing.T) {
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
			r := read(t, transcript.Options{}, c.text)
			check(t, r, []told{c.want})
			if n := r.Summary().Other; n != 0 {
				t.Errorf("%d calls of another tool", n)
			}
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
		"the name of a model": {`[{"parts":[{"part_kind":"tool-call","tool_name":"memory","tool_call_id":"c1","args":` + listR +
			`}],"model_name":"m-1","kind":"response"}]`, "", "m-1", ""},
		"a short name of the time": {`{"ts":"2026-11-20T09:00:00Z","response":{"content":[` + call + `]}}`, "", "", "2026-11-20T09:00:00Z"},
	} {
		calls := read(t, transcript.Options{}, c.text).Calls()
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
	r := read(t, transcript.Options{}, `data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c1",`+
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
		calls := read(t, transcript.Options{}, result(flag)).Calls()
		track := trackOf(t, calls, nil)
		if s := track.Steps()[1]; s.Verdict != want || s.Result.IsError != (flag != `,"is_error":false`) {
			t.Errorf("with %q: %s (%s), %v", flag, s.Verdict, s.Detail, s.Result.IsError)
		}
		if flag == `,"is_error":false` {
			continue
		}
		if now, _ := track.Content("/memories/a.md", 2); string(now) != "one\ntwo\n" {
			t.Errorf("with %q the file is %q", flag, now)
		}
	}
}

// A text that looks like a placeholder is one only by itself.
func TestTextsLikePlaceholders(t *testing.T) {
	for text, want := range map[string]transcript.Verdict{"\\n[Old tool result content cleared]\\n": transcript.Identical,
		"[Old tool result content cleared]": transcript.NotReplayable} {
		p := start(t, nil)
		if s := p.Step(t.Context(), recorded(`{"command":"create","path":"/memories/n","file_text":"`+text+`"}`,
			"File created successfully at: /memories/n", false)); s.Verdict != want {
			t.Errorf("%q: %s (%s)", text, s.Verdict, s.Detail)
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
		calls := read(t, transcript.Options{}, s.String()).Calls()
		track := shownTrack(t, calls)
		if now, _ := track.Content("/memories/a.md", 2); string(now) != "one\nthree\n" || track.Total().By[transcript.Identical] != 2 {
			t.Errorf("%q: %q, %s", between, now, track.Total())
		}
	}
}
