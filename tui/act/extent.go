package act

import (
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// extent is how far a plan reaches. Questions and messages take their counts from it, so that they agree.
type extent struct {
	all     []reached // files and folders, each once, in the order in which the plan first comes to it
	files   []reached // without folders that are made or removed, unless there is nothing else
	changes int       // revisions of files that are undone
	rev     int64     // the last of them
	merged  bool      // a file keeps later edits
}

// reached is what a plan does to one file or folder in all its steps.
type reached struct {
	path, from string // afterwards, and where it is now: agent paths
	act        string // "creation", "deletion", "move", "edit"
	folder     bool
	written    bool
	data       []byte // what is written last
	keeps      string // who made the later edit of the file that stays; "": none
}

// name is the path with a slash behind a folder that is made or removed.
func (r reached) name() string {
	if r.folder && r.act != "move" {
		return r.path + "/"
	}
	return r.path
}

// extentOf is the extent of steps.
func extentOf(steps []undo.PlannedStep) extent {
	type file struct {
		reached
		was, is, moved bool
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
			f = &file{was: s.OldPath != "" || s.Remove || s.Expect != nil}
			f.from, f.folder = from, folder
			all = append(all, f)
		}
		delete(at, from)
		at[s.Path] = f
		f.path, f.is = s.Path, !s.Remove
		f.moved = f.moved || s.OldPath != ""
		if s.OldPath == "" && !s.Remove {
			f.written, f.data = true, s.Data
		}
		if s.Merged {
			e.merged, f.keeps = true, "later edits"
		}
		if s.Kept.Rev != 0 {
			f.keeps = fmt.Sprintf("#%d of %s", s.Kept.Rev, s.Kept.Actor)
		}
		if s.Undoes != 0 && (!folder || s.OldPath != "") {
			undone[s.Undoes], e.rev = true, s.Undoes
		}
	}
	e.changes = len(undone)
	for _, f := range all {
		switch f.act = "edit"; {
		case !f.was && !f.is:
			continue // made and removed again
		case !f.is:
			f.act, f.path = "deletion", f.from
		case !f.was:
			f.act = "creation"
		case f.moved && !f.written:
			f.act = "move"
		}
		e.all = append(e.all, f.reached)
	}
	e.files = slices.DeleteFunc(slices.Clone(e.all), func(r reached) bool { return r.folder && r.act != "move" })
	if len(e.files) == 0 {
		e.files = e.all
	}
	return e
}

// reversed is the extent of what a plan undoes.
func (e extent) reversed() extent {
	e.files = slices.Clone(e.files)
	for i := range e.files {
		switch e.files[i].act {
		case "creation":
			e.files[i].act = "deletion"
		case "deletion":
			e.files[i].act = "creation"
		}
	}
	return e
}

// name is the path of the only file or folder, else their number.
func (e extent) name() string {
	switch {
	case len(e.files) == 1:
		return kit.PathText(e.files[0].name())
	case len(e.files) > 0 && e.files[0].folder:
		return kit.CountGrouped(len(e.files), "folder")
	}
	return kit.CountGrouped(len(e.files), "file")
}

// changesText counts the changes that are undone and, where they differ, their files: 11 changes in 9 files.
func (e extent) changesText() string {
	changes := max(e.changes, len(e.files))
	said := kit.CountGrouped(changes, "change")
	if len(e.files) > 0 && len(e.files) != changes {
		said += " in " + kit.CountGrouped(len(e.files), "file")
	}
	return said
}

// actsText counts the acts by kind, or names the only one: 2 deletions, 1 edit; the move of a.md.
func (e extent) actsText() string {
	if len(e.files) == 1 {
		return "the " + e.files[0].act + " of " + e.name()
	}
	acts := map[string]int{}
	for _, r := range e.files {
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

// countUpTo is the largest file, in bytes, whose changed lines a question counts.
const countUpTo = 1 << 20

// counts are the lines that a plan adds to a file and removes from it, none where they can't be counted. It does I/O.
func (r reached) counts(b memstore.Backend) (c kit.Counts) {
	if r.folder || !r.written && r.act != "deletion" || len(r.data) > countUpTo {
		return c
	}
	var before, after []byte
	if r.act != "deletion" {
		after = r.data
	}
	if r.act != "creation" {
		var err error
		if before, err = memstore.ReadFile(b, memstore.BackendName(r.from), memstore.Look, countUpTo); err != nil {
			return c
		}
	}
	if !text.Binary(before) && !text.Binary(after) {
		c.Added, c.Removed, _ = diff.Counts(before, after)
	}
	return c
}
