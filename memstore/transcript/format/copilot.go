package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Copilot is the name of the events of Copilot CLI (events.jsonl).
//
// Read: github/copilot-sdk, nodejs/src/generated/session-events.ts, version 1.0.9.
const Copilot = "copilot-cli"

var copilot = format{
	Name:    Copilot,
	Decides: true,
	Detects: func(o rawjson.Object) bool {
		kind := o.Text("type")
		return o.Get("data").IsObject() && has(o, "id", "timestamp") &&
			(strings.HasPrefix(kind, "session.") || strings.HasPrefix(kind, "tool.execution_") || strings.HasPrefix(kind, "assistant."))
	},
	Words: []string{`"session.start"`, `"session.model_change"`},
	Setting: func(o rawjson.Object) Setting {
		switch d := o.Get("data").Object(); o.Text("type") {
		case "session.start":
			return Setting{Session: d.Text("sessionId"), Model: d.Text("selectedModel"), Dir: d.Get("context").Object().Text("cwd")}
		case "session.model_change":
			return Setting{Model: d.Text("newModel")}
		}
		return Setting{}
	},
	Files: map[string]Does{"create": Writes, "edit": Edits, "view": Reads, "bash": Shell},
	Call: func(o rawjson.Object) (Call, bool) {
		d := o.Get("data").Object()
		c := Call{ID: d.Text("toolCallId"), Name: d.Text("toolName"), Input: d.Get("arguments")}
		return c, o.Text("type") == "tool.execution_start" && c.Name != "" && c.Input != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		d := o.Get("data").Object()
		if o.Text("type") != "tool.execution_complete" || d.Text("toolCallId") == "" {
			return Result{}, false
		}
		r := Result{
			ID: d.Text("toolCallId"), Content: d.Get("result").Object().Get("content"), Flagged: true, IsError: !d.Get("success").IsTrue(),
		}
		if message := d.Get("error").Object().Get("message"); message.IsString() {
			r.Content = message
		}
		return r, true
	},
}
