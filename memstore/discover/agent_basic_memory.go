package discover

import (
	"context"
	"encoding/json"
	"path/filepath"
	"slices"

	"memcurator/memstore/load"
)

var basicMemory = agent{
	name:   "basic-memory",
	source: "basicmachines-co/basic-memory, src/basic_memory/config.py, read in November 2026",
	places: []place{{
		roots: func(m Machine) (list []string) {
			for dir := range basicProjects(m) {
				list = append(list, dir)
			}
			slices.Sort(list)
			return list
		},
		owner: func(_ context.Context, l look) owner {
			return owner{project: "project " + basicProjects(l.Machine)[l.root]}
		},
		rule: load.Rule{Source: "basic-memory is read through its MCP server, on demand"},
		quirks: []string{
			"its server adds a permalink to the front matter of a new file",
		},
	}},
}

// basicProjects are the folders of basic-memory, with the names of its projects.
func basicProjects(m Machine) map[string]string {
	list := map[string]string{}
	if dir := m.setOr("BASIC_MEMORY_HOME", m.Home, "basic-memory"); dir != "" {
		list[dir] = "main"
	}
	var c struct{ Projects map[string]json.RawMessage }
	if !m.decode(under(m.setOr("BASIC_MEMORY_CONFIG_DIR", m.Home, ".basic-memory"), "config.json"), &c) {
		return list
	}
	for name, value := range c.Projects {
		var path string
		var entry struct{ Path string } // newer versions
		if json.Unmarshal(value, &path) != nil && json.Unmarshal(value, &entry) == nil {
			path = entry.Path
		}
		if path = filepath.FromSlash(m.tilde(path)); filepath.IsAbs(path) {
			list[path] = name
		}
	}
	return list
}
