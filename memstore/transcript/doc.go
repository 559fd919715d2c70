// Package transcript reads recorded conversations and replays the memory tool calls in them over a store in memory.
//
// # What lives here
//
// [Reader] turns files of many programs into [Call] values: one call of the memory tool, or of a file tool on a memory folder, with its
// input and its recorded result exactly as the file has them. shapes.json describes the objects that hold calls and results; adding a
// format is a row there and a sample. Only the structure of JSON values counts: a call quoted in a text does not. [Track] runs calls with
// the same handlers as a real store, judges each by comparing what was recorded with what our handlers answer, and keeps the memory after
// every call; [Guess] finds the dialect of a recording. [Around] reads what was said near a call. [Learn] and [Track.Restores] bring a
// replay to a store.
//
// # What may be touched
//
// Files are read as a stream. Memory holds one record (a line, or a file that is one JSON value) and the calls found. Nothing is written
// anywhere but by [Learn] and [Restore.Put], into what the caller hands over. The package starts no goroutine. Callers are the command
// replay and screens about transcripts.
package transcript
