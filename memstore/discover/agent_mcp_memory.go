package discover

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"memcurator/memstore/load"
)

// mcpMemoryName is the name of the reference server for memories of the Model Context Protocol.
const mcpMemoryName = "MCP memory"

var mcpRule = load.Rule{Source: "the MCP memory server is asked for entities, on demand"}

// mcpQuirks are the server's ways with its file.
var mcpQuirks = []string{
	"each call reads the file and may rewrite it whole, without a lock",
	"a line that isn't JSON makes every call fail",
}

// mcpMemory is the reference server for memories. Without a setting, its file is beside its own code.
var mcpMemory = agent{
	name:   mcpMemoryName,
	source: "modelcontextprotocol/servers, src/memory/index.ts (server 0.6.3), read in November 2026",
	places: []place{
		{
			kind: KindGraph, roots: mcpNamed, rule: mcpRule, quirks: mcpQuirks,
			elsewhere: "`$MEMORY_FILE_PATH`, also in the MCP settings of Claude Code, Claude Desktop, Cursor, VS Code, Windsurf and Gemini CLI",
		},
		{kind: KindGraph, roots: npxFolders, names: append([]string{anyFolder}, mcpFile("memory.jsonl")...),
			elsewhere: "`~/.npm/_npx/*/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl`, below `~/AppData/Local/npm-cache` on Windows",
			rule:      mcpRule, quirks: mcpQuirks},
		{kind: KindGraph, roots: npxFolders, names: append([]string{anyFolder}, mcpFile("memory.json")...),
			elsewhere: "`memory.json` beside that, of earlier versions",
			rule:      mcpRule, quirks: mcpQuirks},
		{kind: KindGraph, names: mcpFile("memory.jsonl"), rule: mcpRule, quirks: mcpQuirks},
		{
			kind: KindGraph, named: mcpNamedIn, rule: mcpRule, quirks: mcpQuirks,
			elsewhere: "`MEMORY_FILE_PATH` in `PROJECT/.mcp.json`, `PROJECT/.cursor/mcp.json` or `PROJECT/.vscode/mcp.json`",
		},
	},
}

// mcpFile is the server's own file, below a folder that has its package.
func mcpFile(name string) []string {
	return []string{"node_modules", "@modelcontextprotocol", "server-memory", "dist", name}
}

// npxFolders is where npx keeps the packages that it runs.
func npxFolders(m Machine) []string {
	cache := m.variable("npm_config_cache")
	if cache == "" {
		if cache = under(m.Home, ".npm"); runtime.GOOS == "windows" {
			cache = under(m.setOr("LOCALAPPDATA", m.Home, "AppData", "Local"), "npm-cache")
		}
	}
	return []string{under(cache, "_npx")}
}

// mcpNamed are the files that the environment and the settings of the user name.
func mcpNamed(m Machine) (list []string) {
	if file := m.variable("MEMORY_FILE_PATH"); file != "" {
		list = append(list, file)
	}
	for _, file := range []string{
		under(m.Home, ".claude.json"), under(m.settings(), "Claude", "claude_desktop_config.json"), under(m.Home, ".cursor", "mcp.json"),
		under(m.settings(), "Code", "User", "mcp.json"), under(m.Home, ".codeium", "windsurf", "mcp_config.json"),
		under(m.Home, ".gemini", "settings.json"),
	} {
		list = append(list, mcpIn(m, file, "")...)
	}
	return list
}

// mcpNamedIn are the files that the settings of a project name.
func mcpNamedIn(m Machine, root string) (list []string) {
	for _, names := range [][]string{{".mcp.json"}, {".cursor", "mcp.json"}, {".vscode", "mcp.json"}} {
		list = append(list, mcpIn(m, under(root, names...), root)...)
	}
	return list
}

// mcpServers are servers of MCP as the settings of agents name them.
type mcpServers map[string]struct {
	Env map[string]json.RawMessage
}

// mcpIn are the memory files that a file of settings names, in the order of their names. The server takes a path that isn't absolute as
// one beside its own code.
func mcpIn(m Machine, file, root string) []string {
	type settings struct{ McpServers, Servers mcpServers }
	var s struct {
		settings
		Projects map[string]settings
	}
	if !m.decode(file, &s) {
		return nil
	}
	list := map[string]bool{}
	for _, of := range append([]settings{s.settings}, slices.Collect(maps.Values(s.Projects))...) {
		for _, servers := range []mcpServers{of.McpServers, of.Servers} {
			for _, server := range servers {
				var path string
				if json.Unmarshal(server.Env["MEMORY_FILE_PATH"], &path) != nil {
					continue
				}
				path = strings.NewReplacer("${workspaceFolder}", root, "${HOME}", m.Home).Replace(path)
				if path = filepath.FromSlash(path); filepath.IsAbs(path) {
					list[path] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(list))
}
