package transcript

import (
	"bytes"
	"regexp"
	"strings"

	"memcurator/memstore"

	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
)

// Calls whose input names the files and their new content in its own way: patches, blocks to search and replace, shell commands.

// touch is a path that a step may have changed, and the one that it had before; agent paths.
type touch struct{ path, from string }

// editsOf is what a call of a tool for files does, on disk paths; nil: its input doesn't say it.
func editsOf(name string, input rawjson.Value, dir string) []pathEdit {
	o := input.Object()
	switch format.FileTool(name) {
	case format.Shell:
		list, _ := parseShell(commandLine(o), dir)
		return list
	case format.Patches:
		text := input.Text()
		if o != nil {
			text = o.First("input", "patch", "patchText")
		}
		if changes := o.Get("changes"); changes != nil {
			return editsOfChanges(changes)
		}
		list, _ := parsePatch(text)
		return list
	case format.Deletes:
		return []pathEdit{{Op: remove, Path: filePath(o)}}
	case format.Blocks:
		if e, ok := parseBlocks(filePath(o), o.Text("diff")); ok {
			return []pathEdit{e}
		}
		if at := filePath(o); at != "" {
			return []pathEdit{{Path: at}}
		}
	}
	return nil
}

// editsOfChanges are the edits in an event about a patch: a file each, by its path, or a list of paths alone.
func editsOfChanges(v rawjson.Value) (list []pathEdit) {
	v.Each(func(e rawjson.Value) {
		at := pathEdit{Path: e.Object().Text("path")}
		if e.Object().Text("kind") == "delete" {
			at.Op = remove
		}
		list = append(list, at)
	})
	for _, f := range v.Object() {
		change := f.Val.Object()
		kind := change.Text("type")
		if kind == "" && len(change) == 1 { // as {"add":{...}}
			kind, change = change[0].Key, change[0].Val.Object()
		}
		switch {
		case kind == "add" && change.Get("content") != nil:
			list = append(list, write(f.Key, change.Text("content")))
		case kind == "delete":
			list = append(list, pathEdit{Op: remove, Path: f.Key})
		case kind == "update" && change.Get("unified_diff") != nil:
			list = append(list, parseDiff(f.Key, change.Text("unified_diff")))
			if to := change.Text("move_path"); to != "" {
				list = append(list, pathEdit{Op: move, Path: f.Key, To: to})
			}
		default:
			list = append(list, pathEdit{Path: f.Key})
		}
	}
	return list
}

// edits is what a call does to files of the memory, on agent paths. known is false if some of it is not in the input.
func (c *Call) edits() (list []pathEdit, known bool) {
	known = true
	for _, e := range editsOf(c.Tool, rawjson.Value(c.Input), c.dir) {
		from, to := c.places.agentPath(e.Path, c.dir), ""
		if e.To != "" {
			to = c.places.agentPath(e.To, c.dir)
		}
		switch {
		case from == "" && to == "":
			continue
		case e.Op == alter && e.Change == nil, from == "", e.To != "" && to == "" && e.Op != move:
			known = false
		case e.To != "" && to == "": // it leaves the memory
			e.Op = remove
		}
		e.Path, e.To = from, to
		if from == "" {
			e.Path = to
		}
		list = append(list, e)
	}
	return list, known && len(list) > 0
}

// firstFolder is the memory folder of the first file of a memory that a call changes, or that its command shows.
func (c *Call) firstFolder() (f folder, ok bool) {
	for _, e := range editsOf(c.Tool, rawjson.Value(c.Input), c.dir) {
		for _, file := range []string{e.Path, e.To} {
			if f, ok = c.places.locate(file, c.dir); ok {
				return f, true
			}
		}
	}
	if format.FileTool(c.Tool) == format.Shell {
		_, shown := parseShell(c.CommandLine(), c.dir)
		return c.places.locate(shown, c.dir)
	}
	return f, false
}

