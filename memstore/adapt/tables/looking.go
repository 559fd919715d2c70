package tables

import "memcurator/memstore/adapt"

// Programs whose databases can only be looked at.
var (
	claudeMem = &program{name: "claude-mem", kind: "sqlite", file: "claude-mem.db", needed: 3, lookingOnly: true, tables: []*table{
		{name: "observations", layer: "observations", folder: "observations", path: []string{"project", month, "title"}, tailed: true,
			body: "narrative", sections: []string{"subtitle", "text", "facts"}},
		{name: "session_summaries", layer: "summaries", folder: "summaries", path: []string{"project", month, "request"}, tailed: true,
			body: "request", sections: []string{"investigated", "learned", "completed", "next_steps", "notes"}},
		{name: "sdk_sessions", layer: "sessions", folder: "sessions", path: []string{"project", month, "user_prompt"}, tailed: true,
			body: "user_prompt"},
	}}
	engram = &program{name: "engram", kind: "sqlite", file: "engram.db", needed: 3, lookingOnly: true, tables: []*table{
		{name: "observations", layer: "observations", folder: "observations", path: []string{"project", month, "title"}, tailed: true,
			body: "content"},
		{name: "sessions", layer: "sessions", folder: "sessions", path: []string{"project", month, "summary"}, tailed: true, body: "summary"},
		{name: "user_prompts", layer: "prompts", folder: "prompts", path: []string{"project", month, "content"}, tailed: true, body: "content"},
	}}
)

// Adapters open the databases of the programs, and the exports of cc-memory.
var Adapters = []adapt.Adapter{CCMemory, CCMemoryExport, claudeMem.adapter(), engram.adapter()}
