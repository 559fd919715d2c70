// Package transcript reads recorded conversations and replays the memory tool calls in
// them over a store in memory.
//
// # What lives here
//
// The package format knows what each program writes; textfile and rawjson read files and JSON, outcome what results say.
// [Reader] turns files of many formats into [Call] values: one call of the memory tool, or of a
// file tool on a memory folder, with its input and its recorded result exactly as the file has
// them. It looks at the structure of JSON values only: a call quoted in a text does not count.
// [Replay] runs calls with the same handlers as a real store and judges each by comparing what
// was recorded with what our handlers answer.
//
// # What may be touched
//
// Files are read as a stream. Memory holds one record (a line, a file that is one JSON value, or an
// element of its array where that is long) and the calls found. Nothing is written anywhere, and no store on disk is opened: callers hand
// over the files a replay starts from. The package starts no goroutine that outlives a call.
// Callers are the command replay and screens about transcripts.
package transcript
