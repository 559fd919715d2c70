package discover

import "memcurator/memstore/load"

var ccMemoryRule = load.Rule{Source: "cc-memory is asked for records, on demand"}

var ccMemoryQuirks = []string{
	"a server that runs writes the whole file over, without what others wrote since it started",
	"reading through the server counts as use",
}

var ccMemory = agent{
	name:   "cc-memory",
	source: "0xchoux1/cc-memory, src/index.ts, src/http-server.ts and src/storage/SqliteStorage.ts (1.0.0, 30d7ed2), read in November 2026",
	places: []place{
		{
			kind: KindCCMemory, roots: home(".claude-memory"), names: []string{"memory.db"}, rule: ccMemoryRule, quirks: ccMemoryQuirks,
		},
		{
			kind: KindCCMemory, roots: ccMemoryNamed, names: []string{"memory.db"}, rule: ccMemoryRule, quirks: ccMemoryQuirks,
			elsewhere: "`memory.db` in `$MEMORY_DATA_PATH`, or in `$CC_MEMORY_DATA_PATH` of its HTTP server",
		},
	},
}

// ccMemoryNamed are the folders that the environment names.
func ccMemoryNamed(m Machine) (list []string) {
	for _, name := range []string{"MEMORY_DATA_PATH", "CC_MEMORY_DATA_PATH"} {
		if folder := m.variable(name); folder != "" {
			list = append(list, folder)
		}
	}
	return list
}
