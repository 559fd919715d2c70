// Package past holds the record of changes to a store as everybody but its keeper sees it: what was done
// ([Revision]), what was there at a moment ([Tree]), what is known of the files that are there ([Fact]), and which revisions are
// meant ([Filter]).
//
// The values are plain data without a connection to where they are kept, so that a record in a file, in memory or on
// a server can serve them alike. The identity of bytes is their digest: bytes exist only where it is known.
// Paths are agent paths ("/memories/a.md"). Package journal keeps the record.
package past
