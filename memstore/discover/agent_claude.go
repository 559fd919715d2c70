package discover

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf16"

	"memcurator/memstore/load"
)

// claudeIndex says what Claude Code loads of a memory directory.
var claudeIndex = load.Rule{
	Files: []string{"MEMORY.md"}, Lines: 200, Bytes: 25_000, Stripped: true,
	Source: "code.claude.com/docs/en/memory, November 2026: the first 200 lines or 25 KB of MEMORY.md",
}

var claudeCode = agent{
	name: "Claude Code",
	// From copies of code.claude.com/docs/en/memory, /sub-agents, /settings-reference, /mcp (.claude.json) and /env-vars of August 2026
	// in public repositories (ericbuess/claude-code-docs at ec68a5b2), read in November 2026; how folders of projects are named, from
	// public mentions
	places: []place{
		{
			roots: claudeHome, names: []string{"projects", anyFolder, "memory"}, owner: claudeProject, rule: claudeIndex,
			quirks: []string{"named after the path of the repository: if that moves, a session starts with an empty memory"},
		},
		{roots: claudeHome, names: []string{"memory"}, rule: claudeIndex},
		{roots: claudeTeam, elsewhere: "the folders in `CLAUDE_MEMORY_STORES`"},
		{roots: claudeChosen, elsewhere: "`autoMemoryDirectory` of your `settings.json`", rule: claudeIndex},
		{roots: claudeHome, names: []string{"agent-memory", anyFolder}, owner: subagent, rule: claudeIndex},
		{names: []string{".claude", "agent-memory", anyFolder}, owner: subagentOf, rule: claudeIndex},
		{names: []string{".claude", "agent-memory-local", anyFolder}, owner: localSubagentOf, rule: claudeIndex},
	},
	transcripts: []keeper{{
		roots:   func(m Machine) []string { return below(claudeHome(m), "projects") },
		files:   [][]string{{"*", "*.jsonl"}, {"*", "*", "subagents", "*.jsonl"}},
		project: slug,
	}},
	// It keeps the settings of each, and their memory may be elsewhere.
	worked: func(_ context.Context, m Machine) []string {
		return slices.Concat(slices.Collect(maps.Values(m.claudeProjects()))...)
	},
}

// claudeHome is where Claude Code keeps what is the user's.
func claudeHome(m Machine) []string {
	return []string{m.setOr("CLAUDE_CONFIG_DIR", m.Home, ".claude")}
}

// claudeChosen is the memory directory that the settings of the user name.
func claudeChosen(m Machine) []string {
	var s struct{ AutoMemoryDirectory string }
	m.decode(under(claudeHome(m)[0], "settings.json"), &s)
	if dir := m.tilde(s.AutoMemoryDirectory); filepath.IsAbs(dir) { // Claude Code ignores a relative one
		return []string{dir}
	}
	return nil
}

// claudeTeam are the stores of a team, which a variable names: each is a path, or an object with one.
func claudeTeam(m Machine) (list []string) {
	var stores []json.RawMessage
	_ = json.Unmarshal([]byte(m.variable("CLAUDE_MEMORY_STORES")), &stores) // Claude Code itself reports what isn't JSON
	for _, store := range stores {
		var of struct{ Path string }
		if json.Unmarshal(store, &of.Path) == nil || json.Unmarshal(store, &of) == nil {
			list = append(list, of.Path)
		}
	}
	return list
}

// decode reads a file of settings; it reports whether it could.
func (m Machine) decode(file string, into any) bool {
	info, err := os.Stat(file)
	if file == "" || err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := openQuietly(file)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // it was only read
	return json.NewDecoder(io.LimitReader(f, settingsLimit)).Decode(into) == nil
}

// settingsLimit bounds how much of a file of settings is read.
const settingsLimit = 8 << 20

// tilde is a path with the home folder in place of a tilde.
func (m Machine) tilde(path string) string {
	rest, below := strings.CutPrefix(path, "~")
	if !below || m.Home == "" || rest != "" && !isSeparator(rune(rest[0])) {
		return path
	}
	return under(m.Home, strings.FieldsFunc(rest, isSeparator)...)
}

// below are paths below folders.
func below(dirs []string, names ...string) (list []string) {
	for _, dir := range dirs {
		list = append(list, under(dir, names...))
	}
	return list
}

// slug is how people recognize a folder that Claude Code names after a project: the path with a dash for what separates
// folders, and for every other sign. Its last word is there whatever the path was.
func slug(name string) string { return name[strings.LastIndexByte(name, '-')+1:] }

// encoded is a path as Claude Code names a folder after it: with a dash in place of each unit of UTF-16 except ASCII letters and digits.
func encoded(path string) string {
	var out strings.Builder
	for _, r := range path {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			out.WriteRune(r)
		} else {
			out.WriteString(strings.Repeat("-", max(1, utf16.RuneLen(r))))
		}
	}
	return out.String()
}

// claudeProject is the project of a memory directory, or else the name that Claude Code made of it.
func claudeProject(ctx context.Context, l look) owner {
	o := claudeProjectOf(ctx, l, l.folder)
	o.project = cmp.Or(o.project, filepath.Base(l.folder))
	return o
}

// claudeProjectOf is the project of a folder of Claude Code, or the projects: several may encode to its name. Its transcripts name the
// folder that each session began in: the project or a folder within it. Where they are gone, or the project has moved, Claude Code's own
// list of projects may have it.
func claudeProjectOf(ctx context.Context, l look, transcripts string) owner {
	name := filepath.Base(l.folder)
	var known, there []string
	see := func(path string) {
		if encoded(path) == name && l.isDir(path) && !slices.Contains(there, path) {
			there = append(there, path)
		}
	}
	for _, file := range l.latest(transcripts, 0, mostSessions) {
		cwd := l.workedIn(ctx, file)
		if cwd == "" || slices.Contains(known, cwd) {
			continue
		}
		known = append(known, cwd)
		for at := cwd; at != ""; at, _ = split(at) {
			see(at)
		}
	}
	for _, path := range l.claudeProjects()[name] {
		known = append(known, path)
		see(path)
	}
	switch i := slices.IndexFunc(known, l.isDir); {
	case len(there) > 0:
		return owner{project: there[0], root: there[0], others: there[1:]}
	case i >= 0:
		return owner{project: known[i], root: known[i]}
	case len(known) > 0:
		return owner{project: known[0], root: known[0], stranded: ctx.Err() == nil}
	}
	return owner{}
}

// mostSessions bounds how many transcripts of a project are opened to learn its folder.
const mostSessions = 64

// claudeKnown are the projects in the state that Claude Code keeps of them, by the names of their folders: several if these are the same.
func claudeKnown(m Machine) map[string][]string {
	var s struct{ Projects map[string]struct{} }
	m.decode(under(m.setOr("CLAUDE_CONFIG_DIR", m.Home), ".claude.json"), &s)
	known := map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(s.Projects)) {
		if path = filepath.FromSlash(path); filepath.IsAbs(path) {
			known[encoded(path)] = append(known[encoded(path)], path)
		}
	}
	return known
}

// claudeProjects is [claudeKnown], which a run of [Machine.Each] reads once.
func (m Machine) claudeProjects() map[string][]string {
	if m.known != nil {
		return m.known()
	}
	return claudeKnown(m)
}
