package format

import "memcurator/memstore/transcript/rawjson"

// langchain are the messages of LangChain, also as it serializes them with their classes.
var langchain = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("id").IsString() || !o.Get("name").IsString() || !o.Get("args").IsObject() {
			return Call{}, false
		}
		return Call{ID: o.Text("id"), Name: o.Text("name"), Input: o.Get("args")}, true
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Text("tool_call_id") == "" || o.Get("content") == nil || o.Get("role") != nil || o.Get("part_kind") != nil {
			return Result{}, false
		}
		return Result{
			ID: o.Text("tool_call_id"), Content: o.Get("content"), IsError: o.Text("status") == "error", Flagged: o.Get("status") != nil,
		}, true
	},
	Speaker: func(o rawjson.Object) string {
		if who := roleNames[o.Text("type")]; who != "" && (o.Get("data").IsObject() || o.Get("content") != nil) {
			return who
		}
		if o.Get("lc") == nil {
			return ""
		}
		class := ""
		o.Get("id").Each(func(e rawjson.Value) { class = e.Text() })
		return roleNames[class]
	},
}
