package format

import "memcurator/memstore/transcript/rawjson"

// pydantic are the parts of Pydantic AI.
var pydantic = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if o.Text("part_kind") != "tool-call" || o.Get("args") == nil {
			return Call{}, false
		}
		return Call{ID: o.Text("tool_call_id"), Name: o.Text("tool_name"), Input: o.Get("args")}, true
	},
	Result: func(o rawjson.Object) (Result, bool) {
		kind := o.Text("part_kind")
		retry := kind == "retry-prompt" && o.Get("tool_call_id") != nil
		if kind != "tool-return" && !retry {
			return Result{}, false
		}
		return Result{ID: o.Text("tool_call_id"), Content: o.Get("content"), IsError: retry, Flagged: retry}, true
	},
	Speaker: func(o rawjson.Object) string {
		if !o.Get("parts").IsArray() {
			return ""
		}
		return roleNames[o.Text("kind")]
	},
}
