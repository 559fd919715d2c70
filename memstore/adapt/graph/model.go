package graph

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/adapt"
)

// graph is a memory with what refers to what. It doesn't change.
type graph struct {
	*file
	digest string
	twins  map[string]int      // by a name that is taken: the number of the last file that has it with one
	names  map[string]int      // by the name of a file in the store: the line that it is; for relations without an entity the first one
	of     []string            // the inverse, by line; "" where there is none
	about  map[string]*subject // by name
	ends   []ends              // by line
}

// subject is a name that entities have, or that relations lead from or to.
type subject struct {
	name     string
	first    int   // the line of its entity, of several the first, as the program takes it; -1 if no entity has the name
	last, n  int   // the line of the last of several entities, and how many there are
	from, to []int // lines of relations
}

// ends are the subjects of a line: that of the entity or that which the relation is from, and that which the relation leads to.
type ends struct{ from, to *subject }

func newGraph(f *file, digest string) *graph {
	g := &graph{file: f, digest: digest, names: make(map[string]int, len(f.lines)), twins: map[string]int{}, of: make([]string, len(f.lines)),
		about: make(map[string]*subject, len(f.lines)), ends: make([]ends, len(f.lines))}
	folders := map[string]string{} // by type
	for i, l := range f.lines {
		switch {
		case l.entity != nil:
			folder, known := folders[l.entity.kind.is]
			if !known {
				folder = folderOf(l.entity.kind.is)
				folders[l.entity.kind.is] = folder
			}
			s := g.mention(l.entity.name.is)
			if g.ends[i].from = s; s.first < 0 {
				s.first = i
			}
			s.last = i
			g.entity(folder+"/"+stem(l.entity.name.is), s, i)
		case l.relation != nil:
			e := ends{g.mention(l.relation.from.is), g.mention(l.relation.to.is)}
			e.from.from, e.to.to = append(e.from.from, i), append(e.to.to, i)
			g.ends[i] = e
		case l.damage != "":
			g.name(damagedFolder+"/"+damageStem(l.raw), ".txt", i)
		}
	}
	for i, l := range f.lines {
		if l.relation != nil && g.orphan(i) && g.ends[i].from.from[0] == i {
			g.name(missingFolder+"/"+stem(l.relation.from.is), ending, i)
		}
	}
	return g
}

// mention returns the subject of a name for what is to be noted of it.
func (g *graph) mention(name string) *subject {
	s := g.about[name]
	if s == nil {
		s = &subject{name: name, first: -1}
		g.about[name] = s
	}
	return s
}

// subject returns what is known of a name, which may be nothing.
func (g *graph) subject(name string) *subject {
	if s := g.about[name]; s != nil {
		return s
	}
	return &subject{name: name, first: -1}
}

// orphan reports whether a line is a relation from a name that no entity has.
func (g *graph) orphan(line int) bool {
	return g.lines[line].relation != nil && g.ends[line].from.first < 0
}

// entity gives an entity the name of its file. Those of one name are numbered whatever their types: a file that says its number can be told
// from a new entity of a name that is taken.
func (g *graph) entity(base string, s *subject, line int) {
	if s.n++; s.n > 1 {
		base += twin + strconv.Itoa(s.n)
	}
	g.name(base, ending, line)
}

// name gives a line the name of a file, with a number if another line has it.
func (g *graph) name(base, ending string, line int) {
	at := g.free(base, ending)
	g.names[at], g.of[line] = line, at
}

