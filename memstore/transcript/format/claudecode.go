package format

import "memcurator/memstore/transcript/rawjson"

// ClaudeCode is the name of the session files of Claude Code.
const ClaudeCode = "claude-code"

// Its calls are content blocks; its lines have many shapes.
var claudeCode = format{
	Name:    ClaudeCode,
	Decides: true,
	Files:   map[string]Does{"write": Writes, "edit": Edits, "multiedit": EditsMany, "read": Reads, "bash": Shell},
	Detects: func(o rawjson.Object) bool {
		kind := o.Text("type")
		return has(o, "uuid", "sessionId", "type") || kind == "summary" && has(o, "leafUuid") || kind == "file-history-snapshot"
	},
}
