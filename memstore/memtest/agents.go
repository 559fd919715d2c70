package memtest

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// AgentHome is a home folder of Linux or macOS in which every known agent has kept its memories, but for those in databases, which package
// dbtest makes. What is where comes from the agents' own
// sources and documentation, and from paths that people quote in public; package discover, which it tests, has its own table of that.
//
// The stories are invented: Ann keeps the software of a ferry line.
type AgentHome struct {
	Home string // the home folder of the user
}

// AgentMemory is a memory that an agent keeps.
type AgentMemory struct {
	Agent   string
	Dir     string
	Project string // the path of the project, or what else the agent says that the memory is of; "" if it belongs to the user
	// Gone is set if the project is gone.
	Gone bool
	// Records is how many records are in Dir, which is a file of another program then.
	Records int
	Files   map[string]string // by names in the directory, with slashes; "" is Dir itself
	// Beside are other files that the agent writes, by their paths: transcripts, settings, what names the project.
	Beside map[string]string
}

// Path is a path below a folder. names have slashes.
func (h AgentHome) Path(dir, names string) string {
	return filepath.Join(dir, filepath.FromSlash(names))
}

// Project is the folder of a project of the user.
func (h AgentHome) Project(name string) string { return h.Path(h.Home, "src/"+name) }

// Settings is the folder in which programs keep their settings.
func (h AgentHome) Settings() string {
	if runtime.GOOS == "darwin" {
		return h.Path(h.Home, "Library/Application Support")
	}
	return h.Path(h.Home, ".config")
}

// dashed is a path as Claude Code and Qwen Code name folders after projects: with a dash for everything but letters and digits.
func dashed(path string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, path)
}

// address is a path as a file address, written as VS Code does.
func (h AgentHome) address(path string) string {
	return "file://" + strings.ReplaceAll(path, " ", "%20")
}

// encode is a value as JSON.
func encode(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // values of this file
	}
	return string(text) + "\n"
}

// spoken is a transcript with one prompt, as Claude Code and Qwen Code write it.
func spoken(cwd, prompt string) string {
	return encode(map[string]any{"type": "user", "cwd": cwd, "message": map[string]string{"role": "user", "content": prompt}})
}

// Memories are all memories of the home.
func (h AgentHome) Memories() []AgentMemory {
	return slices.Concat(h.claudeCode(), h.vsCode(), h.ofUser(), h.ofProjects())
}

// graphOf is the file of a knowledge graph with two entities.
func graphOf(one, other string) string {
	entity := func(name string) string {
		return strings.TrimSuffix(encode(map[string]any{"type": "entity", "name": name, "entityType": "person",
			"observations": []string{"Sails"}}), "\n")
	}
	return entity(one) + "\n" + entity(other) + "\n" +
		strings.TrimSuffix(encode(map[string]string{"type": "relation", "from": one, "to": other, "relationType": "sails_with"}), "\n")
}

const claudeIndex = `# Memory

- [Booking rules](booking-rules.md): seats are held for ten minutes
- [Test ports](test-ports.md): the test server needs port 8081
- [Crew lists](crew-lists.md): who may see them
`

