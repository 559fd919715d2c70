package graph

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// graph is what a file has, as files of a store. It doesn't change. It is an [adapt.Editor].
type graph struct {
	lines    []line
	path     string           // of the file
	names    []string         // by line: the file in the store that shows it; "" for a relation, which is in that of its entity
	files    map[string]int   // by the name of a file: its line
	entities map[string]int   // by name: the line of the entity
	from, to map[string][]int // by name of an entity: the relations from it, and those to it
}

func newGraph(all []line, path string) *graph {
	g := &graph{lines: slices.Clone(all), path: path, names: make([]string, len(all)), files: make(map[string]int, len(all)),
		entities: make(map[string]int, len(all)), from: map[string][]int{}, to: map[string][]int{}}
	for i := range g.lines {
		l := &g.lines[i]
		if l.record == nil || l.record.relation {
			continue
		}
		l.why = ""
		if first, ok := g.entities[l.record.name]; ok {
			l.why = fmt.Sprintf("has the name of the entity in line %d", first+1)
		} else {
			g.entities[l.record.name] = i
			g.names[i] = stem(l.record.kind) + "/" + stem(l.record.name) + ending
		}
	}
	for i := range g.lines {
		l := &g.lines[i]
		if r := l.record; r != nil && r.relation {
			l.why = ""
			if _, ok := g.entities[r.name]; ok {
				g.from[r.name], g.to[r.to] = append(g.from[r.name], i), append(g.to[r.to], i)
			} else {
				l.why = "is a relation from " + r.name + ", which no entity has as its name"
			}
		}
		if l.why != "" {
			g.names[i] = damagedFolder + "/line-" + adapt.Digest(l.raw)[:digits] + ".txt" // numbers of lines change
		}
		if g.names[i] != "" {
			g.files[g.names[i]] = i
		}
	}
	return g
}

func (g *graph) bytes() []byte { return joinLines(g.lines) }

// text is what a file of the store has; nil if there is none.
func (g *graph) text(file string) []byte {
	i, ok := g.files[file]
	switch {
	case !ok:
		return nil
	case g.lines[i].why != "":
		return g.lines[i].raw
	}
	return g.note(i).text()
}

// note is what the file of an entity says, by the line of the entity.
func (g *graph) note(i int) *note {
	n := &note{entity: *g.lines[i].record}
	for _, of := range g.from[n.entity.name] {
		n.relations = append(n.relations, *g.lines[of].record)
	}
	return n
}

// mostProblems bounds the lines that problems name one by one.
const mostProblems = 20

func (g *graph) image(digest string) *adapt.Image {
	image := &adapt.Image{Digest: digest, Editor: g}
	for _, name := range slices.Sorted(maps.Keys(g.files)) {
		i := g.files[name]
		e := adapt.Entry{Name: name, Text: g.text(name), Record: func() adapt.Record { return g.record(i) }}
		if g.lines[i].why != "" {
			e.Fixed = "A line that no entity has is kept as it is: delete it, or change it in the server's file"
		} else {
			e.ID = g.lines[i].record.name
		}
		image.Entries = append(image.Entries, e)
	}
	unread := 0
	for i, l := range g.lines {
		if l.record != nil || l.why == "" {
			continue
		}
		if unread++; unread <= mostProblems {
			image.Problems = append(image.Problems, fmt.Sprintf("Line %d of the file %s: %s", i+1, l.why, g.names[i]))
		}
	}
	if more := unread - mostProblems; more > 0 {
		image.Problems = append(image.Problems, fmt.Sprintf("%d more lines can't be read", more))
	}
	return image
}

// record describes a line that has a file.
func (g *graph) record(i int) adapt.Record {
	l := g.lines[i]
	more := map[string]string{"Line": strconv.Itoa(i + 1)}
	if l.why != "" {
		more["Problem"] = "It " + l.why
		return adapt.Record{Kind: "line", More: more}
	}
	more["Observations"] = strconv.Itoa(len(l.record.observations))
	r := adapt.Record{Kind: l.record.kind, More: more}
	for _, of := range g.from[l.record.name] {
		to := g.lines[of].record
		r.Links = append(r.Links, adapt.Link{Relation: to.kind, Path: g.pathOf(to.to), Title: to.to})
	}
	for _, of := range g.to[l.record.name] {
		if from := g.lines[of].record; from.name != l.record.name {
			r.Links = append(r.Links, adapt.Link{Relation: from.kind, Path: g.pathOf(from.name), Title: from.name, Back: true})
		}
	}
	return r
}

// pathOf is the agent path of the entity with a name; "" if there is none.
func (g *graph) pathOf(name string) string {
	if file := g.fileOf(name); file != "" {
		return backend.AgentPath(file)
	}
	return ""
}

// fileOf is the file of the entity with a name; "" if there is none.
func (g *graph) fileOf(name string) string {
	if i, ok := g.entities[name]; ok {
		return g.names[i]
	}
	return ""
}
