package ccmemory

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"memcurator/memstore/adapt"
)

// layers, and the kinds in them, are shown even if they are empty.
var layers = func() []string {
	list := []string{"working", "episodic", "semantic", "dikw", "dikw/patterns", "dikw/insights", "dikw/wisdom", "shared"}
	for _, kind := range workingKinds {
		list = append(list, "working/"+kind)
	}
	for _, kind := range entityKinds {
		list = append(list, "semantic/"+kind)
	}
	return list
}()

// state is a memory with the names of its records.
type state struct {
	image  *adapt.Image
	memory *Memory
	digest string
	rows   map[string]*row   // by the names of files
	names  map[string]string // of records with texts, by ID
}

// placed is a record with the name of its file.
type placed struct {
	name string
	*row
}

// lay gives every record its file.
func lay(m *Memory, digest string) *state {
	s := &state{memory: m, digest: digest, rows: make(map[string]*row, len(m.rows)), names: make(map[string]string, len(m.rows))}
	n := namer{taken: s.rows}
	files := make([]placed, 0, len(m.rows))
	// Names that say everything come first: no other record takes one of them.
	for _, plain := range []bool{true, false} {
		for i := range m.rows {
			r := &m.rows[i]
			if r.table.folder == "" || r.plain() != plain {
				continue
			}
			name := n.nameOf(r)
			files = append(files, placed{name, r})
			if s.names[r.id()] == "" {
				s.names[r.id()] = name
			}
		}
	}
	for i := range m.rows {
		if r := &m.rows[i]; r.table == transcriptTable {
			files = append(files, placed{s.transcriptName(&n, r), r})
		}
	}
	s.image = &adapt.Image{Folders: layers, Digest: digest, Problems: m.Problems, ReadOnly: m.readOnly,
		Entries: make([]adapt.Entry, len(files))}
	links := s.links()
	slices.SortFunc(files, func(a, b placed) int { return strings.Compare(a.name, b.name) })
	entries := s.image.Entries
	// The texts are most of the work, and none depends on another.
	var work sync.WaitGroup
	for part := range slices.Chunk(files, len(files)/runtime.GOMAXPROCS(0)+1) {
		into := entries[:len(part)]
		entries = entries[len(part):]
		work.Go(func() {
			var d document
			for i, f := range part {
				into[i] = s.entry(f, &d, links)
			}
		})
	}
	work.Wait()
	return s
}

// entry describes a record.
func (s *state) entry(f placed, d *document, links map[string][]adapt.Link) adapt.Entry {
	r := f.row
	e := adapt.Entry{Name: f.name, ID: r.id(), Text: bytes.Clone(s.write(d, f.name, *r)), Changed: r.time("updated_at").Time(),
		Fixed: r.fixed(), Record: func() adapt.Record { return s.record(r, links) }}
	if at := r.time("expires_at"); at == never {
		e.Kept = true
	} else {
		e.Expires = at.Time()
	}
	if e.Changed.IsZero() {
		e.Changed = r.created()
	}
	return e
}

// transcriptName puts a transcript beside its episode, or among the orphans.
func (s *state) transcriptName(n *namer, r *row) string {
	if name := s.names[r.text("episode_id")]; strings.HasPrefix(name, episodeTable.folder+"/") {
		base := strings.TrimSuffix(name, extension)
		folder, base := base[:strings.LastIndexByte(base, '/')], base[strings.LastIndexByte(base, '/')+1:]
		return n.take(r, folder, base, transcriptExtension)
	}
	return n.take(r, orphanFolder, safe(r.id(), nameMost), orphanExtension)
}

func (s *state) text(name string, r row) []byte { return s.write(&document{}, name, r) }

// write is text; the bytes may be the document's until it is used again.
func (s *state) write(d *document, name string, r row) []byte {
	if r.table == transcriptTable {
		return transcriptText(r)
	}
	return odds(r, d.of(r, segments(r.table, name), func(id string) string { return s.names[id] }))
}

// segments are the parts of a name below the folder of its table.
func segments(t *table, name string) []string {
	return strings.Split(strings.TrimSuffix(strings.TrimPrefix(name, t.folder+"/"), extension), "/")
}

// odds adds the columns that hold something else than the program writes, as they are.
func odds(r row, data []byte) []byte {
	for _, column := range slices.Sorted(maps.Keys(r.odd)) {
		data = fmt.Appendf(data, "\n%s%s, as it is stored\n%s\n", subheading, column, strings.ToValidUTF8(r.odd[column], "\ufffd"))
	}
	return data
}

// fixed says why a record can't be changed.
func (r *row) fixed() string {
	if len(r.odd) > 0 {
		return "Its column " + slices.Sorted(maps.Keys(r.odd))[0] + " holds something that cc-memory doesn't write"
	}
	if r.id() == "" {
		return "It has no ID"
	}
	for i, c := range r.table.columns {
		if c.needed && r.values[i] == nil {
			return "Its column " + c.name + " is empty"
		}
	}
	if r.table == transcriptTable {
		if _, ok := messages(r.json("transcript")); !ok {
			return "Its transcript is not a list of messages"
		}
	}
	return ""
}

