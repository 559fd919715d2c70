package graph

import (
	"bytes"
	"fmt"
	"maps"
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
	now := newGraph(f, "")
	if e.New != nil && !bytes.Equal(now.text(e.Name), e.New) {
		return nil, refused("The server's file can't keep this text as it is")
	}
	if e.To != "" {
		for _, at := range g.filesBelow(e.Name) {
			to := e.To + strings.TrimPrefix(at, e.Name)
			if line, ok := now.names[to]; !ok || line != g.names[at] && !g.orphan(g.names[at]) {
				return nil, refused("The file can't have the name %s", to)
			}
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
		return nil, noType(folder, folder)
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
	all, known := slices.Clone(n.relations), map[string]bool{}
	for _, r := range all {
		known[r.says()] = true
	}
	for _, r := range g.relations(g.subject(n.name.is).from) {
		if says := r.says(); !known[says] {
			all, known[says] = append(all, r), true
		}
	}
	return all
}

// says is what a relation says of the entity that it is from: relations are equal if they say the same.
func (r *relation) says() string {
	b := quoted(r.to.is) + quoted(r.kind.is)
	for _, m := range r.more {
		b += m.says()
	}
	return b
}

func (m *member) says() string { return quoted(m.key.is) + ":" + compact(m.value.json) }

// queue are the lines or places of equal things, in order.
type queue map[string][]int

func (q queue) add(of string, at int) { q[of] = append(q[of], at) }

// next takes the first one.
func (q queue) next(of string) (at int, ok bool) {
	if list := q[of]; len(list) > 0 {
		q[of] = list[1:]
		return list[0], true
	}
	return 0, false
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
			return nil, refused("A line that can't be read is kept as it is: delete it, or fix it in the file")
		}
		after := len(g.lines) // beside the others, so that one that replaces another keeps its place
		for i, o := range g.lines {
			if o.damage != "" {
				after = i + 1
			}
		}
		return g.file.with(slices.Insert(slices.Clone(g.lines), after, l)), nil
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
		if g.subject(n.name.is).first >= 0 {
			return g.file.with(lines), nil // the relations stay those of the first of the name
		}
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
	had, more := queue{}, queue{}
	for i, o := range e.observations {
		had.add(o.is, i)
	}
	for i, o := range n.observations {
		if at, ok := had.next(o.is); ok {
			n.observations[i] = e.observations[at]
		}
	}
	for i := range e.more {
		more.add(e.more[i].says(), i)
	}
	for i := range n.more {
		if at, ok := more.next(n.more[i].says()); ok {
			n.more[i] = e.more[at]
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
	old := queue{}
	for _, i := range places {
		old.add(lines[i].relation.says(), i)
	}
	var now []*line
	for _, r := range list {
		if at, ok := old.next(r.says()); ok {
			now = append(now, lines[at])
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

// numbered refuses an edit after which others have another number among the entities of a name: no undo would know them. The lines are
// those of entities that go, or get another name.
func (g *graph) numbered(lines map[int]bool) error {
	numbers := false
	for i := range lines {
		numbers = numbers || g.ends[i].from.first != g.ends[i].from.last
	}
	if !numbers {
		return nil
	}
	goes := map[*subject]bool{}
	for i, l := range g.lines {
		of := g.ends[i].from
		if l.entity == nil || of.first == of.last {
			continue
		}
		if lines[i] {
			goes[of] = true
		} else if goes[of] {
			return refused("Other entities have the name %s, too: delete or rename %s first", plainOr(of.name), g.of[of.last])
		}
	}
	return nil
}

// without returns the memory without a file or a folder: entities go with the relations from and to them.
func (g *graph) without(name string) (*file, error) {
	lines, entities := slices.Clone(g.lines), map[int]bool{}
	for _, at := range g.filesBelow(name) {
		i := g.names[at]
		entities[i] = g.lines[i].entity != nil
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
	maps.DeleteFunc(entities, func(_ int, is bool) bool { return !is })
	if err := g.numbered(entities); err != nil {
		return nil, err
	}
	return g.file.with(slices.DeleteFunc(lines, func(l *line) bool { return l == nil })), nil
}

// moved returns the memory with a file or folder under another name: an entity has another name or type, a folder's entities another type.
func (g *graph) moved(name, to string) (*file, error) {
	lines := slices.Clone(g.lines)
	if at, ok := g.names[name]; ok {
		folder, of, ok := split(to)
		if ok && folder == missingFolder && g.orphan(at) {
			return g.movedName(lines, g.ends[at].from, of)
		}
		if !ok || g.lines[at].entity == nil {
			return nil, refused("Only entities can be renamed, as TYPE/NAME.md")
		}
		kind, ok := g.kindFor(g.lines[at].entity.kind, folder)
		if !ok {
			return nil, noType(folder, path.Dir(name))
		}
		next := g.lines[at].entity.name
		if stem(next.is) != untwinned(of) {
			is, ok := unstem(untwinned(of))
			if !ok {
				return nil, refused("The file can't have this name: write what isn't allowed in it as %s", stem(of)+ending)
			}
			next = text{is: is}
		}
		if is := g.ends[at].from; next.is != is.name {
			if !readable(is.name) {
				return nil, tooLong()
			}
			if err := g.numbered(map[int]bool{at: true}); err != nil {
				return nil, err
			}
			taken := g.subject(next.is)
			if taken.first >= 0 && (untwinned(of) == of || is.first == at && len(is.from)+len(is.to) > 0) {
				return nil, refused("An entity has the name %s already: %s", next.is, g.of[taken.first])
			}
			if taken.first < 0 && len(taken.from) > 0 {
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
			return nil, noType(path.Base(to), name)
		}
		g.rename(lines, line, g.lines[line].entity.name, kind)
	}
	return g.file.with(lines), nil
}

// movedName is moved for a name that only relations have.
func (g *graph) movedName(lines []*line, of *subject, to string) (*file, error) {
	next, ok := unstem(to)
	if !readable(of.name) {
		return nil, tooLong()
	}
	if !ok {
		return nil, refused("The file can't have this name: write what isn't allowed in it as %s", stem(to)+ending)
	}
	if taken := g.about[next]; taken != nil && taken != of {
		return nil, refused("The name %s is in use already", next)
	}
	g.refer(lines, of, text{is: next})
	return g.file.with(lines), nil
}

func tooLong() error {
	return refused("The name is too long for that of a file, and no undo could restore it: change it in the server's file")
}

// noType refuses a folder that stands for no type, or a move from such a folder.
func noType(folder, was string) error {
	if isCut(folder) || isCut(was) {
		return refused("The type is too long for the name of a folder: change it in the server's file")
	}
	return refused("The folder %s can't be a type: write what isn't allowed in it as %s", folder, folderOf(folder))
}

func (g *graph) kindFor(was text, folder string) (text, bool) {
	if folderOf(was.is) == folder {
		return was, true
	}
	kind, ok := kindOf(folder)
	if _, plain := kindOf(folderOf(was.is)); !plain {
		return text{}, false // no undo could restore a type that no folder can be
	}
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
	g.refer(lines, of, name)
}

// refer gives the relations from and to a name another one.
func (g *graph) refer(lines []*line, of *subject, name text) {
	for _, i := range slices.Concat(of.from, of.to) {
		r := *lines[i].relation
		if r.from.is == of.name {
			r.from = name
		}
		if r.to.is == of.name {
			r.to = name
		}
		lines[i] = g.newLine(r.object())
	}
}

// adopts are the files that go when an entity is made: one of relations from its name.
func (g *graph) adopts(name string, data []byte) []backend.Ripple {
	n, err := g.parsed(name, data)
	if err != nil || path.Dir(name) == missingFolder || path.Dir(name) == damagedFolder {
		return nil // the edit itself says what is wrong
	}
	of := g.subject(n.name.is)
	if of.first >= 0 || len(of.from) == 0 {
		return nil
	}
	file := g.of[of.from[0]]
	return []backend.Ripple{{Name: file, Before: g.text(file)}}
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
		if of := g.ends[g.names[at]].from; of != nil {
			for _, i := range of.to {
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