// free is the name of a file, with a number if it is taken.
func (g *graph) free(base, ending string) string {
	at := base + ending
	for n := max(2, g.twins[base+ending]); ; n++ {
		if _, taken := g.names[at]; !taken {
			g.twins[base+ending] = n
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
	if !ok || g.lines[line].damage != "" {
		return nil
	}
	n := &note{named: true, relations: g.relations(g.fromFile(line))}
	if g.orphan(line) {
		n.name = text{is: g.ends[line].from.name}
	} else {
		n.entity = *g.lines[line].entity
	}
	return n
}

// fromFile are the relations in the file of a line: of several entities of a name the first has them.
func (g *graph) fromFile(line int) []int {
	if of := g.ends[line].from; of.first < 0 || of.first == line {
		return of.from
	}
	return nil
}

func (g *graph) relations(lines []int) (list []relation) {
	for _, i := range lines {
		list = append(list, *g.lines[i].relation)
	}
	return list
}

// text is what a file of the store has; nil if there is none.
func (g *graph) text(name string) []byte {
	if line, ok := g.names[name]; ok {
		return g.write(nil, line)
	}
	return nil
}

// write appends the text of the file of a line.
func (g *graph) write(b []byte, line int) []byte {
	if g.lines[line].damage != "" {
		return append(b, g.lines[line].raw...)
	}
	if g.orphan(line) {
		none := entity{name: text{is: g.ends[line].from.name}, kind: text{is: "x"}} // any type that its folder gives
		b = none.append(b)
	} else {
		b = g.lines[line].entity.append(b)
	}
	for n, i := range g.fromFile(line) {
		b = g.lines[i].relation.append(b, n == 0)
	}
	return b
}

// fileOf is the file of the entity with a name; "" if there is none.
func (g *graph) fileOf(s *subject) string {
	if s.first < 0 {
		return ""
	}
	return g.of[s.first]
}

// mostProblems bounds the lines that problems name one by one.
const mostProblems = 20

// image is the memory as files. All texts are in one array: a first look takes no longer than it must.
func (g *graph) image() *adapt.Image {
	image := &adapt.Image{Digest: g.digest, Entries: make([]adapt.Entry, 0, len(g.names))}
	order := make([]int, 0, len(g.names))
	for line, name := range g.of {
		if name != "" {
			order = append(order, line)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(g.of[a], g.of[b]) })
	var texts []byte
	ends := make([]int, len(order))
	for i, line := range order {
		texts = g.write(texts, line)
		ends[i] = len(texts)
	}
	start := 0
	for i, line := range order {
		e := adapt.Entry{Name: g.of[line], ID: g.id(line), Text: texts[start:ends[i]:ends[i]],
			Record: func() adapt.Record { return g.record(line) }}
		start = ends[i]
		if g.lines[line].damage != "" {
			e.Fixed = "A line that can't be read is kept as it is: delete it, or fix it in the file"
		}
		image.Entries = append(image.Entries, e)
	}
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

// id tells the record of a line from others, whatever the name of its file.
func (g *graph) id(line int) string {
	switch of := g.ends[line].from; {
	case of == nil:
		return g.of[line]
	case of.first >= 0 && of.first != line:
		return of.name + twin + g.of[line]
	default:
		return of.name
	}
}

func (g *graph) record(line int) adapt.Record {
	l, of := g.lines[line], g.ends[line].from
	switch {
	case l.damage != "":
		return adapt.Record{Kind: "damaged line", More: []adapt.Field{
			{Label: "Line", Value: strconv.Itoa(line + 1)}, {Label: "Problem", Value: l.damage}}}
	case g.orphan(line):
		return adapt.Record{Kind: "no entity", Links: g.links(of)}
	}
	e := l.entity
	r := adapt.Record{Kind: e.kind.is, More: []adapt.Field{
		{Label: "Line", Value: strconv.Itoa(line + 1)}, {Label: "Observations", Value: strconv.Itoa(len(e.observations))},
	}}
	if of.first == line {
		r.Links = g.links(of)
	} else {
		r.More = append(r.More, adapt.Field{Label: "Same name", Value: g.of[of.first] + ", which the server uses"})
	}
	for _, m := range e.more {
		r.More = append(r.More, adapt.Field{Label: m.key.is, Value: compact(m.value.json)})
	}
	return r
}

// links are the relations from and to a name.
func (g *graph) links(of *subject) (list []adapt.Link) {
	for _, i := range of.from {
		to := g.ends[i].to
		list = append(list, adapt.Link{Relation: g.lines[i].relation.kind.is, Target: g.fileOf(to), Title: to.name})
	}
	for _, i := range of.to {
		if from := g.ends[i].from; from != of {
			list = append(list, adapt.Link{Relation: g.lines[i].relation.kind.is, Target: g.fileOf(from), Title: from.name, Back: true})
		}
	}
	return list
}
