package graph

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// line is one line of the file, without its end. One that isn't edited keeps its bytes.
type line struct {
	raw    []byte
	record *record // nil for a blank line, and for one that can't be read
	why    string  // no entity's file shows it, since it …; "" if one does, or if the line is blank
}

// record is an entity, or a relation between two.
type record struct {
	relation     bool
	name         string // of the entity, or of that which the relation is from
	to           string // the entity that the relation leads to
	kind         string // the type
	observations []string
	more         map[string]json.RawMessage // keys that the server doesn't know
}

// The keys of a line.
const (
	keyType, keyName, keyKind, keyObservations = "type", "name", "entityType", "observations"
	keyFrom, keyTo, keyRelation                = "from", "to", "relationType"
	entityType, relationType                   = "entity", "relation"
)

// parse splits a file into its lines; joinLines is its inverse.
func parse(data []byte) (lines []line) {
	for raw := range bytes.SplitSeq(data, []byte("\n")) {
		lines = append(lines, parseLine(slices.Clip(raw)))
	}
	return lines
}

func joinLines(lines []line) []byte {
	all := make([][]byte, len(lines))
	for i, l := range lines {
		all[i] = l.raw
	}
	return bytes.Join(all, []byte("\n"))
}

func parseLine(raw []byte) line {
	l := line{raw: raw}
	var keys map[string]json.RawMessage
	switch {
	case isBlank(raw):
	case !utf8.Valid(raw):
		l.why = "isn't UTF-8 text"
	case json.Unmarshal(raw, &keys) != nil || keys == nil:
		l.why = "isn't a JSON object"
	default:
		switch l.record = recordOf(keys); {
		case l.record == nil:
			l.why = "is neither an entity nor a relation"
		case max(len(stem(l.record.name)), len(stem(l.record.to)), len(stem(l.record.kind))) > maxStem:
			l.record, l.why = nil, "has a name that is too long for that of a file"
		}
	}
	return l
}

// saysSame reports whether two lines are of one text of a file.
func (l line) saysSame(other line) bool {
	if l.record == nil || other.record == nil {
		return bytes.Equal(l.raw, other.raw)
	}
	return bytes.Equal(l.record.line().raw, other.record.line().raw)
}

func isBlank(raw []byte) bool { return len(bytes.TrimSpace(raw)) == 0 }

// recordOf makes a record of the keys of a line; nil if they make none.
func recordOf(keys map[string]json.RawMessage) *record {
	take := func(key string, value any) bool {
		raw := keys[key]
		delete(keys, key)
		return len(raw) > 0 && string(raw) != "null" && json.Unmarshal(raw, value) == nil
	}
	var is string
	r := &record{more: keys}
	switch take(keyType, &is); {
	case is == entityType && take(keyName, &r.name) && take(keyKind, &r.kind) && take(keyObservations, &r.observations):
		return r
	case is == relationType && take(keyFrom, &r.name) && take(keyTo, &r.to) && take(keyRelation, &r.kind):
		r.relation = true
		return r
	}
	return nil
}

// line writes a record as the server does.
func (r *record) line() line {
	s := `{"type":"entity","name":` + encode(r.name) + `,"entityType":` + encode(r.kind) + `,"observations":` +
		encode(append([]string{}, r.observations...))
	if r.relation {
		s = `{"type":"relation","from":` + encode(r.name) + `,"to":` + encode(r.to) + `,"relationType":` + encode(r.kind)
	}
	if len(r.more) > 0 {
		s += "," + strings.TrimSuffix(encode(r.more)[1:], "}")
	}
	return line{raw: []byte(s + "}"), record: r}
}

// encode writes a value as JSON.
func encode(value any) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(value) // texts, and JSON that was read, can always be written
	return strings.TrimSuffix(b.String(), "\n")
}
