package transcript_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// Sessions as the programs write them that call the memory through the Model Context Protocol, written after their sources.

// agents are the conversation in the formats of programs, by name; each names its session s-1 and its model m-1.
func (g generated) agents() map[string]string {
	return map[string]string{
		"codex":        g.codex(),
		"codex-events": g.codexEvents(),
		"gemini":       g.gemini(),
		"gemini-lines": g.geminiLines(),
		"cline-native": g.clineNative("notes0mcp0memory", true),
		"roo-native":   g.clineNative("mcp--notes--memory", false),
		"copilot":      g.copilot(),
		"opencode":     g.opencode(),
	}
}

// nameless are the formats that name no session: a folder is one.
var nameless = map[string]bool{"cline-native": true, "roo-native": true}

// Most of a session is other things than calls, and quotes them.
const quotedCall = `{"type":"function_call","name":"mcp__m__memory","call_id":"q","arguments":"` +
	`{\"command\":\"delete\",\"path\":\"/memories/quoted-only.md\"}"}`

func (g generated) codexHead() string {
	line := func(kind, payload string) string {
		return fmt.Sprintf(`{"timestamp":"%s","type":"%s","payload":%s}`+"\n", g.stamp(0), kind, payload)
	}
	return line("session_meta", `{"id":"s-1","timestamp":"2026-11-20T09:00:00.000Z","cwd":"/src/p","originator":"codex_cli_rs",`+
		`"cli_version":"0.149.0","source":"cli","model_provider":"openai","base_instructions":{"text":"memory"}}`) +
		line("turn_context", `{"turn_id":"1","cwd":"/src/p","approval_policy":"never","model":"m-1","effort":"high","summary":"auto"}`) +
		line("response_item", `{"type":"message","role":"user","content":[{"type":"input_text","text":`+encoded(quotedCall)+`}]}`) +
		line("event_msg", `{"type":"user_message","message":`+encoded(quotedCall)+`}`) +
		line("event_msg", `{"type":"agent_message","message":`+encoded(quotedCall)+`}`) +
		line("response_item", `{"type":"reasoning","summary":[{"type":"summary_text","text":"memory"}],"content":null,"encrypted_content":"x"}`)
}

// codex is a rollout: items of the model, and the events of the tool that was called.
func (g generated) codex() string {
	return g.codexHead() + g.each(func(i int, c told) string {
		blocks := `[{"type":"text","text":` + c.result + `}]`
		outputs := []string{
			encoded(blocks),
			encoded("Wall time: 0.0123 seconds\nOutput:\n" + blocks),
			`[{"type":"input_text","text":"Wall time: 0.0123 seconds\nOutput:"},{"type":"input_text","text":` + c.result + `}]`,
			encoded(fmt.Sprintf(`{"content":%s,"isError":%v}`, blocks, c.failed)),
		}
		name := []string{`"mcp__notes__memory"`, `"memory","namespace":"mcp__notes__"`}[i%2]
		out := fmt.Sprintf(`{"timestamp":"%s","type":"response_item","payload":{"type":"function_call","name":%s,"arguments":%s,`+
			`"call_id":"%s"}}`+"\n", g.stamp(i), name, encoded(c.input), c.id)
		if i%3 > 0 {
			out += g.codexEvent(i, c)
		}
		return out + fmt.Sprintf(`{"timestamp":"%s","type":"response_item","payload":{"type":"function_call_output","call_id":"%s",`+
			`"output":%s}}`+"\n", g.stamp(i), c.id, outputs[i%4])
	})
}

func (g generated) codexEvent(i int, c told) string {
	return fmt.Sprintf(`{"timestamp":"%s","type":"event_msg","payload":{"type":"mcp_tool_call_end","call_id":"%s","invocation":`+
		`{"server":"notes","tool":"memory","arguments":%s},"duration":{"secs":0,"nanos":12},"result":{"Ok":{"content":[{"type":"text",`+
		`"text":%s}],"isError":%v}}}}`+"\n", g.stamp(i), c.id, c.input, c.result, c.failed)
}

// codexEvents is a rollout where the tool is called by a script: only the events tell of it.
func (g generated) codexEvents() string {
	return g.codexHead() + g.each(func(i int, c told) string {
		return fmt.Sprintf(`{"timestamp":"%s","type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":`+
			`"call_x%d","name":"exec","input":"const r = await tools.mcp__notes__memory(x)\ntext(r)"}}`+"\n", g.stamp(i), i) +
			g.codexEvent(i, c) +
			fmt.Sprintf(`{"timestamp":"%s","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"call_x%d","output":`+
				`[{"type":"input_text","text":"Script completed\nWall time 0.1 seconds\nOutput:\n"},{"type":"input_text","text":"memory"}]}}`+"\n",
				g.stamp(i), i)
	})
}

