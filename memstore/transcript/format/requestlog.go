package format

import "memcurator/memstore/transcript/rawjson"

// Log is the name of logs of requests to a model and their responses.
const Log = "log"

var requestLog = format{
	Name: Log,
	Detects: func(o rawjson.Object) bool {
		return has(o, "request") || has(o, "response") || has(o, "log") || has(o, "request_body") || has(o, "interactions") || has(o, "payload")
	},
}
