package tables

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// lifetimes of working memory where nothing else is said, by kind.
var lifetimes = map[string]time.Duration{"task_state": 24 * time.Hour, "decision": 4 * time.Hour, "context": time.Hour,
	"scratch": 30 * time.Minute}

func refuse(format string, args ...any) error {
	return &backend.Refusal{Why: fmt.Sprintf(format, args...)}
}

// Edit implements [adapt.Editor]: the record that a file has afterwards, and what puts it into the database.
func (m *memory) Edit(e adapt.Edit) (edited adapt.Edited, err error) {
	var was, r *row // nil: there is none
	now := m.source.now()
	switch {
	case e.To != "":
		was, r, err = m.moved(e.Name, e.To)
	case e.New != nil:
		was, r, err = m.rowOf(e.Name, e.New, now, e.Exact)
	}
	if err == nil && e.New != nil && !e.Exact {
		err = r.touch(was, now)
	}
	if err == nil {
		err = m.source.guarded()
	}
	if err != nil {
		return edited, err
	}
	edited.Write = func(ctx context.Context) error {
		return m.write(ctx, func(db *sql.DB) error {
			if r == nil {
				return m.remove(ctx, db, e.Name)
			}
			return m.replaceRow(ctx, db, was, r)
		})
	}
	if r != nil {
		edited.Text = m.encode(r)
	}
	return edited, nil
}

// touch gives a record that was another the time of its change.
func (r *row) touch(was *row, now time.Time) error {
	if was == nil {
		was = &row{values: map[string]string{}}
	}
	changed := changes(was.values, r.values)
	if len(changed) > 0 && !slices.Contains(changed, "updated_at") && was.values["updated_at"] != "" {
		r.values["updated_at"] = millisText(now)
	}
	if slices.Contains(changed, "expires_at") && r.millis("expires_at") <= now.UnixMilli() {
		return refuse("The time of expires_at is past: cc-memory would delete the item at once")
	}
	return nil
}

func millisText(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) }

// rowOf is the record that a file has once data is written to it, and the one that it has, if any. exact is that of the edit.
func (m *memory) rowOf(name string, data []byte, now time.Time, exact bool) (was, r *row, err error) {
	t, segments, ok := placeOf(name)
	if !ok || len(m.columns[t]) == 0 {
		return nil, nil, refuse("cc-memory keeps records in %s, in files that end in .md", strings.Join(folders, ", "))
	}
	after, err := m.decode(t, segments, data)
	if err != nil {
		return nil, nil, err
	}
	if was = m.files[name]; was != nil {
		r = was.copied()
		before, err := m.decode(t, segments, m.encode(was))
		if err != nil {
			return nil, nil, err
		}
		for _, c := range changes(before, after) {
			if v, ok := after[c]; ok {
				r.values[c] = v
			} else {
				delete(r.values, c)
			}
		}
		if r.id() != was.id() {
			return nil, nil, refuse("The id of a record can't be changed")
		}
	} else {
		r = &row{table: t, values: after}
		m.fill(r, name, now, exact)
		if slices.ContainsFunc(m.of(t), func(other *row) bool { return other.id() == r.id() }) {
			return nil, nil, refuse("Another record has the ID %s: leave the line out", r.id())
		}
	}
	var messages []json.RawMessage
	if t == transcriptTable && json.Unmarshal([]byte(r.values[t.body]), &messages) == nil {
		r.values["message_count"] = strconv.Itoa(len(messages))
		r.values["total_chars"] = strconv.Itoa(len(utf16.Encode([]rune(r.values[t.body]))))
	}
	if err := r.check(); err != nil {
		return nil, nil, err
	}
	if made := r.name(); made != name && (was == nil || made != was.name()) {
		return nil, nil, refuse("The file is named by what it holds, so its name is to be %s", path.Base(made))
	}
	return was, r, nil
}

