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

// A listing shows that files came and went, and how large they are, but not their contents. A file
// that only a listing has shown is in the memory of the replay with its size and made-up bytes,
// until the transcript shows the contents.

// placeholder fills a file of unknown content, up to the size in the listing.
const placeholder = "[content unknown: only a listing shows this file]"

// largestPlaceholder bounds the made-up bytes of a file.
const largestPlaceholder = 16 << 20

// sinceStart is the number of the call since which a file is unknown that was there at the beginning.
const sinceStart = -1

// beginUnknown makes what is known to have been there, and no more. What is in the way of another stays away.
func (p *Replay) beginUnknown(start Start) {
	for _, agentPath := range slices.Sorted(maps.Keys(start.Listed)) {
		name, err := memstore.ParsePath(agentPath)
		size := start.Listed[agentPath]
		if err != nil || p.backend.Create(name, placeholderOf(size)) != nil {
			continue
		}
		p.unknown[name] = sinceStart
	}
	m, ok := p.backend.(interface{ MakeFolder(string) error })
	for _, agentPath := range start.Folders {
		if name, err := memstore.ParsePath(agentPath); err == nil && ok {
			_ = m.MakeFolder(name) // it may be there
		}
	}
}

func placeholderOf(size int) []byte {
	size = max(0, min(size, largestPlaceholder))
	data := bytes.Repeat([]byte("?"), size)
	copy(data, placeholder)
	return data
}

// Unknown lists the files in the memory with made-up bytes in place of their own, by
// agent path: a listing has shown them, and nothing has shown what is in them.
func (p *Replay) Unknown() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(p.unknown)) {
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
		if m, ok := p.backend.(interface{ MakeFolder(string) error }); ok {
			_ = m.MakeFolder(name) // something is in the way: the verdicts say that the states differ
		}
		return false
	case !told && path.Ext(rel) == "":
		return false // it may be either
	}
	if p.backend.Create(name, placeholderOf(int(min(size, largestPlaceholder)))) != nil {
		return false
	}
	p.unknown[name] = p.done
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
		delete(p.unknown, name)
		delete(p.loose, name)
	}
}

// makeWay removes files that turn out to be folders: a listing may not distinguish them.
func (p *Replay) makeWay(cmd memstore.Command) {
	if len(p.unknown) == 0 {
		return
	}
	for _, agentPath := range []string{cmd.Path, cmd.NewPath} {
		name, err := memstore.ParsePath(agentPath)
		for at := path.Dir(name); err == nil && at != "." && at != "/"; at = path.Dir(at) {
			if p.unknown[at] != 0 {
				p.remove(at)
			}
		}
	}
}

// notKnown judges calls on a file whose content is unknown: only what shows the whole of it, or does
// not need it, can be followed. It reports whether the call is done.
func (p *Replay) notKnown(s *Step, cmd memstore.Command) bool {
	name, err := memstore.ParsePath(cmd.Path)
	since := p.unknown[name]
	if err != nil || since == 0 || s.Verdict == NoResult || s.Verdict == Cleared || s.Verdict == Identical || s.Verdict == OtherDialect {
		return false
	}
	switch cmd.Name {
	case memstore.CmdView, memstore.CmdStrReplace, memstore.CmdInsert:
	default:
		return false
	}
	s.Ours = nil
	s.Verdict, s.Detail = NotReplayable, "content unknown: the file was there before, and no call has shown it yet"
	if since != sinceStart {
		s.Verdict, s.Detail = Drift, fmt.Sprintf("content unknown: the listing of call %d shows that another program "+
			"wrote the file", since)
	}
	if s.Result.Failed() {
		return true
	}
	data, whole := viewed(cmd, s.Result.Text)
	switch {
	case cmd.Name == memstore.CmdView && whole:
		if now, err := p.content(name); err == nil && len(now) > 0 && since == sinceStart && !near(len(now), len(data)) {
			s.Verdict, s.Detail = Drift, "the size differs from an earlier listing: the file changed since"
		}
		p.put(name, data)
		delete(p.unknown, name)
		if since != sinceStart && s.Verdict == Drift {
			s.Detail = fmt.Sprintf("another program wrote the file, as the listing of call %d shows", since)
		}
		s.Detail += adopted
	case cmd.Name == memstore.CmdStrReplace: // what is known of its size
		if now, err := p.content(name); err == nil && len(now) > 0 {
			p.put(name, placeholderOf(len(now)+len(cmd.NewStr)-len(cmd.OldStr)))
		}
	case cmd.Name == memstore.CmdInsert:
		if now, err := p.content(name); err == nil && len(now) > 0 {
			p.put(name, placeholderOf(len(now)+len(strings.TrimSuffix(cmd.InsertText, "\n"))+1))
		}
	}
	return true
}

// known follows the names of the files whose content is unknown, after a command was carried out.
func (p *Replay) known(cmd memstore.Command) {
	if len(p.unknown) == 0 {
		return
	}
	if cmd.Name == memstore.CmdCreate {
		if name, err := memstore.ParsePath(cmd.Path); err == nil {
			if now, err := p.content(name); err == nil && string(now) == cmd.FileText {
				delete(p.unknown, name)
			}
		}
		return
	}
	from, to := cmd.Path, ""
	if cmd.Name == memstore.CmdRename {
		from, to = cmd.OldPath, cmd.NewPath
	}
	old, err := memstore.ParsePath(from)
	if err != nil {
		return
	}
	moved, _ := memstore.ParsePath(to) // of a delete there is none
	for name, since := range maps.Clone(p.unknown) {
		if name != old && !strings.HasPrefix(name, old+"/") {
			continue
		}
		if _, err := p.backend.Lstat(name); err == nil {
			continue // it failed
		}
		delete(p.unknown, name)
		if to != "" {
			p.unknown[moved+name[len(old):]] = since
		}
	}
}
