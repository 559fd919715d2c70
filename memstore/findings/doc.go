// Package findings finds secrets in a whole store and its past, and removes them: from the files as one group that an undo restores, or
// from everywhere for good.
//
// # What lives here
//
// [Scan] reads the files of a store and the contents in its journal, finds values with an engine of memstore/scrub, searches for each of
// them again everywhere, and groups the places by value ([Survey], [Secret]). A [Scrubber] removes the values that the user chose:
// [Scrubber.Redact] from the files, [Scrubber.Purge] from files, journal and state folder, followed by a proof ([Residue]). [State] is
// what the state folder keeps between two runs: the key of all hashes, the user's dismissals, and hashes of what was purged, but no values.
//
// # What may be touched
//
// Scanning only reads, without a trace in the store ([memstore.Look]). Writes go through the store's own steps, so that they are locked,
// checked against what was read, and recorded. Values exist only in memory, and in the journal while a purge is under way. A purge also
// cleans the state folder; it searches other state folders and the commits of a git work tree, but doesn't change them. Transcripts belong
// to other packages.
package findings