// carry carries out a call that changes files in its own way.
func (p *Replay) carry(s *Step) {
	list, known := s.edits()
	for _, e := range list {
		s.touched = append(s.touched, touch{path: e.Path})
	}
	if len(list) > 0 {
		s.Path = list[0].Path
	}
	switch {
	case s.Result != nil && s.Result.IsError:
		s.Verdict, s.Detail, s.touched = Identical, "failed; changed nothing", nil
		return
	case !known && !p.tookFinal(s):
		s.Verdict, s.Detail = NotReplayable, "the transcript does not record what was written"
		return
	case s.Result == nil:
		s.Verdict = NoResult
	case isCleared(s.Result.Text):
		s.Verdict = Cleared
	default:
		s.Verdict = Identical
	}
	if p.tookFinal(s) {
		return
	}
	for _, e := range list {
		if why := p.edit(e, s); why != "" && s.Result != nil {
			s.Verdict, s.Detail = Divergent, "succeeded in the recording; "+why
			if p.unknown[nameOf(e.Path)] != 0 {
				s.Verdict, s.Detail = NotReplayable, "content unknown: no call has shown the file yet"
			}
		}
	}
}

// shell carries out a shell command that writes one file, or shows one.
func (p *Replay) shell(s *Step) {
	if at := s.shellRead(); at != "" {
		p.shows(s, at)
		return
	}
	list, known := s.edits()
	for _, e := range list {
		s.touched = append(s.touched, touch{path: e.Path})
	}
	switch {
	case !known || s.Result != nil && s.Result.IsError:
		s.Verdict, s.Detail = NotReplayable, "a shell command; the next read shows its effect"
		p.ran(s.Call)
		return
	case s.Result == nil:
		s.Verdict = NoResult
	case isCleared(s.Result.Text):
		s.Verdict = Cleared
	default:
		s.Verdict = Identical
	}
	s.Path = list[0].Path
	for _, e := range list {
		if why := p.edit(e, s); why != "" {
			s.Verdict, s.Detail = NotReplayable, "a shell command; "+why
			p.ran(s.Call)
		}
	}
}

// shellRead is the file of the memory that the command of a call shows; "" for none.
func (c *Call) shellRead() (agentPath string) {
	if c.Family != Shell {
		return ""
	}
	_, shown := parseShell(c.CommandLine(), c.dir)
	return c.places.agentPath(shown, c.dir)
}

// abridged reports an output that the program has shortened for the agent.
var abridged = regexp.MustCompile(`truncated|\[?\.\.\. ?\[?(omitted|\d+ (more )?(lines|characters))|… \+\d+ lines`)

// commandShown is the file that the command of a call shows, where it is the whole one. The last newline may be missing.
func (c *Call) commandShown() (data []byte, whole bool) {
	if c.Result == nil || c.Result.IsError || isCleared(c.Result.Text) || abridged.MatchString(c.Result.Text) {
		return nil, false
	}
	return []byte(strings.TrimRight(c.Result.Text, "\n") + "\n"), true
}

// shows judges a command that shows a file by what it showed.
func (p *Replay) shows(s *Step, at string) {
	s.Path, s.reads = at, true
	s.touched = []touch{{path: at}}
	name := nameOf(at)
	data, whole := s.commandShown()
	s.whole = whole
	now, err := p.content(name)
	same := func() bool {
		if whole {
			return strings.TrimRight(string(now), "\n") == strings.TrimRight(string(data), "\n")
		}
		return abridged.MatchString(s.Result.Text) || strings.Contains(string(now), strings.TrimRight(s.Result.Text, "\n"))
	}
	switch {
	case name == "":
		s.Verdict, s.Detail = NotReplayable, "the path leaves the memory folder"
	case s.Result == nil:
		s.Verdict = NoResult
	case isCleared(s.Result.Text):
		s.Verdict = Cleared
	case s.Result.IsError:
		s.Verdict, s.Detail = Identical, "failed; changed nothing"
	case err == nil && same():
		s.Verdict = Identical
	case p.unknown[name] != 0:
		s.Verdict = Identical
	default:
		s.Verdict, s.Detail = Drift, "the file changed outside this transcript"
	}
	if whole && (s.Verdict == Drift || p.unknown[name] != 0) {
		p.put(name, data)
		p.loose[name] = true
		delete(p.unknown, name)
	}
}

