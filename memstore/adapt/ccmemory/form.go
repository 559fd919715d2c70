package ccmemory

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/adapt"
	"memcurator/memstore/backend"
)

// lifetimes of working memory where nothing else is said, by kind.
var lifetimes = map[string]time.Duration{"task_state": 24 * time.Hour, "decision": 4 * time.Hour, "context": time.Hour,
	"scratch": 30 * time.Minute}

func refuse(format string, args ...any) error {
	return &backend.Refusal{Why: fmt.Sprintf(format, args...)}
}

func refuseLine(err error) error { return &backend.Refusal{Why: strings.TrimSuffix(err.Error(), ".")} }

// Form implements [adapt.Former]: the text of a record as it is once it was stored.
func (s *Source) Form(image *adapt.Image, name string, old, data []byte) ([]byte, error) {
	st, err := s.of(context.Background(), image) // nothing is read if the image is the last one
	if err != nil {
		return nil, err
	}
	if err := s.guarded(); err != nil {
		return nil, err
	}
	if r := st.rows[name]; r != nil && r.table == transcriptTable || isTranscript(name) {
		_, err := lines(data)
		if err != nil || bytes.HasSuffix(data, []byte("\n")) || len(data) == 0 {
			return data, err
		}
		return append(bytes.Clone(data), '\n'), nil
	}
	r, err := st.rowOf(name, old, data, s.now(), s.now())
	if err != nil {
		return nil, err
	}
	return st.text(name, r), nil
}

// lines are the messages of a transcript.
func lines(data []byte) ([]json.RawMessage, error) {
	list := []json.RawMessage{}
	for i, l := range bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")) {
		v, ok := compact(string(l))
		if !ok {
			if len(data) == 0 {
				break
			}
			return nil, refuseLine(wrong(i+1, "a transcript has a message of JSON on each line."))
		}
		list = append(list, v.(json.RawMessage))
	}
	return list, nil
}

// resolve finds the record in a file.
func (s *state) resolve(name string) (string, bool) {
	if r := s.rows[name]; r != nil && r.table != transcriptTable {
		return r.id(), true
	}
	return "", false
}

// rowOf is the record that a file has once data is written to it. The columns that the text doesn't show are those of the record that is
// there. Times up to past are refused as the end of an item.
func (s *state) rowOf(name string, old, data []byte, now, past time.Time) (row, error) {
	t, parts, ok := placeOf(name)
	if !ok {
		return row{}, refuse("cc-memory keeps records in working/KIND, episodic/MONTH, semantic/KIND, dikw/patterns, dikw/insights, " +
			"dikw/wisdom and shared/NAMESPACE, in files that end in .md")
	}
	d, err := decode(t, parts, data, s.resolve)
	if err != nil {
		return row{}, refuseLine(err)
	}
	was := s.rows[name]
	if was == nil || old == nil {
		return s.newRow(t, name, d, now, past)
	}
	before, err := decode(t, parts, old, s.resolve)
	if err != nil {
		return row{}, refuseLine(err)
	}
	r := was.copied()
	for _, c := range t.columns {
		if c.at == hidden {
			continue
		}
		v := d.values[c.name]
		if same(c.form, before.values[c.name], v) {
			continue
		}
		if c.fixed {
			return row{}, refuseLine(wrong(max(1, d.lines[c.name]), "%s can't be changed.", c.key))
		}
		if err := c.check(v, d.lines[c.name], past); err != nil {
			return row{}, err
		}
		if v == nil {
			v = c.missing
		}
		r.put(c.name, v)
	}
	if n := newName(&r); !sameName(n, name, r) {
		return row{}, refuse("The file is named by what it holds: rename it to %s first", path.Base(n))
	}
	return r, nil
}

