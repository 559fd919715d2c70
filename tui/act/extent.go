package act

import (
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/undo"
	"memcurator/render/diff"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// extent is what a plan does to files. Questions and messages take it from here, so that they agree.
type extent struct {
	all    []reached // files and folders, each once, in the order in which the plan first comes to it
	files  []reached // without folders that are made or removed, unless there is nothing else
	merged bool      // a file keeps later edits

	overwritten int // later edits that the user chose to overwrite
}

// reached is what a plan does to one file or folder in all its steps.
type reached struct {
	path, from string // afterwards, and where it is now: agent paths
	does       string // "restore", "delete", "move", "rewrite"
	folder     bool
	written    bool
	data       []byte     // what is written last
	keeps      bool       // later edits of the file
	counts     kit.Counts // the lines that are added and removed, where a question has counted them
}

// name is the path, of a folder that is made or removed with a slash.
func (r reached) name() string {
	if r.folder && r.does != "move" {
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
	at := map[string]*file{}
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
		e.overwritten += s.Overwrites
		if s.Merged {
			e.merged, f.keeps = true, true
		}
	}
	for _, f := range all {
		switch f.does = "rewrite"; {
		case !f.was && !f.is:
			continue // made and removed again
		case !f.is:
			f.does, f.path = "delete", f.from
		case !f.was:
			f.does = "restore"
		case f.moved: // links in it may follow
			f.does = "move"
		}
		e.all = append(e.all, f.reached)
	}
	e.files = slices.DeleteFunc(slices.Clone(e.all), func(r reached) bool { return r.folder && r.does != "move" })
	if len(e.files) == 0 {
		e.files = e.all
	}
	return e
}

// did are the words for what was done.
var did = map[string]string{"restore": "brought back", "delete": "deleted", "move": "moved", "rewrite": "rewrote"}

// text says what a command did to the files: brought back a.md, rewrote 2 files.
func (e extent) text(command string) string {
	back := " back to "
	if command == "redo" {
		back = " to "
	}
	of := map[string][]reached{}
	for _, r := range e.files {
		of[r.does] = append(of[r.does], r)
	}
	var parts []string
	for _, does := range []string{"restore", "move", "rewrite", "delete"} {
		switch list := of[does]; {
		case len(list) == 0:
			continue
		case len(list) > 1 && list[0].folder:
			parts = append(parts, did[does]+" "+kit.CountGrouped(len(list), "folder"))
		case len(list) > 1:
			parts = append(parts, did[does]+" "+kit.CountGrouped(len(list), "file"))
		case does == "move":
			parts = append(parts, "moved "+kit.PathText(list[0].from)+back+kit.PathText(list[0].path))
		default:
			parts = append(parts, did[does]+" "+kit.PathText(list[0].name()))
		}
	}
	return strings.Join(parts, ", ")
}

// countUpTo is the largest file, in bytes, whose changed lines a question counts.
const countUpTo = 1 << 20

// counted is all that steps do, with the lines of each file. It does I/O.
func counted(b memstore.Backend, steps []undo.PlannedStep) []reached {
	all := extentOf(steps).all
	for i := range all {
		all[i].counts = all[i].count(b)
	}
	return all
}

// count counts the lines that a plan adds to a file and removes from it; none where that is impossible.
func (r reached) count(b memstore.Backend) (c kit.Counts) {
	if r.folder || !r.written && r.does != "delete" || len(r.data) > countUpTo {
		return c
	}
	var before, after []byte
	if r.does != "delete" {
		after = r.data
	}
	if r.does != "restore" {
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
