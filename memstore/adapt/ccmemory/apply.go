package ccmemory

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/ccmemory/terms"
	"memcurator/memstore/adapt/dbfile"
	"memcurator/memstore/backend"
)

// changer changes a private copy of the database, in a transaction.
type changer struct {
	ctx     context.Context
	tx      *sql.Tx
	columns map[string][]string // by table, once they were asked for
	kept    []string            // the databases of before our edits, the newest last
}

func (c *changer) exec(query string, args ...any) error {
	_, err := c.tx.ExecContext(c.ctx, query, args...)
	if err != nil {
		return unwritable(err)
	}
	return nil
}

// has reports whether this version of the program has a table, or a column of it.
func (c *changer) has(table, column string) (bool, error) {
	names, ok := c.columns[table]
	if !ok {
		var err error
		if names, err = dbfile.Columns(c.ctx, c.tx, table); err != nil {
			return false, unwritable(err)
		}
		c.columns[table] = names
	}
	return len(names) > 0 && (column == "" || slices.Contains(names, column)), nil
}

// apply carries out an edit of the files.
func (s *state) apply(c *changer, e adapt.Edit, now time.Time) error {
	switch {
	case e.To != "":
		return s.move(c, e, now)
	case e.New == nil:
		return s.remove(c, e.Name)
	}
	if r := s.rows[e.Name]; r != nil && r.table == transcriptTable {
		return s.setTranscript(c, *r, e.New)
	}
	if isTranscript(e.Name) {
		return s.addTranscript(c, e.Name, e.New, now)
	}
	r, err := s.rowOf(e.Name, e.Old, e.New, now, time.Time{})
	if err != nil {
		return err
	}
	if e.Old == nil {
		if err := c.insert(r, now); err != nil {
			return err
		}
		return c.restore(r)
	}
	return c.update(*s.rows[e.Name], r, now)
}

// stored is a value as the program stores it.
func stored(v any) any {
	switch v := v.(type) {
	case []string:
		return string(marshal(v))
	case json.RawMessage:
		return string(v)
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	}
	return v
}

func (c *changer) insert(r row, now time.Time) error {
	var names []string
	var args []any
	for _, col := range r.table.columns {
		ok, err := c.has(r.table.name, col.name)
		if err != nil {
			return err
		}
		if ok && r.value(col.name) != nil {
			names = append(names, `"`+col.name+`"`)
			args = append(args, stored(r.value(col.name)))
		}
	}
	if len(names) == 0 {
		return refuse("This version of cc-memory has no %s", r.table.kindName())
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(names)), ", ")
	if err := c.exec("INSERT INTO "+r.table.name+" ("+strings.Join(names, ", ")+") VALUES ("+marks+")", args...); err != nil {
		return err
	}
	return c.reindex(r, now)
}

// update writes the columns that changed, and what the program writes with every update.
func (c *changer) update(was, r row, now time.Time) error {
	var sets []string
	var args []any
	set := func(col column, v any) error {
		ok, err := c.has(r.table.name, col.name)
		if err == nil && !ok {
			return refuse("The database is of an older version of cc-memory, which has no %s", col.key)
		}
		sets = append(sets, `"`+col.name+`" = ?`)
		args = append(args, stored(v))
		return err
	}
	for _, col := range r.table.columns {
		if same(col.form, was.value(col.name), r.value(col.name)) {
			continue
		}
		if err := set(col, r.value(col.name)); err != nil {
			return err
		}
	}
	if len(sets) == 0 {
		return nil
	}
	for _, col := range r.table.columns {
		var err error
		switch col.name {
		case "updated_at":
			err = set(col, now.UnixMilli())
		case "version":
			if ok, _ := c.has(r.table.name, col.name); ok {
				err = set(col, int64(was.count("version")+1))
			}
		}
		if err != nil {
			return err
		}
	}
	if err := c.exec("UPDATE "+r.table.name+" SET "+strings.Join(sets, ", ")+" WHERE id = ?", append(args, r.id())...); err != nil {
		return err
	}
	return c.reindex(r, now)
}

// reindex writes the rows of search_index again. A database without any has them made by the program when it starts.
func (c *changer) reindex(r row, now time.Time) error {
	if ok, err := c.has(searchIndex, ""); err != nil || !ok || r.table.of == "" {
		return err
	}
	var any int
	if err := c.tx.QueryRowContext(c.ctx, "SELECT count(*) FROM (SELECT 1 FROM search_index LIMIT 1)").Scan(&any); err != nil {
		return unwritable(err)
	}
	if any == 0 {
		return nil
	}
	if err := c.unindex(r); err != nil {
		return err
	}
	for _, term := range terms.Of(r.words()) {
		err := c.exec("INSERT INTO search_index (term, doc_type, doc_id, frequency, created_at) VALUES (?, ?, ?, 1, ?)",
			term, r.table.of, r.id(), now.UnixMilli())
		if err != nil {
			return err
		}
	}
	return nil
}

