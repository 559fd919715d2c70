package format

import "memcurator/memstore/transcript/rawjson"

// bedrock are the blocks of Bedrock Converse.
var bedrock = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("toolUse").IsObject() {
			return Call{}, false
		}
		u := o.Get("toolUse").Object()
		c := Call{ID: u.Text("toolUseId"), Name: u.Text("name"), Input: u.Get("input")}
		return c, c.Input != nil
	},
	Result: func(o rawjson.Object) (Result, bool) {
		if !o.Get("toolResult").IsObject() {
			return Result{}, false
		}
		u := o.Get("toolResult").Object()
		return Result{ID: u.Text("toolUseId"), Content: u.Get("content"), IsError: u.Text("status") == "error", Flagged: true}, true
	},
}