func (h AgentHome) claudeCode() []AgentMemory {
	ferry, tide, gone := h.Project("ferrybook"), h.Project("tide-tables"), h.Project("old-ferry")
	folder := func(project string) string { return h.Path(h.Home, ".claude/projects/"+dashed(project)) }
	return []AgentMemory{
		{
			Agent: "Claude Code", Dir: h.Path(folder(ferry), "memory"), Project: ferry,
			Files: map[string]string{
				"MEMORY.md": claudeIndex,
				"booking-rules.md": "---\nname: booking-rules\ndescription: how seats are held\ntype: project\n---\n" +
					"A seat is held for ten minutes, see `api/hold.go`.\n",
				"test-ports.md": "---\nname: test-ports\ndescription: ports of the test servers\ntype: reference\n---\n" +
					"The test server needs port 8081.\n",
				"retired.md": "---\nname: retired\ndescription: the old timetable\ntype: project\n---\nThe timetable of 2024 is in `legacy/`.\n",
			},
			Beside: map[string]string{
				h.Path(folder(ferry), "5c1b.jsonl"):                        spoken(h.Path(ferry, "api"), "Add a waitlist"),
				h.Path(folder(ferry), "77aa.jsonl"):                        spoken(ferry, "Why is staging slow?"),
				h.Path(folder(ferry), "5c1b/subagents/agent-1.jsonl"):      spoken(ferry, "Review the waitlist"),
				h.Path(ferry, "api/hold.go"):                               "package api\n",
				h.Path(ferry, "CLAUDE.md"):                                 "# Ferrybook\n\nGo 1.25, tests before every commit.\n",
				h.Path(h.Home, ".claude/projects/"+dashed(tide)+"/README"): "no transcript remains\n",
			},
		},
		{
			Agent: "Claude Code", Dir: h.Path(folder(tide), "memory"), Project: tide,
			Files: map[string]string{"MEMORY.md": "# Memory\n\n- Tides come from the harbour office as CSV\n"},
			Beside: map[string]string{
				h.Path(tide, "main.go"):        "package main\n",
				h.Path(h.Home, ".claude.json"): encode(map[string]any{"projects": map[string]any{tide: map[string]any{}}}),
			},
		},
		{
			Agent: "Claude Code", Dir: h.Path(folder(gone), "memory"), Project: gone, Gone: true,
			Files:  map[string]string{"MEMORY.md": "# Memory\n\n- The old ferry had 40 seats\n", "seats.md": "40 seats, 4 of them for bicycles.\n"},
			Beside: map[string]string{h.Path(folder(gone), "19ff.jsonl"): spoken(gone, "Count the seats")},
		},
		{
			Agent: "Claude Code", Dir: h.Path(h.Home, ".claude/agent-memory/reviewer"), Project: "subagent reviewer",
			Files: map[string]string{"MEMORY.md": "# Reviewer\n\n- Ask for a test with every fix\n"},
		},
		{
			Agent: "Claude Code", Dir: h.Path(ferry, ".claude/agent-memory/reviewer"), Project: ferry + ", subagent reviewer",
			Files: map[string]string{"MEMORY.md": "# Reviewer\n\n- Migrations are reviewed by two people\n"},
		},
		{
			Agent: "Claude Code", Dir: h.Path(ferry, ".claude/agent-memory-local/tester"),
			Project: ferry + ", subagent tester, local",
			Files:   map[string]string{"MEMORY.md": "# Tester\n\n- The browser tests need a display\n"},
		},
		{ // its settings name a memory directory, which is the only one that it loads for projects
			Agent: "Claude Code", Dir: h.Path(h.Home, "notes/claude"),
			Files:  map[string]string{"MEMORY.md": "# Memory\n\n- Ann likes short answers\n"},
			Beside: map[string]string{h.Path(h.Home, ".claude/settings.json"): encode(map[string]string{"autoMemoryDirectory": "~/notes/claude"})},
		},
	}
}

func (h AgentHome) vsCode() []AgentMemory {
	ferry, spaced := h.Project("ferrybook"), h.Project("tide tables")
	user := func(product string) string { return h.Path(h.Settings(), product+"/User") }
	workspace := func(product, id string) string { return h.Path(user(product), "workspaceStorage/"+id) }
	return []AgentMemory{
		{
			Agent: "VS Code", Dir: h.Path(user("Code"), "globalStorage/github.copilot-chat/memory-tool/memories"),
			Files: map[string]string{"preferences.md": "- Tabs, not spaces\n", "debugging.md": "- Read the log of the booking service first\n"},
		},
		{
			Agent: "VS Code", Dir: h.Path(workspace("Code", "77b1"), "GitHub.copilot-chat/memory-tool/memories"), Project: ferry,
			Files: map[string]string{
				"repo/build.md": "Build with `make all`.\n",
				"MTUyMWFiMzgtYTA2OC00ODAxLTgwZTUtNWVjNTQ2MGFiMDI1/plan.md": "# Plan\n\n1. Waitlist\n",
			},
			Beside: map[string]string{h.Path(workspace("Code", "77b1"), "workspace.json"): encode(map[string]string{"folder": h.address(ferry)})},
		},
		{
			Agent: "VS Code", Dir: h.Path(workspace("Code - Insiders", "c3d9"), "GitHub.copilot-chat/memory-tool/memories"), Project: spaced,
			Files: map[string]string{"repo/tides.md": "High water is in UTC.\n"},
			Beside: map[string]string{
				h.Path(workspace("Code - Insiders", "c3d9"), "workspace.json"): encode(map[string]string{"folder": h.address(spaced)}),
				h.Path(spaced, "tides.csv"):                                    "hour,metres\n",
			},
		},
		{
			Agent: "VS Code", Dir: h.Path(workspace("VSCodium", "0f00"), "GitHub.copilot-chat/memory-tool/memories"),
			Project: "ssh-remote+harbour:/srv/ferrybook",
			Files:   map[string]string{"repo/deploy.md": "Deploy from harbour.\n"},
			Beside: map[string]string{
				h.Path(workspace("VSCodium", "0f00"), "workspace.json"): encode(
					map[string]string{"folder": "vscode-remote://ssh-remote%2Bharbour/srv/ferrybook"}),
			},
		},
	}
}

