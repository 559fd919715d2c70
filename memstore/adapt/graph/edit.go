package graph

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// edited returns the graph that an edit makes of this one.
func (g *graph) edited(e adapt.Edit) (*graph, error) {
	var lines []line
	var err error
	switch {
	case e.To != "":
		lines, err = g.moved(e.Name, e.To)
	case e.New == nil:
		lines, err = g.without(e.Name)
	default:
		lines, err = g.written(e.Name, e.New)
	}
	if err != nil {
		return nil, err
	}
	now := newGraph(lines, g.path)
	if i, ok := now.files[e.Name]; e.New != nil && (!ok || bytes.IndexByte(now.lines[i].raw, '\n') >= 0) {
		return nil, refused("The server's file can't keep this text")
	}
	return now, nil
}

// written returns the lines with new bytes for a file.
func (g *graph) written(file string, data []byte) ([]line, error) {
	if path.Dir(file) == damagedFolder {
		return appended(g.lines, line{raw: data}), nil // an undo restores it
	}
	n, err := readNote(file, data)
	if err != nil {
		return nil, err
	}
	if at := g.fileOf(n.entity.name); at != "" && at != file {
		return nil, refused("An entity has the name %s already: %s", n.entity.name, at)
	}
	if _, there := g.files[file]; !there {
		if err := g.unclaimed(n.entity.name); err != nil {
			return nil, err
		}
	}
	left := map[string]int{} // relations that no line has yet
	for i := range n.relations {
		left[n.relations[i].item()]++
	}
	var lines []line
	for i, l := range g.lines {
		switch r := l.record; {
		case r != nil && r.relation && r.name == n.entity.name:
			if left[r.item()]--; left[r.item()] < 0 {
				continue
			}
		case g.names[i] == file:
			if now := n.entity.line(); !bytes.Equal(now.raw, r.line().raw) {
				l = now
			}
		}
		lines = append(lines, l)
	}
	if _, there := g.files[file]; !there {
		lines = appended(lines, n.entity.line())
	}
	for i := range n.relations {
		if r := &n.relations[i]; left[r.item()] > 0 {
			left[r.item()]--
			lines = appended(lines, r.line())
		}
	}
	return lines, nil
}

// appended returns the lines with one more: after the last that isn't blank, so that the file ends as it did.
func appended(lines []line, l line) []line {
	at := len(lines)
	for at > 0 && isBlank(lines[at-1].raw) {
		at--
	}
	return slices.Insert(slices.Clone(lines), at, parseLine(l.raw))
}

// filesBelow are the files that a name stands for: itself, or those of a folder.
func (g *graph) filesBelow(name string) (list []string) {
	for at := range g.files {
		if at == name || backend.IsBelow(at, name) {
			list = append(list, at)
		}
	}
	return list
}

// alone refuses to take a name from an entity if another line has the name, too: that would become the entity, and no undo could restore
// the first.
func (g *graph) alone(name string) error {
	if i, ok := g.again[name]; ok {
		return refused("Line %d is an entity of the same name: delete %s first", i+1, g.names[i])
	}
	return nil
}

// unclaimed refuses a name for an entity if relations are from it, though no entity has it: they would become part of its text.
func (g *graph) unclaimed(name string) error {
	for i, l := range g.lines {
		if l.why != "" && l.record != nil && l.record.relation && l.record.name == name {
			return refused("Line %d is a relation from %s, which is no entity: delete %s first", i+1, name, g.names[i])
		}
	}
	return nil
}

// without returns the lines without a file or a folder. With an entity go the relations from it, which are part of its text.
func (g *graph) without(name string) (lines []line, err error) {
	gone, files := map[int]bool{}, map[string]bool{}
	for _, at := range g.filesBelow(name) {
		files[at] = true
		if l := g.lines[g.files[at]]; l.why == "" {
			if err := g.alone(l.record.name); err != nil {
				return nil, err
			}
			for _, i := range g.from[l.record.name] {
				gone[i] = true
			}
		}
	}
	for i, l := range g.lines {
		if !gone[i] && !files[g.names[i]] { // of equal lines that no entity has all go
			lines = append(lines, l)
		}
	}
	return lines, nil
}

// moved returns the lines with other names for a file or the files of a folder: an entity gets another name or type.
func (g *graph) moved(name, to string) ([]line, error) {
	lines := slices.Clone(g.lines)
	for _, at := range g.filesBelow(name) {
		l := g.lines[g.files[at]]
		folder, of, ok := split(to + strings.TrimPrefix(at, name))
		if !ok || l.why != "" {
			return nil, refused("Only entities can be renamed, as TYPE/NAME.md")
		}
		e := *l.record
		var err error
		if e.name, err = named(of); err == nil {
			e.kind, err = named(folder)
		}
		if err == nil && e.name != l.record.name {
			err = g.rename(lines, l.record.name, e.name)
		}
		if err != nil {
			return nil, err
		}
		lines[g.files[at]] = e.line()
	}
	return lines, nil
}

// rename gives the relations from an entity its new name.
func (g *graph) rename(lines []line, was, now string) error {
	if at := g.fileOf(now); at != "" {
		return refused("An entity has the name %s already: %s", now, at)
	}
	if err := g.unclaimed(now); err != nil {
		return err
	}
	for _, i := range g.from[was] {
		r := *g.lines[i].record
		r.name = now
		lines[i] = r.line()
	}
	return g.alone(was)
}
