package format

import (
	"strings"

	"memcurator/memstore/transcript/rawjson"
)

// Letta is the name of lists of the messages of Letta, and of its agent files.
//
// Read: letta-ai/letta, letta/schemas/letta_message.py, letta/schemas/agent_file.py, letta/system.py, letta/utils.py and
// letta/services/tool_executor/core_tool_executor.py, version 0.16.8.
const Letta = "letta"

var letta = format{
	Name:    Letta,
	Decides: true,
	Detects: func(o rawjson.Object) bool {
		return has(o, "message_type", "id") || has(o, "agents", "blocks", "groups", "tools")
	},
	Call: func(o rawjson.Object) (Call, bool) {
		c := Call{ID: o.Text("tool_call_id"), Name: o.Text("name"), Input: o.Get("arguments")}
		return c, c.ID != "" && c.Name != "" && c.Input != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		text := o.Get("tool_return")
		if text == nil {
			text = o.Get("func_response")
		}
		if text == nil || o.Text("tool_call_id") == "" {
			return Result{}, false
		}
		status := o.Text("status")
		return Result{
			ID: o.Text("tool_call_id"), Content: text, IsError: status == "error", Flagged: status != "", Unwrap: lettaText, After: true,
		}, true
	},
	Unwrap: lettaText,
	After:  true,
}

// lettaText is the text of a result as the tool gave it: agent files have it with its status. A failed delete says so in its text only.
func lettaText(text string) (inner string, failed, told bool) {
	if v := rawjson.Value(strings.TrimSpace(text)); v.IsObject() && rawjson.Valid(v) {
		o := v.Object()
		if status := o.Text("status"); (status == "OK" || status == "Failed") && o.Get("message").IsString() && has(o, "time") {
			text, failed, told = o.Text("message"), status == "Failed", true
		}
	}
	if strings.HasPrefix(text, "Error performing delete: ") {
		return text, true, true
	}
	return text, failed, told
}
