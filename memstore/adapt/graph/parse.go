package graph

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// file is a memory as its lines. It doesn't change once it is read.
type file struct {
	mark  bool // it begins with a byte order mark
	crlf  bool // lines end with a carriage return, too
	lines []*line
	ended bool // the last line ends with a newline
}

// line is one line of the file. One that was not changed is written as it was read.
type line struct {
	raw      []byte // without its end
	entity   *entity
	relation *relation
	damage   string // why it is neither, as the end of a sentence; "" for a blank line
}

// entity is a line of the type entity.
type entity struct {
	name, kind   text
	observations []text
	more         []member
}

// relation is a line of the type relation.
type relation struct {
	from, to, kind text
	more           []member
}

// text is a string with the JSON that it was read from; json is "" for a new one. Only the JSON keeps what no text can have, such as half of
// a character.
type text struct{ is, json string }

// member is a key of an object that this package doesn't know, with its value.
type member struct{ key, value text }

const byteOrderMark = "\uFEFF"

// parse reads a memory. Every input is one: a line that is neither an entity nor a relation is damage.
func parse(data []byte) *file {
	f := &file{}
	if bytes.HasPrefix(data, []byte(byteOrderMark)) {
		f.mark, data = true, data[len(byteOrderMark):]
	}
	if f.ended = bytes.HasSuffix(data, []byte("\n")); f.ended {
		data = data[:len(data)-1]
	} else if len(data) == 0 {
		return f
	}
	f.lines = make([]*line, 0, bytes.Count(data, []byte("\n"))+1)
	first := true
	for raw := range bytes.SplitSeq(data, []byte("\n")) {
		if first {
			f.crlf, first = bytes.HasSuffix(raw, []byte("\r")), false
		}
		f.lines = append(f.lines, parseLine(raw))
	}
	return f
}