// words are those of the columns that the program searches.
func (r row) words() string {
	var parts []string
	for _, column := range r.table.index {
		switch v := r.value(column).(type) {
		case string:
			parts = append(parts, v)
		case []string:
			parts = append(parts, strings.Join(v, " "))
		case json.RawMessage:
			var s string
			var o Outcome
			switch {
			case column == "outcome":
				if json.Unmarshal(v, &o) == nil {
					parts = append(parts, strings.Join(o.Learnings, " "))
				}
			case json.Unmarshal(v, &s) == nil:
				parts = append(parts, s)
			default:
				parts = append(parts, string(v))
			}
		}
	}
	return strings.Join(parts, " ")
}

func (c *changer) unindex(r row) error {
	if ok, err := c.has(searchIndex, ""); err != nil || !ok || r.table.of == "" {
		return err
	}
	return c.exec("DELETE FROM search_index WHERE doc_type = ? AND doc_id = ?", r.table.of, r.id())
}

// taken are the rows that go with a record.
var taken = map[*table][]struct{ table, column string }{
	episodeTable: {{"episode_transcripts", "episode_id"}},
	entityTable:  {{"semantic_relations", "from_entity"}, {"semantic_relations", "to_entity"}},
	wisdomTable:  {{"wisdom_applications", "wisdom_id"}},
}

func (c *changer) delete(r row) error {
	for _, also := range taken[r.table] {
		ok, err := c.has(also.table, also.column)
		if err == nil && ok {
			err = c.exec("DELETE FROM "+also.table+" WHERE "+also.column+" = ?", r.id())
		}
		if err != nil {
			return err
		}
	}
	if err := c.exec("DELETE FROM "+r.table.name+" WHERE id = ?", r.id()); err != nil {
		return err
	}
	return c.unindex(r)
}

// remove deletes the record of a file, or all those in a folder.
func (s *state) remove(c *changer, name string) error {
	found := false
	for file, r := range s.rows {
		if file != name && !strings.HasPrefix(file, name+"/") {
			continue
		}
		found = true
		if why := r.fixed(); why != "" {
			return refuse("%s", why)
		}
		if err := c.delete(*r); err != nil {
			return err
		}
	}
	if !found {
		return refuse("The folders of cc-memory's layers are always there")
	}
	return nil
}

// move gives a record another name or kind, or makes a record of another layer of it.
func (s *state) move(c *changer, e adapt.Edit, now time.Time) error {
	r, moved, err := s.moved(e.Name, e.To, now)
	switch {
	case err != nil:
		return err
	case moved.table == r.table:
		return c.update(*r, moved, now)
	}
	if err := c.insert(moved, now); err != nil {
		return err
	}
	return c.delete(*r)
}

// moved is the record at a name, and the record that it is at another name.
func (s *state) moved(name, to string, now time.Time) (*row, row, error) {
	r := s.rows[name]
	switch {
	case r == nil:
		return nil, row{}, refuse("Folders of cc-memory can't be renamed: move the records in them")
	case r.fixed() != "":
		return nil, row{}, refuse("%s", r.fixed())
	case r.table == transcriptTable:
		return nil, row{}, refuse("A transcript is named by its episode")
	}
	t, parts, ok := placeOf(to)
	if !ok {
		return nil, row{}, refuse("cc-memory keeps no records there")
	}
	if t != r.table {
		moved, err := s.promoted(*r, t, to, parts)
		return r, moved, err
	}
	out := r.copied()
	if i := 0; t.depthNamed() > 0 {
		for _, c := range t.columns {
			if c.at != named {
				continue
			}
			if was := segments(t, name)[i]; was != parts[i] {
				if err := c.check(parts[i], 1, time.Time{}); err != nil {
					return nil, row{}, refuse("The folders there are %s", strings.Join(c.choices, ", "))
				}
				out.put(c.name, parts[i])
			}
			i++
		}
	} else if err := out.renamed(to); err != nil {
		return nil, row{}, err
	}
	if made := newName(&out); !sameName(made, to, out) {
		return nil, row{}, refuse("The name would be %s", backend.AgentPath(made))
	}
	return r, out, nil
}

