package discover

import (
	"context"
	"runtime"

	"memcurator/memstore/load"
)

var (
	// hermesFiles are loaded whole; their limits stop the agent from writing more.
	hermesFiles = load.Rule{
		Files: []string{"MEMORY.md", "USER.md"}, Source: "NousResearch/hermes-agent, tools/memory_tool.py, November 2026",
	}
	hermesCautions = []string{
		"Hermes limits MEMORY.md to 2,200 characters and USER.md to 1,375, unless its settings differ",
		"a line with a section sign separates entries: Hermes refuses to write a file that it can't split",
	}
	hermesQuirks = []string{"changes that wait for approval are in pending/memory, beside this folder"}
)

var hermes = agent{
	name:   "Hermes",
	source: "NousResearch/hermes-agent, hermes_constants.py, tools/memory_tool.py and tools/write_approval.py, read in November 2026",
	places: []place{
		{
			roots: hermesHome, names: []string{"memories"},
			elsewhere: "`~/.hermes/memories`, `~/AppData/Local/hermes/memories` on Windows",
			rule:      hermesFiles, cautions: hermesCautions, quirks: hermesQuirks,
		},
		{
			roots: hermesHome, names: []string{"profiles", anyFolder, "memories"},
			elsewhere: "`~/.hermes/profiles/*/memories`, below `~/AppData/Local/hermes` on Windows",
			rule:      hermesFiles, cautions: hermesCautions,
			quirks: hermesQuirks,
			owner:  func(_ context.Context, l look) owner { return owner{project: "profile " + l.names[0]} },
		},
	},
}

// hermesHome is where Hermes keeps what is the user's.
func hermesHome(m Machine) []string {
	if dir := m.variable("HERMES_HOME"); dir != "" {
		return []string{dir}
	}
	if runtime.GOOS == "windows" {
		return []string{under(m.setOr("LOCALAPPDATA", m.Home, "AppData", "Local"), "hermes"+m.variable("HERMES_DATA_DIR_SUFFIX"))}
	}
	return []string{under(m.Home, ".hermes"+m.variable("HERMES_DATA_DIR_SUFFIX"))}
}