// ofUser are memories of agents that keep them in folders of the user.
func (h AgentHome) ofUser() []AgentMemory {
	ferry := h.Project("ferrybook")
	gemini, qwen := h.Path(h.Home, ".gemini/tmp/ferrybook"), h.Path(h.Home, ".qwen/projects/"+dashed(ferry))
	hermes := h.Path(h.Home, ".hermes")
	return []AgentMemory{
		{
			Agent: "memory tool", Dir: h.Path(h.Home, "memories"),
			Files: map[string]string{"preferences.md": "- Ann reads diffs before tests\n"},
		},
		{
			Agent: "Codex", Dir: h.Path(h.Home, ".codex/memories"),
			Files: map[string]string{
				"memory_summary.md": "v1\n\nAnn works on ferrybook.\n", "MEMORY.md": "# Handbook\n", "raw_memories.md": "# Raw\n",
				"rollout_summaries/2026-11-01-waitlist.md": "# Waitlist\n",
			},
			Beside: map[string]string{
				h.Path(h.Home, ".codex/sessions/2026/11/01/rollout-2026-11-01T10-00-00-1.jsonl"): encode(map[string]any{
					"type": "session_meta", "payload": map[string]string{"id": "1", "cwd": ferry}}),
			},
		},
		{
			Agent: "Gemini CLI", Dir: h.Path(gemini, "memory"), Project: ferry,
			Files: map[string]string{
				"MEMORY.md": "# Project memory\n\n- Ports are in compose.yaml\n", "ports.md": "8081\n",
			},
			Beside: map[string]string{
				h.Path(gemini, ".project_root"):     ferry,
				h.Path(h.Home, ".gemini/GEMINI.md"): "# Ann\n",
			},
		},
		{
			Agent: "OpenClaw", Dir: h.Path(h.Home, "claw"),
			Files: map[string]string{"MEMORY.md": "# Memory\n\n- Ann sails on Sundays\n", "memory/2026-11-01.md": "- Booked the harbour\n"},
			Beside: map[string]string{h.Path(h.Home, ".openclaw/openclaw.json"): encode(map[string]any{
				"agents": map[string]any{"defaults": map[string]string{"workspace": "~/claw"}}})},
		},
		{
			Agent: "Qwen Code", Dir: h.Path(qwen, "memory"), Project: ferry,
			Files:  map[string]string{"MEMORY.md": "# Index\n", "pinned/style.md": "Short functions.\n"},
			Beside: map[string]string{h.Path(qwen, "chats/9a.jsonl"): spoken(ferry, "Explain the booking flow")},
		},
		{
			Agent: "Qwen Code", Dir: h.Path(h.Home, ".qwen/memories"),
			Files: map[string]string{"MEMORY.md": "# Index\n", "user.md": "Ann writes Go.\n"},
		},
		{
			Agent: "Hermes", Dir: h.Path(hermes, "memories"),
			Files: map[string]string{"MEMORY.md": "The boat is called Mary\n§\nStaging is slow\n", "USER.md": "Ann\n"},
		},
		{
			Agent: "Letta Code", Dir: h.Path(h.Home, ".letta/agents/agent-4f2c/memory"), Project: "agent-4f2c",
			Files: map[string]string{"system/persona.md": "You help Ann.\n", "reference/boats.md": "Mary, 120 seats\n"},
			// no note, though it is below
			Beside: map[string]string{h.Path(h.Home, ".letta/agents/agent-4f2c/memory/.git/HEAD"): "ref: refs/heads/main\n"},
		},
		{
			Agent: "Letta Code", Dir: h.Path(h.Home, ".letta/lc-local-backend/memfs/agent-77aa/memory"), Project: "agent-77aa",
			Files: map[string]string{"system/human.md": "Ann\n"},
		},
		{
			Agent: "basic-memory", Dir: h.Path(h.Home, "basic-memory"),
			Files: map[string]string{"boats/mary.md": "---\ntitle: Mary\npermalink: boats/mary\n---\n- [seats] 120\n- sails_with [[Crew]]\n"},
		},
		{
			Agent: "Serena", Dir: h.Path(h.Home, ".serena/memories/global"),
			Files: map[string]string{"style.md": "Write tests first.\n"},
		},
		{
			Agent: "MCP memory", Dir: h.Path(h.Home, ".npm/_npx/9833c18b2d85bc59/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl"),
			Records: 2, Files: map[string]string{"": graphOf("Mary", "Skipper Ann")},
		},
		{
			Agent: "MCP memory", Dir: h.Path(h.Home, "notes/family.jsonl"),
			Records: 2, Files: map[string]string{"": graphOf("Bo", "Cleo")},
			Beside: map[string]string{h.Path(h.Settings(), "Claude/claude_desktop_config.json"): encode(map[string]any{"mcpServers": map[string]any{
				"memory": map[string]any{"command": "npx", "args": []string{"-y", "@modelcontextprotocol/server-memory"},
					"env": map[string]string{"MEMORY_FILE_PATH": h.Path(h.Home, "notes/family.jsonl")}}}})},
		},
		{
			Agent: "Windsurf", Dir: h.Path(h.Home, ".codeium/windsurf/memories"),
			Files: map[string]string{"global_rules.md": "- Answer in English\n"},
		},
	}
}

