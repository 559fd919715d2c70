package discover

import (
	"context"
	"path/filepath"

	"memcurator/memstore/load"
)

// MemoryTool stands for an agent whose name is unknown: the tool that it keeps its memory with.
const MemoryTool = "memory tool"

// agents is the table of agents, in the order in which their stores are found. A new one is a row.
var agents = []agent{
	{
		// The host chooses where it keeps its files; these are the places in the examples of the SDKs.
		name: MemoryTool,
		// From the example of anthropics/anthropic-sdk-typescript (examples/tools-helpers-memory.ts at 1d7cd915), read in November
		// 2026; a host may keep it anywhere
		places: []place{
			{names: []string{"memories"}},
			{names: []string{"memory", "memories"}},
			{names: []string{"mnt", "memory", anyFolder}}, // where the SDKs mirror hosted stores
			{roots: home(), names: []string{"memories"}},
		},
	},
	claudeCode,
	vsCode,
	codex,
	geminiCLI,
	{
		name: "OpenClaw",
		// From docs.openclaw.ai/concepts/agent-workspace and /gateway/config-agents/workspace-and-bootstrap, read in November 2026
		places: []place{{
			roots: openClawWorkspace, elsewhere: "`~/.openclaw/workspace`, or `agents.defaults.workspace` of `openclaw.json`",
			rule: load.Rule{
				Files: []string{"AGENTS.md", "SOUL.md", "TOOLS.md", "IDENTITY.md", "USER.md", "MEMORY.md"}, Chars: 20_000,
				Source: "docs.openclaw.ai/concepts/system-prompt, November 2026: each of these files, at most 20,000 characters",
			},
			quirks: []string{"memory has a note for each day: a session reads the last two at most"},
		}},
	},
	{
		name: "Qwen Code",
		// From QwenLM/qwen-code, packages/core/src/memory/paths.ts and prompt.ts, packages/core/src/config/storage.ts and
		// packages/core/src/utils/paths.ts, read in part in November 2026
		places: []place{
			{
				roots: home(".qwen"), names: []string{"projects", anyFolder, "memory"}, rule: qwenIndex, quirks: qwenDreams,
				owner: func(ctx context.Context, l look) owner {
					return claudeProjectOf(ctx, l, filepath.Join(l.folder, "chats"))
				},
			},
			{roots: home(".qwen"), names: []string{"memories"}, rule: qwenIndex, quirks: qwenDreams},
			{
				names: []string{".qwen", "team-memory"}, rule: qwenIndex, owner: part("team memory"),
				quirks: []string{
					"Qwen Code generates MEMORY.md from the other files: your edits of it are lost",
					"part of the repository: others read it too",
				},
			},
			{names: []string{".qwen", "memory"}, rule: qwenIndex, owner: part("local memory"), quirks: qwenDreams},
		},
	},
	{
		name: "Hermes",
		// From NousResearch/hermes-agent, hermes_constants.py and tools/memory_tool.py, read in November 2026
		places: []place{{
			roots: moved("HERMES_HOME", ".hermes"), names: []string{"memories"},
			// Its limits stop the agent from writing more.
			rule: load.Rule{
				Files: []string{"MEMORY.md", "USER.md"}, Source: "NousResearch/hermes-agent, tools/memory_tool.py, November 2026",
			},
			quirks: []string{
				"Hermes limits MEMORY.md to 2,200 characters and USER.md to 1,375, unless its settings differ",
				"a line with a section sign separates entries: Hermes refuses to write a file that it can't split",
			},
		}},
	},
	{
		name: "Letta Code",
		// From letta-ai/letta-code, src/agent/memory-filesystem.ts and src/backend/local/paths.ts, read in November 2026
		places: []place{
			{
				roots: home(".letta", "agents"), names: []string{anyFolder, "memory"}, owner: lettaAgent, rule: lettaSystem, quirks: lettaQuirks,
			},
			{
				roots: home(".letta", "lc-local-backend", "memfs"), names: []string{anyFolder, "memory"}, owner: lettaAgent,
				rule: lettaSystem, quirks: lettaQuirks,
			},
		},
	},
	{
		name: "basic-memory",
		// From basicmachines-co/basic-memory, src/basic_memory/config.py, read in November 2026
		places: []place{{
			roots:  moved("BASIC_MEMORY_HOME", "basic-memory"),
			quirks: []string{"its server adds a permalink to the front matter of a new file"},
		}},
	},
	{
		name: "Serena",
		// From oraios/serena, src/serena/memories/memory_manager.py and src/serena/config/serena_config.py, read in November 2026
		places: []place{
			{names: []string{".serena", "memories"}},
			{roots: home(".serena"), names: []string{"memories", "global"}},
		},
	},
	mcpMemory,
	{
		name: "claude-mem",
		// From thedotmack/claude-mem, src/shared/paths.ts and src/services/sqlite, read in November 2026. It puts a summary of its choice
		// into each session.
		places: []place{{
			kind: KindSQLite, roots: home(".claude-mem"), names: []string{"claude-mem.db"},
			quirks: []string{"its own program changes it; here it can only be looked at"},
		}},
	},
	{
		name: "engram",
		// From Gentleman-Programming/engram, internal/store/store.go and cmd/engram/main.go, read in November 2026
		places: []place{{
			kind: KindSQLite, roots: home(".engram"), names: []string{"engram.db"},
			quirks: []string{"its own program changes it; here it can only be looked at; a deleted observation stays, with the time deleted_at"},
		}},
	},
	{
		name: "cc-memory",
		// From 0xchoux1/cc-memory, src/index.ts, src/http-server.ts and src/storage/SqliteStorage.ts (1.0.0, 30d7ed2), read in November
		// 2026
		places: []place{{
			kind: KindCCMemory, roots: moved("MEMORY_DATA_PATH", ".claude-memory"), names: []string{"memory.db"},
			quirks: []string{
				"a server that runs writes the whole file over, without what others wrote since it started",
				"reading through the server counts as use",
			},
		}},
	},
	{
		name: "Windsurf",
		// From docs.windsurf.com/windsurf/cascade/memories, read in November 2026; the limit of global_rules.md from guides that quote
		// it, not from that page
		places: []place{{
			roots: home(".codeium", "windsurf"), names: []string{"memories"},
			rule: load.Rule{
				Files: []string{"global_rules.md"}, Chars: 6_000,
				Source: "guides that quote docs.windsurf.com, November 2026: global_rules.md, at most 6,000 characters",
			},
			quirks: []string{"Cascade looks up the memories of a workspace on demand"},
		}},
	},
	{
		name: "Cline memory bank",
		// From docs.cline.bot/features/memory-bank, read in November 2026
		places: []place{{
			names: []string{"memory-bank"},
			rule: load.Rule{
				Files:  []string{"projectbrief.md", "productContext.md", "activeContext.md", "systemPatterns.md", "techContext.md", "progress.md"},
				Source: "docs.cline.bot/features/memory-bank, November 2026: the instructions have the agent read the whole bank at the start of a task",
			},
		}},
	},
}

