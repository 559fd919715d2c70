package discover

import "memcurator/memstore/load"

// Agents that keep their memory within projects, or in one folder of the user.

var serena = agent{
	name:   "Serena",
	source: "oraios/serena, src/serena/memories/memory_manager.py and src/serena/config/serena_config.py, read in November 2026",
	places: []place{
		{names: []string{".serena", "memories"}, rule: serenaNames},
		{
			roots: func(m Machine) []string { return []string{m.setOr("SERENA_HOME", m.Home, ".serena")} },
			names: []string{"memories", "global"}, rule: serenaNames,
		},
	},
}

var serenaNames = load.Rule{Source: "memory_manager.py (November 2026): names of files only; the agent reads them on demand"}

var windsurf = agent{
	name: "Windsurf",
	source: "docs.windsurf.com/windsurf/cascade/memories, read in November 2026; the limit of global_rules.md from guides that quote it, " +
		"not from that page",
	places: []place{
		{
			roots: home(".codeium", "windsurf"), names: []string{"memories"},
			rule: load.Rule{
				Files: []string{"global_rules.md"}, Chars: 6_000,
				Source: "guides that quote docs.windsurf.com, November 2026: global_rules.md, at most 6,000 characters",
			},
			quirks: []string{"Cascade looks up the memories of a workspace on demand"},
		},
		{
			names: []string{".windsurf", "rules"},
			rule: load.Rule{
				Files: []string{"**/*.md"}, If: load.Entry{Key: "trigger", Value: "always_on", Text: true}, Chars: 12_000,
				Source: "docs.windsurf.com/windsurf/cascade/memories, November 2026: trigger: always_on, at most 12,000 characters each",
			},
			cautions: []string{"Windsurf limits a file to 12,000 characters"},
			quirks:   []string{"rules with another trigger, or none, are read on demand"},
		},
	},
}

var cline = agent{
	name:   "Cline memory bank",
	source: "docs.cline.bot/features/memory-bank, read in November 2026",
	places: []place{{
		names: []string{"memory-bank"},
		rule: load.Rule{
			Files:  []string{"projectbrief.md", "productContext.md", "activeContext.md", "systemPatterns.md", "techContext.md", "progress.md"},
			Source: "docs.cline.bot/features/memory-bank, November 2026: the instructions have the agent read the whole bank at the start of a task",
		},
	}},
}

var cursor = agent{
	name:   "Cursor",
	source: "guides that quote cursor.com/docs/context/rules, read in November 2026; its source is not public",
	places: []place{{
		names: []string{".cursor", "rules"},
		rule: load.Rule{
			Files: []string{"**/*.mdc"}, If: load.Entry{Key: "alwaysApply", Value: "true"},
			Source: "guides that quote cursor.com/docs/context/rules, November 2026: alwaysApply: true",
		},
		quirks: []string{"other rules are read on demand: by their globs, their description, or their name"},
	}},
}
