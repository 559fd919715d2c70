package transcript

import (
	"bytes"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
)

// before is what is known of the memory before the calls, and of files that something else made. A file that no call made is unknown until
// a result shows all of it: a listing shows that it is there, and how large. Until then its bytes are made up.
type before struct {
	known   map[string]bool // names of which a call told whether they were there, or has changed it
	levels  map[string]int  // how many levels of a folder are known: what turns up there later was made later
	unknown map[string]bool // files of unknown content
	room    int             // bytes that may still be made up: listings claim any size
	found   []foundFile     // by the call under way
}

// foundFile is a file that turned out to have been there before the calls, or what is in one.
type foundFile struct {
	name    string
	data    []byte
	unknown bool
}

// mostMadeUp bounds the made-up bytes of a replay.
const mostMadeUp = 32 << 20

func newBefore() before {
	return before{known: map[string]bool{}, levels: map[string]int{}, unknown: map[string]bool{}, room: mostMadeUp}
}

// allLevels are known of a folder that a call has removed.
const allLevels = 1 << 30

const contentUnknown = "content unknown: no call has shown the file yet"

// putUnknown makes a file of unknown content, or makes one unknown.
func (p *replay) putUnknown(name string, size int) {
	size = max(0, min(size, p.before.room))
	p.before.room -= size
	data := bytes.Repeat([]byte("?"), size)
	copy(data, "[content unknown]")
	p.put(name, data)
	if _, err := p.content(name); err == nil {
		p.before.unknown[name] = true
	}
}

// open reports whether something may have been at a name before the calls.
func (b *before) open(name string) bool {
	if name == "" || b.known[name] {
		return false
	}
	for folder := path.Dir(name); ; folder = path.Dir(folder) {
		rel := name
		if folder != "." {
			rel = name[len(folder)+1:]
		}
		if strings.Count(rel, "/") < b.levels[folder] && !isHiddenName(rel) {
			return false
		}
		if folder == "." || folder == "/" {
			return true
		}
	}
}

// was takes what a result shows of a file that no call made, if that can be: its content, nil where it shows only that it is there. It
// reports whether that was news.
func (p *replay) was(name string, data []byte, size int) bool {
	_, err := p.backend.Lstat(name)
	if err == nil && (data == nil || !p.before.unknown[name]) || err != nil && !p.before.open(name) {
		return false
	}
	for at := path.Dir(name); at != "." && at != "/"; at = path.Dir(at) {
		if p.before.unknown[at] { // a listing may not distinguish files from folders
			p.remove(at)
		}
	}
	if data != nil {
		p.put(name, data)
	} else {
		p.putUnknown(name, size)
	}
	p.before.known[name] = true
	now, err := p.content(name)
	if err != nil {
		return false
	}
	p.before.found = append(p.before.found, foundFile{name, now, data == nil})
	return true
}

// expect takes what the result of a command shows of the memory before it.
func (p *replay) expect(cmd memstore.Command, r *Result, o *callOutcome) {
	name, to := nameOf(cmd.Path), nameOf(cmd.NewPath)
	if cmd.Name == memstore.CmdRename {
		name = nameOf(cmd.OldPath)
	}
	if o == nil {
		if cmd.Name != memstore.CmdView {
			p.before.known[name], p.before.known[to] = true, true
		}
		return
	}
	switch {
	case o.Kind == "":
		return
	case o.Failed && o.Kind == "exists" && cmd.Name == memstore.CmdRename:
		p.was(to, nil, 0)
		return
	case o.Failed && (o.Kind == "exists" || o.Kind == "no match" || o.Kind == "many" || o.Kind == "range"):
		p.was(name, nil, 0)
	case o.Failed && o.Kind != "missing":
		return
	case o.Failed, cmd.Name == memstore.CmdCreate:
	case o.Kind == "list":
		p.expectListing(name, o.List)
		return
	case cmd.Name == memstore.CmdView:
		data, _ := viewed(cmd, r.Text)
		p.was(name, data, 0)
	default:
		p.was(name, nil, 0)
		if cmd.Name == memstore.CmdDelete {
			p.before.levels[name] = allLevels
		}
	}
	p.before.known[name], p.before.known[to] = true, true
}

