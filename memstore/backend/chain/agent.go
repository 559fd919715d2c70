package chain

import (
	"cmp"
	"path/filepath"
	"strings"

	"memcurator/memstore/backend"
)

// Agent is a program that reads instruction files up the tree. Adding one takes a row of [agents].
type Agent struct {
	Name string // as the interface shows it
	// File is the instruction file by whose path a chain is named.
	File string
	// Files are read in each folder, in this order: "CLAUDE.md", or a folder of rules if the name ends in "/".
	Files []string
	// First is set if only the first of Files that exists is read in each folder.
	First bool
	// Above is set if folders above the repository are read too.
	Above bool
	// UserFiles are those of Files in the user's folder.
	UserFiles []string
	// Imports describes the imports in these files; zero: there are none.
	Imports Syntax
	// FileLimit is the size in bytes above which a file is not read; Limit is how many bytes of the project's files are read together. 0: no
	// limit.
	FileLimit, Limit int64
	// Stripped is set if front matter and HTML comments are removed first.
	Stripped bool
	// Source is where the row was read, with the date or the version.
	Source string

	// Off is why the agent loads nothing of the chain, as a clause; "": nothing keeps it from loading.
	Off string

	excludes []string // patterns of paths that the settings exclude

	user   func(m Machine) string // the user's folder; "" if it is unknown
	system func(m Machine) string // the folder for all users of this machine; "" if there is none
	// tune changes the row by the settings in the user's folder and in the folder that the chain is for; nil: it reads none.
	tune func(a *Agent, m Machine, user, folder string)
	// compose returns the text that the agent puts around a file that follows one of the scope previous; nil: none, and files without text
	// count too.
	compose func(c *Chain, p Piece, previous scope, f *backend.StartFile)
	markers []string // a project is the folder that holds one of these; nil: ".git"
}

// Machine holds what a chain depends on apart from its files.
type Machine struct {
	System string              // as [runtime.GOOS] names it
	Home   string              // the user's home folder; "" if there is none
	Getenv func(string) string // nil: no variable is set
	// Managed is the folder of Claude Code's files for all users; "": [ManagedFolder].
	Managed string
	// Settings keeps what was read of files of settings, for many chains that are opened with the same; nil: each reads them.
	Settings *Settings
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

// agents are the programs whose chains are known.
var agents = []Agent{
	{
		Name: "Claude Code", File: "CLAUDE.md",
		Files:     []string{"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules/", "CLAUDE.local.md"},
		UserFiles: []string{"CLAUDE.md", "rules/"},
		Above:     true,
		Imports:   Syntax{Hops: 4, Home: true, Outside: true, Fences: true},
		FileLimit: 4 << 20,
		Stripped:  true,
		Source:    "copies of code.claude.com/docs/en/memory and /settings-reference, August 2026",
		user:      claudeFolder,
		system:    func(m Machine) string { return cmp.Or(m.Managed, ManagedFolder(m.System)) },
		tune:      tuneClaude,
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
		tune: tuneCodex, compose: composeCodex,
	},
	{
		Name: "Gemini CLI", File: "GEMINI.md",
		Files:     []string{"GEMINI.md"},
		UserFiles: []string{"GEMINI.md"},
		Imports:   Syntax{Hops: 5, Inline: true},
		Source: "google-gemini/gemini-cli, packages/core/src/utils/memoryDiscovery.ts and memoryImportProcessor.ts, " +
			"geminicli.com/docs/cli/gemini-md, November 2026",
		user: func(m Machine) string {
			if dir := m.getenv("GEMINI_CLI_HOME"); dir != "" {
				return filepath.Join(dir, ".gemini")
			}
			return m.below(".gemini")
		},
		tune: tuneGemini, compose: composeGemini,
	},
}

// ManagedFolder is where an organization puts the files of Claude Code for all users of a machine.
func ManagedFolder(system string) string {
	switch system {
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

// Agents returns the agents whose chains are known.
func Agents() []Agent { return append([]Agent(nil), agents...) }

// rules are those of Files that are folders of rules, without the final slash.
func rulesOf(files []string) (folders []string) {
	for _, f := range files {
		if folder, ok := strings.CutSuffix(f, "/"); ok {
			folders = append(folders, folder)
		}
	}
	return folders
}

// Locate returns what an instruction file belongs to: the agent that reads it, and the path that names its chain, which is the same for all
// files of one folder and need not exist itself. ok is false for any other file. It goes by the path alone.
func Locate(file string, m Machine) (agent Agent, named string, ok bool) {
	full, err := filepath.Abs(file)
	if err != nil {
		return Agent{}, "", false
	}
	slashed := filepath.ToSlash(full)
	for _, a := range agents {
		if user := a.folder(a.user, m); user != "" && filepath.Dir(full) == user && a.reads(a.UserFiles, filepath.Base(full)) {
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

// reads reports whether a base name is one of the files.
func (a Agent) reads(files []string, base string) bool {
	for _, f := range files {
		if f == base {
			return true
		}
	}
	return false
}

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
