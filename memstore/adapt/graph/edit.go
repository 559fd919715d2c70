package graph

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

func refused(format string, values ...any) error {
	return &backend.Refusal{Why: fmt.Sprintf(format, values...)}
}

// edited returns the memory as an edit leaves it. The edit's effect on its file is exactly what it says, or it is refused.
func (g *graph) edited(e adapt.Edit) (*file, error) {
	var f *file
	var err error
	switch {
	case e.To != "":
		f, err = g.moved(e.Name, e.To)
	case e.New == nil:
		f, err = g.without(e.Name)
	default:
		f, err = g.written(e.Name, e.New)
	}
	if err != nil {
		return nil, err
	}
	if e.New != nil {
		if now := newGraph(f, ""); !bytes.Equal(now.text(e.Name), e.New) {
			return nil, refused("The server's file can't keep this text as it is")
		}
	}
	return f, nil
}

// parsed reads new bytes for a file, checks them against the name of the file, and adds what the name says.
func (g *graph) parsed(name string, data []byte) (*note, error) {
	folder, of, ok := split(name)
	if !ok {
		return nil, refused("An entity is a file TYPE/NAME.md")
	}
	if !utf8.Valid(data) {
		return nil, refused("The text isn't UTF-8")
	}
	n, err := read(data)
	if err != nil {
		return nil, err
	}
	was := g.note(name)
	if folder == missingFolder {
		if was != nil {
			n.name = was.name
		} else if implied, ok := unstem(of); ok && !n.named {
			n.name = text{is: implied}
		}
		if g.subject(n.name.is).first >= 0 || stem(n.name.is) != of || len(n.relations) == 0 || len(n.observations) > 0 || len(n.more) > 0 {
			return nil, refused("The folder %s has only relations from names that no entity has: make the entity in the folder of its type",
				missingFolder)
		}
		n.kind, n.named = text{is: "x"}, true
		return n, nil
	}
	switch kind, ok := kindOf(folder); {
	case ok && n.kind.is != "" && n.kind.is != kind:
		return nil, refused("The type is that of the folder %s; to change it, move the file", folder)
	case ok:
		n.kind = text{is: kind}
	case folderOf(n.kind.is) != folder || n.kind.is == "":
		return nil, refused("The folder %s can't be a type: write what isn't allowed in it as %s", folder, folderOf(folder))
	}
	if was != nil {
		if n.named && n.name.is != was.name.is {
			return nil, refused(`The heading is "# %s", the name of the file. To rename the entity, rename the file`, plainOr(was.name.is))
		}
		n.name, n.kind, n.named = was.name, was.kind, true
		return n, nil
	}
	implied, ok := unstem(untwinned(of))
	switch {
	case n.named && stem(n.name.is) != untwinned(of):
		return nil, refused(`The heading is the name of the file: for "# %s", name the file %s`, plainOr(n.name.is), stem(n.name.is)+ending)
	case !n.named && !ok:
		return nil, refused("The file can't have this name: write what isn't allowed in it as %s", stem(of)+ending)
	case !n.named:
		n.name, n.named = text{is: implied}, true
	}
	return n, nil
}

// form is the text that a file has once data is written to it.
func (g *graph) form(name string, data []byte) ([]byte, error) {
	if line, ok := g.names[name]; (ok && g.lines[line].damage != "") || !ok && path.Dir(name) == damagedFolder {
		return data, nil
	}
	n, err := g.parsed(name, data)
	if err != nil {
		return nil, err
	}
	if err := g.fits(name, n); err != nil {
		return nil, err
	}
	if _, there := g.names[name]; !there {
		n.relations = g.adopted(n)
	}
	return n.write(), nil
}

// adopted are the relations of a new entity: those of its text, after those that are from its name already.
func (g *graph) adopted(n *note) []relation {
	all := slices.Clone(n.relations)
	for _, r := range g.relations(g.subject(n.name.is).from) {
		if !slices.ContainsFunc(all, func(o relation) bool { return same(r, o) }) {
			all = append(all, r)
		}
	}
	return all
}

func same(a, b relation) bool {
	return a.to.is == b.to.is && a.kind.is == b.kind.is && slices.EqualFunc(a.more, b.more, func(a, b member) bool {
		return a.key.is == b.key.is && compact(a.value.json) == compact(b.value.json)
	})
}

