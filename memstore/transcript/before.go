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

// before is what is known of the memory before a transcript. A file that no call made is unknown until a result shows it: a listing shows that
// it is there, and how large; a whole view or read what is in it. Only then it has content; until then its bytes are made up.
type before struct {
	shown   bool            // see [Start]
	known   map[string]bool // names of which a call told whether they were there, or has changed it
	levels  map[string]int  // how many levels of a folder are known: what turns up there later was made later
	unknown map[string]int  // files of unknown content, and the call of the listing that showed them first, sinceStart or sinceEdit
	found   []foundFile     // by the call under way
}

// foundFile is a file that turned out to have been there before the transcript.
type foundFile struct {
	name    string
	kind    memstore.Kind
	data    []byte
	unknown bool
}

func newBefore(shown bool) before {
	return before{shown: shown, known: map[string]bool{}, levels: map[string]int{}, unknown: map[string]int{}}
}

const (
	sinceStart = -1 // it was there before the transcript
	sinceEdit  = -2 // and a call has changed it since
)

// allLevels are known of a folder that a call has removed.
const allLevels = 1 << 30

// placeholder fills a file of unknown content, up to the size in the listing.
const placeholder = "[content unknown: no call shows it]"

// largestPlaceholder bounds the made-up bytes of a file.
const largestPlaceholder = 16 << 20

func placeholderOf(size int) []byte {
	data := bytes.Repeat([]byte("?"), max(0, min(size, largestPlaceholder)))
	copy(data, placeholder)
	return data
}

