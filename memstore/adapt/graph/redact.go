package graph

import (
	"bytes"
	"path"
	"slices"
	"strconv"

	"memcurator/memstore/backend"
)

// redacted is [backend.Redactor] for a graph.
func (g *graph) redacted(name string, clean func([]byte) []byte) (backend.Redaction, error) {
	at, ok := g.names[name]
	if !ok {
		return backend.Redaction{}, backend.ErrNotExist
	}
	if l := g.lines[at]; l.damage != "" {
		raw := clean(l.raw)
		if bytes.Equal(raw, l.raw) {
			return backend.Redaction{Name: name, Text: l.raw}, nil
		}
		return backend.Redaction{Name: g.free(damagedFolder+"/"+damageStem(raw), ".txt"), Text: raw, Remade: true}, nil
	}
	n := g.note(name)
	was := n.name.is
	n.observations = cleanTexts(n.observations, clean)
	n.more = cleanMembers(n.more, clean)
	for i := range n.relations {
		r := &n.relations[i]
		r.kind, r.more = cleanText(r.kind, clean), cleanMembers(r.more, clean)
		to := g.subject(r.to.is)
		next := g.cleanName(to, clean)
		if g.renames(to) || next == to.name || to.first >= 0 && g.subject(next).first < 0 {
			continue // it changes with the file of that name, or once there is one of the new name
		}
		r.to = text{is: next}
	}
	is := backend.Redaction{Name: name}
	next, kind := g.cleanName(g.ends[at].from, clean), n.kind.is
	if !g.orphan(at) {
		kind = orRedacted(clean([]byte(kind)), kind)
	}
	switch folder := path.Dir(name); {
	case g.orphan(at):
		if next != was {
			is.Name = missingFolder + "/" + stem(next) + ending
		}
	case next != was:
		is.Name = folderOf(kind) + "/" + stem(next) + ending
	case folderOf(kind) != folder:
		is.Name = folderOf(kind) + "/" + path.Base(name)
	}
	if next != was && !(g.renames(g.ends[at].from) && readable(next)) {
		is.Remade, n.name, n.kind = true, text{is: next}, text{is: kind}
	}
	is.Text = n.write()
	return is, nil
}

// renames reports whether a name changes by renaming a file, together with the relations to it.
func (g *graph) renames(s *subject) bool {
	return (s.first >= 0 || len(s.from) > 0) && readable(s.name)
}

// cleanName is a name without what clean removes, and not that of anything else. That of a long one may be there: it has been made.
func (g *graph) cleanName(s *subject, clean func([]byte) []byte) string {
	base := orRedacted(clean([]byte(s.name)), s.name)
	if base == s.name {
		return base
	}
	next := base
	for n := 2; g.renames(s) && g.about[next] != nil; n++ {
		next = base + " " + strconv.Itoa(n)
	}
	return next
}

// orRedacted is a cleaned name or type, which can't be empty unless it was.
func orRedacted(clean []byte, was string) string {
	if len(clean) == 0 && was != "" {
		return "redacted"
	}
	return string(clean)
}

func cleanText(t text, clean func([]byte) []byte) text {
	if now := string(clean([]byte(t.is))); now != t.is {
		return text{is: now}
	}
	return t
}

func cleanTexts(list []text, clean func([]byte) []byte) []text {
	list = slices.Clone(list)
	for i, t := range list {
		list[i] = cleanText(t, clean)
	}
	return list
}

// cleanMembers cleans keys, and the strings in their values.
func cleanMembers(list []member, clean func([]byte) []byte) []member {
	list = slices.Clone(list)
	for i, m := range list {
		list[i] = member{cleanText(m.key, clean), text{json: cleanValue(m.value.json, clean)}}
	}
	return list
}

// cleanValue cleans the strings of a JSON value, and a number that is found as a whole. The rest keeps its bytes.
func cleanValue(value string, clean func([]byte) []byte) string {
	var b []byte
	for at := 0; at < len(value); {
		switch c := value[at]; c {
		case '"':
			end := valueEnd(value, at)
			t, ok := stringOf(value[at:end])
			if !ok {
				return value
			}
			b = append(b, cleanText(t, clean).quoted()...)
			at = end
		case '{', '}', '[', ']', ',', ':', ' ', '\t', '\r', '\n':
			b = append(b, c)
			at++
		default:
			end := valueEnd(value, at)
			if end == at {
				return value
			}
			if one := value[at:end]; string(clean([]byte(one))) != one {
				b = append(b, quoted(string(clean([]byte(one))))...)
			} else {
				b = append(b, one...)
			}
			at = end
		}
	}
	return string(b)
}

// cleaned is the memory with every text of every line cleaned. Names that differ still do afterwards.
func (g *graph) cleaned(clean func([]byte) []byte) *file {
	names, taken := map[string]string{}, map[string]bool{}
	for name := range g.about {
		if string(clean([]byte(name))) == name {
			names[name], taken[name] = name, true
		}
	}
	rename := func(t text) text {
		if names[t.is] == t.is && taken[t.is] {
			return t
		}
		if next, ok := names[t.is]; ok {
			return text{is: next}
		}
		base := orRedacted(clean([]byte(t.is)), t.is)
		next := base
		for n := 2; taken[next]; n++ {
			next = base + " " + strconv.Itoa(n)
		}
		names[t.is], taken[next] = next, true
		return text{is: next}
	}
	var lines []*line
	for _, l := range g.lines {
		switch {
		case l.damage != "":
			raw := clean(l.raw)
			if len(raw) == 0 {
				continue
			}
			if !bytes.Equal(raw, l.raw) {
				l = parseLine(bytes.ReplaceAll(raw, []byte("\n"), []byte(" ")))
			}
		case l.entity != nil:
			e := entity{name: rename(l.entity.name), kind: l.entity.kind, observations: cleanTexts(l.entity.observations, clean),
				more: cleanMembers(l.entity.more, clean)}
			if kind := orRedacted(clean([]byte(e.kind.is)), e.kind.is); kind != e.kind.is {
				e.kind = text{is: kind}
			}
			if object := e.object(); !bytes.Equal(object, l.entity.object()) {
				l = g.newLine(object)
			}
		case l.relation != nil:
			r := relation{from: rename(l.relation.from), to: rename(l.relation.to), kind: cleanText(l.relation.kind, clean),
				more: cleanMembers(l.relation.more, clean)}
			if object := r.object(); !bytes.Equal(object, l.relation.object()) {
				l = g.newLine(object)
			}
		}
		lines = append(lines, l)
	}
	return g.file.with(lines)
}
