package graph

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"memcurator/memstore/backend"
)

// note is what the text of a file says: an entity with its relations to others.
type note struct {
	entity
	named     bool // the text has a heading; else the name is that of the file
	relations []relation
}

const (
	fence          = "---"
	relationsTitle = "## Relations"
)

// write is the text of a note.
func (n *note) write() []byte {
	b := n.entity.append(nil)
	for i := range n.relations {
		b = n.relations[i].append(b, i == 0)
	}
	return b
}

// append appends the text of an entity without its relations. The folder's name gives the type if it can.
func (e *entity) append(b []byte) []byte {
	_, implied := kindOf(folderOf(e.kind.is))
	if len(e.more) > 0 || !implied {
		b = append(b, fence+"\n"...)
		if !implied {
			b = append(b, keyType+": "+quoted(e.kind.is)+"\n"...)
		}
		for _, m := range e.more {
			b = append(b, shownKey(m.key.is)+": "+compact(m.value.json)+"\n"...)
		}
		b = append(b, fence+"\n"...)
	}
	b = append(append(append(b, "# "...), plainOr(e.name.is)...), '\n')
	for i, o := range e.observations {
		if i == 0 {
			b = append(b, '\n')
		}
		if o.is == "" {
			b = append(b, "-\n"...)
			continue
		}
		b = append(append(append(b, "- "...), strings.ReplaceAll(o.is, "\n", "\n  ")...), '\n')
	}
	return b
}

// append appends a relation to the text of a note; the first one follows a title.
func (r *relation) append(b []byte, first bool) []byte {
	if first {
		b = append(b, "\n"+relationsTitle+"\n\n"...)
	}
	kind := r.kind.is
	if strings.Contains(kind, "[[") {
		kind = quoted(kind)
	} else {
		kind = plainOr(kind)
	}
	of := stem(r.to.is)
	b = append(append(append(b, "- "...), kind...), " [["...)
	b = append(append(b, of...), "]]"...)
	more := r.more
	readable := of == r.to.is
	if !readable {
		_, readable = unstem(of)
	}
	if !readable {
		more = append([]member{{text{is: keyTo}, text{json: quoted(r.to.is)}}}, more...)
	}
	for i, m := range more {
		b = append(b, []string{" {", ","}[min(i, 1)]+quoted(m.key.is)+":"+compact(m.value.json)...)
	}
	if len(more) > 0 {
		b = append(b, '}')
	}
	return append(b, '\n')
}

// plainOr is a text for one line: as it is, or as JSON.
func plainOr(s string) string {
	if s == "" || s[0] == '"' || strings.TrimSpace(s) != s || strings.ContainsFunc(s, unicode.IsControl) {
		return quoted(s)
	}
	return s
}

func readPlain(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, true
	}
	if !json.Valid([]byte(s)) {
		return "", false
	}
	t, ok := stringOf(s)
	return t.is, ok
}

var simpleKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

func shownKey(key string) string {
	if key != keyType && simpleKey.MatchString(key) {
		return key
	}
	return quoted(key)
}

func compact(value string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(value)) != nil {
		return value
	}
	return b.String()
}

// mistake is a line of a text that has not the form of an entity.
func mistake(line int, format string, values ...any) error {
	return &backend.Refusal{Why: fmt.Sprintf("Line %d: ", line) + fmt.Sprintf(format, values...)}
}

// reader reads the text of a note line by line.
type reader struct {
	lines []string
	at    int // how many were read
	note  note
}

// read reads the text of a note. It takes more than write makes: other bullets, other blank lines, no heading.
func read(data []byte) (*note, error) {
	body := strings.TrimSuffix(string(data), "\n")
	r := &reader{lines: strings.Split(body, "\n")}
	for _, part := range []func() error{r.matter, r.heading, r.observations, r.relations} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	return &r.note, nil
}

func (r *reader) next() (line string, ok bool) {
	if r.at == len(r.lines) {
		return "", false
	}
	r.at++
	return r.lines[r.at-1], true
}

// blank reads over blank lines.
func (r *reader) blank() {
	for r.at < len(r.lines) && strings.TrimSpace(r.lines[r.at]) == "" {
		r.at++
	}
}

func (r *reader) matter() error {
	if r.lines[0] != fence {
		return nil
	}
	for r.next(); ; {
		line, ok := r.next()
		if !ok {
			return mistake(r.at, "nothing ends the keys that begin with ---")
		}
		if line == fence {
			return nil
		}
		end := strings.IndexByte(line, ':')
		if strings.HasPrefix(line, `"`) {
			end = valueEnd(line+`"`, 0)
		}
		if end < 0 || end >= len(line) || line[end] != ':' {
			return mistake(r.at, "a key is followed by a colon and a JSON value")
		}
		key, ok := readPlain(line[:end])
		value := strings.TrimSpace(line[end+1:])
		switch {
		case !ok, !json.Valid([]byte(value)):
			return mistake(r.at, "a key is followed by a colon and a JSON value")
		case line[:end] == keyType:
			if r.note.kind, ok = stringOf(value); !ok {
				return mistake(r.at, "the type is a JSON string")
			}
		case slices.Contains([]string{keyType, keyName, keyKind, keyObservations, keyFrom, keyTo, keyRelation}, key):
			return mistake(r.at, "the key %s has another place in the text", key)
		default:
			r.note.more = append(r.note.more, member{text{is: key}, text{json: value}})
		}
	}
}

