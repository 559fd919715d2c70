// Package index reads and writes the file that lists the notes of a store, such as the MEMORY.md of Claude Code: which note each of its
// lines names, with the bytes of every part, and the edits that list a note, remove it or rename it.
//
// # What lives here
//
// [Parse] finds the links of a Markdown text and, of them, its entries: list items and rows of tables that name a note. [Index.Add],
// [Index.Remove] and [Index.Retarget] return [Edit]s, which [Apply] carries out. An edit changes its own bytes only: line ends, order,
// headings and a byte order mark stay as they are. New entries come last.
// [Names] knows which note a link leads to. A [Store] recognizes its indexes and compares them with its notes.
//
// # An entry
//
// An entry is a list item, or a row below the head of a table, that has a Markdown link to a file, a wikilink, or begins with the name
// of a file. It belongs to the first of them. Code blocks and HTML have no entries. Goldmark finds the blocks; what stands within them is
// read here, since it has no places of links and knows no wikilinks.
//
// # What may be touched, and by whom
//
// The package is pure: it opens nothing. Its callers are the lint, what keeps an index in step with
// deletions and moves, and transfers between stores.
package index