// fits refuses what the program can't tell apart: names are unique to it, whatever the type.
func (g *graph) fits(name string, n *note) error {
	at, there := g.names[name]
	first := g.subject(n.name.is).first
	switch {
	case first < 0 || there && first == at:
		return nil
	case !there && untwinned(strings.TrimSuffix(name, ending)) == name[:len(name)-len(ending)]:
		return refused("An entity has the name %s already: %s", n.name.is, g.of[first])
	case len(n.relations) > 0:
		return refused("Relations from %s belong to %s, which has the name too", n.name.is, g.of[first])
	}
	return nil
}

// written returns the memory with new bytes for a file.
func (g *graph) written(name string, data []byte) (*file, error) {
	at, there := g.names[name]
	if path.Dir(name) == damagedFolder {
		l := parseLine(bytes.Clone(data))
		if there || l.damage == "" || bytes.IndexByte(data, '\n') >= 0 {
			return nil, refused("A line that can't be read is kept as it is: delete it, or mend it in the file")
		}
		return g.file.with(append(slices.Clone(g.lines), l)), nil
	}
	n, err := g.parsed(name, data)
	if err != nil {
		return nil, err
	}
	if err := g.fits(name, n); err != nil {
		return nil, err
	}
	lines := slices.Clone(g.lines)
	if path.Dir(name) == missingFolder {
		return g.file.with(g.related(lines, n.name.is, n.relations)), nil
	}
	if !there {
		after := 0 // the entities come first, as the program writes them
		for i, l := range lines {
			if l.entity != nil {
				after = i + 1
			}
		}
		lines = slices.Insert(lines, after, g.newLine(n.object()))
		return g.file.with(g.related(lines, n.name.is, n.relations)), nil
	}
	if was := lines[at].entity; was != nil {
		n.entity = was.keeping(n.entity)
		if object := n.object(); !bytes.Equal(object, was.object()) {
			lines[at] = g.newLine(object)
		}
	}
	if g.subject(n.name.is).first == at {
		lines = g.related(lines, n.name.is, n.relations)
	}
	return g.file.with(lines), nil
}

// keeping is the entity with the new texts and, where they are those that it has, its own JSON.
func (e *entity) keeping(n entity) entity {
	n.name, n.kind = e.name, e.kind
	used := make([]bool, len(e.observations))
	for i := range n.observations {
		for j, o := range e.observations {
			if !used[j] && o.is == n.observations[i].is {
				n.observations[i], used[j] = o, true
				break
			}
		}
	}
	for i, m := range n.more {
		for _, o := range e.more {
			if o.key.is == m.key.is && compact(o.value.json) == compact(m.value.json) {
				n.more[i] = o
			}
		}
	}
	return n
}

// related returns the lines with these relations from a name, and no others. They take the places that its relations have.
func (g *graph) related(lines []*line, from string, list []relation) []*line {
	var places []int
	for i, l := range lines {
		if l.relation != nil && l.relation.from.is == from {
			places = append(places, i)
		}
	}
	var old []*line
	for _, i := range places {
		old = append(old, lines[i])
	}
	var now []*line
	for _, r := range list {
		at := slices.IndexFunc(old, func(l *line) bool { return l != nil && same(*l.relation, r) })
		if at >= 0 {
			now, old[at] = append(now, old[at]), nil
			continue
		}
		r.from = text{is: from}
		now = append(now, g.newLine(r.object()))
	}
	for i, at := range places {
		if i < len(now) {
			lines[at] = now[i]
		} else {
			lines[at] = nil
		}
	}
	if len(now) > len(places) {
		lines = append(lines, now[len(places):]...)
	}
	return slices.DeleteFunc(lines, func(l *line) bool { return l == nil })
}

