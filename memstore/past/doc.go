// Package past describes the record of changes to a store as its readers see it: the changes ([Revision]), the files at a
// given moment ([Tree]), what is known about the present files ([Fact]), and which revisions to select ([Filter]).
//
// The values are plain data with no connection to their storage, so a record in a file, in memory or on a server can serve them
// alike. Bytes are identified by their digest; a side without a digest has no bytes.
// Paths are agent paths ("/memories/a.md"). Package journal keeps the record.
package past
