package discover

import (
	"context"
	"path/filepath"
	"slices"

	"memcurator/memstore/load"
)

var codex = agent{
	name: "Codex",
	// From openai/codex, codex-rs/memories/{read,write}/src/lib.rs and codex-rs/memories/README.md, read in part in November 2026
	places: []place{{
		roots: codexHome, names: []string{"memories"},
		rule: load.Rule{
			Files: []string{"memory_summary.md"}, Tokens: 2_500, Middle: true,
			Source: "codex-rs/ext/memories/src/lib.rs (November 2026): 2,500 tokens of memory_summary.md; earlier versions took 5,000",
		},
		quirks: []string{
			"Codex rewrites these files when it next sums up its sessions: your edits can be lost",
			"a session starts with memory_summary.md alone",
		},
	}},
	transcripts: []keeper{{
		roots: func(m Machine) []string { return below(codexHome(m), "sessions") },
		files: [][]string{{"*", "*", "*", "rollout-*.jsonl"}},
	}},
	worked: func(ctx context.Context, m Machine) (list []string) {
		for _, file := range m.latest(under(codexHome(m)[0], "sessions"), 3, mostSessions) {
			list = append(list, m.workedIn(ctx, file))
		}
		return list
	},
}

// latest are the files some folders deep whose names sort last, at most n.
func (m Machine) latest(dir string, depth, n int) (list []string) {
	entries, err := readDir(dir, 0)
	if err != nil {
		return nil
	}
	slices.SortFunc(entries, byName)
	for _, e := range slices.Backward(entries) {
		switch {
		case len(list) >= n:
			return list
		case depth > 0 && e.IsDir():
			list = append(list, m.latest(filepath.Join(dir, e.Name()), depth-1, n-len(list))...)
		case depth == 0 && e.Type().IsRegular():
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}

// codexHome is where Codex keeps what is the user's.
func codexHome(m Machine) []string { return []string{m.setOr("CODEX_HOME", m.Home, ".codex")} }
