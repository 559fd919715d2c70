package format

import "memcurator/memstore/transcript/rawjson"

// Batch is the name of the requests and results of message batches.
const Batch = "batch"

var batch = format{
	Name:    Batch,
	Detects: func(o rawjson.Object) bool { return has(o, "custom_id") },
}
