package transcript

import (
	"maps"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/transcript/format"
)

// rebuilding puts together what the memory was when a transcript began, from what its calls show of
// what nothing in it has made: whole views and reads, listings, and calls that need a file to be there.
type rebuilding struct {
	start Start // by backend name
	known map[string]standing
	// How many levels of a folder are known, once a listing has shown them: an entry that turns up there
	// later was made later.
	covered map[string]int
	gone    map[string]bool   // deleted: entries that appear in it later are new
	added   map[string]string // to the ends of files, by their names at the beginning
	moved   map[string]string // the names at the beginning of what was renamed, by its name now
}

// standing is what is known of a name at the beginning.
type standing uint8

const (
	untold  standing = iota
	listed           // it existed; its content can still turn up until something changes it
	settled          // its content is known, or can no longer turn up
)

// reconstruct is the memory with which the transcript began, as far as its calls show it.
func reconstruct(calls []*Call) Start {
	r := rebuilding{start: Start{Files: map[string][]byte{}, Listed: map[string]int{}}, known: map[string]standing{},
		covered: map[string]int{}, gone: map[string]bool{}, added: map[string]string{}, moved: map[string]string{}}
	for _, c := range calls {
		switch {
		case c.Family == Files:
			r.file(c)
		case c.Family == Shell:
			r.edited(c)
			r.shellRead(c)
		case c.Family == Memory && !c.Cut:
			if cmd, err := c.Command(); err == nil {
				r.command(cmd, c.Result)
			}
		}
	}
	return r.result()
}

// file takes a call of a file tool.
func (r *rebuilding) file(c *Call) {
	if does := format.FileTool(c.Tool); does.Several() {
		r.edited(c)
		return
	}
	name, err := memstore.ParsePath(c.AgentPath())
	data, known := c.before()
	if err != nil || !known && (format.FileTool(c.Tool) == format.Reads || c.Result == nil || c.Result.IsError) {
		return
	}
	if data != nil {
		r.holds(name, []byte(*data))
	}
	r.settle(name)
}

// shellRead takes a shell command that shows a file.
func (r *rebuilding) shellRead(c *Call) {
	name := nameOf(c.shellRead())
	if name == "" || c.Result == nil || c.Result.IsError {
		return
	}
	if data, whole := c.commandShown(); whole {
		r.holds(name, data)
		r.settle(name)
		return
	}
	r.exists(name, 0)
}

// command takes a command of the memory tool.
func (r *rebuilding) command(cmd memstore.Command, res *Result) {
	name, err := memstore.ParsePath(cmd.Path)
	if cmd.Name == memstore.CmdRename {
		name, err = memstore.ParsePath(cmd.OldPath)
	}
	if err != nil {
		return
	}
	if res == nil || isCleared(res.Text) {
		r.perhaps(name, cmd)
		return
	}
	o := outcomeOf(cmd.Name, res.Text, res.IsError)
	switch {
	case o.Failed:
		r.failed(name, cmd, o.Kind)
		return
	case !o.Known:
		r.perhaps(name, cmd)
		return
	}
	switch cmd.Name {
	case memstore.CmdView:
		r.view(name, cmd, res.Text)
	case memstore.CmdCreate:
		r.makes(name)
	case memstore.CmdDelete:
		r.exists(name, 0)
		r.settle(name)
		r.gone[r.atStart(name)] = true
	case memstore.CmdRename:
		r.exists(name, 0)
		if to, err := memstore.ParsePath(cmd.NewPath); err == nil {
			r.makes(to)
			r.rename(name, to)
		}
	default:
		r.exists(name, 0)
		r.settle(name)
	}
}

// failed takes a command that changed nothing: the reason shows what was there.
func (r *rebuilding) failed(name string, cmd memstore.Command, why string) {
	to, err := memstore.ParsePath(cmd.NewPath)
	switch {
	case why == "missing" && cmd.Name != memstore.CmdRename:
		r.settle(name) // it was not there
	case why == "exists" && cmd.Name == memstore.CmdRename && err == nil:
		r.exists(to, 0)
	case why == "exists" && cmd.Name == memstore.CmdCreate, why == "no match", why == "many", why == "range":
		r.exists(name, 0)
	}
}

// perhaps takes a command that may or may not have run: the previous state of what it would have changed can
// no longer turn up.
func (r *rebuilding) perhaps(name string, cmd memstore.Command) {
	switch cmd.Name {
	case memstore.CmdView:
	case memstore.CmdCreate:
		r.makes(name)
	case memstore.CmdRename:
		if to, err := memstore.ParsePath(cmd.NewPath); err == nil {
			r.makes(to)
			r.rename(name, to)
		}
	default:
		r.settle(name)
	}
}

