package discover

import (
	"context"
	"io"
	"strings"

	"memcurator/memstore/load"
)

var geminiCLI = agent{
	name: "Gemini CLI",
	source: "google-gemini/gemini-cli, packages/core/src/config/storage.ts and projectRegistry.ts, " +
		"packages/core/src/services/memoryPatchUtils.ts, read in part in November 2026",
	places: []place{{
		roots: geminiHome, names: []string{"tmp", anyFolder, "memory"}, owner: geminiProject,
		rule: load.Rule{
			Files: []string{"MEMORY.md"}, Source: "packages/core/src/utils/memoryDiscovery.ts (November 2026): MEMORY.md, whole",
		},
		quirks: []string{"Gemini CLI proposes changes as patches in .inbox"},
	}},
	transcripts: []keeper{{
		roots: func(m Machine) []string { return below(m, geminiHome(m), "tmp") },
		files: [][]string{{"*", "chats", "*.json"}, {"*", "chats", "*.jsonl"}},
	}},
	projects: func(_ context.Context, m Machine, found func(root string)) {
		for _, dir := range geminiHome(m) {
			for path := range geminiRegistry(m, dir) {
				found(path)
			}
		}
	},
}

// geminiHome is where Gemini CLI keeps what is the user's.
func geminiHome(m Machine) []string {
	return []string{under(m.setOr("GEMINI_CLI_HOME", m.Home), ".gemini")}
}

// geminiProject is the project of a folder of its own, which a file there names, or the registry.
func geminiProject(_ context.Context, l look) owner {
	root := strings.TrimSpace(string(l.beginning(under(l.above(1), ".project_root"), 64<<10)))
	if root == "" {
		for path, id := range geminiRegistry(l.Machine, l.root) {
			if id == l.names[0] {
				root = path
			}
		}
	}
	if root == "" || !l.isDir(root) {
		return owner{project: root, root: root, stranded: root != ""}
	}
	root = l.spelled(root)
	return owner{project: root, root: root}
}

// geminiRegistry are the projects that Gemini CLI lists, with the names of its folders for them.
func geminiRegistry(m Machine, dir string) map[string]string {
	var r struct{ Projects map[string]string }
	if !m.decode(under(dir, "projects.json"), &r) {
		return nil
	}
	return r.Projects
}

// beginning reads the beginning of a file; nil if it can't be read.
func (m Machine) beginning(file string, most int64) []byte {
	if !m.isFile(file) {
		return nil
	}
	f, err := openQuietly(file)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }() // it was only read
	text, _ := io.ReadAll(io.LimitReader(f, most))
	return text
}
