// Package transfer copies and moves notes between two stores. A [Transfer] plans by reading alone, so that people see names, counts and
// conflicts first, and carries its [Plan] out as one group in the journal of each store that changes, which undo reverts.
//
// A transfer overwrites nothing at the destination unless asked to, and the guards of the destination apply. A move deletes a note at
// the source only once the destination has durably stored it and returns the same bytes. If the process is killed in between, the note
// is in both stores, and the same move, run again, finishes. Called by cli and, through it, by the interface.
package transfer