// Codex changes its own memory with patches and shell commands; every item may be told of by an event, too.
func TestCodexFiles(t *testing.T) {
	const dir = "/h/.codex/memories/"
	line := func(kind, payload string) string {
		return `{"timestamp":"2026-11-20T09:00:00Z","type":"` + kind + `","payload":` + payload + "}\n"
	}
	patch := func(id, text string) string {
		return line("response_item", `{"type":"custom_tool_call","status":"completed","call_id":"`+id+`","name":"apply_patch","input":`+
			encoded(text)+`}`) +
			line("event_msg", `{"type":"patch_apply_end","call_id":"`+id+`","stdout":"Success.","stderr":"","success":true,"changes":{"`+dir+
				`a.md":{"type":"add","content":"x"}}}`) +
			line("response_item", `{"type":"custom_tool_call_output","call_id":"`+id+
				`","output":"{\"output\":\"Success. Updated the following files:\\n\",\"metadata\":{\"exit_code\":0,\"duration_seconds\":0.0}}"}`)
	}
	text := line("session_meta", `{"id":"s-1","cwd":"/h/.codex"}`) +
		patch("call_1", "*** Begin Patch\n*** Add File: "+dir+"a.md\n+one\n+two\n*** Add File: /src/p/x.go\n+package x\n*** End Patch") +
		patch("call_2", "*** Begin Patch\n*** Update File: memories/a.md\n*** Move to: memories/b.md\n@@\n one\n-two\n+2\n*** Add File: "+dir+
			"c.md\n+c\n*** End Patch") +
		line("response_item", `{"type":"function_call","name":"apply_patch","arguments":`+
			encoded(`{"input":"*** Begin Patch\n*** Update File: `+dir+`b.md\n@@\n-no\n+x\n*** End Patch"}`)+`,"call_id":"call_3"}`) +
		line("response_item", `{"type":"function_call_output","call_id":"call_3","output":"{\"output\":\"Failed to find expected lines\",`+
			`\"metadata\":{\"exit_code\":1,\"duration_seconds\":0.0}}"}`)
	track, got := stepsOf(t, read(t, nil, text).Calls())
	want := []string{"/memories/a.md identical ", "/memories/a.md identical ", "/memories/b.md identical failed; changed nothing"}
	files := map[string]string{"/memories/b.md": "one\n2\n", "/memories/c.md": "c\n"}
	if after := filesAfter(track, 3); !slices.Equal(got, want) || !maps.Equal(after, files) {
		t.Errorf("%q, %q\nwant %q, %q", got, after, want, files)
	}
	if first := filesAfter(track, 1); first["/memories/a.md"] != "one\ntwo\n" || track.Steps[2].Result.Text != "Failed to find expected lines" {
		t.Errorf("%q, %+v", first, track.Steps[2].Result)
	}
}

// geminiAnswer is the text of a result as Gemini CLI passes it on: the failure of a tool in a sentence.
func geminiAnswer(c told) string {
	if !c.failed {
		return c.result
	}
	return encoded(fmt.Sprintf("MCP tool 'memory' reported tool error for function call: {\"name\":\"memory\",\"args\":%s} with response: "+
		`[{"functionResponse":{"name":"memory","response":{"content":[{"type":"text","text":%s}],"isError":true}}}]`, c.input, c.result))
}

func (g generated) geminiCall(i int, c told) string {
	key, status := "output", "success"
	if c.failed {
		key, status = "error", "error"
	}
	id := fmt.Sprintf("mcp_notes_memory-17633%d-%d", i, i)
	return fmt.Sprintf(`{"id":"%s","name":"mcp_notes_memory","args":%s,"result":[{"functionResponse":{"id":"%s","name":"mcp_notes_memory",`+
		`"response":{"%s":%s}}}],"status":"%s","timestamp":"%s","resultDisplay":%s,"displayName":"memory","description":%s}`, id, c.input, id,
		key, geminiAnswer(c), status, g.stamp(i), encoded(quotedCall), encoded(quotedCall))
}

func (g generated) geminiMessage(i int, c told) string {
	calls := ""
	if c.id != "" {
		calls = `,"toolCalls":[` + g.geminiCall(i, c) + "]"
	}
	return fmt.Sprintf(`{"id":"m%d","timestamp":"%s","type":"gemini","content":%s,"thoughts":[],"tokens":null,"model":"m-1"%s}`, i, g.stamp(i),
		encoded(quotedCall), calls)
}

