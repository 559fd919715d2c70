package format

import "memcurator/memstore/transcript/rawjson"

// autogen are the results in the messages of AutoGen; its calls are those of VS Code.
//
// Read: the classes of messages in microsoft/autogen, python/packages/autogen-core/src/autogen_core/models/_types.py.
var autogen = format{
	Result: func(o rawjson.Object) (Result, bool) {
		if !o.Get("call_id").IsString() || !o.Get("content").IsString() || !o.Get("name").IsString() || o.Get("role") != nil {
			return Result{}, false
		}
		r := Result{ID: o.Text("call_id"), Content: o.Get("content"), IsError: o.Get("is_error").IsTrue()}
		r.Flagged = r.IsError || string(o.Get("is_error")) == "false"
		return r, true
	},
}
