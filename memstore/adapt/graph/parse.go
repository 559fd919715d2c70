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

// text is a string with the JSON that it was read from; json is "" for a new one. Only the JSON keeps what no text can have, such as half
// of a character.
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
	lines := make([]line, bytes.Count(data, []byte("\n"))+1)
	f.lines = make([]*line, len(lines))
	all, at := string(data), 0
	for i := range lines {
		end := len(data)
		if n := strings.IndexByte(all[at:], '\n'); n >= 0 {
			end = at + n
		}
		lines[i].raw, f.lines[i] = data[at:end:end], &lines[i]
		lines[i].parse(all[at:end])
		at = end + 1
	}
	f.crlf = bytes.HasSuffix(lines[0].raw, []byte("\r"))
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
	l.parse(string(raw))
	return l
}

// parse finds out what a line is, whose raw bytes is has.
func (l *line) parse(is string) {
	object := strings.TrimRight(is, " \t\r")
	switch {
	case strings.TrimLeft(object, " \t\r") == "":
	case !utf8.ValidString(is):
		l.damage = "isn't UTF-8 text"
	case !l.parseUsual(object):
		l.parseAny(object)
	}
}

// parseAny reads a line of any form.
func (l *line) parseAny(object string) {
	if !json.Valid(l.raw) {
		l.damage = "isn't JSON"
		return
	}
	var room [8]member
	members, ok := appendMembers(room[:0], object)
	if !ok {
		l.damage = "isn't a JSON object"
		return
	}
	var k known
	var more []member
	for _, m := range members {
		value := k.of(m.key.is)
		switch {
		case value == nil:
			more = append(more, m)
		case *value != "":
			l.damage = "has the key " + m.key.is + " twice"
			return
		default:
			*value = m.value.json
			k.n++
		}
	}
	kind, _ := stringOf(k.kind)
	switch kind.is {
	case entityType:
		l.entity = k.entity(more)
	case relationType:
		l.relation = k.relation(more)
	}
	if l.entity == nil && l.relation == nil {
		l.damage = "is neither an entity nor a relation"
	}
}

// parseUsual reads a line whose keys are in the order in which the program writes them, with nothing escaped: most lines are such, and
// this takes a fifth of the time. ok is false for any other, and then it has done nothing.
func (l *line) parseUsual(is string) (ok bool) {
	u := usual{rest: is}
	switch {
	case u.cut(`{"type":"entity","name":`):
		e := &entity{}
		if u.text(&e.name) && u.cut(`,"entityType":`) && u.text(&e.kind) && u.cut(`,"observations":`) && u.texts(&e.observations) &&
			u.rest == "}" {
			l.entity = e
		}
	case u.cut(`{"type":"relation","from":`):
		r := &relation{}
		if u.text(&r.from) && u.cut(`,"to":`) && u.text(&r.to) && u.cut(`,"relationType":`) && u.text(&r.kind) && u.rest == "}" {
			l.relation = r
		}
	}
	return l.entity != nil || l.relation != nil
}

// usual is what is left of a line for parseUsual.
type usual struct{ rest string }

func (u *usual) cut(prefix string) (ok bool) {
	u.rest, ok = strings.CutPrefix(u.rest, prefix)
	return ok
}

// text reads a string without escapes.
func (u *usual) text(t *text) bool {
	if u.rest == "" || u.rest[0] != '"' {
		return false
	}
	for i := 1; i < len(u.rest); i++ {
		switch c := u.rest[i]; {
		case c == '"':
			*t = text{u.rest[1:i], u.rest[:i+1]}
			u.rest = u.rest[i+1:]
			return true
		case c == '\\' || c < ' ':
			return false
		}
	}
	return false
}

// texts reads a list of such strings.
func (u *usual) texts(list *[]text) bool {
	if u.cut("[]") {
		return true
	}
	for ok := u.cut("["); ok; ok = u.cut(",") {
		var one text
		if !u.text(&one) {
			return false
		}
		if *list = append(*list, one); u.cut("]") {
			return true
		}
	}
	return false
}

// known are the values of the known keys, as JSON; "" for those that aren't there.
type known struct {
	kind, name, entityKind, observations, from, to, relationKind string
	n                                                            int // how many are there
}

// of returns where the value of a key goes; nil for an unknown one.
func (k *known) of(key string) *string {
	switch key {
	case keyType:
		return &k.kind
	case keyName:
		return &k.name
	case keyKind:
		return &k.entityKind
	case keyObservations:
		return &k.observations
	case keyFrom:
		return &k.from
	case keyTo:
		return &k.to
	case keyRelation:
		return &k.relationKind
	}
	return nil
}

// entity is the entity that the keys make, and no others; nil if they make none.
func (k *known) entity(more []member) *entity {
	e := &entity{more: more}
	var ok [3]bool
	e.name, ok[0] = stringOf(k.name)
	e.kind, ok[1] = stringOf(k.entityKind)
	e.observations, ok[2] = stringsOf(k.observations)
	if slices.Contains(ok[:], false) || k.n != 4 {
		return nil
	}
	return e
}

// relation is the same for a relation.
func (k *known) relation(more []member) *relation {
	r := &relation{more: more}
	var ok [3]bool
	r.from, ok[0] = stringOf(k.from)
	r.to, ok[1] = stringOf(k.to)
	r.kind, ok[2] = stringOf(k.relationKind)
	if slices.Contains(ok[:], false) || k.n != 4 {
		return nil
	}
	return r
}

// membersOf takes an object apart that is valid JSON, in order.
func membersOf(s string) (list []member, ok bool) { return appendMembers(nil, s) }

// appendMembers is membersOf into a list.
func appendMembers(list []member, s string) ([]member, bool) {
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

// valueEnd is where the value ends that begins at an offset of valid JSON; of any other text, where that ends at the latest.
func valueEnd(s string, at int) int {
	depth := 0
	for ; at < len(s); at++ {
		switch s[at] {
		case '"':
			for at++; at < len(s) && s[at] != '"'; at++ {
				if s[at] == '\\' {
					at++
				}
			}
			if depth == 0 {
				return min(at+1, len(s))
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
	return len(s)
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
