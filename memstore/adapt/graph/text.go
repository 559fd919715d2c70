package graph

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// note is what the file of an entity says.
type note struct {
	entity    record
	relations []record
}

const (
	relationsTitle = "## Relations"
	indent         = "  "
)

// text writes a note: keys that the server doesn't know, observations as a list, relations in the order of their texts.
func (n *note) text() []byte {
	var parts []string
	if len(n.entity.more) > 0 {
		parts = append(parts, encode(n.entity.more)+"\n")
	}
	var list []string
	for _, o := range n.entity.observations {
		if o == "" {
			list = append(list, "-\n")
		} else {
			list = append(list, "- "+strings.ReplaceAll(o, "\n", "\n"+indent)+"\n")
		}
	}
	if len(list) > 0 {
		parts = append(parts, strings.Join(list, ""))
	}
	list = nil
	for _, r := range n.relations {
		list = append(list, "- "+r.item()+"\n")
	}
	if len(list) > 0 {
		slices.Sort(list)
		parts = append(parts, relationsTitle+"\n", strings.Join(list, ""))
	}
	if len(parts) == 0 {
		return []byte("{}\n") // what others lead to is not to look like an empty note, which lints propose to delete
	}
	return []byte(strings.Join(parts, "\n"))
}

// item is a relation without its bullet.
func (r *record) item() string {
	s := stem(r.kind) + " [[" + stem(r.to) + "]]"
	if len(r.more) > 0 {
		s += " " + encode(r.more)
	}
	return s
}

func refused(format string, values ...any) error {
	return &backend.Refusal{Why: fmt.Sprintf(format, values...)}
}

// readNote reads the text of the file of an entity. It takes more than text writes: other bullets, other blank lines.
func readNote(file string, data []byte) (*note, error) {
	folder, of, ok := split(file)
	if !ok {
		return nil, refused("An entity is a file TYPE/NAME.md")
	}
	if !utf8.Valid(data) {
		return nil, refused("The text isn't UTF-8")
	}
	n, e, blank, relations := &note{}, &record{}, 0, false
	for i, l := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		var err error
		plain := strings.TrimRight(l, " \t\r")
		item, is := bullet(l)
		switch last := len(e.observations) - 1; {
		case !relations && last >= 0 && strings.HasPrefix(l, indent):
			e.observations[last] += strings.Repeat("\n", blank+1) + l[len(indent):]
			blank = 0
		case plain == "":
			blank++
		case plain == relationsTitle:
			relations = true
		case relations:
			var r record
			r, err = relation(plain)
			n.relations = append(n.relations, r)
		case is:
			e.observations, blank = append(e.observations, item), 0
		case last < 0 && e.more == nil && strings.HasPrefix(l, "{"):
			err = e.besides(l)
		default:
			err = refused(`an observation is a list item that begins with "- ", and its further lines are indented by two spaces`)
		}
		if err != nil {
			return nil, refused("Line %d: %s", i+1, err)
		}
	}
	var err error
	if e.name, err = named(of); err == nil {
		e.kind, err = named(folder)
	}
	n.entity = *e
	return n, err
}

// bullet returns what follows the bullet of a list item.
func bullet(l string) (item string, ok bool) {
	if l == "-" {
		return "", true
	}
	ok = len(l) > 1 && strings.IndexByte("-*+", l[0]) >= 0 && l[1] == ' '
	return l[min(2, len(l)):], ok
}

// relation reads a relation from the entity whose text has the line.
func relation(l string) (record, error) {
	r := record{relation: true}
	item, is := bullet(l)
	item, more, has := strings.Cut(item, " {")
	kind, to, linked := strings.Cut(item, " [[")
	to, closed := strings.CutSuffix(to, "]]")
	if !is || !linked || !closed {
		return r, refused(`a relation is a list item such as "- works_at [[Acme]]"`)
	}
	var err error
	if has {
		err = r.besides("{" + more)
	}
	if err == nil {
		r.to, err = named(to)
	}
	if err == nil {
		r.kind, err = named(kind)
	}
	return r, err
}

// besides reads the JSON in the text of a record: keys that the server doesn't know.
func (r *record) besides(text string) error {
	if json.Unmarshal([]byte(text), &r.more) != nil {
		return refused("what begins with { is a JSON object")
	}
	own := []string{keyType, keyName, keyKind, keyObservations}
	if r.relation {
		own = []string{keyType, keyFrom, keyTo, keyRelation}
	}
	for _, key := range own {
		if _, ok := r.more[key]; ok {
			return refused("the key %s has another place in the text", key)
		}
	}
	return nil
}
