package discover

import (
	"context"
	"path/filepath"

	"memcurator/memstore/load"
)

// agent is a row of the table of agents: where it keeps memories and transcripts, whose they are, and what it loads of them. They
// are the rows of [agents].
type agent struct {
	name string // as the interface shows it
	// places are where its memories are.
	places []place
	// dialect is how its memory tool answers, as memstore.ParseDialect reads it; "": as documented, or the agent has no such tool.
	dialect string
	// transcripts are where its recorded conversations are.
	transcripts []keeper
	// worked are folders that the agent worked in, beyond the owners of its places; nil: there are none.
	worked func(ctx context.Context, m Machine) []string
}

// projects are the folders that the agent says it worked in.
func (a agent) projects(ctx context.Context, m Machine) []string {
	if a.worked == nil {
		return nil
	}
	return a.worked(ctx, m)
}

// place is where an agent keeps memories of one scope.
type place struct {
	kind Kind // "" is KindDir
	// roots are the folders that the names are below; nil: each project that is known. "" among them is skipped.
	roots func(Machine) []string
	// names lead from a root to the store. [anyFolder] stands for each folder, but no link.
	names []string
	// elsewhere describes the place in docs/stores.md, if only settings name it or it has many roots.
	elsewhere string
	// owner says what the memory is of; nil: of the project if roots is nil, else of the user. It is asked about each folder of a place of
	// the user, so that memories within its project are found.
	owner func(context.Context, look) owner
	rule  load.Rule
	// quirks are what a user should know about the agent's own ways with the store, a clause each.
	quirks []string
}

// anyFolder matches each folder of a place.
const anyFolder = "*"

// home is a place below the home folder.
func home(names ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{under(m.Home, names...)} }
}

// moved is a folder that a variable names, or one below the home folder.
func moved(variable string, names ...string) func(Machine) []string {
	return func(m Machine) []string { return []string{m.setOr(variable, m.Home, names...)} }
}

// look is a store whose owner is looked up.
type look struct {
	Machine
	dir    string // the store
	root   string // what the names of its place are below
	folder string // the one that [anyFolder] stands for
}

// owner is the project or user that a memory is about.
type owner struct {
	project  string
	root     string
	others   []string // see [Found]
	stranded bool
}

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

// rank orders places that a directory is in: one of the user counts before one within any project, and a longer one before a shorter.
func (p place) rank() int {
	if !p.inProjects() {
		return 1 << 10
	}
	return len(p.names)
}

// subagent names the subagent that owns a memory.
func subagent(_ context.Context, l look) owner {
	return owner{project: "subagent " + filepath.Base(l.folder)}
}

// part names the project that a memory within it is of, and which of several it is.
func part(name string) func(context.Context, look) owner {
	return func(_ context.Context, l look) owner { return partOf(l, name) }
}

func partOf(l look, name string) owner { return owner{project: l.root + ", " + name, root: l.root} }

// localSubagentOf is subagentOf for the memory that is not part of the repository.
func localSubagentOf(_ context.Context, l look) owner {
	return partOf(l, "subagent "+filepath.Base(l.folder)+", local")
}

// subagentOf names the project and the subagent that own a memory within a project.
func subagentOf(_ context.Context, l look) owner {
	return partOf(l, "subagent "+filepath.Base(l.folder))
}
