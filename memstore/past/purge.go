package past

import "memcurator/memstore"

// Purge is what to remove from the past for good. The files themselves are the caller's,
// and must be without it before.
type Purge struct {
	// Redact returns text without the values, and text itself where it holds none. It is asked for
	// every content, with an agent path that had it, and for every name and other text that the record keeps, with "";
	// it must not ask the record. nil: the values cannot be removed from it; the bytes are then kept no more, unless a file has
	// them now.
	Redact func(path string, text []byte) []byte
	// Report is called with the number of contents checked so far, and of all; may be nil.
	Report func(done, all int)
}

// Purged is what a purge has rewritten.
type Purged struct {
	Number    int64 // of the purge, from 1
	Contents  int   // that held a value
	Revisions int   // that have one of those on either side, or a rewritten name
	Names     int   // of files and folders, now or once
	Texts     int   // sessions, tools, groups and whatever else is text
}

// NoteRedacted marks a revision that a purge has rewritten.
const NoteRedacted Note = "redacted"

// Kept is a content of a record.
type Kept struct {
	Digest memstore.Digest
	Path   string // agent path
	Rev    int64
}
