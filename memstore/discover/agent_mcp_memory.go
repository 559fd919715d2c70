package discover

import (
	"maps"
	"path/filepath"
	"runtime"
	"slices"
)

// mcpMemoryName is the name of the reference server for memories of the Model Context Protocol.
const mcpMemoryName = "MCP memory"

// mcpQuirks are the server's ways with its file.
var mcpQuirks = []string{
	"each call reads the file and may rewrite it whole, without a lock",
	"a line that isn't JSON makes every call fail",
}

// mcpMemory is the reference server for memories. Without a setting, its file is beside its own code.
var mcpMemory = agent{
	name: mcpMemoryName,
	// From modelcontextprotocol/servers, src/memory/index.ts (server 0.6.3), read in November 2026
	places: []place{
		{
			kind: KindGraph, roots: mcpNamed, quirks: mcpQuirks,
			elsewhere: "`$MEMORY_FILE_PATH`, also in the MCP settings of Claude Code, Claude Desktop, Cursor, VS Code, Windsurf and Gemini CLI",
		},
		{kind: KindGraph, roots: npxFolders, names: []string{anyFolder, "node_modules", "@modelcontextprotocol", "server-memory", "dist", "memory.jsonl"},
			elsewhere: "`~/.npm/_npx/*/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl`, below `~/AppData/Local/npm-cache` on Windows",
			quirks:    mcpQuirks},
	},
}

// npxFolders is where npx keeps the packages that it runs.
func npxFolders(m Machine) []string {
	if runtime.GOOS == "windows" {
		return []string{under(m.setOr("LOCALAPPDATA", m.Home, "AppData", "Local"), "npm-cache", "_npx")}
	}
	return []string{under(m.Home, ".npm", "_npx")}
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
		list = append(list, mcpIn(m, file)...)
	}
	return list
}

// mcpIn are the memory files that a file of settings names, in the order of their names. The server takes a path that isn't absolute as
// one beside its own code.
func mcpIn(m Machine, file string) []string {
	type servers map[string]struct {
		Env map[string]string
	}
	var s struct {
		McpServers, Servers servers
		Projects            map[string]struct{ McpServers servers }
	}
	m.decode(file, &s)
	all := []servers{s.McpServers, s.Servers}
	for _, project := range s.Projects {
		all = append(all, project.McpServers)
	}
	list := map[string]bool{}
	for _, some := range all {
		for _, server := range some {
			if path := filepath.FromSlash(server.Env["MEMORY_FILE_PATH"]); filepath.IsAbs(path) {
				list[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(list))
}