// ofProjects are memories of agents that keep them within projects.
func (h AgentHome) ofProjects() []AgentMemory {
	ferry := h.Project("ferrybook")
	return []AgentMemory{
		{
			Agent: "memory tool", Dir: h.Path(ferry, "memories"), Project: ferry,
			Files: map[string]string{"progress.md": "# Progress\n"},
		},
		{
			Agent: "memory tool", Dir: h.Path(ferry, "memory/memories"), Project: ferry,
			Files: map[string]string{"todo.md": "- Waitlist\n"},
		},
		{
			Agent: "Qwen Code", Dir: h.Path(ferry, ".qwen/team-memory"), Project: ferry + ", team memory",
			Files: map[string]string{"MEMORY.md": "# Team\n"},
		},
		{
			Agent: "Qwen Code", Dir: h.Path(ferry, ".qwen/memory"), Project: ferry + ", local memory",
			Files: map[string]string{"MEMORY.md": "# Local\n"},
		},
		{
			Agent: "Serena", Dir: h.Path(ferry, ".serena/memories"), Project: ferry,
			Files: map[string]string{"architecture/api.md": "See mem:core.\n", "core.md": "# Core\n"},
		},
		{
			Agent: "Cline memory bank", Dir: h.Path(ferry, "memory-bank"), Project: ferry,
			Files: map[string]string{"projectbrief.md": "# Brief\n", "activeContext.md": "# Now\n"},
		},
	}
}

// at is the path of a file of a memory.
func (h AgentHome) at(m AgentMemory, name string) string {
	if name == "" {
		return m.Dir
	}
	return h.Path(m.Dir, name)
}

// Files are all files of the home by their paths.
func (h AgentHome) Files() map[string]string {
	all := map[string]string{}
	for _, m := range h.Memories() {
		for name, text := range m.Files {
			all[h.at(m, name)] = text
		}
		maps.Copy(all, m.Beside)
	}
	return all
}

// Write makes the files on the disk of this system. The times of the memories are a day apart, the first the youngest; they end at now.
func (h AgentHome) Write(now time.Time) error {
	for path, text := range h.Files() {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			return err
		}
	}
	for i, m := range h.Memories() {
		at := now.AddDate(0, 0, -i)
		for name := range m.Files {
			if err := os.Chtimes(h.at(m, name), at, at); err != nil {
				return err
			}
		}
	}
	return nil
}
