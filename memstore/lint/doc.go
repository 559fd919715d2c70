// Package lint finds what is wrong with the notes of a store besides their age and size: text
// that a person cannot see, text that reads as if it had been planted for the agent, notes that
// say the same twice, names that lead nowhere, and names with characters that one cannot see.
//
// # What lives here
//
// inspect analyses one content, whatever its path ([inspected]). [Checker.Check] joins
// the contents of a whole store to a [Report] of [Finding]s.
//
// A lint of single contents is a call in inspect, one that joins the files of a store a call in Check.
//
// The package is pure: it opens nothing. Its caller names the files and hands in their bytes on
// request; each content is asked for once, whatever number of files and of checks it is in, but
// for indexes, which are asked for again.
// The checker keeps what was found of a content by its hash. The rules for planted text are in
// planted.toml, each with texts that it has to find and texts that it must leave alone.
//
// # Limits
//
// The work is linear in the size of the contents, also of one line of 50 MB, of binary files and
// of invalid UTF-8. Of a content larger than [MaxBytes] the first MaxBytes are inspected, and
// the report names it. What is kept of one content is bounded (maxPlaces and its neighbors); counts
// are complete nevertheless. Offsets are those of the bytes as they are stored.
//
// # Who calls it
//
// The policy, which puts the findings into its plan.
package lint