// gemini is a session of Gemini CLI until version 0.30: one object.
func (g generated) gemini() string {
	var list []string
	for i, c := range g.calls {
		list = append(list, `{"id":"u","timestamp":"2026-11-20T09:00:00Z","type":"user","content":[{"text":`+encoded(quotedCall)+`}]}`,
			g.geminiMessage(i, c))
	}
	return `{"sessionId":"s-1","projectHash":"x",` + "\n" + `"startTime":"2026-11-20T09:00:00.000Z",` +
		`"lastUpdated":"2026-11-20T09:00:00.000Z","messages":[` + strings.Join(list, ",\n") + "]}\n"
}

// geminiLines is a session of later versions, which append a message again when its calls have their results.
func (g generated) geminiLines() string {
	return `{"sessionId":"s-1","projectHash":"x","startTime":"2026-11-20T09:00:00.000Z","lastUpdated":"2026-11-20T09:00:00.000Z",` +
		`"kind":"main"}` +
		"\n" + g.each(func(i int, c told) string {
		return g.geminiMessage(i, told{}) + "\n" + `{"$set":{"lastUpdated":"2026-11-20T09:00:00.000Z"}}` + "\n" + g.geminiMessage(i, c) + "\n"
	})
}

// Gemini CLI changes the notes of a project with its tools for files, and shows them as they are.
func TestGeminiFiles(t *testing.T) {
	const file = "/h/.gemini/tmp/p/memory/MEMORY.md"
	n := 0
	call := func(tool, args, output string) string {
		n++
		return fmt.Sprintf(`{"id":"m%d","timestamp":"2026-11-20T09:00:0%dZ","type":"gemini","content":"","model":"m-1","toolCalls":[`+
			`{"id":"%s-%d","name":"%s","args":%s,"result":[{"functionResponse":{"id":"x","name":"x","response":{"output":%s}}}],"status":"success",`+
			`"timestamp":"2026-11-20T09:00:0%dZ"}]}`+"\n", n, n, tool, n, tool, args, encoded(output), n)
	}
	text := `{"sessionId":"s-1","projectHash":"x","startTime":"x","lastUpdated":"x"}` + "\n" +
		call("read_file", `{"file_path":"`+file+`"}`, "one\ntwo\n") +
		call("replace", `{"file_path":"`+file+`","instruction":"x","old_string":"two","new_string":"2"}`, "Successfully modified file") +
		call("read_file", `{"file_path":"`+file+`"}`, "one\n2\n") +
		call("write_file", `{"file_path":"`+file+`","content":"three\n"}`, "Successfully overwrote file") +
		call("read_file", `{"file_path":"`+file+`"}`, "by hand\n")
	const path = "/memories/MEMORY.md "
	want := []string{path + "identical ", path + "identical ", path + "identical ", path + "identical ",
		path + "differs the file differs from line 1 on; another program changed it after call 4"}
	track, got := stepsOf(t, read(t, nil, text).Calls())
	if files := filesAfter(track, 4); !slices.Equal(got, want) || files["/memories/MEMORY.md"] != "three\n" {
		t.Errorf("%q, %q\nwant %q", got, files, want)
	}
}

