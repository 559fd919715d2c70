package discover

import "memcurator/memstore/load"

// claudeMem keeps its observations of sessions in a database, which is only looked at.
var claudeMem = agent{
	name:   "claude-mem",
	source: "thedotmack/claude-mem, src/shared/paths.ts and src/services/sqlite, read in November 2026",
	places: []place{{
		kind: KindSQLite, roots: func(m Machine) []string { return []string{m.setOr("CLAUDE_MEM_DATA_DIR", m.Home, ".claude-mem")} },
		names:  []string{"claude-mem.db"},
		rule:   load.Rule{Source: "claude-mem puts a summary of its choice into each session"},
		quirks: []string{"its own program changes it; here it can only be looked at"},
	}},
}

// engram keeps its observations in a database, which is only looked at.
var engram = agent{
	name:   "engram",
	source: "Gentleman-Programming/engram, internal/store/store.go and cmd/engram/main.go, read in November 2026",
	places: []place{{
		kind: KindSQLite, roots: func(m Machine) []string { return []string{m.setOr("ENGRAM_DATA_DIR", m.Home, ".engram")} },
		names:  []string{"engram.db"},
		rule:   load.Rule{Source: "engram is read through its MCP server, on demand"},
		quirks: []string{"its own program changes it; here it can only be looked at; a deleted observation stays, marked"},
	}},
}
