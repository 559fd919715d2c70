package format

import "memcurator/memstore/transcript/rawjson"

// responses are the items of OpenAI's Responses.
var responses = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if o.Text("type") != "function_call" || o.Get("arguments") == nil {
			return Call{}, false
		}
		return Call{ID: o.First("call_id", "id"), Name: o.Text("name"), Input: o.Get("arguments")}, true
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Text("type") != "function_call_output" {
			return Result{}, false
		}
		return Result{ID: o.Text("call_id"), Content: o.Get("output"), Unwrap: unwrapped}, true
	},
}
