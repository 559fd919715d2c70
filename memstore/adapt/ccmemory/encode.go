package ccmemory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

const (
	ruler      = "---"
	heading    = "# "
	subheading = "## "
	fence      = "```"
	jsonFence  = fence + "json"
)

// The headings of what is inside a JSON column.
const (
	learnings  = "Learnings"
	resolution = "Resolution"
)

// steps are the lists of a procedure, in the order of the program, by their headings.
var steps = []struct{ key, heading string }{
	{"preconditions", "Preconditions"}, {"steps", "Steps"}, {"postconditions", "Postconditions"},
}

// headings are those that begin a section in the texts of a table.
func (t *table) headings() (list []string) {
	for _, c := range t.columns {
		switch c.at {
		case section:
			list = append(list, c.key)
		case lists:
			list = append(list, c.key)
			for _, s := range steps {
				list = append(list, s.heading)
			}
		case outcome:
			list = append(list, c.key, learnings, resolution)
		}
	}
	return list
}

// known are the headings of all tables.
var known = func() map[*table][]string {
	m := map[*table][]string{}
	for _, t := range tables {
		m[t] = t.headings()
	}
	return m
}()

// document is the text of a record in the making.
type document struct {
	t        *table
	front    bytes.Buffer
	title    *string
	body     string
	bodyIs   bool // there is one
	sections []part
}

type part struct {
	heading string
	text    string // without the newline that ends it
}

// encode writes the text of a record. segments are the parts of its name below the folder of its table, without the extension. refer names
// the file of the record that an ID belongs to, "" if there is none.
func encode(r row, segments []string, refer func(id string) string) []byte {
	d := &document{t: r.table}
	at := 0
	for i, c := range r.table.columns {
		if c.at == hidden {
			continue
		}
		if c.at == named {
			at++
			if at <= len(segments) && segments[at-1] == r.text(c.name) {
				continue
			}
		}
		if v := r.values[i]; v != nil {
			d.put(c, v, refer)
		}
	}
	return d.bytes()
}

func (d *document) row(key, value string) { d.front.WriteString(key + ": " + value + "\n") }

func (d *document) put(c column, v any, refer func(string) string) {
	switch c.at {
	case front, named:
		d.row(c.key, frontText(c.form, v, refer))
	case title:
		if s := v.(string); s != "" && strings.TrimSpace(s) == s && !strings.Contains(s, "\n") {
			d.title = &s
		} else {
			d.row(c.key, jsonString(s))
		}
	case body:
		d.bodyIs = true
		if j, ok := v.(json.RawMessage); ok {
			d.body = bodyOf(j)
		} else {
			d.body = d.escape(v.(string))
		}
	case section:
		d.section(c, v)
	case lists:
		d.procedure(c, v.(json.RawMessage))
	case outcome:
		d.outcome(c, v.(json.RawMessage))
	}
}

func frontText(f form, v any, refer func(string) string) string {
	switch f {
	case number:
		return numberText(v.(float64))
	case count:
		return numberText(float64(v.(int64)))
	case moment:
		return momentText(v.(int64))
	case list:
		return listText(v.([]string))
	case refs:
		ids := v.([]string)
		if len(ids) == 0 {
			return "[]"
		}
		items := make([]string, len(ids))
		for i, id := range ids {
			if items[i] = item(id); refer(id) != "" {
				items[i] = reference(refer(id))
			}
		}
		return strings.Join(items, ", ")
	}
	return quoted(v.(string))
}

// bodyOf is a JSON value as a body: the text itself if it is a string that text can show, else a block.
func bodyOf(j json.RawMessage) string {
	var s string
	if json.Unmarshal(j, &s) == nil && bytes.Equal(marshal(s), j) && !strings.HasPrefix(s, jsonFence) {
		return s
	}
	return block(j)
}

func block(j json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, j, "", "  ") != nil {
		b.Reset()
		b.Write(j)
	}
	return jsonFence + "\n" + b.String() + "\n" + fence
}

func (d *document) section(c column, v any) {
	switch v := v.(type) {
	case []string:
		d.add(c.key, items(v))
	case json.RawMessage:
		d.add(c.key, block(v))
	case string:
		d.add(c.key, d.escape(v))
	}
}

func (d *document) add(heading, text string) { d.sections = append(d.sections, part{heading, text}) }

// items writes a list, an item a line; further lines of an item are indented.
func items(l []string) string {
	lines := make([]string, len(l))
	for i, s := range l {
		lines[i] = "- " + strings.ReplaceAll(s, "\n", "\n  ")
	}
	return strings.Join(lines, "\n")
}

func (d *document) procedure(c column, j json.RawMessage) {
	var p map[string][]string
	err := json.Unmarshal(j, &p)
	if err != nil || len(p) == 0 || !sameJSON(marshal(p), j) {
		d.add(c.key, block(j))
		return
	}
	for key := range p {
		if !slices.ContainsFunc(steps, func(s struct{ key, heading string }) bool { return s.key == key }) {
			d.add(c.key, block(j))
			return
		}
	}
	for _, s := range steps {
		if l, ok := p[s.key]; ok {
			d.add(s.heading, items(l))
		}
	}
}

func (d *document) outcome(c column, j json.RawMessage) {
	var o Outcome
	if json.Unmarshal(j, &o) != nil || !sameJSON(marshal(o), j) {
		d.add(c.key, block(j))
		return
	}
	d.row(strings.ToLower(c.key), quoted(o.Status))
	if len(o.Learnings) > 0 {
		d.add(learnings, items(o.Learnings))
	}
	if o.Resolution != nil {
		d.add(resolution, d.escape(*o.Resolution))
	}
}

// escape puts a backslash before lines that would begin a section.
func (d *document) escape(s string) string {
	if !strings.Contains(s, subheading) {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if isHeading(d.t, line(strings.TrimLeft(l, `\`))) {
			lines[i] = `\` + l
		}
	}
	return strings.Join(lines, "\n")
}

// isHeading reports whether a line begins a section.
func isHeading(t *table, line string) bool {
	name, ok := strings.CutPrefix(line, subheading)
	return ok && slices.Contains(known[t], name)
}

func (d *document) bytes() []byte {
	var b bytes.Buffer
	b.WriteString(ruler + "\n")
	b.Write(d.front.Bytes())
	b.WriteString(ruler + "\n")
	if d.title != nil {
		b.WriteString(heading + *d.title + "\n")
	}
	if d.body != "" {
		b.WriteString(d.body + "\n")
	}
	for i, s := range d.sections {
		if i > 0 || d.body != "" || d.title != nil {
			b.WriteString("\n")
		}
		b.WriteString(subheading + s.heading + "\n")
		if s.text != "" {
			b.WriteString(s.text + "\n")
		}
	}
	return b.Bytes()
}
