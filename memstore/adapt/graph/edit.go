package graph

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// edited returns the graph that an edit makes of this one. An edit that would change a file which it doesn't name is refused: no undo could
// restore that.
func (g *graph) edited(e adapt.Edit) (*graph, error) {
	files := []string{e.Name}
	if e.New == nil {
		files = g.filesBelow(e.Name)
	}
	now := g
	for _, file := range files {
		lines, err := now.linesFor(file, e)
		if err != nil {
			return nil, err
		}
		now = now.with(file, lines)
		if _, there := now.files[file]; there && e.New == nil {
			return nil, sharesName(file)
		}
	}
	if i, ok := now.files[e.Name]; e.New != nil && (!ok || bytes.IndexByte(now.lines[i].raw, '\n') >= 0) {
		return nil, refused("The server's file can't keep this text")
	}
	for _, pair := range [][2]*graph{{g, now}, {now, g}} {
		for name := range pair[0].files {
			_, there := pair[1].files[name]
			if named := within(name, e.Name) || e.To != "" && within(name, e.To); !there && !named {
				return nil, sharesName(name)
			}
		}
	}
	return now, nil
}

// sharesName refuses an edit that would change a file, too.
func sharesName(file string) error {
	return refused("That would change %s, too: another line has the same name. Delete what has it in %s first", file, damagedFolder)
}

// within reports whether a file is the one of a name, or in the folder of that.
func within(file, name string) bool { return file == name || backend.IsBelow(file, name) }

// filesBelow are the files that a name stands for: itself, or those of a folder.
func (g *graph) filesBelow(name string) (list []string) {
	for at := range g.files {
		if within(at, name) {
			list = append(list, at)
		}
	}
	return list
}

// linesFor are the lines that an edit makes of those of a file. With an entity go the relations from it, which are part of its text.
func (g *graph) linesFor(file string, e adapt.Edit) ([]line, error) {
	var n *note
	var err error
	switch {
	case e.New != nil && path.Dir(file) == damagedFolder:
		return []line{parseLine(e.New)}, nil // an undo restores it
	case e.New != nil:
		n, err = readNote(file, e.New)
	case e.To != "":
		n, err = g.renamed(file, e.To+strings.TrimPrefix(file, e.Name))
	default:
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if at := g.fileOf(n.entity.name); at != "" && at != file {
		return nil, refused("An entity has the name %s already: %s", n.entity.name, at)
	}
	lines := []line{n.entity.line()}
	for i := range n.relations {
		n.relations[i].name = n.entity.name
		lines = append(lines, n.relations[i].line())
	}
	return lines, nil
}

// renamed is what a file says of an entity once that has another name or type.
func (g *graph) renamed(file, to string) (*note, error) {
	folder, of, ok := split(to)
	if !ok || g.lines[g.files[file]].why != "" {
		return nil, refused("Only entities can be renamed, as TYPE/NAME.md")
	}
	n := g.note(g.files[file])
	var err error
	if n.entity.name, err = named(of); err == nil {
		n.entity.kind, err = named(folder)
	}
	return n, err
}

// with returns the graph with other lines for a file: in the places of those that it has, and at the end. A line that says the same keeps
// its bytes.
func (g *graph) with(file string, others []line) *graph {
	kept := map[int]bool{}
	for i := range g.lines {
		if g.shownBy(i) != file {
			kept[i] = true
		} else if at := slices.IndexFunc(others, g.lines[i].saysSame); at >= 0 {
			kept[i], others = true, slices.Delete(others, at, at+1)
		}
	}
	var lines []line
	for i, l := range g.lines {
		if kept[i] {
			lines = append(lines, l)
			continue
		}
		alike := func(other line) bool { return other.record != nil && other.record.relation == l.record.relation }
		if at := slices.IndexFunc(others, alike); at >= 0 && l.record != nil {
			lines, others = append(lines, others[at]), slices.Delete(others, at, at+1)
		}
	}
	end := len(lines) // after the last that isn't blank, so that the file ends as it did
	for end > 0 && isBlank(lines[end-1].raw) {
		end--
	}
	return newGraph(slices.Insert(lines, end, others...), g.path)
}

// shownBy is the file that shows a line; "" of a blank one.
func (g *graph) shownBy(i int) string {
	if r := g.lines[i].record; g.names[i] == "" && r != nil {
		return g.fileOf(r.name)
	}
	return g.names[i]
}
