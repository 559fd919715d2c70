package tables

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// exportVersion is that of the form of the program's exports.
const exportVersion = "1.0.0"

// exported are the columns that an export has of a table. Its keys are their names in the spelling of JavaScript. The order is
// that of the database: so a text of an export is that of the database.
var exported = map[*table]string{
	workingTable: "id key type value session_id priority tags created_at updated_at expires_at",
	episodeTable: `id timestamp type summary details context outcome related_episodes related_entities importance access_count last_accessed
		tags created_at valence arousal`,
	transcriptTable: "id episode_id transcript created_at",
	entityTable: `id name type description content procedure observations confidence source version tags created_at
		updated_at`,
	relationTable: "id from_entity to_entity relation_type strength metadata created_at",
}

// lifetime are the columns of working memory that an export has in an object of their own.
var lifetime = map[string]bool{"createdAt": true, "updatedAt": true, "expiresAt": true, "sessionId": true, "priority": true}

// keyOf is the key of a column: "related_episodes" is "relatedEpisodes".
func keyOf(column string) string {
	if end, ok := strings.CutSuffix(column, "_entity"); ok {
		return end
	}
	words := strings.Split(column, "_")
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

// object is a record in an export.
func (r *row) object() map[string]any {
	out := map[string]any{}
	for _, c := range strings.Fields(exported[r.table]) {
		v, ok := r.values[c]
		switch f := forms[c]; {
		case !ok && f == list:
			out[keyOf(c)] = []string{}
		case !ok && (c == "context" || c == "value"):
			out[keyOf(c)] = struct{}{}
		case !ok:
		case f != text && json.Valid([]byte(v)):
			out[keyOf(c)] = json.RawMessage(v)
		default:
			out[keyOf(c)] = v
		}
	}
	return out
}

// Export returns the memory at a path in the program's own form of exports, how many records are in it, and how many it has no place for:
// expired items, what is derived from episodes, and what agents share.
func Export(ctx context.Context, path string, now time.Time) (data []byte, records, left int, err error) {
	m, err := sourceAt(path).read(ctx)
	if err != nil {
		return nil, 0, 0, err
	}
	objects := func(rows []*row) []map[string]any {
		list := []map[string]any{}
		for _, r := range rows {
			list = append(list, r.object())
		}
		records += len(list)
		return list
	}
	working := objects(m.live(now))
	for _, item := range working {
		metadata := map[string]any{}
		for key := range lifetime {
			metadata[key] = item[key]
			delete(item, key)
		}
		item["metadata"] = metadata
	}
	transcripts := map[string]any{}
	for _, r := range m.of(transcriptTable) {
		transcripts[r.values["episode_id"]] = r.object()["transcript"]
	}
	records += len(transcripts)
	out := struct { // the first two keys tell what the file is
		Version     string         `json:"version"`
		ExportedAt  int64          `json:"exportedAt"`
		Working     any            `json:"working"`
		Episodic    any            `json:"episodic"`
		Transcripts map[string]any `json:"transcripts"`
		Semantic    map[string]any `json:"semantic"`
	}{exportVersion, now.UnixMilli(), working, objects(m.of(episodeTable)), transcripts,
		map[string]any{"entities": objects(m.of(entityTable)), "relations": objects(m.of(relationTable))}}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err = e.Encode(out)
	return b.Bytes(), records, len(m.rows) - records, err
}

var errNoExport = adapt.Unreadable(backend.ErrDamaged, "The file is not an export of cc-memory, or only half of one was written")

// parseExport reads an export of the program.
func parseExport(data []byte) (*memory, error) {
	type object = map[string]json.RawMessage
	var in struct {
		Version           string
		ExportedAt        int64
		Working, Episodic []object
		Transcripts       object
		Semantic          struct{ Entities, Relations []object }
	}
	if err := json.Unmarshal(data, &in); err != nil || in.Version == "" || in.ExportedAt == 0 {
		return nil, errNoExport
	}
	m := &memory{program: ccMemory, image: &adapt.Image{}, columns: map[*table][]string{}}
	add := func(t *table, objects ...object) {
		m.columns[t] = strings.Fields(exported[t])
		for _, o := range objects {
			r := &row{table: t, values: map[string]string{}}
			for _, c := range m.columns[t] {
				v := o[keyOf(c)]
				var s string
				var b bytes.Buffer
				switch {
				case v == nil || string(v) == "null":
				case forms[c] == text && json.Unmarshal(v, &s) == nil:
					r.values[c] = s
				case json.Compact(&b, v) == nil:
					r.values[c] = b.String()
				}
			}
			if _, ok := r.values["created_at"]; !ok && t == episodeTable {
				r.values["created_at"] = r.values["timestamp"] // the program's own exports don't have it
			}
			m.rows = append(m.rows, r)
		}
	}
	for _, o := range in.Working {
		_ = json.Unmarshal(o["metadata"], &o) // into the item itself; without it, it has no times
	}
	add(workingTable, in.Working...)
	add(episodeTable, in.Episodic...)
	for _, e := range m.of(episodeTable) { // as the program does: a transcript without an episode isn't imported
		if messages := in.Transcripts[e.id()]; messages != nil {
			add(transcriptTable, object{"id": marshal("tr_" + e.id()), "episodeId": marshal(e.id()), "transcript": messages,
				"createdAt": json.RawMessage(e.values["timestamp"])})
		}
	}
	add(entityTable, in.Semantic.Entities...)
	add(relationTable, in.Semantic.Relations...)
	m.lay()
	return m, nil
}

// exportAhead is how much of a file says whether it is an export: its keys come first, or its time in our order.
const exportAhead = 256

// CCMemoryExport opens exports of the program, to look at and to copy from.
var CCMemoryExport = adapt.Adapter{Kind: ccMemory.kind, Recognize: recognizeExport, Read: readExport}

// recognizeExport looks at the beginning of a file.
func recognizeExport(path string) bool {
	head, err := adapt.Head(path, exportAhead)
	head = bytes.TrimLeft(head, " \t\r\n")
	return err == nil && bytes.HasPrefix(head, []byte("{")) && bytes.Contains(head, []byte(`"exportedAt"`))
}

func readExport(ctx context.Context, path string) (*adapt.Image, error) {
	files, err := adapt.Read(ctx, json.Valid, path)
	if err != nil {
		return nil, err
	}
	m, err := parseExport(files[0])
	if err != nil {
		return nil, err
	}
	m.image.Digest = adapt.Digest(files[0])
	m.image.ReadOnly = "This is an export: copy its records into a database of cc-memory to change them"
	return m.image, nil
}
