package format

import "memcurator/memstore/transcript/rawjson"

// VSCode is the name of chat sessions of VS Code, of the logs of operations on them, and of exported chats.
const VSCode = "vscode"

var vscode = format{
	Name: VSCode,
	Detects: func(o rawjson.Object) bool {
		return has(o, "kind", "v") || has(o, "requests", "version") || has(o, "prompts", "exportedAt")
	},
	Call: func(o rawjson.Object) (Call, bool) {
		if !o.Get("id").IsString() || !o.Get("name").IsString() || !o.Get("arguments").IsString() || o.Get("type") != nil {
			return Call{}, false
		}
		return Call{ID: o.Text("id"), Name: o.Text("name"), Input: o.Get("arguments")}, true
	},
}

// ReplayedCall reads a call of a chat replay. Its result, if any, is beside it as response.
func ReplayedCall(o rawjson.Object) (Call, bool) {
	if o.Text("kind") != "toolCall" || o.Get("tool") == nil {
		return Call{}, false
	}
	return Call{ID: o.Text("id"), Name: o.Text("tool"), Input: o.Get("args")}, true
}
