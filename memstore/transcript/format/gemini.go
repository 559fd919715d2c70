package format

import "memcurator/memstore/transcript/rawjson"

// gemini are the parts of Gemini. Their results often have no id; the reader assigns them to calls in order.
var gemini = format{
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("functionCall").IsObject() {
			return Call{}, false
		}
		f := o.Get("functionCall").Object()
		c := Call{ID: f.Text("id"), Name: f.Text("name"), Input: f.Get("args")}
		return c, c.Input != nil && c.Name != ""
	},
}
