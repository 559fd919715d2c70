package tables

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// CCMemory opens databases of cc-memory.
var CCMemory = adapt.Adapter{Kind: ccMemory.kind, Recognize: ccMemory.recognize, Read: func(ctx context.Context, path string) (*adapt.Image, error) {
	m, err := sourceAt(path).read(ctx)
	if err != nil {
		return nil, err
	}
	return m.image, nil
}}

// adapter opens the databases of a program to look at them.
func (p *program) adapter() adapt.Adapter {
	return adapt.Adapter{Kind: p.kind, Beside: []string{"-wal"}, Recognize: p.recognize, Read: func(ctx context.Context, path string) (*adapt.Image, error) {
		b, err := readDatabase(ctx, path)
		if err != nil {
			return nil, err
		}
		m, err := p.load(ctx, b)
		if err != nil {
			return nil, err
		}
		return m.image, nil
	}}
}

// recognize goes by the name of the database and its tables.
func (p *program) recognize(path string) bool {
	if p.file != "" && filepath.Base(path) != p.file {
		return false
	}
	var names []string
	for _, t := range p.tables[:p.needed] {
		names = append(names, t.name)
	}
	return hasTables(path, names...)
}

// source is a database of cc-memory, as it is on disk.
type source struct {
	path    string
	servers func() ([]int, error) // the processes of the program's servers
	now     func() time.Time
}

func sourceAt(path string) *source { return &source{path: path, servers: servers, now: time.Now} }

func (s *source) read(ctx context.Context) (*memory, error) {
	b, err := readDatabase(ctx, s.path)
	if err != nil {
		return nil, err
	}
	m, err := ccMemory.load(ctx, b)
	if err != nil {
		return nil, err
	}
	if b.logged {
		m.image.ReadOnly = "The database has a log, which cc-memory doesn't use: another program has it open"
	}
	if m.image.ReadOnly == "" {
		m.source, m.image.Editor = s, m
	}
	return m, nil
}

// lay gives every record its file.
func (m *memory) lay() {
	m.files, m.names = map[string]*row{}, map[*row]string{}
	for _, r := range m.rows {
		name := r.name()
		for m.files[name] != nil { // two records that a name can't tell apart
			name = strings.TrimSuffix(name, extension) + " " + tail(r.id()) + extension
		}
		m.files[name], m.names[r] = r, name
	}
	links := map[string][]adapt.Link{}
	if !m.program.lookingOnly {
		links = m.links()
	}
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		r := m.files[name]
		e := adapt.Entry{Name: name, ID: r.id(), Text: m.encode(r), Changed: r.time("updated_at"), Expires: r.time("expires_at"), Fixed: r.fixed,
			Record: func() adapt.Record { return r.record(links[r.id()]) }}
		if m.program.lookingOnly {
			e.ID = r.table.name + " " + e.ID
		}
		if e.Changed.IsZero() {
			e.Changed = r.created()
		}
		m.image.Entries = append(m.image.Entries, e)
	}
}

// created is when a record was made.
func (r *row) created() time.Time {
	for _, column := range []string{"timestamp", "created_at", "started_at"} {
		if at := r.time(column); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// record describes a record beyond its text.
func (r *row) record(links []adapt.Link) adapt.Record {
	out := adapt.Record{Layer: r.table.layer, Kind: r.values["type"], Created: r.created(), Updated: r.time("updated_at"),
		Accessed: r.time("last_accessed"), Tags: append(r.list("tags"), r.list("concepts")...), Links: links}
	if _, ok := r.values["importance"]; ok {
		n := r.number("importance")
		out.Importance = &n
	}
	if _, ok := r.values["access_count"]; ok {
		n := int(r.number("access_count"))
		out.Accesses = &n
	}
	return out
}

// links are those between records, back and forth, by their IDs: relations of entities, and columns that have IDs.
func (m *memory) links() map[string][]adapt.Link {
	all, files := map[string][]adapt.Link{}, map[string]string{}
	for r, name := range m.names {
		files[r.id()] = name
	}
	join := func(relation, from, to string) {
		if files[to] != "" && files[from] != "" && from != to {
			all[from] = append(all[from], adapt.Link{Relation: relation, Path: backend.AgentPath(files[to]), Title: to})
			all[to] = append(all[to], adapt.Link{Relation: relation, Path: backend.AgentPath(files[from]), Title: from, Back: true})
		}
	}
	for _, r := range m.rows {
		for _, c := range m.columns[r.table] {
			if c == "id" || r.table == relationTable {
				continue
			}
			for _, id := range append(r.list(c), r.values[c]) {
				join(strings.ReplaceAll(c, "_", " "), r.id(), id)
			}
		}
		if r.table == relationTable {
			join(r.values["relation_type"], r.values["from_entity"], r.values["to_entity"])
		}
	}
	return all
}