// depthNamed is how many columns the name of a record has.
func (t *table) depthNamed() (n int) {
	for _, c := range t.columns {
		if c.at == named {
			n++
		}
	}
	return n
}

// renamed takes kind and summary of an episode from its new name.
func (r row) renamed(to string) error {
	base := strings.TrimSuffix(path.Base(to), extension)
	date, rest, _ := strings.Cut(base, " ")
	kind, rest, _ := strings.Cut(rest, " ")
	summary, ok := strings.CutSuffix(rest, " "+tail(r.id()))
	if r.table != episodeTable || !ok || date != r.time("timestamp").date().Format(time.DateOnly) || !slices.Contains(episodeKinds, kind) {
		return refuse("A record of this kind is named by what it holds; of an episode, the kind and the summary can change: DATE KIND SUMMARY ID")
	}
	if kind != r.text("type") {
		r.put("type", kind)
	}
	if safe(firstLine(r.text("summary")), titleMost) != summary {
		r.put("summary", summary)
	}
	return nil
}

// promoted makes of an item of working memory what is kept for good.
func (s *state) promoted(r row, t *table, to string, parts []string) (row, error) {
	var value string
	isText := json.Unmarshal(r.json("value"), &value) == nil
	base := parts[len(parts)-1]
	// What it becomes is from when it was, under the same ID.
	created := r.time("created_at").Time()
	switch {
	case r.table != workingTable || t != episodeTable && t != entityTable:
		return row{}, refuse("Only an item of working memory becomes a record of another layer: an episode, or an entity")
	case !isText:
		value = string(appendIndented(nil, r.json("value")))
	}
	d := decoded{values: map[string]any{"id": r.id(), "tags": r.value("tags")}, lines: map[string]int{}}
	without := *s
	without.names = maps.Clone(s.names)
	delete(without.names, r.id())
	if t == entityTable {
		if !isText {
			return row{}, refuse("An entity needs a description, and this item has only data: create the entity, then delete the item")
		}
		d.values["type"], d.values["name"], d.values["description"] = parts[0], base, value
		return without.newRow(t, to, d, created, time.Time{})
	}
	d.values["details"], d.values["type"], d.values["summary"] = value, "interaction", base
	d.values["context"] = marshal(map[string]string{"sessionId": r.text("session_id")})
	if date, rest, ok := strings.Cut(base, " "); ok && date == created.UTC().Format(time.DateOnly) {
		if kind, rest, ok := strings.Cut(rest, " "); ok && slices.Contains(episodeKinds, kind) {
			d.values["type"], d.values["summary"] = kind, rest
			if at := len(rest) - idShown - 1; at > 0 && rest[at] == ' ' {
				d.values["summary"] = rest[:at]
			}
		}
	}
	return without.newRow(t, to, d, created, time.Time{})
}

// setTranscript writes the messages of a transcript.
func (s *state) setTranscript(c *changer, r row, data []byte) error {
	list, err := lines(data)
	if err != nil {
		return err
	}
	text := string(marshal(list))
	return c.exec("UPDATE episode_transcripts SET transcript = ?, message_count = ?, total_chars = ? WHERE id = ?",
		text, len(list), len(utf16.Encode([]rune(text))), r.id())
}

// isTranscript reports whether a file of that name is a transcript.
func isTranscript(name string) bool {
	return strings.HasSuffix(name, transcriptExtension) || path.Dir(name) == orphanFolder && strings.HasSuffix(name, orphanExtension)
}

// addTranscript makes the transcript of an episode, or one without: then its name is its ID, and no episode has that.
func (s *state) addTranscript(c *changer, name string, data []byte, now time.Time) error {
	id, of := newID(now, ""), ""
	if orphan, ok := strings.CutPrefix(name, orphanFolder+"/"); ok {
		id = strings.TrimSuffix(orphan, orphanExtension)
		if of = id; safe(id, nameMost) != id || s.names[id] != "" {
			return refuse("A transcript without an episode is named by its ID, which no other record has")
		}
	} else if episode := s.rows[strings.TrimSuffix(name, transcriptExtension)+extension]; episode != nil {
		of = episode.id()
	} else {
		return refuse("A transcript stands beside its episode, under the same name")
	}
	list, err := lines(data)
	if err != nil {
		return err
	}
	text := string(marshal(list))
	err = c.exec(`INSERT INTO episode_transcripts (id, episode_id, transcript, message_count, total_chars, created_at)
		VALUES (?, ?, ?, ?, ?, ?)`,
		id, of, text, len(list), len(utf16.Encode([]rune(text))), now.UnixMilli())
	if err != nil {
		return err
	}
	return c.restoreTranscript(of, text)
}