// bytes is the inverse of parse.
func (f *file) bytes() []byte {
	var b bytes.Buffer
	if f.mark {
		b.WriteString(byteOrderMark)
	}
	for i, l := range f.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.Write(l.raw)
	}
	if f.ended && (len(f.lines) > 0 || b.Len() > 0) {
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// with returns the file with other lines.
func (f *file) with(lines []*line) *file {
	is := *f
	is.lines = lines
	return &is
}

// newLine makes a line as the file has its others.
func (f *file) newLine(object []byte) *line {
	if f.crlf {
		object = append(object, '\r')
	}
	return parseLine(object)
}

// The known keys, and what "type" says.
const (
	keyType, keyName, keyKind, keyObservations = "type", "name", "entityType", "observations"
	keyFrom, keyTo, keyRelation                = "from", "to", "relationType"
	entityType, relationType                   = `entity`, `relation`
)

func parseLine(raw []byte) *line {
	l := &line{raw: raw}
	object := bytes.TrimRight(raw, " \t\r")
	switch {
	case len(bytes.TrimLeft(object, " \t\r")) == 0:
		return l
	case !utf8.Valid(raw):
		l.damage = "isn't UTF-8 text"
		return l
	case !json.Valid(raw):
		l.damage = "isn't JSON"
		return l
	}
	members, ok := membersOf(string(object))
	if !ok {
		l.damage = "isn't a JSON object"
		return l
	}
	known := map[string]text{}
	var more []member
	for _, m := range members {
		switch m.key.is {
		case keyType, keyName, keyKind, keyObservations, keyFrom, keyTo, keyRelation:
			if _, twice := known[m.key.is]; twice {
				l.damage = "has the key " + m.key.is + " twice"
				return l
			}
			known[m.key.is] = m.value
		default:
			more = append(more, m)
		}
	}
	kind, _ := stringOf(known[keyType].json)
	switch kind.is {
	case entityType:
		l.entity = readEntity(known, more)
	case relationType:
		l.relation = readRelation(known, more)
	}
	if l.entity == nil && l.relation == nil {
		l.damage = "is neither an entity nor a relation"
	}
	return l
}

func readEntity(known map[string]text, more []member) *entity {
	e := &entity{more: more}
	var ok [3]bool
	e.name, ok[0] = stringOf(known[keyName].json)
	e.kind, ok[1] = stringOf(known[keyKind].json)
	e.observations, ok[2] = stringsOf(known[keyObservations].json)
	if slices.Contains(ok[:], false) || len(known) != 4 {
		return nil
	}
	return e
}

func readRelation(known map[string]text, more []member) *relation {
	r := &relation{more: more}
	var ok [3]bool
	r.from, ok[0] = stringOf(known[keyFrom].json)
	r.to, ok[1] = stringOf(known[keyTo].json)
	r.kind, ok[2] = stringOf(known[keyRelation].json)
	if slices.Contains(ok[:], false) || len(known) != 4 {
		return nil
	}
	return r
}

// membersOf takes an object apart that is valid JSON, in order.
func membersOf(s string) (list []member, ok bool) {
	at := skipSpace(s, 0)
	if at == len(s) || s[at] != '{' {
		return nil, false
	}
	for at = skipSpace(s, at+1); s[at] != '}'; {
		end := valueEnd(s, at)
		m := member{}
		m.key, _ = stringOf(s[at:end])
		at = skipSpace(s, skipSpace(s, end)+1) // the colon
		end = valueEnd(s, at)
		m.value = text{json: s[at:end]}
		list = append(list, m)
		if at = skipSpace(s, end); s[at] == ',' {
			at = skipSpace(s, at+1)
		}
	}
	return list, true
}

func skipSpace(s string, at int) int {
	for at < len(s) && strings.IndexByte(" \t\r\n", s[at]) >= 0 {
		at++
	}
	return at
}

// valueEnd is where the value ends that begins at an offset of valid JSON.
func valueEnd(s string, at int) int {
	depth := 0
	for ; at < len(s); at++ {
		switch s[at] {
		case '"':
			for at++; s[at] != '"'; at++ {
				if s[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return at + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return at // of what the value is in
			}
			if depth--; depth == 0 {
				return at + 1
			}
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return at
			}
		}
	}
	return at
}

// stringOf reads a string that is valid JSON; ok is false for any other value.
func stringOf(value string) (t text, ok bool) {
	if len(value) < 2 || value[0] != '"' {
		return t, false
	}
	if strings.IndexByte(value, '\\') < 0 {
		return text{value[1 : len(value)-1], value}, true
	}
	t.json = value
	return t, json.Unmarshal([]byte(value), &t.is) == nil
}

func stringsOf(value string) (list []text, ok bool) {
	if value == "" || value[0] != '[' {
		return nil, false
	}
	for at := skipSpace(value, 1); value[at] != ']'; {
		end := valueEnd(value, at)
		t, ok := stringOf(value[at:end])
		if !ok {
			return nil, false
		}
		list = append(list, t)
		if at = skipSpace(value, end); value[at] == ',' {
			at = skipSpace(value, at+1)
		}
	}
	return list, true
}

// quoted is a string as JSON, as the program writes it.
func quoted(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(s) != nil {
		return `""` // a string is always possible
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (t text) quoted() string {
	if t.json != "" {
		return t.json
	}
	return quoted(t.is)
}

// object is the line of an entity.
func (e *entity) object() []byte {
	var b strings.Builder
	b.WriteString(`{"type":"entity","name":` + e.name.quoted() + `,"entityType":` + e.kind.quoted() + `,"observations":[`)
	for i, o := range e.observations {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(o.quoted())
	}
	b.WriteByte(']')
	writeMore(&b, e.more)
	return []byte(b.String())
}

// object is the line of a relation.
func (r *relation) object() []byte {
	var b strings.Builder
	b.WriteString(`{"type":"relation","from":` + r.from.quoted() + `,"to":` + r.to.quoted() + `,"relationType":` + r.kind.quoted())
	writeMore(&b, r.more)
	return []byte(b.String())
}

func writeMore(b *strings.Builder, more []member) {
	for _, m := range more {
		b.WriteString("," + m.key.quoted() + ":" + m.value.json)
	}
	b.WriteByte('}')
}