// messages are those of a transcript, each as JSON.
func messages(j json.RawMessage) (list []json.RawMessage, ok bool) {
	return list, json.Unmarshal(j, &list) == nil && list != nil
}

// transcriptText has a message a line.
func transcriptText(r row) []byte {
	list, ok := messages(r.json("transcript"))
	if !ok {
		if j := r.json("transcript"); j != nil {
			return append(bytes.Clone(j), '\n')
		}
		return odds(r, nil)
	}
	var b bytes.Buffer
	for _, m := range list {
		b.Write(m)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// created is when a record was made.
func (r *row) created() time.Time {
	if r.table == episodeTable {
		return r.time("timestamp").Time()
	}
	return r.time("created_at").Time()
}

// record describes a record beyond its text.
func (s *state) record(r *row, links map[string][]adapt.Link) adapt.Record {
	out := adapt.Record{Layer: r.table.layer, Kind: r.text("type"), Created: r.created(),
		Updated: r.time("updated_at").Time(), Accessed: r.time("last_accessed").Time(),
		Tags: r.list("tags"), Links: links[r.id()]}
	add := func(label, column string) {
		switch v := r.value(column).(type) {
		case string:
			if v != "" {
				out.More = append(out.More, adapt.Field{Label: label, Value: v})
			}
		case float64:
			out.More = append(out.More, adapt.Field{Label: label, Value: numberText(v)})
		case int64:
			out.More = append(out.More, adapt.Field{Label: label, Value: numberText(float64(v))})
		}
	}
	switch r.table {
	case workingTable:
		add("priority", "priority")
		add("session", "session_id")
	case episodeTable:
		if v, ok := r.value("importance").(float64); ok {
			out.Importance = &v
		}
		if v, ok := r.value("access_count").(int64); ok {
			n := int(v)
			out.Accesses = &n
		}
		add("arousal", "arousal")
		add("valence", "valence")
		add("stability", "stability")
	case entityTable:
		add("confidence", "confidence")
		add("source", "source")
		add("version", "version")
	case transcriptTable:
		add("messages", "message_count")
		add("characters", "total_chars")
	case patternTable:
		out.Kind, out.Tags = r.text("status"), r.list("related_tags")
		add("confidence", "confidence")
		add("frequency", "frequency")
	case insightTable:
		out.Kind = r.text("status")
		add("confidence", "confidence")
		add("novelty", "novelty")
		add("utility", "utility")
	case wisdomTable:
		add("confidence", "confidence_score")
		add("version", "version")
		add("validations", "validation_count")
		add("succeeded", "successful_applications")
		add("failed", "failed_applications")
	case sharedTable:
		add("owner", "owner")
	}
	return out
}

// relations of records by columns that list IDs, in words of the program.
var related = map[string]string{
	"related_episodes": "related episode", "related_entities": "related entity", "supporting_episodes": "supporting episode",
	"source_patterns": "source pattern", "derived_from_insights": "derived from insight", "derived_from_patterns": "derived from pattern",
	"evidence_episodes": "evidence", "related_wisdom": "related wisdom", "contradictory_wisdom": "contradicts",
}

// supersedes is what a newer entity of the same name does to an older one.
const supersedes = "supersedes"

// links are those of all records, back and forth.
func (s *state) links() map[string][]adapt.Link {
	all := map[string][]adapt.Link{}
	join := func(relation, from, to string) {
		all[from] = append(all[from], adapt.Link{Relation: relation, Target: s.names[to], Title: to})
		if s.names[to] != "" {
			all[to] = append(all[to], adapt.Link{Relation: relation, Target: s.names[from], Title: from, Back: true})
		}
	}
	for i := range s.memory.rows {
		r := &s.memory.rows[i]
		for at, c := range r.table.columns {
			if c.form == refs {
				list, _ := r.values[at].([]string)
				for _, id := range list {
					join(related[c.name], r.id(), id)
				}
			}
		}
	}
	alike := map[string][]*row{}
	for i := range s.memory.rows {
		switch r := &s.memory.rows[i]; r.table {
		case relationTable:
			join(r.text("relation_type"), r.text("from_entity"), r.text("to_entity"))
		case entityTable:
			key := folded(r.text("name"))
			alike[key] = append(alike[key], r)
		}
	}
	for _, same := range alike {
		slices.SortFunc(same, func(a, b *row) int { return cmp.Compare(a.time("created_at"), b.time("created_at")) })
		for i := 1; i < len(same); i++ {
			join(supersedes, same[i].id(), same[i-1].id())
		}
	}
	return all
}

// folded is a name without what people spell differently.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}
