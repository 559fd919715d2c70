package discover

import (
	"context"

	"memcurator/memstore/load"
)

var (
	lettaSystem = load.Rule{
		Files: []string{"system/**"}, Source: "letta-ai/letta-code, src/agent/memory-filesystem.ts, November 2026: all files below system",
	}
	lettaQuirks = []string{"a git repository: commit an edit, or it doesn't count"}
)

var letta = agent{
	name:   "Letta Code",
	source: "letta-ai/letta-code, src/agent/memory-filesystem.ts and src/backend/local/paths.ts, read in November 2026",
	places: []place{
		{roots: home(".letta", "agents"), names: []string{anyFolder, "memory"}, owner: lettaAgent, rule: lettaSystem, cautions: lettaQuirks},
		{
			roots: func(m Machine) []string {
				return []string{under(m.setOr("LETTA_LOCAL_BACKEND_DIR", m.Home, ".letta", "lc-local-backend"), "memfs")}
			},
			names: []string{anyFolder, "memory"}, owner: lettaAgent, rule: lettaSystem, cautions: lettaQuirks,
		},
		{
			roots:     func(m Machine) []string { return []string{m.setOr("LETTA_MEMORY_DIR", m.variable("MEMORY_DIR"))} },
			elsewhere: "`LETTA_MEMORY_DIR`", rule: lettaSystem, cautions: lettaQuirks,
		},
	},
}

// lettaAgent names the agent of Letta that owns a memory.
func lettaAgent(_ context.Context, l look) owner { return owner{project: l.names[0]} }