// sameName reports whether a record may be in a file: names that two records would have get more of an ID.
func sameName(made, name string, r row) bool {
	if made == name {
		return true
	}
	stem := strings.TrimSuffix(made, extension)
	return strings.HasPrefix(name, stem+" ") && path.Dir(made) == path.Dir(name) && strings.Contains(name, tail(r.id()))
}

// check reports what the program wouldn't take.
func (c column) check(v any, line int, past time.Time) error {
	switch {
	case v == nil && c.needed:
		return refuseLine(wrong(1, "%s is missing.", c.key))
	case v == nil:
		return nil
	}
	switch v := v.(type) {
	case string:
		if len(c.choices) > 0 && !slices.Contains(c.choices, v) {
			return refuseLine(wrong(max(1, line), "%s is one of %s.", c.key, strings.Join(c.choices, ", ")))
		}
	case float64:
		if c.high > 0 && (v < c.low || v > c.high) {
			return refuseLine(wrong(line, "%s is a number from %s to %s.", c.key, numberText(c.low), numberText(c.high)))
		}
	case int64:
		if c.name == "expires_at" && v <= past.UnixMilli() {
			return refuseLine(wrong(line, "this time is past: cc-memory would delete the item at once."))
		}
	}
	if c.at == outcome {
		var o Outcome
		states := []string{"success", "failure", "partial"}
		if json.Unmarshal(v.(json.RawMessage), &o) != nil || !slices.Contains(states, o.Status) {
			return refuseLine(wrong(line, "outcome is one of %s.", strings.Join(states, ", ")))
		}
	}
	return nil
}

// newRow makes the record of a new file.
func (s *state) newRow(t *table, name string, d decoded, now, past time.Time) (row, error) {
	r := rowWith(t, d.values)
	at := now.UnixMilli()
	fill := func(column string, v any) {
		if r.value(column) == nil {
			r.put(column, v)
		}
	}
	if r.id() == "" {
		r.put("id", newID(now, name))
	} else if s.names[r.id()] != "" {
		return row{}, refuse("Another record has the ID %s: leave the line out", r.id())
	}
	switch t {
	case workingTable:
		life, ok := lifetimes[r.text("type")]
		if !ok {
			life = time.Hour
		}
		fill("expires_at", now.Add(life).UnixMilli())
		fill("session_id", s.session())
		fill("priority", "medium")
	case episodeTable:
		fill("type", "interaction")
		fill("timestamp", at)
		fill("importance", 5.0)
		fill("related_episodes", []string{})
		fill("related_entities", []string{})
		fill("context", marshal(map[string]string{"sessionId": s.session()}))
		fill("last_accessed", at)
		feeling := feelings[r.text("type")]
		fill("valence", feeling[0])
		fill("arousal", feeling[1])
	case entityTable:
		fill("observations", []string{})
		fill("confidence", 1.0)
		fill("source", "user")
	case sharedTable:
		fill("visibility", []string{"*"})
		fill("owner", "user")
	}
	fill("tags", []string{})
	fill("created_at", at)
	r.put("updated_at", at)
	for _, c := range t.columns {
		if c.missing != nil {
			fill(c.name, c.missing)
		}
		if err := c.check(r.value(c.name), d.lines[c.name], past); err != nil {
			return row{}, err
		}
	}
	if made := newName(&r); !sameName(made, name, r) {
		return row{}, refuse("A record of this kind is named by what it holds: create it as %s", backend.AgentPath(made))
	}
	return r, nil
}

// feelings are the valence and arousal that the program gives to episodes of a kind.
var feelings = map[string][2]float64{"error": {-0.7, 0.8}, "incident": {-0.5, 0.7}, "success": {0.8, 0.7}, "milestone": {0.9, 0.9},
	"interaction": {0, 0.5}}

// session is the one that wrote last: the program shows items of a session.
func (s *state) session() string {
	session, newest := "memcurator", Millis(0)
	for _, w := range s.memory.typed().Working {
		if w.Updated > newest {
			session, newest = w.Session, w.Updated
		}
	}
	return session
}
