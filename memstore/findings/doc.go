// Package findings finds secrets in a whole store and in its past, and removes them: from the files as one group
// that an undo restores, or from everywhere for good.
//
// # What lives here
//
// [Scan] reads the files of a store and what its journal keeps, finds values with an engine of
// memstore/scrub, seeks each of them again everywhere, and groups the places by value ([Survey],
// [Group]). A [Scrubber] carries out what was accepted: [Scrubber.Redact] in the files, [Scrubber.Purge]
// in files, journal and state folder, with a proof afterwards ([Residue]). [Memory] is what is kept between
// two runs in the state folder: the key of all hashes, what the user has dismissed, and findings by
// content, all of it without a value.
//
// # What may be touched
//
// Scanning only reads, without a trace in the store ([memstore.Look]). What writes goes through the
// store's own steps, so that it is locked, checked against what was looked at, and recorded.
// Values are held in memory only, and in the journal while a purge is under way. A purge also cleans the state folder, and
// the logs and exports that [NoteOutside] recorded; commits of a git work tree are searched and left alone.
// Transcripts belong to other packages.
//
// Who calls it: cli and tui. It knows neither; it imports memstore, memstore/scrub and memstore/journal.
package findings
