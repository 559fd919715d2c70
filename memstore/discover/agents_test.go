package discover_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/memtest/dbtest"
)

// planted is a memory of an agent in the home of Ann, who keeps the software of a ferry line. What is where comes from the agents' own
// sources and documentation, and from paths that people quote in public; package discover has its own table of that.
type planted struct {
	agent, dir string // below the home
	project    string // "" if it belongs to the user
	gone       bool   // the project is
	files      string // names in dir; of a program's file nothing
	records    int    // of a program's file
}

const (
	vsCodeNotes = "github.copilot-chat/memory-tool/memories"
	workspaces  = "SETTINGS/%s/User/workspaceStorage/%s/GitHub.copilot-chat/memory-tool/memories"
	npxMemory   = ".npm/_npx/9833c18b2d85bc59/node_modules/@modelcontextprotocol/server-memory/dist/memory.jsonl"
)

var home = []planted{
	{agent: "Claude Code", dir: ".claude/projects/ROOT-src-ferry/memory", project: "ROOT/src/ferry", files: "MEMORY.md rules.md"},
	{agent: "Claude Code", dir: ".claude/projects/ROOT-src-tide/memory", project: "ROOT/src/tide", files: "MEMORY.md"},
	{agent: "Claude Code", dir: ".claude/projects/ROOT-src-old/memory", project: "ROOT/src/old", gone: true, files: "MEMORY.md"},
	{agent: "Claude Code", dir: ".claude/agent-memory/reviewer", project: "subagent reviewer", files: "MEMORY.md"},
	{agent: "Claude Code", dir: "src/ferry/.claude/agent-memory/reviewer", project: "ROOT/src/ferry, subagent reviewer", files: "MEMORY.md"},
	{agent: "Claude Code", dir: "src/ferry/.claude/agent-memory-local/tester", project: "ROOT/src/ferry, subagent tester, local",
		files: "MEMORY.md"},
	{agent: "Claude Code", dir: "notes/claude", files: "MEMORY.md"},
	{agent: "VS Code", dir: "SETTINGS/Code/User/globalStorage/" + vsCodeNotes, files: "preferences.md debugging.md"},
	{agent: "VS Code", dir: fmt.Sprintf(workspaces, "Code", "77b1"), project: "ROOT/src/ferry", files: "repo/build.md MTUy/plan.md"},
	{agent: "VS Code", dir: fmt.Sprintf(workspaces, "Code - Insiders", "c3d9"), project: "ROOT/src/tide tables", files: "repo/tides.md"},
	{agent: "VS Code", dir: fmt.Sprintf(workspaces, "VSCodium", "0f00"), project: "ssh-remote+harbour:/srv/ferry", files: "repo/deploy.md"},
	{agent: "memory tool", dir: "memories", files: "preferences.md"},
	{agent: "Codex", dir: ".codex/memories", files: "memory_summary.md MEMORY.md rollout_summaries/2026-11-01.md"},
	{agent: "Gemini CLI", dir: ".gemini/tmp/ferry/memory", project: "ROOT/src/ferry", files: "MEMORY.md ports.md"},
	{agent: "OpenClaw", dir: "claw", files: "MEMORY.md memory/2026-11-01.md"},
	{agent: "Qwen Code", dir: ".qwen/projects/ROOT-src-ferry/memory", project: "ROOT/src/ferry", files: "MEMORY.md pinned/style.md"},
	{agent: "Qwen Code", dir: ".qwen/memories", files: "MEMORY.md user.md"},
	{agent: "Hermes", dir: ".hermes/memories", files: "MEMORY.md USER.md"},
	{agent: "Letta Code", dir: ".letta/agents/agent-4f2c/memory", project: "agent-4f2c", files: "system/persona.md reference/boats.md"},
	{agent: "Letta Code", dir: ".letta/lc-local-backend/memfs/agent-77aa/memory", project: "agent-77aa", files: "system/human.md"},
	{agent: "basic-memory", dir: "basic-memory", files: "boats/mary.md"},
	{agent: "Serena", dir: ".serena/memories/global", files: "style.md"},
	{agent: "MCP memory", dir: npxMemory, records: 1},
	{agent: "MCP memory", dir: "notes/family.jsonl", records: 1},
	{agent: "Windsurf", dir: ".codeium/windsurf/memories", files: "global_rules.md"},
	{agent: "memory tool", dir: "src/ferry/memories", project: "ROOT/src/ferry", files: "progress.md"},
	{agent: "memory tool", dir: "src/ferry/memory/memories", project: "ROOT/src/ferry", files: "todo.md"},
	{agent: "Qwen Code", dir: "src/ferry/.qwen/team-memory", project: "ROOT/src/ferry, team memory", files: "MEMORY.md"},
	{agent: "Qwen Code", dir: "src/ferry/.qwen/memory", project: "ROOT/src/ferry, local memory", files: "MEMORY.md"},
	{agent: "Serena", dir: "src/ferry/.serena/memories", project: "ROOT/src/ferry", files: "architecture/api.md core.md"},
	{agent: "Cline memory bank", dir: "src/ferry/memory-bank", project: "ROOT/src/ferry", files: "projectbrief.md activeContext.md"},
}

