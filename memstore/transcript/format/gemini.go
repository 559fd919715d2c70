package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// gemini are the parts of Gemini. Their results often have no id; the reader assigns them to calls in order.
var gemini = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("functionCall").IsObject() {
			return Call{}, false
		}
		f := o.Get("functionCall").Object()
		c := Call{ID: f.Text("id"), Name: f.Text("name"), Input: f.Get("args")}
		return c, c.Input != nil && c.Name != ""
	},
}

// GeminiCLI is the name of the sessions of Gemini CLI, and of what it prints with --output-format stream-json.
//
// Read: google-gemini/gemini-cli, packages/core/src/services/chatRecordingTypes.ts and chatRecordingService.ts,
// output/types.ts, utils/generateContentResponseUtilities.ts and tools, version 0.56.
const GeminiCLI = "gemini-cli"

var geminiCLI = format{
	Name:    GeminiCLI,
	Decides: true,
	Detects: func(o rawjson.Object) bool {
		return has(o, "sessionId", "projectHash") || o.Text("type") == "init" && has(o, "session_id", "model", "timestamp")
	},
	Words: []string{`"projectHash"`, `"init"`},
	Setting: func(o rawjson.Object) Setting {
		switch {
		case has(o, "sessionId", "projectHash"):
			return Setting{Session: o.Text("sessionId")}
		case o.Text("type") == "init":
			return Setting{Session: o.Text("session_id"), Model: o.Text("model")}
		}
		return Setting{}
	},
	Files: map[string]Does{"write_file": Writes, "replace": Edits, "read_file": Reads, "run_shell_command": Shell},
	Call: func(o rawjson.Object) (Call, bool) {
		switch {
		case o.Get("args").IsObject() && has(o, "id", "name", "status", "timestamp"):
			return Call{ID: o.Text("id"), Name: o.Text("name"), Input: o.Get("args")}, true
		case o.Text("type") == "tool_use" && o.Get("tool_name").IsString():
			return Call{ID: o.Text("tool_id"), Name: o.Text("tool_name"), Input: o.Get("parameters")}, o.Get("parameters") != nil
		}
		return Call{}, false
	},
	Enclosed: func(o rawjson.Object) (Result, bool) {
		if !o.Get("args").IsObject() || !o.Get("status").IsString() || !o.Get("result").IsArray() {
			return Result{}, false
		}
		r := Result{ID: o.Text("id"), IsError: o.Text("status") != "success", Flagged: true, Unwrap: geminiText, Plain: true}
		o.Get("result").Each(func(part rawjson.Value) {
			answer := part.Object().Get("functionResponse").Object().Get("response").Object()
			for _, key := range []string{"output", "error"} {
				if v := answer.Get(key); v != nil && r.Content == nil {
					r.Content = v
				}
			}
		})
		return r, r.Content != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Text("type") != "tool_result" || o.Text("tool_id") == "" {
			return Result{}, false
		}
		r := Result{ID: o.Text("tool_id"), Content: o.Get("output"), IsError: o.Text("status") == "error", Flagged: true, Unwrap: geminiText}
		if message := o.Get("error").Object().Get("message"); message.IsString() {
			r.Content = message // the output is what the user sees
		}
		return r, true
	},
}

// geminiText is the text of a result as the tool gave it. Gemini CLI puts a failure of a tool of the Model Context Protocol in a
// sentence, as JSON.
func geminiText(text string) (inner string, failed, told bool) {
	rest, ok := strings.CutPrefix(text, "MCP tool '")
	_, parts, found := strings.Cut(rest, " with response: ")
	if !ok || !found {
		return text, false, false
	}
	inner = text
	rawjson.Value(parts).Each(func(part rawjson.Value) {
		answer := part.Object().Get("functionResponse").Object().Get("response").Object()
		if nested := answer.Get("error").Object(); nested.Get("content") != nil {
			answer = nested
		}
		if joined, ok := blockTexts(answer.Get("content")); ok {
			inner = joined
		}
	})
	return inner, true, true
}
