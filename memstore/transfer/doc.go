// Package transfer copies and moves notes between two stores. A [Transfer] plans by reading alone, so that people see names, counts and
// conflicts first, and carries its [Plan] out as one group in the journal of each store that changes, which undo reverts.
//
// Nothing at the destination is overwritten unless that was asked for, and the guards of the destination apply. A move deletes a note at
// the source only once the destination has durably stored it and returns the same bytes: a process that is killed in between leaves the
// note in both stores, and a repeated move finishes. Called by cli and, through it, by the interface.
package transfer
