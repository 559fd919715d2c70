package format

import ()

// IsAnswer reports whether the answer to a request stands below a key.
func IsAnswer(key string) bool { return answers[key] }

var answers = map[string]bool{
	"response": true, "response_body": true, "responseBody": true, "choices": true, "output": true, "result": true, "completion": true,
}

// LeftOut reports whether nothing that was called stands below a key.
func LeftOut(key string) bool { return leftOut[key] }

var leftOut = map[string]bool{
	"toolCallResults": true, "toolUseResult": true, "tool_use_result": true, "tools": true, "snapshot": true, "delta": true,
	"structuredPatch": true, "replacement_history": true,
}

// IsBody reports whether a JSON text may stand below a key as a string.
func IsBody(key string) bool { return bodies[key] }

var bodies = map[string]bool{
	"body": true, "request_body": true, "response_body": true, "requestBody": true, "responseBody": true,
	"text": true, "string": true, "raw_request": true, "raw_response": true, "response": true, "request": true,
}
