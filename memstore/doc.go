// Package memstore is the memory tool of type memory_20250818 as a library: one directory of files, which an agent sees as /memories, and
// the six commands view, create, str_replace, insert, delete and rename.
//
// # What lives here
//
// A [Store] joins a [Backend] (which stores the bytes: [OpenDir] for a directory, [NewMemory] for replay and tests), a [Dialect] (the
// exact wording and rules of one implementation of the tool) and [Options]. [Store.Do] runs one [Command] and returns a [Result], the
// text and the flag of the tool_result block; [Store.DoJSON] takes the tool's JSON input as the model sent it.
// [Store.Preview] shows what a command would do.
//
// A [Guard] may rewrite, refuse or annotate what the agent does; a [Recorder] keeps a record of it. There are none by default: a plain
// store answers as the tool is documented, byte for byte, and reads only what the command needs.
//
// # How a write runs
//
// Every write command is first decided and then carried out, by separate code: the decision only reads, and returns a plan with the text
// for the agent; carrying out applies the plan and makes no decisions. Preview stops between the two, so it can't differ from the real
// thing. If another program changes the file between decision and write, the command is decided again.
//
// # What may be touched, and by whom
//
// The package and its backends (package backend, with dir and mem below it) import only the standard library. It starts no goroutine that
// outlives the call, and writes only what a command asks for. The command line, the terminal program, the journal, the watcher, policies
// and the MCP server all call this package; it knows none of them.
//
// Sources: comments cite "row N" for row N of the table in section 15 of the survey of implementations that fixed the docs dialect;
// docs/dialects.md covers the others. Each citation explains its row.
package memstore