// check reports what the program wouldn't take.
func (r *row) check() error {
	if kind, ok := r.values["type"]; ok && len(r.table.kinds) > 0 && !slices.Contains(r.table.kinds, kind) {
		return refuse("The type of a record there is one of %s", strings.Join(r.table.kinds, ", "))
	}
	if p, ok := r.values["priority"]; ok && !slices.Contains(priorities, p) {
		return refuse("The priority is one of %s", strings.Join(priorities, ", "))
	}
	return nil
}

// fill gives a new record what its text leaves out; if that is to be kept as it is, only an ID and what no text has.
func (m *memory) fill(r *row, name string, now time.Time, exact bool) {
	values := map[string]string{}
	maps.Copy(values, m.defaults[r.table])
	values["id"], values["created_at"], values["updated_at"] = newID(now, name), millisText(now), millisText(now)
	values["timestamp"], values["last_accessed"], values["applied_at"] = millisText(now), millisText(now), millisText(now)
	values["tags"], values["visibility"], values["owner"] = "[]", `["*"]`, "user"
	switch r.table {
	case workingTable:
		life, ok := lifetimes[r.values["type"]]
		if !ok {
			life = time.Hour
		}
		values["expires_at"], values["session_id"] = millisText(now.Add(life)), "memcurator"
		if last := newest(m.of(workingTable), "updated_at", 1); len(last) > 0 { // the program shows the items of a session
			values["session_id"] = last[0].values["session_id"]
		}
	case episodeTable:
		values["type"], values["context"] = "interaction", `{"sessionId":"memcurator"}`
		values["related_episodes"], values["related_entities"] = "[]", "[]"
	case entityTable:
		values["observations"] = "[]"
	}
	for _, c := range m.columns[r.table] {
		_, said := r.values[c]
		if v, ok := values[c]; ok && !said && (!exact || c == "id" || slices.Contains(counted, c)) {
			r.values[c] = v
		}
	}
}

// moved is the record at a name, and the record that it is at another name.
func (m *memory) moved(name, to string) (was, r *row, err error) {
	was = m.files[name]
	_, before, _ := placeOf(name)
	t, segments, ok := placeOf(to)
	switch {
	case was == nil:
		return nil, nil, refuse("Folders of cc-memory can't be renamed: move the records in them")
	case was.fixed != "":
		return nil, nil, refuse("%s", was.fixed)
	case !ok:
		return nil, nil, refuse("cc-memory keeps no records there")
	}
	if r = was.copied(); t != was.table {
		if r, err = was.promoted(t); err != nil {
			return nil, nil, err
		}
	}
	for i, c := range t.path {
		if said := t.said(segments, i); c != "id" && c != month && (was.table != t || said != t.said(before, i)) {
			r.values[c] = said
		}
	}
	if was.table != t {
		m.fill(r, to, was.created(), false)
		maps.DeleteFunc(r.values, func(c, _ string) bool { return !slices.Contains(m.columns[t], c) })
	}
	if err := r.check(); err != nil {
		return nil, nil, err
	}
	if made := r.name(); made != to {
		return nil, nil, refuse("The name would be %s", backend.AgentPath(made))
	}
	return was, r, nil
}

// promoted makes of an item of working memory what is kept for good: from when it was, under the same ID.
func (r *row) promoted(t *table) (*row, error) {
	if r.table != workingTable || t != episodeTable && t != entityTable {
		return nil, refuse("Only an item of working memory becomes a record of another layer: an episode, or an entity")
	}
	var value string
	if json.Unmarshal([]byte(r.values["value"]), &value) != nil {
		value = bodyText(r)
	}
	out := &row{table: t, values: map[string]string{t.body: value}}
	for _, c := range []string{"id", "tags", "created_at", "updated_at"} {
		out.values[c] = r.values[c]
	}
	if t == episodeTable {
		out.values["timestamp"], out.values["last_accessed"] = r.values["created_at"], r.values["updated_at"]
		out.values["context"] = string(marshal(map[string]string{"sessionId": r.values["session_id"]}))
	}
	return out, nil
}
