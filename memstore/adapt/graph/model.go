package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/adapt"
)

// graph is a memory with what refers to what. It doesn't change.
type graph struct {
	*file
	digest string
	names  map[string]int    // by the name of a file in the store: the line that is it; for relations without an entity the first one
	of     map[int]string    // the inverse
	first  map[string]int    // by the name of an entity: its line; the program takes the first of several
	from   map[string][]int  // by name: the lines of relations from it
	to     map[string][]int  // and to it
	orphan map[string]string // by the name of a file in the folder of missing entities: the name that it stands for
}

func newGraph(f *file, digest string) *graph {
	g := &graph{file: f, digest: digest, names: make(map[string]int, len(f.lines)), of: make(map[int]string, len(f.lines)),
		first: make(map[string]int, len(f.lines)), from: map[string][]int{}, to: map[string][]int{}, orphan: map[string]string{}}
	for i, l := range f.lines {
		switch {
		case l.entity != nil:
			g.name(path.Join(folderOf(l.entity.kind.is), stem(l.entity.name.is)), ending, i)
			if _, taken := g.first[l.entity.name.is]; !taken {
				g.first[l.entity.name.is] = i
			}
		case l.relation != nil:
			g.from[l.relation.from.is] = append(g.from[l.relation.from.is], i)
			g.to[l.relation.to.is] = append(g.to[l.relation.to.is], i)
		case l.damage != "":
			g.name(path.Join(damagedFolder, damageStem(l.raw)), ".txt", i)
		}
	}
	for i, l := range f.lines {
		if l.relation == nil {
			continue
		}
		name := l.relation.from.is
		if _, there := g.first[name]; !there && g.from[name][0] == i {
			at := g.name(path.Join(missingFolder, stem(name)), ending, i)
			g.orphan[at] = name
		}
	}
	return g
}

// name gives a line the name of a file, with a number if another line has it.
func (g *graph) name(base, ending string, line int) string {
	at := base + ending
	for n := 2; ; n++ {
		if _, taken := g.names[at]; !taken {
			g.names[at], g.of[line] = line, at
			return at
		}
		at = base + twin + strconv.Itoa(n) + ending
	}
}

// damageStem names a line by its bytes: its number changes with the lines before it.
func damageStem(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "line" + twin + hex.EncodeToString(sum[:])[:digits]
}

// note is what the file at a name says; nil for a damaged line and for a missing file.
func (g *graph) note(name string) *note {
	line, ok := g.names[name]
	if !ok {
		return nil
	}
	if of, missing := g.orphan[name]; missing {
		return &note{entity: entity{name: text{is: of}}, named: true, relations: g.relations(of)}
	}
	e := g.lines[line].entity
	if e == nil {
		return nil
	}
	n := &note{entity: *e, named: true}
	if g.first[e.name.is] == line {
		n.relations = g.relations(e.name.is)
	}
	return n
}

func (g *graph) relations(from string) (list []relation) {
	for _, i := range g.from[from] {
		list = append(list, *g.lines[i].relation)
	}
	return list
}

// text is what a file of the store has; nil if there is none.
func (g *graph) text(name string) []byte {
	line, ok := g.names[name]
	if !ok {
		return nil
	}
	if n := g.note(name); n != nil {
		if g.orphan[name] != "" || g.lines[line].entity == nil {
			return writeOrphan(n)
		}
		return n.write()
	}
	return g.lines[line].raw
}

// writeOrphan is write for a name that no entity has, and that has no type.
func writeOrphan(n *note) []byte {
	n.kind = text{is: "x"} // any that its folder gives
	return n.write()
}

// fileOf is the file of the entity with a name; "" if there is none.
func (g *graph) fileOf(name string) string {
	if line, ok := g.first[name]; ok {
		return g.of[line]
	}
	return ""
}

// mostProblems bounds the lines that problems name one by one.
const mostProblems = 20

// image is the memory as files.
func (g *graph) image() *adapt.Image {
	image := &adapt.Image{Digest: g.digest, Entries: make([]adapt.Entry, 0, len(g.names))}
	for name, line := range g.names {
		e := adapt.Entry{Name: name, Text: g.text(name), Record: g.record(name, line)}
		if g.lines[line].damage != "" {
			e.Fixed = "A line that can't be read is kept as it is: delete it, or mend it in the file"
		}
		image.Entries = append(image.Entries, e)
	}
	slices.SortFunc(image.Entries, func(a, b adapt.Entry) int { return strings.Compare(a.Name, b.Name) })
	if g.mark {
		image.Problems = append(image.Problems, "The file begins with a byte order mark, which the server can't read")
	}
	damaged := 0
	for i, l := range g.lines {
		if l.damage == "" {
			continue
		}
		if damaged++; damaged <= mostProblems {
			image.Problems = append(image.Problems, fmt.Sprintf("Line %d of the file %s: %s", i+1, l.damage, g.of[i]))
		}
	}
	if more := damaged - mostProblems; more > 0 {
		image.Problems = append(image.Problems, fmt.Sprintf("%d more lines can't be read", more))
	}
	return image
}

func (g *graph) record(name string, line int) adapt.Record {
	l := g.lines[line]
	if l.damage != "" {
		return adapt.Record{ID: name, Kind: "damaged line", More: []adapt.Field{
			{Label: "Line", Value: strconv.Itoa(line + 1)}, {Label: "Problem", Value: l.damage}}}
	}
	if of, missing := g.orphan[name]; missing {
		r := adapt.Record{ID: of, Kind: "no entity"}
		r.Links = g.links(of)
		return r
	}
	e := l.entity
	r := adapt.Record{ID: e.name.is, Kind: e.kind.is, More: []adapt.Field{
		{Label: "Line", Value: strconv.Itoa(line + 1)}, {Label: "Observations", Value: strconv.Itoa(len(e.observations))},
	}}
	if first := g.first[e.name.is]; first == line {
		r.Links = g.links(e.name.is)
	} else {
		r.ID += twin + name
		r.More = append(r.More, adapt.Field{Label: "Same name", Value: g.of[first] + ", which the server uses"})
	}
	for _, m := range e.more {
		r.More = append(r.More, adapt.Field{Label: m.key.is, Value: compact(m.value.json)})
	}
	return r
}

// links are the relations from and to a name.
func (g *graph) links(name string) (list []adapt.Link) {
	for _, i := range g.from[name] {
		r := g.lines[i].relation
		list = append(list, adapt.Link{Relation: r.kind.is, Target: g.fileOf(r.to.is), Title: r.to.is})
	}
	for _, i := range g.to[name] {
		r := g.lines[i].relation
		if r.from.is != name {
			list = append(list, adapt.Link{Relation: r.kind.is, Target: g.fileOf(r.from.is), Title: r.from.is, Back: true})
		}
	}
	return list
}