var (
	// qwenIndex says what Qwen Code loads of a memory directory. Its limit counts UTF-16 units.
	qwenIndex = load.Rule{
		Files: []string{"MEMORY.md"}, Lines: 200, Chars: 25_000,
		Source: "QwenLM/qwen-code, packages/core/src/memory/prompt.ts, November 2026",
	}
	qwenDreams = []string{"Qwen Code merges, rewrites and drops notes from time to time"}

	lettaSystem = load.Rule{
		Files: []string{"system/**"}, Source: "letta-ai/letta-code, src/agent/memory-filesystem.ts, November 2026: all files below system",
	}
	lettaQuirks = []string{"a git repository: commit an edit, or it doesn't count"}
)

// lettaAgent names the agent of Letta that owns a memory.
func lettaAgent(_ context.Context, l look) owner { return owner{project: filepath.Base(l.folder)} }

// openClawWorkspace is the folder that the settings of OpenClaw name, else the usual one.
func openClawWorkspace(m Machine) []string {
	var s struct {
		Agents struct{ Defaults struct{ Workspace string } }
	}
	m.decode(under(m.Home, ".openclaw", "openclaw.json"), &s)
	if dir := m.tilde(s.Agents.Defaults.Workspace); filepath.IsAbs(dir) {
		return []string{dir}
	}
	return []string{under(m.Home, ".openclaw", "workspace")}
}
