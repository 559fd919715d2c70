// Package undo undoes changes to a store, and restores earlier states: an [Editor] plans an undo, a redo, a revert
// (of revisions, or of one hunk) or a restore by reading alone, and carries the [Plan] out through the store's own writes, so
// that all of it is locked, checked against what is there, and recorded like any edit. Its [Group] carries out what a rule or a
// bulk act has decided, file by file, as one undo. [Merge] keeps later edits of a file.
//
// A plan is made on a scene, the store as it is going to be after the steps planned so far (scene.go).
//
// It speaks to the record of changes through [Record] alone, so it does not matter where that is kept. What a revision takes
// back, and the name under which it is recorded, go with the [memstore.Origin] of the write. Who calls it: cli, tui and policies.
package undo