// open reports whether something may have been at a name before the transcript.
func (b *before) open(name string) bool {
	if !b.shown || name == "" || b.known[name] {
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

// was takes what a result shows of a file before the transcript, if that can be: its content, nil where it shows only that it was there. It
// reports whether that was news.
func (p *Replay) was(name string, data []byte, size int) bool {
	now, err := p.content(name)
	switch {
	case data != nil && p.before.unknown[name] == sinceStart && (len(now) == 0 || near(len(now), len(data))):
		p.put(name, data)
		delete(p.before.unknown, name)
	case !p.before.open(name) || err == nil:
		return false
	default:
		for at := path.Dir(name); at != "." && at != "/"; at = path.Dir(at) {
			if p.before.unknown[at] != 0 { // a listing may not distinguish files from folders
				p.remove(at)
			}
		}
		if unknown := data == nil; unknown {
			data, p.before.unknown[name] = placeholderOf(size), sinceStart
		}
		if p.backend.Create(name, data) != nil {
			delete(p.before.unknown, name)
			return false
		}
	}
	p.before.known[name] = true
	p.before.found = append(p.before.found, foundFile{name, memstore.KindFile, data, p.before.unknown[name] != 0})
	return true
}

// expect takes what the result of a command shows of the memory before it.
func (p *Replay) expect(cmd memstore.Command, r *Result) {
	name, to := nameOf(cmd.Path), nameOf(cmd.NewPath)
	if cmd.Name == memstore.CmdRename {
		name = nameOf(cmd.OldPath)
	}
	if !p.before.shown || name == "" {
		return
	}
	if r == nil || isCleared(r.Text) {
		if cmd.Name != memstore.CmdView {
			p.before.known[name], p.before.known[to] = true, true
		}
		return
	}
	switch o := outcomeOf(cmd.Name, r.Text, r.IsError); {
	case !o.Known:
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
func (p *Replay) expectListing(folder string, l *toolListing) {
	for _, rel := range slices.Sorted(maps.Keys(l.Entries)) {
		name := path.Join(folder, rel)
		switch size, _, told := parseSize(l.Entries[rel]); {
		case !l.IsFolder(rel) && told && size == 0:
			p.was(name, []byte{}, 0)
		case !l.IsFolder(rel):
			p.was(name, nil, int(min(size, largestPlaceholder)))
		case p.before.open(name):
			p.makeFolder(name)
			p.before.found = append(p.before.found, foundFile{name: name, kind: memstore.KindDir})
		}
	}
	p.before.levels[folder] = max(p.before.levels[folder], l.Deep)
}

func (p *Replay) makeFolder(name string) {
	if m, ok := p.backend.(interface{ MakeFolder(string) error }); ok {
		_ = m.MakeFolder(name) // something is in the way: the verdicts say that the states differ
	}
}

// Unknown lists the files in the memory with made-up bytes in place of their own, by agent path.
func (p *Replay) Unknown() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(p.before.unknown)) {
		list = append(list, memstore.AgentPath(name))
	}
	return list
}

// near reports whether a file of a size may be the one that a listing shows with another, rounded from 1024 on.
func near(listed, size int) bool {
	slack := 0
	for unit := 1 << 10; unit <= listed; unit <<= 10 {
		slack = unit / 16
	}
	return max(listed-size, size-listed) <= slack
}

// adoptListing continues from what a listing shows and what it does not. Files with another size
// stay: what is in them now is not shown.
func (p *Replay) adoptListing(s *Step, folder string, theirs *toolListing) {
	ours := readListing(s.Ours.Content)
	came, gone, changed := theirs.Differences(ours)
	slices.Sort(came)
	s.Detail = listingDetail(came, gone, changed)
	if !theirs.Full && len(gone) > 0 && len(gone) == len(ours.Entries) {
		return // nothing in common: it may mean something else
	}
	for _, rel := range gone {
		p.remove(path.Join(folder, rel))
	}
	var appeared []string
	for _, rel := range came {
		if p.appear(path.Join(folder, rel), rel, theirs) {
			appeared = append(appeared, rel)
		}
	}
	if len(gone) > 0 || len(appeared) > 0 {
		s.Detail += adopted
	}
	if len(appeared) > 0 {
		s.Detail += ", and the content of " + some(appeared) + " is unknown"
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

// appear makes what a listing shows; true: a file whose content is unknown.
func (p *Replay) appear(name, rel string, theirs *toolListing) bool {
	size, _, told := parseSize(theirs.Entries[rel])
	switch {
	case theirs.IsFolder(rel):
		p.makeFolder(name)
		return false
	case !told && path.Ext(rel) == "":
		return false // it may be either
	}
	if p.backend.Create(name, placeholderOf(int(min(size, largestPlaceholder)))) != nil {
		return false
	}
	p.before.unknown[name] = p.done
	return true
}

// remove takes a file or a folder away.
func (p *Replay) remove(name string) {
	if entries, err := p.backend.ReadDir(name); err == nil {
		for _, e := range entries {
			p.remove(path.Join(name, e.Name))
		}
	}
	if p.backend.Remove(name) == nil { // else the verdicts say that the states differ
		delete(p.before.unknown, name)
		delete(p.loose, name)
	}
}

// notKnown judges calls on a file whose content is unknown: only what shows the whole of it, or does not need it, can be followed. It
// reports whether the call is done.
func (p *Replay) notKnown(s *Step, cmd memstore.Command) bool {
	name := nameOf(cmd.Path)
	since := p.before.unknown[name]
	if since == 0 || s.Verdict == NoResult || s.Verdict == Cleared || s.Verdict == Identical || s.Verdict == OtherDialect ||
		cmd.Name != memstore.CmdView && cmd.Name != memstore.CmdStrReplace && cmd.Name != memstore.CmdInsert {
		return false
	}
	s.Ours = nil
	s.Verdict, s.Detail = NotReplayable, "content unknown: the file was there before, and no call has shown it yet"
	if since > 0 {
		s.Verdict, s.Detail = Drift, fmt.Sprintf("content unknown: the listing of call %d shows that another program wrote the file", since)
	}
	if s.Result.Failed() {
		return true
	}
	if cmd.Name != memstore.CmdView {
		p.before.unknown[name] = sinceEdit
		if now, err := p.content(name); err == nil && len(now) > 0 { // what is known of its size
			grown := len(cmd.NewStr) - len(cmd.OldStr)
			if cmd.Name == memstore.CmdInsert {
				grown = len(strings.TrimSuffix(cmd.InsertText, "\n")) + 1
			}
			p.put(name, placeholderOf(len(now)+grown))
		}
		return true
	}
	if data, whole := viewed(cmd, s.Result.Text); whole {
		switch {
		case since > 0:
			s.Detail = fmt.Sprintf("another program wrote the file, as the listing of call %d shows", since)
		case since == sinceStart:
			s.Verdict, s.Detail = Drift, "the size differs from an earlier listing: the file changed since"
		}
		p.put(name, data)
		delete(p.before.unknown, name)
		s.Detail += adopted
	}
	return true
}

// follow follows the names of the files whose content is unknown, after a command was carried out.
func (p *Replay) follow(cmd memstore.Command) {
	name := nameOf(cmd.Path)
	if cmd.Name == memstore.CmdCreate {
		if now, err := p.content(name); err == nil && string(now) == cmd.FileText {
			delete(p.before.unknown, name)
		}
		return
	}
	to := ""
	if cmd.Name == memstore.CmdRename {
		name, to = nameOf(cmd.OldPath), nameOf(cmd.NewPath)
	}
	for at, since := range maps.Clone(p.before.unknown) {
		if at != name && !strings.HasPrefix(at, name+"/") {
			continue
		}
		if _, err := p.backend.Lstat(at); err == nil {
			continue // it failed
		}
		delete(p.before.unknown, at)
		if to != "" {
			p.before.unknown[to+at[len(name):]] = since
		}
	}
}
