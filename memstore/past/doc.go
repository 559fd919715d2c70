// Package past describes the record of changes to a store as its readers see it: what was done ([Revision]), what was there at a
// given moment ([Tree]), what is known about the files there now ([Fact]), and which revisions to select ([Filter]).
//
// The values are plain data with no connection to their storage, so a record in a file, in memory or on a server can serve them
// alike. Bytes are identified by their digest; without one there are no bytes.
// Paths are agent paths ("/memories/a.md"). Package journal keeps the record.
package past
