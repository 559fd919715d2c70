package format

import "memcurator/memstore/transcript/rawjson"

// Inspect is the name of the logs of Inspect, an evaluation framework, and of their samples.
const Inspect = "inspect"

var inspect = format{
	Name: Inspect,
	Detects: func(o rawjson.Object) bool {
		return has(o, "eval", "samples") || has(o, "epoch", "messages") || has(o, "epoch", "events")
	},
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("function").IsString() || o.Get("arguments") == nil || o.Get("event") != nil {
			return Call{}, false
		}
		return Call{ID: o.Text("id"), Name: o.Text("function"), Input: o.Get("arguments")}, true
	},
}
