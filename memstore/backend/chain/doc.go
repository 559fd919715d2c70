// Package chain keeps the instruction files that an agent reads for a project as one store: CLAUDE.md, AGENTS.md or GEMINI.md, with the
// rules and the imports that belong to them. The files stay where they are, in several folders of this machine.
//
// # Names
//
// The first segment of a name is the scope, in the order in which the agent reads them:
//
//	1-system/CLAUDE.md                   for all users of this machine; read-only
//	2-user/CLAUDE.md                     the user's own, for all projects, with 2-user/rules
//	3-above/02/CLAUDE.md                 a folder above the project; 02 is how many folders deep it is
//	4-project/CLAUDE.md                  the project, with the names that the files have in it
//	4-project/dot-claude/rules/go.md     "dot-" stands for the dot of .claude: listings hide names that begin with one
//	5-imports/style-1f2e3d4c.md          an import from elsewhere, with the digest of its path; read-only
//
// The project is the repository of the folder that the chain is for; without a repository, that folder. A name depends only on the path of
// its file, never on which other files there are, and holds no path of this machine beyond the project.
//
// # What is part of it
//
// The files that the agent would read, and no others. A file can be made only where the agent would read it, so an import makes no other
// file of the project writable: of the imports, only documents ([documents]) in the project can be edited, and none of git's. A link that
// leads out of its scope is shown as a read-only file; one that stays in it is a link, and its target is part of the chain too. People use
// a chain: exec and mcp refuse it.
//
// Everything is read and written through one [dir.Dir] for each folder, with its guarantees. The chain has no directory of its own, so it
// is not a [backend.DiskPather]: a watcher polls it.
package chain
