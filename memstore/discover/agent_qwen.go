package discover

import (
	"context"
	"path/filepath"
	"sync"

	"memcurator/memstore/load"
)

// qwenIndex says what Qwen Code loads of a memory directory. Its limit counts UTF-16 units.
var qwenIndex = load.Rule{
	Files: []string{"MEMORY.md"}, Lines: 200, Chars: 25_000,
	Source: "QwenLM/qwen-code, packages/core/src/memory/prompt.ts, November 2026",
}

// qwenDreams says what Qwen Code does to its memories.
var qwenDreams = []string{"Qwen Code merges, rewrites and drops notes from time to time"}

var qwenCode = agent{
	name: "Qwen Code",
	source: "QwenLM/qwen-code, packages/core/src/memory/paths.ts and prompt.ts, packages/core/src/config/storage.ts and " +
		"packages/core/src/utils/paths.ts, read in part in November 2026",
	places: []place{
		{
			roots: qwenHome, names: []string{"projects", anyFolder, "memory"}, rule: qwenIndex, cautions: qwenDreams,
			owner: func(ctx context.Context, l look) owner {
				return claudeProjectOf(ctx, l.Machine, filepath.Join(l.above(1), "chats"), l.names[0])
			},
		},
		{roots: qwenHome, names: []string{"memories"}, rule: qwenIndex, cautions: qwenDreams},
		{
			names: []string{".qwen", "team-memory"}, rule: qwenIndex, owner: part("team memory"),
			cautions: []string{
				"Qwen Code generates MEMORY.md from the other files: your edits of it are lost",
				"part of the repository: others read it too",
			},
		},
		{names: []string{".qwen", "memory"}, rule: qwenIndex, owner: part("local memory"), cautions: qwenDreams},
	},
	projects: func(ctx context.Context, m Machine, found func(root string)) {
		for _, home := range below(m, qwenHome(m), "projects") {
			m.projectsBelow(ctx, home, []string{"chats"}, nil, found)
		}
	},
}

// qwenHome is where Qwen Code keeps memories and chats.
func qwenHome(m Machine) []string {
	for _, variable := range []string{"QWEN_CODE_MEMORY_BASE_DIR", "QWEN_RUNTIME_DIR", "QWEN_HOME"} {
		if dir := m.tilde(m.variable(variable)); filepath.IsAbs(dir) {
			return []string{dir}
		}
	}
	return []string{under(m.Home, ".qwen")}
}

// projectsBelow reports the folders that transcripts name, one for each wanted folder; names lead from that to its transcripts. It reads
// several at a time, but never calls found from two goroutines at once.
func (m Machine) projectsBelow(ctx context.Context, dir string, names []string, wanted func(name string) bool, found func(root string)) {
	entries, err := readDir(dir, 0)
	if err != nil {
		return
	}
	var group sync.WaitGroup
	var turn sync.Mutex
	for i := range readAtOnce {
		group.Go(func() {
			for at := i; at < len(entries) && ctx.Err() == nil; at += readAtOnce {
				if !entries[at].IsDir() || wanted != nil && !wanted(entries[at].Name()) {
					continue
				}
				for _, file := range claudeSessions(m, under(filepath.Join(dir, entries[at].Name()), names...)) {
					if cwd := m.workedIn(ctx, file); cwd != "" {
						turn.Lock()
						found(cwd)
						turn.Unlock()
						break
					}
				}
			}
		})
	}
	group.Wait()
}

// readAtOnce is how many transcripts are read at a time.
const readAtOnce = 4
