// Package files keeps the instruction files of one folder as a store: CLAUDE.md, AGENTS.md or GEMINI.md, with the rules that belong to
// them. The files stay where they are.
//
// A store has the files that an agent reads of this folder because of their names, and no others; a file can be made only where the agent
// would read it. A name is the path below the folder, with "dot-" in place of a dot that would hide it in a listing:
//
//	CLAUDE.md
//	dot-claude/rules/go.md    .claude/rules/go.md
//
// There are no links in the store: a file behind a link in the folder is edited through it, and one behind a link that leads out can only
// be read. People use these stores: exec and mcp refuse them.
//
// Everything is read and written through a [dir.Dir], with its guarantees. Since most of the folder isn't part of the store, it is not a
// [backend.DiskNamer]: a watcher polls it.
//
// [Folder.Start] reads what a session in the folder gets: these files, those of the user and of the folders above, and what they import.
package files
