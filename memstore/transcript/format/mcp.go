package format

import "memcurator/memstore/transcript/rawjson"

// mcp are the requests of the Model Context Protocol and the answers to them.
var mcp = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if o.Text("method") != "tools/call" || o.Get("jsonrpc") == nil {
			return Call{}, false
		}
		p := o.Get("params").Object()
		return Call{ID: idText(o.Get("id")), Name: p.Text("name"), Input: p.Get("arguments")}, p.Get("arguments") != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if o.Get("jsonrpc") == nil || o.Get("id") == nil || !o.Get("result").IsObject() && !o.Get("error").IsObject() {
			return Result{}, false
		}
		result := o.Get("result").Object()
		r := Result{ID: idText(o.Get("id")), Content: result.Get("content"), IsError: result.Get("isError").IsTrue(), Flagged: true}
		if e := o.Get("error"); e.IsObject() {
			r.Content, r.IsError = e.Object().Get("message"), true
		}
		return r, true
	},
}

// idText is an id that is a string or a number.
func idText(v rawjson.Value) string {
	if v.IsString() {
		return v.Text()
	}
	return string(v)
}
