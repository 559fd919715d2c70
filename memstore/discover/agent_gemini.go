package discover

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"memcurator/memstore/load"
)

var geminiCLI = agent{
	name: "Gemini CLI",
	// From google-gemini/gemini-cli, packages/core/src/config/storage.ts and projectRegistry.ts,
	// packages/core/src/services/memoryPatchUtils.ts, read in part in November 2026
	places: []place{{
		roots: geminiHome, names: []string{"tmp", anyFolder, "memory"}, owner: geminiProject,
		rule: load.Rule{
			Files: []string{"MEMORY.md"}, Source: "packages/core/src/utils/memoryDiscovery.ts (November 2026): MEMORY.md, whole",
		},
		quirks: []string{"Gemini CLI proposes changes as patches in .inbox"},
	}},
	transcripts: []keeper{{
		roots: func(m Machine) []string { return below(geminiHome(m), "tmp") },
		files: [][]string{{"*", "chats", "*.json"}, {"*", "chats", "*.jsonl"}},
	}},
}

// geminiHome is where Gemini CLI keeps what is the user's.
func geminiHome(m Machine) []string {
	return []string{under(m.setOr("GEMINI_CLI_HOME", m.Home), ".gemini")}
}

// geminiProject is the project that a file in a folder of Gemini CLI names.
func geminiProject(_ context.Context, l look) owner {
	f, err := openQuietly(filepath.Join(l.folder, ".project_root"))
	if err != nil {
		return owner{}
	}
	defer func() { _ = f.Close() }() // it was only read
	text, _ := io.ReadAll(io.LimitReader(f, 64<<10))
	root := strings.TrimSpace(string(text))
	return owner{project: root, root: root, stranded: root != "" && !l.isDir(root)}
}
