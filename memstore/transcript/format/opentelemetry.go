package format

import "memcurator/memstore/transcript/rawjson"

// openTelemetry are the parts of messages as the conventions for generative AI have them.
var openTelemetry = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if o.Text("type") != "tool_call" {
			return Call{}, false
		}
		c := Call{ID: o.Text("id"), Name: o.Text("name"), Input: o.Get("arguments")}
		return c, c.Input != nil && c.Name != ""
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Text("type") != "tool_call_response" {
			return Result{}, false
		}
		content := o.Get("response")
		if content == nil {
			content = o.Get("result")
		}
		r := Result{ID: o.Text("id"), Content: content}
		return r, r.ID != ""
	},
}
