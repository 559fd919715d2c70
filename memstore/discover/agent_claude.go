package discover

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
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
	source: "copies of code.claude.com/docs/en/memory, /sub-agents, /settings-reference, /mcp (.claude.json) and " +
		"/env-vars of August 2026 in public repositories (ericbuess/claude-code-docs at ec68a5b2), read in November 2026; " +
		"how folders of projects are named, from public mentions",
	places: []place{
		{
			roots: claudeHome, names: []string{"projects", anyFolder, "memory"}, owner: claudeProject, rule: claudeIndex,
			preset: "claude-code",
			quirks: []string{"the folder is named after the path of the repository: rename that, and the memory begins empty"},
		},
		{roots: claudeChosen, elsewhere: "`autoMemoryDirectory` of your `settings.json`", rule: claudeIndex, preset: "claude-code"},
		{roots: claudeHome, names: []string{"agent-memory", anyFolder}, owner: subagent, rule: claudeIndex, preset: "claude-code"},
		{names: []string{".claude", "agent-memory", anyFolder}, owner: subagentOf, rule: claudeIndex, preset: "claude-code"},
		{names: []string{".claude", "agent-memory-local", anyFolder}, owner: localSubagentOf, rule: claudeIndex, preset: "claude-code"},
	},
	transcripts: []keeper{{
		roots:   func(m Machine) []string { return below(m, claudeHome(m), "projects") },
		files:   [][]string{{"*", "*.jsonl"}, {"*", "*", "subagents", "*.jsonl"}},
		project: slug,
		store:   func(names []string) []string { return []string{names[0], "memory"} },
		tail:    []string{".claude", "projects"},
	}},
	projects: claudeProjects,
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
func below(m Machine, dirs []string, names ...string) (list []string) {
	for _, dir := range dirs {
		list = append(list, under(dir, names...))
	}
	return list
}

// slug is how people recognize a folder that Claude Code names after a project: the path with a dash for what separates
// folders, and for every other sign. Its last word is there whatever the path was.
func slug(names []string) string { return names[0][strings.LastIndexByte(names[0], '-')+1:] }

// longestSlug is the length at which Claude Code cuts the name of a project folder, behind which is a number made from the path.
const longestSlug = 200

// encodes reports whether a path has the name of a project folder.
func encodes(path, name string) bool {
	have := encoded(path)
	if runtime.GOOS == "windows" { // some write it in small letters
		have, name = strings.ToLower(have), strings.ToLower(name)
	}
	if len(have) > longestSlug && strings.HasPrefix(name, have[:longestSlug]+"-") {
		return true
	}
	return have == name
}

// encoded is a path with a dash in place of each unit of UTF-16 except ASCII letters and digits.
func encoded(path string) string {
	var out strings.Builder
	for _, r := range path {
		switch {
		case r >= '0' && r <= '9', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			out.WriteRune(r)
		default:
			out.WriteString(strings.Repeat("-", max(1, utf16.RuneLen(r))))
		}
	}
	return out.String()
}

// claudeProject is the project of a memory directory. Its transcripts name the folder that each session began in: the project or a folder
// within it. Where they are gone, or the project has moved, Claude Code's own list of projects may have it; else the name that Claude Code
// made of it has to do.
func claudeProject(ctx context.Context, l look) owner {
	o := claudeProjectOf(ctx, l.Machine, l.above(1), l.names[0])
	o.project = cmp.Or(o.project, l.names[0])
	return o
}

// claudeProjectOf is the project that a folder of transcripts is named after, or the projects: the names of several may become one.
func claudeProjectOf(ctx context.Context, m Machine, folder, name string) owner {
	var there []string // projects with this name
	last, elsewhere := "", ""
	seen := map[string]bool{}
	for _, file := range claudeSessions(m, folder) {
		if ctx.Err() != nil {
			break
		}
		cwd := m.workedIn(ctx, file)
		if cwd == "" || seen[cwd] {
			continue
		}
		seen[cwd] = true
		for at := cwd; at != ""; at, _ = split(at) {
			if encodes(at, name) && m.isDir(at) && !slices.Contains(there, at) {
				there = append(there, at)
			}
		}
		if elsewhere == "" && m.isDir(cwd) {
			elsewhere = cwd
		}
		if last == "" {
			last = cwd
		}
	}
	if len(there) > 0 {
		return owner{project: there[0], root: there[0], others: there[1:]}
	}
	if elsewhere != "" {
		return owner{project: elsewhere, root: elsewhere}
	}
	if ctx.Err() != nil {
		return owner{}
	}
	known := claudeKnown(m)[name]
	for _, path := range known {
		if m.isDir(path) {
			return owner{project: path, root: path}
		}
	}
	if last == "" && len(known) > 0 {
		last = known[0]
	}
	return owner{project: last, root: last, stranded: last != ""}
}

// mostSessions bounds how many transcripts of a project are opened to learn its folder.
const mostSessions = 64

// claudeSessions are the transcripts in a folder of Claude Code; those of its subagents count only if there are no others.
func claudeSessions(m Machine, folder string) (list []string) {
	entries, err := readDir(folder, 0)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".jsonl") {
			list = append(list, e.Name())
		}
	}
	slices.Sort(list)
	for i, name := range list {
		list[i] = filepath.Join(folder, name)
	}
	for _, e := range entries {
		if len(list) > 0 {
			break
		}
		if !e.IsDir() {
			continue
		}
		side := under(folder, e.Name(), "subagents")
		below, err := readDir(side, 0)
		if err != nil {
			continue
		}
		for _, s := range below {
			if s.Type().IsRegular() && strings.HasSuffix(s.Name(), ".jsonl") {
				list = append(list, filepath.Join(side, s.Name()))
			}
		}
	}
	return list[:min(mostSessions, len(list))]
}

// claudeKnown are the projects in the state that Claude Code keeps of them, by the names of their folders: several if these are the same.
func claudeKnown(m Machine) map[string][]string {
	read := func() map[string][]string {
		file := under(m.variable("CLAUDE_CONFIG_DIR"), ".claude.json")
		if file == "" {
			file = under(m.Home, ".claude.json")
		}
		var s struct{ Projects map[string]struct{} }
		known := map[string][]string{}
		if m.decode(file, &s) {
			for _, path := range slices.Sorted(maps.Keys(s.Projects)) {
				if path = filepath.FromSlash(path); filepath.IsAbs(path) {
					known[encoded(path)] = append(known[encoded(path)], path)
				}
			}
		}
		return known
	}
	if m.seen == nil {
		return read()
	}
	m.seen.once.Do(func() { m.seen.claude = read() })
	return m.seen.claude
}

// claudeProjects are the folders that Claude Code worked in.
func claudeProjects(ctx context.Context, m Machine, found func(root string)) {
	known := claudeKnown(m)
	for _, paths := range known {
		for _, path := range paths {
			found(path)
		}
	}
	for _, dir := range below(m, claudeHome(m), "projects") {
		m.projectsBelow(ctx, dir, nil, func(name string) bool { return len(known[name]) == 0 }, found)
	}
}