// expectListing takes what a listing shows of a folder.
func (p *replay) expectListing(folder string, l *toolListing) {
	for _, rel := range slices.Sorted(maps.Keys(l.Entries)) {
		name := path.Join(folder, rel)
		switch size, _, told := parseSize(l.Entries[rel]); {
		case !l.IsFolder(rel) && told && size == 0:
			p.was(name, []byte{}, 0)
		case !l.IsFolder(rel):
			p.was(name, nil, int(min(size, mostMadeUp)))
		case p.before.open(name):
			p.makeFolder(name)
		}
	}
	p.before.levels[folder] = max(p.before.levels[folder], l.Deep)
}

func (p *replay) makeFolder(name string) {
	if m, ok := p.backend.(interface{ MakeFolder(string) error }); ok {
		_ = m.MakeFolder(name) // something is in the way: the verdicts say that the states differ
	}
}

// adoptListing continues from what a listing shows and what it does not. Files with another size stay: what is in them now is not shown.
func (p *replay) adoptListing(s *Step, folder string, theirs *toolListing) {
	ours := readListing(s.Ours.Content)
	came, gone, changed := theirs.Differences(ours)
	s.Detail = listingDetail(came, gone, changed)
	for _, rel := range slices.Concat(gone, came) {
		s.touched = append(s.touched, memstore.AgentPath(path.Join(folder, rel)))
	}
	for _, rel := range gone {
		p.remove(path.Join(folder, rel))
	}
	for _, rel := range came {
		switch size, _, told := parseSize(theirs.Entries[rel]); {
		case theirs.IsFolder(rel):
			p.makeFolder(path.Join(folder, rel))
		case told || path.Ext(rel) != "": // else it may be a folder
			p.putUnknown(path.Join(folder, rel), int(min(size, mostMadeUp)))
		}
	}
}

// listingDetail says in what a recorded listing differs from ours.
func listingDetail(came, gone, changed []string) string {
	var parts []string
	for _, p := range []struct {
		what string
		list []string
	}{{"also shows ", came}, {"lacks ", gone}, {"shows another size of ", changed}} {
		if slices.Sort(p.list); len(p.list) > 0 {
			parts = append(parts, p.what+some(p.list))
		}
	}
	return "the listing " + strings.Join(parts, " and ")
}

// some names the first of a list.
func some(list []string) string {
	const most = 3
	if len(list) <= most {
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:most], ", "), len(list)-most)
}

// remove takes a file or a folder away.
func (p *replay) remove(name string) {
	if p.backend.Remove(name) == nil { // else the verdicts say that the states differ
		maps.DeleteFunc(p.before.unknown, func(at string, _ bool) bool { return at == name || strings.HasPrefix(at, name+"/") })
	}
}

// notKnown judges calls on a file whose content is unknown: only what shows the whole of it, or that it is gone, or does not need it, can
// be followed. It reports whether the call is done.
func (p *replay) notKnown(s *Step, cmd memstore.Command, shown *callOutcome) bool {
	name, edits := nameOf(cmd.Path), cmd.Name == memstore.CmdStrReplace || cmd.Name == memstore.CmdInsert
	if !p.before.unknown[name] || !edits && cmd.Name != memstore.CmdView || s.Verdict != Differs && s.Verdict != Unknown ||
		!edits && shown.Kind == "missing" {
		return false
	}
	s.Ours = nil
	s.Verdict, s.Detail = NotReplayable, contentUnknown
	if now, err := p.content(name); err == nil && edits && !s.Result.Failed() {
		grown := len(cmd.NewStr) - len(cmd.OldStr)
		if cmd.Name == memstore.CmdInsert {
			grown = len(strings.TrimSuffix(cmd.InsertText, "\n")) + 1
		}
		p.putUnknown(name, len(now)+grown) // what is known of its size
		s.touched = []string{s.Path}
	}
	return true
}

// follow follows the names of the files whose content is unknown, after a command was carried out.
func (p *replay) follow(cmd memstore.Command) {
	if cmd.Name == memstore.CmdCreate {
		name := nameOf(cmd.Path)
		if now, err := p.content(name); err == nil && string(now) == cmd.FileText {
			delete(p.before.unknown, name)
		}
		return
	}
	name, to := nameOf(cmd.Path), ""
	if cmd.Name == memstore.CmdRename {
		name, to = nameOf(cmd.OldPath), nameOf(cmd.NewPath)
	}
	for at := range maps.Clone(p.before.unknown) {
		if at != name && !strings.HasPrefix(at, name+"/") {
			continue
		}
		if _, err := p.backend.Lstat(at); err == nil {
			continue // it failed
		}
		delete(p.before.unknown, at)
		if to != "" {
			p.before.unknown[to+at[len(name):]] = true
		}
	}
}
