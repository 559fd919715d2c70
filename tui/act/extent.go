package act

import (
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/tui/kit"
)

// extent is how far a plan reaches. Questions and messages take their counts from it, so that they agree.
type extent struct {
	files   []reached // each once, in the order in which the plan first comes to it
	folders []reached // only where there are no files
	changes int       // revisions of files that are undone
	rev     int64     // the last of them
	merged  bool      // a file keeps later edits
}

// reached is what a plan does to one file in all its steps.
type reached struct {
	path string // afterwards
	act  string // "creation", "deletion", "move", "edit"
}

// extentOf is the extent of steps.
func extentOf(steps []undo.PlannedStep) extent {
	type file struct {
		path                            string
		folder, was, is, moved, written bool
	}
	var e extent
	var all []*file
	at, undone := map[string]*file{}, map[int64]bool{}
	for _, s := range steps {
		from := s.Path
		if s.OldPath != "" {
			from = s.OldPath
		}
		folder := s.Kind == memstore.KindDir
		f := at[from]
		if f == nil {
			f = &file{folder: folder, was: s.OldPath != "" || s.Remove || s.Expect != nil}
			all = append(all, f)
		}
		delete(at, from)
		at[s.Path] = f
		f.path, f.is = s.Path, !s.Remove
		f.moved = f.moved || s.OldPath != ""
		f.written = f.written || s.OldPath == "" && !s.Remove
		if s.Undoes != 0 && (!folder || s.OldPath != "") {
			undone[s.Undoes], e.rev = true, s.Undoes
		}
		e.merged = e.merged || s.Merged
	}
	e.changes = len(undone)
	for _, f := range all {
		r := reached{path: f.path, act: "edit"}
		switch {
		case !f.was && !f.is:
			continue // made and removed again
		case !f.is:
			r.act = "deletion"
		case !f.was:
			r.act = "creation"
		case f.moved && !f.written:
			r.act = "move"
		}
		if f.folder && !f.moved {
			r.path += "/"
			e.folders = append(e.folders, r)
			continue
		}
		e.files = append(e.files, r)
	}
	if len(e.files) > 0 {
		e.folders = nil
	}
	return e
}

// reversed is the extent of what a plan undoes.
func (e extent) reversed() extent {
	turn := func(list []reached) []reached {
		list = slices.Clone(list)
		for i := range list {
			switch list[i].act {
			case "creation":
				list[i].act = "deletion"
			case "deletion":
				list[i].act = "creation"
			}
		}
		return list
	}
	e.files, e.folders = turn(e.files), turn(e.folders)
	return e
}

// name is the path of the only file or folder, else their number.
func (e extent) name() string {
	switch {
	case len(e.files) == 1:
		return kit.PathText(e.files[0].path)
	case len(e.files) == 0 && len(e.folders) == 1:
		return kit.PathText(e.folders[0].path)
	case len(e.files) == 0 && len(e.folders) > 0:
		return kit.CountGrouped(len(e.folders), "folder")
	}
	return kit.CountGrouped(len(e.files), "file")
}

// changesText counts the changes that are undone and, where they differ, their files: 11 changes in 9 files.
func (e extent) changesText() string {
	changes, files := max(e.changes, len(e.files), len(e.folders)), len(e.files)
	said := kit.CountGrouped(changes, "change")
	if files > 0 && files != changes {
		said += " in " + kit.CountGrouped(files, "file")
	}
	return said
}

// actsText counts the acts by kind, or names the only one: 2 deletions, 1 edit; the move of a.md.
func (e extent) actsText() string {
	list := e.files
	if len(list) == 0 {
		list = e.folders
	}
	if len(list) == 1 {
		return "the " + list[0].act + " of " + e.name()
	}
	acts := map[string]int{}
	for _, r := range list {
		acts[r.act]++
	}
	var parts []string
	for _, act := range []string{"deletion", "move", "edit", "creation"} {
		if n := acts[act]; n > 0 {
			parts = append(parts, kit.CountGrouped(n, act))
		}
	}
	return strings.Join(parts, ", ")
}