func (r *reader) heading() error {
	r.blank()
	if r.at == len(r.lines) || !strings.HasPrefix(r.lines[r.at], "# ") {
		return nil
	}
	line, _ := r.next()
	name, ok := readPlain(strings.TrimSuffix(line[2:], "\r"))
	if !ok {
		return mistake(r.at, "a heading that begins with a quote is a JSON string")
	}
	r.note.name, r.note.named = text{is: name}, true
	return nil
}

// bullet returns what follows the bullet of a list item.
func bullet(line string) (string, bool) {
	if line == "-" {
		return "", true
	}
	if len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' ' {
		return line[2:], true
	}
	return "", false
}

const indent = "  "

func (r *reader) observations() error {
	var current []string // the lines of an observation
	end := func() {
		if current != nil {
			r.note.observations = append(r.note.observations, text{is: strings.Join(current, "\n")})
		}
	}
	empty := 0
	for r.at < len(r.lines) && strings.TrimRight(r.lines[r.at], " \r") != relationsTitle {
		line, _ := r.next()
		item, is := bullet(line)
		switch {
		case is:
			end()
			current, empty = []string{item}, 0
		case strings.HasPrefix(line, indent) && current != nil:
			for ; empty > 0; empty-- {
				current = append(current, "")
			}
			current = append(current, line[len(indent):])
		case strings.TrimSpace(line) == "":
			empty++
		default:
			return mistake(r.at, `an observation is a list item that begins with "- "; its further lines are indented by two spaces`)
		}
	}
	end()
	return nil
}

func (r *reader) relations() error {
	for r.next(); r.at < len(r.lines); {
		line, _ := r.next()
		if line = strings.TrimRight(line, " \t\r"); line == "" {
			continue
		}
		item, ok := bullet(line)
		if !ok {
			return mistake(r.at, "%s", relationForm)
		}
		one, err := r.relation(item)
		if err != nil {
			return err
		}
		r.note.relations = append(r.note.relations, one)
	}
	return nil
}

const relationForm = `a relation is a list item such as "- works_at [[Acme]]"`

func (r *reader) relation(item string) (one relation, err error) {
	kind, rest := "", ""
	if strings.HasPrefix(item, `"`) {
		end := valueEnd(item+`"`, 0)
		if end > len(item) {
			return one, mistake(r.at, "%s", relationForm)
		}
		kind, rest = item[:end], item[end:]
	} else {
		var ok bool
		if kind, rest, ok = strings.Cut(item, " [["); !ok {
			return one, mistake(r.at, "%s", relationForm)
		}
		rest = " [[" + rest
	}
	plain, ok := readPlain(kind)
	target, more, closed := strings.Cut(strings.TrimPrefix(rest, " [["), "]]")
	if !ok || !closed || !strings.HasPrefix(rest, " [[") {
		return one, mistake(r.at, "%s", relationForm)
	}
	one.kind = text{is: plain}
	if more = strings.TrimSpace(more); more != "" {
		if !json.Valid([]byte(more)) {
			return one, mistake(r.at, "only a JSON object may follow the link of a relation")
		}
		if one.more, ok = membersOf(more); !ok {
			return one, mistake(r.at, "only a JSON object may follow the link of a relation")
		}
	}
	if len(one.more) > 0 && one.more[0].key.is == keyTo {
		if one.to, ok = stringOf(one.more[0].value.json); !ok {
			return one, mistake(r.at, "the key %s is a JSON string", keyTo)
		}
		one.more, one.to.json = one.more[1:], ""
		return one, nil
	}
	for _, m := range one.more {
		if slices.Contains([]string{keyType, keyFrom, keyTo, keyRelation, keyName, keyKind, keyObservations}, m.key.is) {
			return one, mistake(r.at, "the key %s has another place in the text", m.key.is)
		}
	}
	one.to, err = r.target(target)
	return one, err
}

// target is the name that a link leads to: [[Acme]], [[organization/Acme.md]] or [[Acme|anything]].
func (r *reader) target(link string) (text, error) {
	link, _, _ = strings.Cut(link, "|")
	link = strings.TrimSuffix(strings.TrimSpace(link), ending)
	link = link[strings.LastIndexByte(link, '/')+1:]
	name, ok := unstem(untwinned(link))
	if !ok {
		return text{}, mistake(r.at, `the link %s can't be a name here: write what isn't allowed in it as %s`, link, stem(link))
	}
	return text{is: name}, nil
}
