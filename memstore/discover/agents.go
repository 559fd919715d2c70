package discover

import (
	"context"
	"slices"

	"memcurator/memstore/load"
)

// agent is a row of the table of agents: where it keeps memories and transcripts, whose they are, and what it loads of them. A new one
// is a file with its row, and a line in [agents].
type agent struct {
	name string // as the interface shows it
	// source is where the places of the row were read, and when or in which version.
	source string
	// places are where its memories are.
	places []place
	// dialect is how its memory tool answers, as memstore.ParseDialect reads it; "": as documented, or the agent has no such tool.
	dialect string
	// transcripts are where its recorded conversations are.
	transcripts []keeper
	// projects reports the folders that the agent worked in, so that memories within them are found; nil: it keeps no list.
	projects func(ctx context.Context, m Machine, found func(root string))
}

// place is where an agent keeps memories of one scope.
type place struct {
	kind Kind // "" is KindDir
	// roots are the folders that the names are below; nil: each project that is known. "" among them is skipped.
	roots func(Machine) []string
	// names lead from a root to the store. [anyFolder] stands for each folder, but no link.
	names []string
	// named are the paths of the stores that a project's settings name; nil: names lead to them.
	named func(m Machine, root string) []string
	// elsewhere describes the place in docs/stores.md, if only settings name it or it has many roots.
	elsewhere string
	// owner says what the memory is of; nil: of the project if roots is nil, else of the user.
	owner func(context.Context, look) owner
	rule  load.Rule
	// preset is the one of the configuration that fits; "" if none does.
	preset string
	// quirks are what a user should know about the agent's own ways with the store, a clause each.
	quirks []string
	// cautions are quirks, too: those by which a note that a user brings here can be changed, lost, or never read.
	cautions []string
}

// anyFolder matches each folder of a place.
const anyFolder = "*"

// agents is the table of agents, in the order in which their stores are found.
var agents = []agent{
	memoryTool,
	claudeCode,
	vsCode,
	codex,
	geminiCLI,
	qwenCode,
	hermes,
	letta,
	basicMemory,
	serena,
	mcpMemory,
	claudeMem,
	engram,
	ccMemory,
	windsurf,
	cline,
	cursor,
}

// home is a place below the home folder.
func home(names ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{under(m.Home, names...)} }
}

// look is a store whose owner is looked up.
type look struct {
	Machine
	dir   string   // the store
	root  string   // what the names of its place are below
	names []string // the names in place of [anyFolder]
}

// owner is the project or user that a memory is about.
type owner struct {
	project  string
	root     string
	others   []string // projects that share the store
	stranded bool
}

// above is the folder some names above the store.
func (l look) above(n int) string {
	dir := l.dir
	for range n {
		dir, _ = split(dir)
	}
	return dir
}

// known are all quirks of a place, the cautions first.
func (p place) known() []string { return slices.Concat(p.cautions, p.quirks) }

// kindOf is the kind of the stores of a place.
func (p place) kindOf() Kind {
	if p.kind == "" {
		return KindDir
	}
	return p.kind
}

// ownerOf returns the owner of a store in the place.
func (p place) ownerOf(ctx context.Context, l look) owner {
	switch {
	case p.owner != nil:
		return p.owner(ctx, l)
	case p.inProjects() && l.root != "":
		return owner{project: l.root, root: l.root}
	}
	return owner{}
}

// inProjects reports whether the place is within projects.
func (p place) inProjects() bool { return p.roots == nil }

// within are the places of an agent in a project. In the home folder, one that holds a place of the user isn't a project's: it would list
// the notes of the user twice.
func (a agent) within(m Machine, project string) (list []place) {
	for _, p := range a.places {
		if p.inProjects() && !(project == m.Home && a.holdsUsers(m, under(project, p.names...))) {
			list = append(list, p)
		}
	}
	return list
}

// holdsUsers reports whether a place of the user is below a folder.
func (a agent) holdsUsers(m Machine, dir string) bool {
	return slices.ContainsFunc(a.places, func(p place) bool {
		return !p.inProjects() && slices.ContainsFunc(p.roots(m), func(root string) bool {
			above, _ := split(under(m.absolute(root), p.names...))
			return above == dir
		})
	})
}

// in are the folders in a project that the names of a place are below.
func (p place) in(m Machine, root string) []string {
	if p.named != nil {
		return p.named(m, root)
	}
	return []string{root}
}

// rank orders places that a directory is in: one of the user counts before one within any project, and a longer one before a shorter.
func (p place) rank() int {
	if !p.inProjects() {
		return 1 << 10
	}
	return len(p.names)
}

// MemoryTool stands for an agent whose name is unknown: the tool that it keeps its memory with.
const MemoryTool = "memory tool"

// memoryTool is the tool of the SDKs. The host chooses where it keeps its files; these are the places in their examples.
var memoryTool = agent{
	name: MemoryTool,
	source: "the example of anthropics/anthropic-sdk-typescript (examples/tools-helpers-memory.ts at " +
		"1d7cd915), read in November 2026; a host may keep it anywhere",
	places: []place{
		{names: []string{"memories"}},
		{names: []string{"memory", "memories"}},
		{roots: home(), names: []string{"memories"}},
	},
}

// subagent names the subagent that owns a memory.
func subagent(_ context.Context, l look) owner { return owner{project: "subagent " + l.names[0]} }

// part names the project that a memory within it is of, and which of several it is.
func part(name string) func(context.Context, look) owner {
	return func(_ context.Context, l look) owner { return partOf(l, name) }
}

func partOf(l look, name string) owner { return owner{project: l.root + ", " + name, root: l.root} }

// localSubagentOf is subagentOf for the memory that is not part of the repository.
func localSubagentOf(_ context.Context, l look) owner {
	return partOf(l, "subagent "+l.names[0]+", local")
}

// subagentOf names the project and the subagent that own a memory within a project.
func subagentOf(_ context.Context, l look) owner {
	return partOf(l, "subagent "+l.names[0])
}
