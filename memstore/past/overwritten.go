package past

import (
	"slices"
	"time"

	"memcurator/memstore"
)

// OverwrittenWithin is how long after an edit of a file that belongs to another program that program may still write what it had read
// before the edit.
const OverwrittenWithin = time.Minute

// Overwritten is an edit that the program which owns the file wrote over, since it had read the file before it.
type Overwritten struct {
	Edit, By Revision
}

// FindOverwritten returns the overwritten edits among revisions, in their order. An edit that something else happened to since isn't one,
// nor is one that a purge has rewritten: it may have removed the file's name.
func FindOverwritten(list []Revision) (over []Overwritten) {
	newest := make(map[string]int64)
	edits := make(map[string][]*Revision) // that are not the program's, oldest first
	for i := range list {
		r := &list[i]
		for _, path := range r.paths() {
			newest[path] = r.Rev
			if r.Actor != memstore.External {
				edits[path] = append(edits[path], r)
			}
		}
	}
	for i := range list {
		by := &list[i]
		if by.Actor != memstore.External || by.UndoneBy != 0 || newest[by.Path] != by.Rev {
			continue
		}
		for _, e := range slices.Backward(edits[by.Path]) {
			if by.Time.Sub(e.Time) > OverwrittenWithin {
				break
			}
			if e.Rev < by.Rev && e.Note != NoteRedacted && by.takesBack(e) {
				over = append(over, Overwritten{Edit: *e, By: *by})
				break
			}
		}
	}
	return over
}

// paths are those that a revision is about.
func (r *Revision) paths() []string {
	if r.Shape == Renamed {
		return []string{r.Path, r.OldPath}
	}
	return []string{r.Path}
}

// takesBack reports whether a revision leaves a file as it was before an edit.
func (r *Revision) takesBack(e *Revision) bool {
	switch {
	case e.Shape == Renamed && r.Shape == Renamed:
		return r.OldPath == e.Path && r.Path == e.OldPath
	case e.Shape == Renamed:
		return r.Shape == Removed && r.Path == e.Path || r.Shape == Made && r.Path == e.OldPath
	case r.Shape == Renamed, r.Path != e.Path, r.After.Exists != e.Before.Exists:
		return false
	case e.Shape == Made, e.Shape == Removed:
		return true
	}
	return r.After.Digest == e.Before.Digest && r.After.Digest != (memstore.Digest{})
}
