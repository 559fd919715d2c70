package files

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Agent is a program that reads instruction files up the tree. Adding one takes a row of [agents].
type Agent struct {
	Name string // as the interface shows it
	// File is the instruction file by whose path the store of a folder is named.
	File string
	// Files are read in each folder, in this order: "CLAUDE.md", or a folder of rules if the name ends in "/".
	Files []string
	// First is set if only the first of Files that exists is read in each folder.
	First bool
	// Above is set if folders above the repository are read too.
	Above bool
	// UserFiles are those of Files in the user's folder.
	UserFiles []string
	// Imports is how many imports lead from an instruction file to the last one that is followed; Inside is set if only files of the same
	// project, or of the same folder of the user, are imported.
	Imports int
	Inside  bool
	// Limit is how many bytes of the project's files are read together; 0: no limit.
	Limit int64
	// Stripped is set if front matter and HTML comments are removed first.
	Stripped bool
	// Source is where the row was read, with the date or the version.
	Source string

	user   func(m Machine) string // the user's folder; "" if it is unknown
	system func(m Machine) string // the folder for all users of this machine; "" if there is none
}

// Machine holds what the files depend on apart from their folder.
type Machine struct {
	Home   string              // the user's home folder; "" if there is none
	Getenv func(string) string // nil: no variable is set
}

func (m Machine) getenv(name string) string {
	if m.Getenv == nil {
		return ""
	}
	return m.Getenv(name)
}

// below joins names to the home folder; it is "" without one.
func (m Machine) below(names ...string) string {
	if m.Home == "" {
		return ""
	}
	return filepath.Join(append([]string{m.Home}, names...)...)
}

// agents are the programs whose instruction files are known.
var agents = []Agent{
	{
		Name: "Claude Code", File: "CLAUDE.md",
		Files:     []string{"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/", "CLAUDE.local.md"},
		UserFiles: []string{"CLAUDE.md", "rules/"},
		Above:     true,
		Imports:   4,
		Stripped:  true,
		Source:    "copies of code.claude.com/docs/en/memory and /settings-reference, August 2026",
		user:      claudeFolder,
		system:    func(Machine) string { return managedFolder() },
	},
	{
		Name: "Codex", File: "AGENTS.md",
		Files:     []string{"AGENTS.override.md", "AGENTS.md"},
		UserFiles: []string{"AGENTS.override.md", "AGENTS.md"},
		First:     true,
		Limit:     32 << 10,
		Source:    "openai/codex, codex-rs/core/src/agents_md.rs, November 2026",
		user: func(m Machine) string {
			if dir := m.getenv("CODEX_HOME"); dir != "" {
				return dir
			}
			return m.below(".codex")
		},
	},
	{
		Name: "Gemini CLI", File: "GEMINI.md",
		Files:     []string{"GEMINI.md"},
		UserFiles: []string{"GEMINI.md"},
		Imports:   5,
		Inside:    true,
		Source: "google-gemini/gemini-cli, packages/core/src/utils/memoryDiscovery.ts and memoryImportProcessor.ts, " +
			"geminicli.com/docs/cli/gemini-md, November 2026",
		user: func(m Machine) string {
			if dir := m.getenv("GEMINI_CLI_HOME"); dir != "" {
				return filepath.Join(dir, ".gemini")
			}
			return m.below(".gemini")
		},
	},
}

// managedFolder is where an organization puts the files of Claude Code for all users of a machine.
func managedFolder() string {
	switch runtime.GOOS {
	case "darwin":
		return "/Library/Application Support/ClaudeCode"
	case "windows":
		return `C:\Program Files\ClaudeCode`
	}
	return "/etc/claude-code"
}

// claudeFolder is where Claude Code keeps what belongs to the user.
func claudeFolder(m Machine) string {
	if dir := m.getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir
	}
	return m.below(".claude")
}

// Agents returns the agents whose instruction files are known.
func Agents() []Agent { return append([]Agent(nil), agents...) }

// Locate returns what an instruction file belongs to: the agent that reads it, and the path that names its store, which is the same for
// all files of one folder and need not exist itself. ok is false for any other file. It goes by the path alone.
func Locate(file string, m Machine) (agent Agent, named string, ok bool) {
	full, err := filepath.Abs(file)
	if err != nil {
		return Agent{}, "", false
	}
	slashed := filepath.ToSlash(full)
	for _, a := range agents {
		if user := a.folder(a.user, m); user != "" && filepath.Dir(full) == user && slices.Contains(a.UserFiles, filepath.Base(full)) {
			return a, filepath.Join(user, a.File), true
		}
		for _, f := range a.Files {
			folder, isRules := strings.CutSuffix(f, "/")
			switch {
			case isRules && strings.HasSuffix(slashed, ruleSuffix):
				if at := strings.LastIndex(slashed, "/"+folder+"/"); at >= 0 {
					return a, filepath.Join(filepath.FromSlash(slashed[:at+1]), a.File), true
				}
			case !isRules && strings.HasSuffix(slashed, "/"+f):
				dir := strings.TrimSuffix(slashed, f)
				if strings.HasSuffix(dir, "/"+ownFolder(a.Files)+"/") {
					continue // .claude/CLAUDE.md is the project's, whose row follows
				}
				return a, filepath.Join(filepath.FromSlash(dir), a.File), true
			}
		}
	}
	return Agent{}, "", false
}

// ownFolder is the folder that an agent has in a project, ".claude"; "//" if it has none.
func ownFolder(files []string) string {
	for _, f := range files {
		if folder, _, ok := strings.Cut(f, "/"); ok {
			return folder
		}
	}
	return "//"
}

// UserFolder is where the agent keeps what is the user's; "" if it is unknown.
func (a Agent) UserFolder(m Machine) string { return a.user(m) }

// folder is a folder of the agent without links in its path; "" if it is unknown.
func (a Agent) folder(of func(Machine) string, m Machine) string {
	if of == nil {
		return ""
	}
	dir := of(m)
	if dir == "" {
		return ""
	}
	return realOf(dir)
}

// realOf resolves the links of a path as far as it exists.
func realOf(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	rest := ""
	for at := full; ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return full
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
