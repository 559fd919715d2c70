package format

import (
	"bytes"
	"regexp"
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Codex is the name of the rollouts of Codex, and of what codex exec --json prints. Their calls are mostly items of
// Responses; these are the events around them.
//
// Read: openai/codex, codex-rs/exec/src/exec_events.rs and an older codex-rs/core/src/tools/context.rs; the rest is known from
// programs that read these files, and from samples.
const Codex = "codex"

var codex = format{
	Name:    Codex,
	Decides: true,
	Detects: func(o rawjson.Object) bool {
		switch o.Text("type") {
		case "session_meta", "response_item", "event_msg", "turn_context", "compacted":
			return has(o, "payload")
		case "thread.started":
			return has(o, "thread_id")
		case "item.started", "item.completed":
			return has(o, "item")
		}
		return has(o, "id", "timestamp", "instructions") || has(o, "record_type")
	},
	Words: []string{`"session_meta"`, `"turn_context"`, `"thread.started"`},
	Setting: func(o rawjson.Object) Setting {
		switch p := o.Get("payload").Object(); o.Text("type") {
		case "session_meta":
			return Setting{Session: p.Text("id"), Dir: p.Text("cwd")}
		case "turn_context":
			return Setting{Model: p.Text("model"), Dir: p.Text("cwd")}
		case "thread.started":
			return Setting{Session: o.Text("thread_id")}
		}
		if o.Get("type") == nil && has(o, "id", "timestamp", "instructions") { // the first line until version 0.31
			return Setting{Session: o.Text("id")}
		}
		return Setting{}
	},
	Files: map[string]Does{
		"apply_patch": Patches, "patch_apply": Patches, "file_change": Patches,
		"shell": Shell, "shell_command": Shell, "exec_command": Shell, "container.exec": Shell, "local_shell": Shell,
		"command_execution": Shell,
	},
	Call: func(o rawjson.Object) (Call, bool) {
		switch o.Text("type") {
		case "custom_tool_call":
			return Call{ID: o.Text("call_id"), Name: o.Text("name"), Input: o.Get("input")}, o.Get("input").IsString()
		case "local_shell_call":
			a := o.Get("action")
			return Call{ID: o.First("call_id", "id"), Name: "local_shell", Input: a}, a.IsObject()
		case "mcp_tool_call_begin", "mcp_tool_call_end":
			i := o.Get("invocation").Object()
			return Call{ID: o.Text("call_id"), Name: i.Text("tool"), Input: i.Get("arguments")}, i.Get("arguments") != nil
		case "mcp_tool_call", "McpToolCall":
			c := Call{ID: o.Text("id"), Name: o.Text("tool"), Input: o.Get("arguments")}
			return c, c.Name != "" && c.Input != nil && o.Get("server") != nil
		case "patch_apply_end":
			return codexChanges(o.Text("call_id"), o)
		case "FileChange", "file_change":
			return codexChanges(o.Text("id"), o)
		case "exec_command_end":
			return codexCommand(o.Text("call_id"), o)
		case "command_execution", "CommandExecution":
			return codexCommand(o.Text("id"), o)
		}
		return Call{}, false
	},
	Enclosed: func(o rawjson.Object) (Result, bool) {
		switch kind := o.Text("type"); kind {
		case "mcp_tool_call_end":
			r := o.Get("result").Object()
			if text := r.Get("Err"); text != nil {
				return Result{ID: o.Text("call_id"), Content: text, IsError: true, Flagged: true}, true
			}
			return codexAnswer(o.Text("call_id"), r.Get("Ok").Object())
		case "mcp_tool_call", "McpToolCall":
			if e := o.Get("error").Object(); e != nil {
				return Result{ID: o.Text("id"), Content: e.Get("message"), IsError: true, Flagged: true}, true
			}
			return codexAnswer(o.Text("id"), o.Get("result").Object())
		case "patch_apply_end", "FileChange", "file_change":
			status := o.Text("status")
			if status == "in_progress" || status == "inProgress" {
				return Result{}, false
			}
			failed := string(o.Get("success")) == "false" || status == "failed" || status == "declined"
			return Result{ID: o.First("call_id", "id"), Content: o.Get("stdout"), IsError: failed, Flagged: true}, true
		case "exec_command_end", "command_execution", "CommandExecution":
			code := string(o.Get("exit_code"))
			if code == "" || code == "null" {
				refused := o.Text("status") == "declined" || o.Text("status") == "failed"
				return Result{ID: o.First("call_id", "id"), Content: o.Get("aggregated_output"), IsError: true, Flagged: true}, refused
			}
			return Result{
				ID: o.First("call_id", "id"), Content: o.Get("aggregated_output"), IsError: code != "0", Flagged: true,
			}, true
		}
		return Result{}, false
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if kind := o.Text("type"); kind != "custom_tool_call_output" && kind != "local_shell_call_output" {
			return Result{}, false
		}
		return Result{ID: o.First("call_id", "id"), Content: o.Get("output"), Unwrap: unwrapped}, true
	},
}

// codexAnswer is the result of a tool of the Model Context Protocol, in either spelling of its flag.
func codexAnswer(id string, answer rawjson.Object) (Result, bool) {
	r := Result{ID: id, Content: answer.Get("content"), Flagged: true}
	r.IsError = answer.Get("isError").IsTrue() || answer.Get("is_error").IsTrue()
	r.Flagged = answer.Get("isError") != nil || answer.Get("is_error") != nil
	return r, answer != nil
}

// codexChanges is the call behind an event about a patch, which may be known from its item.
func codexChanges(id string, o rawjson.Object) (Call, bool) {
	return Call{ID: id, Name: "apply_patch", Input: around("changes", o.Get("changes")), Again: true}, o.Get("changes") != nil
}

// codexCommand is the call behind an event about a command, which may be known from its item.
func codexCommand(id string, o rawjson.Object) (Call, bool) {
	return Call{ID: id, Name: "exec_command", Input: around("command", o.Get("command")), Again: true}, o.Get("command") != nil
}

// around is an object with one field.
func around(key string, v rawjson.Value) rawjson.Value {
	if v == nil {
		return nil
	}
	return bytes.Join([][]byte{[]byte(`{"` + key + `":`), v, []byte("}")}, nil)
}

// heading matches the lines that Codex puts before the output of a tool, up to the one before the output.
var heading = regexp.MustCompile(`^(?:(?:Chunk ID: .*|Wall time:? [\d.]+ seconds|Exit code: -?\d+|Process exited with code -?\d+|` +
	`Process running with .*|Original token count: \d+|Total output lines: \d+|Warning: .*|Script (?:completed|failed))\n)+Output:\n?`)

var exitCode = regexp.MustCompile(`(?m)^(?:Exit code:|Process exited with code) (-?\d+)$`)

// unwrapped is the text of a result as the tool gave it, out of what Codex puts around it. told: that says whether the
// tool failed.
func unwrapped(text string) (inner string, failed, told bool) {
	if head := heading.FindString(text); head != "" {
		text = text[len(head):]
		if m := exitCode.FindStringSubmatch(head); m != nil {
			failed, told = m[1] != "0", true
		}
	}
	switch {
	case strings.HasPrefix(text, "[{"):
		if joined, ok := blockTexts(rawjson.Value(text)); ok {
			return joined, failed, told
		}
	case strings.HasPrefix(text, "{") && rawjson.Valid([]byte(text)):
		o := rawjson.Value(text).Object()
		if joined, ok := blockTexts(o.Get("content")); ok {
			flag := o.Get("isError")
			if flag == nil {
				flag = o.Get("is_error")
			}
			return joined, flag.IsTrue(), flag != nil
		}
		if out := o.Get("output"); out.IsString() && (len(o) == 1 || o.Get("metadata").IsObject()) {
			code := o.Get("metadata").Object().Get("exit_code")
			return out.Text(), code != nil && string(code) != "0", code != nil
		}
	case strings.HasPrefix(text, "tool call error: "), strings.HasPrefix(text, "err: "):
		return text, true, true
	}
	return text, failed, told
}

// blockTexts is the text of blocks that are all texts; false: they are something else.
func blockTexts(v rawjson.Value) (string, bool) {
	if !v.IsArray() || !rawjson.Valid(v) {
		return "", false
	}
	var b strings.Builder
	n, texts := 0, 0
	v.Each(func(e rawjson.Value) {
		n++
		if o := e.Object(); (o.Text("type") == "text" || o.Text("type") == "input_text") && o.Get("text").IsString() {
			texts++
			b.WriteString(o.Text("text"))
		}
	})
	return b.String(), n > 0 && n == texts
}
