package format

import "memcurator/memstore/transcript/rawjson"

// responses are the items of OpenAI's Responses.
var responses = format{
	Call: func(o rawjson.Object) (Call, bool) {
		kind := o.Text("type")
		if kind != "function_call" && (kind != "mcp_call" || o.Get("server_label") == nil) || o.Get("arguments") == nil {
			return Call{}, false
		}
		return Call{ID: o.First("call_id", "id"), Name: o.Text("name"), Input: o.Get("arguments")}, true
	},
	Enclosed: func(o rawjson.Object) (Result, bool) {
		if o.Text("type") != "mcp_call" || o.Get("output") == nil && o.Get("error") == nil {
			return Result{}, false
		}
		r := Result{ID: o.First("call_id", "id"), Content: o.Get("output"), Flagged: true}
		if e := o.Get("error"); e != nil && string(e) != "null" {
			r.Content, r.IsError = e, true
			if message := e.Object().Get("message"); message != nil {
				r.Content = message
			} else if content := e.Object().Get("content"); content != nil {
				r.Content = content
			}
		}
		return r, r.IsError || string(r.Content) != "null"
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Text("type") != "function_call_output" {
			return Result{}, false
		}
		return Result{ID: o.Text("call_id"), Content: o.Get("output"), Unwrap: unwrapped}, true
	},
}
