package transcript

import (
	"path"
	"regexp"
	"strings"
	"sync"

	"memcurator/memstore"
)

// places are the memory folders that the calls of a reader are about. One of them is what the agent path /memories stands for;
// files in the others have agent paths with their real folder, so that two memories in one transcript stay apart.
type places struct {
	given []string   // see [NewReader]
	kind  memoryKind // of the root
	root  string     // "" for a store of the memory tool
	names []string   // of all folders, each in the longest way in which calls name it
}

// memoryKind is the kind of a memory folder. The first folder of the first kind that a transcript has is its root.
type memoryKind uint8

const (
	noMemory     memoryKind = iota
	ownMemory               // of the memory tool, or one of the options
	noteFolder              // known by its name
	instructions            // files such as CLAUDE.md, in the folder of a project
)

// folder is where in a memory folder a path is.
type folder struct {
	kind memoryKind
	name string // slash-separated; "" for a store of the memory tool
	rest string // the path below it
}

// memoryFolder finds the memory folders of Claude Code, Codex, Gemini CLI and Cline, and those that Managed Agents mount,
// in a path or in a shell command.
var memoryFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\\/\s"'=])(\.claude[\\/](projects[\\/][^\\/]+[\\/]memory|agent-memory(-local)?)|` +
		`\.codex[\\/]memories|\.gemini[\\/]tmp[\\/][^\\/\s]+[\\/]memory|memory-bank|mnt[\\/]memory[\\/][^\\/\s]+)([\\/]|$)`)
})

// instructionFiles are the names of the files that agents read before they work on a project.
var instructionFiles = map[string]bool{
	"CLAUDE.md": true, "CLAUDE.local.md": true, "AGENTS.md": true, "AGENTS.override.md": true, "GEMINI.md": true,
}

// named reports a command that names a memory folder, or may change instruction files.
func (p *places) named(command string) bool {
	return memoryFolder().MatchString(command) || len(p.given) == 0 && changesInstructions().MatchString(command)
}

// changesInstructions finds a command that may change such a file.
var changesInstructions = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(>|\b(tee|rm|mv|cp|sed -i|perl -p?i)\b)[^|;&\n]*\b(CLAUDE(\.local)?|AGENTS(\.override)?|GEMINI)\.md\b`)
})

// locate finds the memory folder in which a path on disk is. dir is the one in which the agent is at work.
func (p *places) locate(file, dir string) (f folder, ok bool) {
	if file == "" {
		return f, false
	}
	dir = inFolder(dir, "")
	file = inFolder(file, dir)
	for _, given := range p.given {
		if rest, ok := strings.CutPrefix(file, given+"/"); ok {
			return folder{ownMemory, "", rest}, true
		}
	}
	if rest, ok := strings.CutPrefix(file, memstore.Root+"/"); ok { // a store mounted where the agent sees it
		return folder{ownMemory, "", rest}, true
	}
	if at := memoryFolder().FindStringIndex(file); at != nil {
		return folder{noteFolder, strings.TrimSuffix(file[:at[1]], "/"), file[at[1]:]}, true
	}
	if len(p.given) > 0 || !instructionFiles[path.Base(file)] || strings.Contains(file, "/node_modules/") {
		return f, false
	}
	if rest, ok := strings.CutPrefix(file, dir+"/"); ok && dir != "" {
		return folder{instructions, dir, rest}, true
	}
	return folder{instructions, path.Dir(file), path.Base(file)}, true
}

// inFolder is a path, which may be relative to a folder, with slashes between its elements.
func inFolder(file, dir string) string {
	file = strings.ReplaceAll(file, `\`, "/")
	drive := len(file) > 2 && file[1] == ':' && file[2] == '/' // of Windows
	if dir == "" || drive || strings.HasPrefix(file, "/") || strings.HasPrefix(file, "~") {
		return file
	}
	return path.Join(dir, file)
}

// note takes down that a call is about a folder.
func (p *places) note(f folder) {
	if p.kind == noMemory || f.kind < p.kind {
		p.kind, p.root = f.kind, f.name
	}
	if f.kind == ownMemory {
		return
	}
	for i, known := range p.names {
		if sameFolder(f.name, known) {
			if len(f.name) > len(known) {
				p.names[i] = f.name
			}
			return
		}
	}
	p.names = append(p.names, f.name)
}

// agentPath is the path in the store of a path on disk; "" for one outside every memory folder.
func (p *places) agentPath(file, dir string) string {
	f, ok := p.locate(file, dir)
	if !ok {
		return ""
	}
	if f.kind == ownMemory || p.kind == noMemory || p.kind != ownMemory && sameFolder(f.name, p.root) {
		return memstore.Root + "/" + f.rest
	}
	for _, known := range p.names {
		if sameFolder(f.name, known) {
			f.name = known
			break
		}
	}
	return memstore.Root + "/" + path.Join(strings.Replace(strings.TrimLeft(f.name, "/~"), ":", "", 1), f.rest)
}

// sameFolder compares two names of folders; either may be relative, or begin with the home directory.
func sameFolder(a, b string) bool {
	short, long := strings.TrimPrefix(a, "~/"), strings.TrimPrefix(b, "~/")
	if len(short) > len(long) {
		short, long = long, short
	}
	rest, ok := strings.CutSuffix(long, short)
	return ok && (rest == "" || !strings.HasPrefix(short, "/") && strings.HasSuffix(rest, "/"))
}