// clineNative is a conversation of later versions, with blocks as the Messages API has them.
func (g generated) clineNative(tool string, headed bool) string {
	list := []string{`{"role":"user","content":[{"type":"text","text":"<task>\nx\n</task>"},` +
		`{"type":"text","text":"<environment_details>"}]}`}
	for i, c := range g.calls {
		answer := ""
		if err := json.Unmarshal([]byte(c.result), &answer); err != nil {
			panic(err)
		}
		if c.failed {
			answer = "Error:\n" + answer
		}
		if headed {
			answer = "[use_mcp_tool for 'notes'] Result:\n" + answer
		}
		at := g.times[i].UnixMilli()
		list = append(list, fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool_use","id":"%s","name":"%s","input":%s}],"ts":%d,`+
			`"modelInfo":{"modelId":"m-1"}}`, c.id, tool, c.input, at),
			fmt.Sprintf(`{"role":"user","content":[{"type":"tool_result","tool_use_id":"%s","content":%s}],"ts":%d}`, c.id, encoded(answer), at))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// copilot is the log of events of Copilot CLI.
func (g generated) copilot() string {
	event := func(i int, kind, data string) string {
		return fmt.Sprintf(`{"type":"%s","data":%s,"id":"e%d","timestamp":"%s","parentId":null}`+"\n", kind, data, i, g.stamp(i))
	}
	return event(0, "session.start", `{"sessionId":"s-1","version":1,"copilotVersion":"1.0.9","selectedModel":"m-1",`+
		`"startTime":"2026-11-20T09:00:00.000Z","context":{"cwd":"/src/p"}}`) +
		event(0, "user.message", `{"content":`+encoded(quotedCall)+`}`) +
		g.each(func(i int, c told) string {
			answer := `"success":true,"result":{"content":` + c.result + `,"detailedContent":` + encoded(quotedCall) + `}`
			if c.failed {
				answer = `"success":false,"error":{"message":` + c.result + `,"code":"failure"}`
			}
			return event(i, "assistant.message", fmt.Sprintf(`{"messageId":"m%d","content":"","toolRequests":[{"toolCallId":"%s",`+
				`"name":"notes-memory","arguments":%s,"type":"function"}]}`, i, c.id, c.input)) +
				event(i, "tool.execution_start", fmt.Sprintf(`{"toolCallId":"%s","toolName":"notes-memory","arguments":%s,"mcpServerName":"notes",`+
					`"mcpToolName":"memory"}`, c.id, c.input)) +
				event(i, "tool.execution_complete", fmt.Sprintf(`{"toolCallId":"%s",%s}`, c.id, answer))
		})
}

func (g generated) opencodePart(i int, c told) string {
	state := `"status":"completed","output":` + c.result + `,"title":"","metadata":{}`
	if c.failed {
		state = `"status":"error","error":` + c.result
	}
	return fmt.Sprintf(`{"id":"p%d","sessionID":"s-1","messageID":"m%d","type":"tool","callID":"%s","tool":"notes_memory","state":{%s,`+
		`"input":%s,"time":{"start":%d,"end":%d}}}`, i, i, c.id, state, c.input, g.times[i].UnixMilli(), g.times[i].UnixMilli()+5)
}

// opencode is a session as opencode exports it.
func (g generated) opencode() string {
	var list []string
	for i, c := range g.calls {
		list = append(list, fmt.Sprintf(`{"info":{"id":"u%d","sessionID":"s-1","role":"user","time":{"created":1}},"parts":[{"id":"x",`+
			`"sessionID":"s-1","messageID":"u%d","type":"text","text":%s}]}`, i, i, encoded(quotedCall)),
			fmt.Sprintf(`{"info":{"id":"m%d","sessionID":"s-1","role":"assistant","modelID":"m-1","providerID":"p","time":{"created":%d}},`+
				`"parts":[{"id":"r","sessionID":"s-1","messageID":"m%d","type":"step-start"},%s]}`, i, g.times[i].UnixMilli(), i,
				g.opencodePart(i, c)))
	}
	return "{\n" + `"info":{"id":"s-1","projectID":"x","directory":"/src/p","title":"t","version":"1","time":{"created":1,"updated":2}},` +
		"\n" + `"messages":[` + strings.Join(list, ",\n") + "]}\n"
}

// deepagents keeps what is to last below /memories, with tools for files.
func TestDeepAgents(t *testing.T) {
	var list []string
	call := func(tool, args, result string) {
		id := fmt.Sprintf("call_%d", len(list))
		list = append(list, fmt.Sprintf(`{"type":"ai","data":{"content":"","tool_calls":[{"id":"%s","name":"%s","args":%s}]}}`, id, tool, args),
			fmt.Sprintf(`{"type":"tool","data":{"type":"tool","tool_call_id":"%s","content":%s,"status":"success"}}`, id, encoded(result)))
	}
	call("write_file", `{"file_path":"/memories/a.md","content":"one\ntwo\n"}`, "Updated file /memories/a.md")
	call("write_file", `{"file_path":"/project/a.md","content":"x"}`, "Updated file /project/a.md")
	call("edit_file", `{"file_path":"/memories/a.md","old_string":"two","new_string":"2"}`, "Successfully replaced 1 instance(s)")
	call("read_file", `{"file_path":"/memories/a.md"}`, "     1\tone\n     2\t2")
	call("delete", `{"file_path":"/memories/a.md"}`, "Deleted /memories/a.md")
	track, got := stepsOf(t, read(t, nil, "["+strings.Join(list, ",")+"]").Calls())
	const done = "/memories/a.md identical "
	if files := filesAfter(track, 3); !slices.Equal(got, []string{done, done, done, done}) || files["/memories/a.md"] != "one\n2\n" {
		t.Errorf("%q, %q", got, files)
	}
}