// beside is what names the projects: transcripts, settings.
var beside = map[string]string{
	".claude/projects/ROOT-src-ferry/5c1b.jsonl":                   `{"type":"user","cwd":"ROOT/src/ferry/api"}`,
	".claude/projects/ROOT-src-ferry/5c1b/subagents/agent-1.jsonl": `{"type":"user","cwd":"ROOT/src/ferry"}`,
	".claude/projects/ROOT-src-old/19ff.jsonl":                     `{"type":"user","cwd":"ROOT/src/old"}`,
	".claude.json":          `{"projects":{"ROOT/src/tide":{}}}`,
	".claude/settings.json": `{"autoMemoryDirectory":"~/notes/claude"}`,
	"src/ferry/api/hold.go": "", "src/tide/main.go": "", "src/tide tables/tides.csv": "",
	"SETTINGS/Code/User/workspaceStorage/77b1/workspace.json":            `{"folder":"file://ROOT/src/ferry"}`,
	"SETTINGS/Code - Insiders/User/workspaceStorage/c3d9/workspace.json": `{"folder":"file://ROOT/src/tide%20tables"}`,
	"SETTINGS/VSCodium/User/workspaceStorage/0f00/workspace.json":        `{"folder":"vscode-remote://ssh-remote%2Bharbour/srv/ferry"}`,
	".codex/sessions/2026/11/01/rollout-1.jsonl":                         `{"type":"session_meta","payload":{"cwd":"ROOT/src/ferry"}}`,
	".gemini/tmp/ferry/.project_root":                                    "ROOT/src/ferry",
	".openclaw/openclaw.json":                                            `{"agents":{"defaults":{"workspace":"~/claw"}}}`,
	".qwen/projects/ROOT-src-ferry/chats/9a.jsonl":                       `{"type":"user","cwd":"ROOT/src/ferry"}`,
	".letta/agents/agent-4f2c/memory/.git/HEAD":                          "ref: refs/heads/main\n", // no note, though it is below
	"SETTINGS/Claude/claude_desktop_config.json":                         `{"mcpServers":{"m":{"env":{"MEMORY_FILE_PATH":"ROOT/notes/family.jsonl"}}}}`,
}

// everyAgent makes the home, and returns it with what is to be found of its memories.
func everyAgent(t *testing.T) (root string, want []string) {
	t.Helper()
	settings := ".config"
	if runtime.GOOS == "darwin" {
		settings = "Library/Application Support"
	}
	in := func(path string) string { return strings.ReplaceAll(path, "SETTINGS", settings) }
	files := map[string]string{}
	for name, text := range beside {
		files[in(name)] = text
	}
	for _, p := range home {
		if p.records > 0 {
			files[p.dir] = `{"type":"entity","name":"Mary","entityType":"boat","observations":["Sails"]}`
		}
		for name := range strings.FieldsSeq(p.files) {
			files[in(p.dir+"/"+name)] = "x"
		}
	}
	root = disk(t, files)
	for _, p := range home {
		dir := filepath.Join(root, in(strings.ReplaceAll(p.dir, "ROOT", dashed(root))))
		want = append(want, line(p.agent, dir, strings.ReplaceAll(p.project, "ROOT", root), p.gone, max(p.records, len(strings.Fields(p.files)))))
	}
	return root, want
}

// line says of a store what the planted home says of it too.
func line(agent, dir, project string, gone bool, files int) string {
	return fmt.Sprintf("%s at %s of %q, gone %v, %d files", agent, dir, project, gone, files)
}

// Every memory that was planted from the sources of the agents is found with its project, and nothing else. The files are as they were
// afterwards.
func TestEveryAgentIsFound(t *testing.T) {
	root, want := everyAgent(t)
	t.Chdir(t.TempDir())
	database := filepath.Join(root, ".claude-memory/memory.db")
	if err := errors.Join(os.Mkdir(filepath.Dir(database), 0o700), dbtest.WriteCCMemory(database, time.Now(), false)); err != nil {
		t.Fatal(err)
	}
	want = append(want, line("cc-memory", database, "", false, 30))
	before := stamps(t, root)
	var got []string
	for _, f := range found(t, discover.Local(root, nil), nil) {
		if f.Kind != discover.KindInstructions {
			got = append(got, line(f.Agent, f.Path, f.Project, f.Stranded, f.Files)+f.Problem)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("found\n%s\nplanted\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if after := stamps(t, root); !maps.Equal(before, after) {
		t.Errorf("looking changed %v to %v", before, after)
	}
}

// stamps are the sizes, modes and times of all files and folders.
func stamps(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		out[path] = fmt.Sprint(info.Size(), info.Mode(), info.ModTime())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
