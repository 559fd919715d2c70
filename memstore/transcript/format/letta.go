package format

import "memcurator/memstore/transcript/rawjson"

// Letta is the name of lists of the messages of Letta.
//
// Read: letta-ai/letta, letta/schemas/letta_message.py and letta/functions/function_sets/base.py, version 0.16.
const Letta = "letta"

var letta = format{
	Name:    Letta,
	Decides: true,
	Detects: func(o rawjson.Object) bool { return has(o, "message_type", "id") },
	Call: func(o rawjson.Object) (Call, bool) {
		c := Call{ID: o.Text("tool_call_id"), Name: o.Text("name"), Input: o.Get("arguments")}
		return c, c.ID != "" && c.Name != "" && c.Input != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Get("tool_return") == nil || o.Text("tool_call_id") == "" {
			return Result{}, false
		}
		status := o.Text("status")
		return Result{ID: o.Text("tool_call_id"), Content: o.Get("tool_return"), IsError: status == "error", Flagged: status != ""}, true
	},
}