// filesBelow are the files that a name stands for: itself, or those of a folder.
func (g *graph) filesBelow(name string) (list []string) {
	if _, ok := g.names[name]; ok {
		return []string{name}
	}
	for at := range g.names {
		if backend.IsBelow(at, name) {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// without returns the memory without a file or a folder: entities go with the relations from and to them.
func (g *graph) without(name string) (*file, error) {
	lines := slices.Clone(g.lines)
	for _, at := range g.filesBelow(name) {
		i := g.names[at]
		switch of := g.ends[i].from; {
		case g.orphan(i):
			for _, i := range of.from {
				lines[i] = nil
			}
			continue
		case of != nil && of.first == i:
			for _, i := range slices.Concat(of.from, of.to) {
				lines[i] = nil
			}
		}
		lines[i] = nil
	}
	return g.file.with(slices.DeleteFunc(lines, func(l *line) bool { return l == nil })), nil
}

// moved returns the memory with a file or folder under another name: an entity has another name or type, a folder's entities another type.
func (g *graph) moved(name, to string) (*file, error) {
	lines := slices.Clone(g.lines)
	if at, ok := g.names[name]; ok {
		folder, of, ok := split(to)
		if !ok || g.lines[at].entity == nil {
			return nil, refused("Only entities can be renamed, as TYPE/NAME.md")
		}
		kind, ok := g.kindFor(g.lines[at].entity.kind, folder)
		if !ok {
			return nil, refused("The folder %s can't be a type: write what isn't allowed in it as %s", folder, folderOf(folder))
		}
		next := g.lines[at].entity.name
		if stem(next.is) != of {
			is, ok := unstem(of)
			if !ok {
				return nil, refused("The file can't have this name: write what isn't allowed in it as %s", stem(of)+ending)
			}
			next = text{is: is}
		}
		if next.is != g.lines[at].entity.name.is {
			taken := g.subject(next.is)
			if taken.first >= 0 {
				return nil, refused("An entity has the name %s already: %s", next.is, g.of[taken.first])
			}
			if len(taken.from) > 0 {
				return nil, refused("Relations from %s exist, though no entity has that name: delete %s first", next.is,
					g.of[taken.from[0]])
			}
		}
		g.rename(lines, at, next, kind)
		return g.file.with(lines), nil
	}
	for _, at := range g.filesBelow(name) {
		line := g.names[at]
		if g.lines[line].entity == nil {
			return nil, refused("Only entities can be renamed, as TYPE/NAME.md")
		}
		kind, ok := g.kindFor(g.lines[line].entity.kind, to)
		if !ok {
			return nil, refused("The folder %s can't be a type: write what isn't allowed in it as %s", to, folderOf(path.Base(to)))
		}
		g.rename(lines, line, g.lines[line].entity.name, kind)
	}
	return g.file.with(lines), nil
}

func (g *graph) kindFor(was text, folder string) (text, bool) {
	if folderOf(was.is) == folder {
		return was, true
	}
	kind, ok := kindOf(folder)
	return text{is: kind}, ok && !strings.Contains(folder, "/")
}

// rename gives an entity another name and type, and the relations from and to it that name.
func (g *graph) rename(lines []*line, at int, name, kind text) {
	was := g.lines[at].entity
	e := *was
	e.name, e.kind = name, kind
	lines[at] = g.newLine(e.object())
	of := g.ends[at].from
	if name.is == was.name.is || of.first != at {
		return
	}
	for _, i := range slices.Concat(of.from, of.to) {
		r := *lines[i].relation
		if r.from.is == was.name.is {
			r.from = name
		}
		if r.to.is == was.name.is {
			r.to = name
		}
		lines[i] = g.newLine(r.object())
	}
}

// ripples are the files whose text changes with a removal or a rename.
func (g *graph) ripples(name, to string) ([]backend.Ripple, error) {
	f, err := g.edited(adapt.Edit{Name: name, To: to})
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	gone := g.filesBelow(name)
	for _, at := range gone {
		if e := g.lines[g.names[at]].entity; e != nil {
			for _, i := range g.subject(e.name.is).to {
				from := g.ends[i].from
				if file := g.of[from.from[0]]; file != "" {
					names[file] = true // relations from a missing entity
				}
				if file := g.fileOf(from); file != "" {
					names[file] = true
				}
			}
		}
		if to != "" {
			names[at] = true
		}
	}
	now := newGraph(f, "")
	var list []backend.Ripple
	for at := range names {
		next := at
		if slices.Contains(gone, at) {
			if to == "" {
				continue
			}
			next = to + strings.TrimPrefix(at, name)
		}
		before, after := g.text(at), now.text(next)
		if !bytes.Equal(before, after) {
			list = append(list, backend.Ripple{Name: at, Before: before, After: after})
		}
	}
	slices.SortFunc(list, func(a, b backend.Ripple) int { return strings.Compare(a.Name, b.Name) })
	return list, nil
}
