// Package memstore is the memory tool of type memory_20250818 as a library:
// one directory of files, seen by an agent as /memories, and the six commands
// view, create, str_replace, insert, delete and rename on it.
//
// # What lives here
//
// A [Store] joins a [Backend] (where the bytes are: [OpenDir] for a directory,
// [NewMemory] for replay and tests), a [Dialect] (the exact wording and the small
// rules of one implementation of the tool) and [Options]. [Store.Do] runs one
// [Command] and returns a [Result], the text and the flag of the tool_result
// block; [Store.DoJSON] takes the tool's JSON input as it came from the model.
// [Store.ViewTo] streams a view, [Store.Preview] says what a command would do.
//
// A [Guard] may rewrite, refuse or annotate what the agent does, a [Recorder]
// keeps a record of it. There are none by default: a plain store answers as the
// tool is documented, byte for byte, and reads nothing that the command does not need.
//
// # How a write runs
//
// Every write command is decided first and carried out after, by two
// separate pieces of code: the decision only reads, and yields a plan with the
// text to return; carrying out applies the plan and decides nothing. Preview stops
// between the two, so it cannot differ from the real thing. A write whose file
// was changed by another program between decision and switch is decided afresh.
//
// # What may be touched, and by whom
//
// The package and the backends that it brings (package backend, and dir and mem below it) import the standard library only.
// It starts no goroutine that does
// not end before the call returns, and writes nothing but what a command asks
// for. The command line, the terminal program, the journal, the watcher, policies
// and the MCP server are all callers of this package; it knows none of them.
//
// Sources: comments cite "row N" for row N of the table in section 15 of the
// survey of implementations that fixed the docs dialect; docs/dialects.md has the others. The rows are explained where they are cited.
package memstore