func (r *rebuilding) view(name string, cmd memstore.Command, text string) {
	if o := outcomeOf(cmd.Name, text, false); o.Kind == "list" {
		r.listing(name, o.List)
		return
	}
	if data, whole := viewed(cmd, text); whole {
		r.holds(name, data)
		r.settle(name)
		return
	}
	r.exists(name, 0)
}

// listing takes what a folder holds. What is shown was there at the beginning, unless it is known to have come later.
func (r *rebuilding) listing(folder string, l *toolListing) {
	for _, rel := range slices.Sorted(maps.Keys(l.Entries)) {
		name := path.Join(folder, rel)
		if l.IsFolder(rel) {
			if at := r.atStart(name); r.open(at) {
				r.start.Folders = append(r.start.Folders, at)
			}
			continue
		}
		size, _, told := parseSize(l.Entries[rel])
		switch {
		case told && size == 0:
			r.holds(name, []byte{})
			r.settle(name)
			continue
		case strings.Contains(l.Entries[rel], ".0"):
			size++ // 4.0K is not 4K
		}
		if told || path.Ext(rel) != "" {
			r.exists(name, int(min(size, largestPlaceholder)))
		}
	}
	at := r.atStart(folder)
	r.covered[at] = max(r.covered[at], l.Deep)
}

// rename follows the names of a file or a folder.
func (r *rebuilding) rename(from, to string) {
	was := r.atStart(from)
	for name, at := range maps.Clone(r.moved) {
		if rest, ok := strings.CutPrefix(name, from+"/"); ok {
			delete(r.moved, name)
			r.moved[to+"/"+rest] = at
		}
	}
	delete(r.moved, from)
	r.moved[to] = was
}

// atStart is the name that something had at the beginning.
func (r *rebuilding) atStart(name string) string {
	if len(r.moved) == 0 {
		return name
	}
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if was, ok := r.moved[at]; ok {
			return was + name[len(at):]
		}
	}
	return name
}

// open reports whether a name may still turn out to have existed at the beginning.
func (r *rebuilding) open(at string) bool {
	if r.known[at] == settled || r.gone[at] {
		return false
	}
	for folder := path.Dir(at); ; folder = path.Dir(folder) {
		if r.gone[folder] {
			return false
		}
		rel := at
		if folder != "." {
			rel = at[len(folder)+1:]
		}
		if strings.Count(rel, "/") < r.covered[folder] && r.known[at] == untold && !isHiddenName(rel) {
			return false
		}
		if folder == "." || folder == "/" {
			return true
		}
	}
}

// exists notes that a file was there at the beginning, if that can be.
func (r *rebuilding) exists(name string, size int) {
	if at := r.atStart(name); r.known[at] == untold && r.open(at) {
		r.known[at] = listed
		r.start.Listed[at] = size
	}
}

// holds notes what was in a file at the beginning, if that can be.
func (r *rebuilding) holds(name string, data []byte) {
	at := r.atStart(name)
	data, fits := r.without(at, data)
	if !fits {
		return
	}
	if size := r.start.Listed[at]; !r.open(at) || size > 0 && !near(size, len(data)) {
		return // it was changed since it was listed
	}
	delete(r.start.Listed, at)
	r.start.Files[at] = data
}

// makes notes that a call has made a file, and the folders that it is in.
func (r *rebuilding) makes(name string) {
	for at := name; at != "." && at != "/"; at = path.Dir(at) {
		if at == name || r.known[r.atStart(at)] == untold {
			r.settle(at)
		}
	}
}

func (r *rebuilding) settle(name string) { r.known[r.atStart(name)] = settled }

// result has agent paths, and leaves out what cannot have been: a file below another one.
func (r *rebuilding) result() Start {
	out := Start{Files: map[string][]byte{}, Listed: map[string]int{}}
	file := func(name string) bool {
		_, whole := r.start.Files[name]
		_, shown := r.start.Listed[name]
		return whole || shown
	}
	names := slices.Concat(slices.Collect(maps.Keys(r.start.Files)), slices.Collect(maps.Keys(r.start.Listed)), r.start.Folders)
	for _, name := range names {
		for at := path.Dir(name); at != "." && at != "/"; at = path.Dir(at) {
			delete(r.start.Listed, at) // it was a folder
		}
	}
	below := func(name string) bool {
		for at := path.Dir(name); at != "." && at != "/"; at = path.Dir(at) {
			if file(at) {
				return true
			}
		}
		return false
	}
	for name, data := range r.start.Files {
		if !below(name) {
			out.Files[memstore.AgentPath(name)] = data
		}
	}
	for name, size := range r.start.Listed {
		if !below(name) {
			out.Listed[memstore.AgentPath(name)] = size
		}
	}
	for _, name := range r.start.Folders {
		if !below(name) && !file(name) {
			out.Folders = append(out.Folders, memstore.AgentPath(name))
		}
	}
	return out
}
