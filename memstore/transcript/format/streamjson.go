package format

import "memcurator/memstore/transcript/rawjson"

// StreamJSON is the name of what agents print with --output-format stream-json.
const StreamJSON = "stream-json"

var streamJSON = format{
	Name: StreamJSON,
	Detects: func(o rawjson.Object) bool {
		return has(o, "session_id") && (has(o, "message") || has(o, "subtype") || has(o, "event"))
	},
}