// tookFinal takes the file after the call from its result, where the program shows all of it: an editor may have formatted it.
func (p *Replay) tookFinal(s *Step) bool {
	if s.Result == nil || s.Result.IsError {
		return false
	}
	_, rest, found := strings.Cut(s.Result.Text, "<final_file_content path=\"")
	_, rest, begun := strings.Cut(rest, "\">\n")
	end := strings.LastIndex(rest, "\n</final_file_content>")
	if !found || !begun || end < 0 || nameOf(s.Path) == "" {
		return false
	}
	p.put(nameOf(s.Path), []byte(rest[:end]))
	delete(p.unknown, nameOf(s.Path))
	delete(p.loose, nameOf(s.Path))
	return true
}

// edit carries out one edit; why says why it can't.
func (p *Replay) edit(e pathEdit, s *Step) (why string) {
	name, to := nameOf(e.Path), nameOf(e.To)
	if name == "" || e.To != "" && to == "" {
		return "the path leaves the memory folder"
	}
	_, err := p.backend.Lstat(name)
	there := err == nil
	switch e.Op {
	case alter:
		before, err := p.content(name)
		if p.unknown[name] != 0 && !e.Whole {
			return "the content of the file is unknown"
		}
		if e.Adds != "" && p.loose[name] && len(before) > 0 && !bytes.HasSuffix(before, []byte("\n")) {
			before = append(before, '\n') // a read leaves it out
		}
		after, fits := e.Change(string(before), err == nil)
		if !fits {
			return "the edit does not fit the file here"
		}
		p.put(name, []byte(after))
		delete(p.unknown, name)
		delete(p.loose, name)
	default:
		if !there {
			return e.Path + " does not exist here"
		}
		if to == name {
			return ""
		}
		if data, err := p.content(name); err == nil && e.Op == move {
			p.put(to, data)
			if since := p.unknown[name]; since != 0 {
				p.unknown[to] = since
			}
			s.touched = append(s.touched, touch{path: memstore.AgentPath(to), from: memstore.AgentPath(name)})
		}
		p.remove(name)
	}
	return ""
}

// nameOf is the backend's name of an agent path; "" for none.
func nameOf(agentPath string) string {
	name, err := memstore.ParsePath(agentPath)
	if err != nil {
		return ""
	}
	return name
}

// without is a file at the beginning without what was added to it since; false: that is not at its end. The last newline may not be shown.
func (r *rebuilding) without(at string, data []byte) ([]byte, bool) {
	add := r.added[at]
	if add == "" {
		return data, true
	}
	before, ok := strings.CutSuffix(string(data), add)
	if !ok {
		before, ok = strings.CutSuffix(string(data), strings.TrimSuffix(add, "\n"))
	}
	return []byte(before), ok && before != ""
}

// edited takes what a call does to files: what was there before.
func (r *rebuilding) edited(c *Call) {
	if c.Result != nil && c.Result.IsError {
		return
	}
	list, _ := c.edits()
	for _, e := range list {
		name, to := nameOf(e.Path), nameOf(e.To)
		if name == "" {
			continue
		}
		switch {
		case e.Op == alter && e.Whole:
			r.makes(name)
			continue
		case e.Adds != "" && r.open(r.atStart(name)):
			r.added[r.atStart(name)] += e.Adds // its content before can still turn up
			continue
		case e.Change == nil == (e.Op != alter) && e.Adds == "":
			r.exists(name, 0)
		}
		r.settle(name)
		switch {
		case e.Op == remove:
			r.gone[r.atStart(name)] = true
		case e.Op == move && to != "":
			r.makes(to)
			r.rename(name, to)
		}
	}
}
