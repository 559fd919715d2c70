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

// document is the text of a record in the making. Made once, it serves many records.
type document struct {
	t        *table
	text     []byte
	title    *string
	body     any
	sections []part
}

type part struct {
	heading string
	value   any // []string, json.RawMessage, string
}

// encode writes the text of a record. segments are the parts of its name below the folder of its table, without the extension. refer names
// the file of the record that an ID belongs to, "" if there is none.
func encode(r row, segments []string, refer func(id string) string) []byte {
	return new(document).of(r, segments, refer)
}

// of is encode; the bytes are the document's until it is used again.
func (d *document) of(r row, segments []string, refer func(id string) string) []byte {
	d.t, d.text, d.title, d.body, d.sections = r.table, append(d.text[:0], ruler+"\n"...), nil, nil, d.sections[:0]
	at := 0
	for i := range r.table.columns {
		c := &r.table.columns[i]
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
	d.add(ruler + "\n")
	d.finish()
	return d.text
}

// add appends texts.
func (d *document) add(texts ...string) {
	for _, s := range texts {
		d.text = append(d.text, s...)
	}
}

// put adds a column that is in the front matter, and notes what follows it.
func (d *document) put(c *column, v any, refer func(string) string) {
	switch c.at {
	case front, named:
		d.add(c.key, ": ")
		d.front(c.form, v, refer)
		d.add("\n")
	case title:
		if s := v.(string); s != "" && strings.TrimSpace(s) == s && !strings.Contains(s, "\n") {
			d.title = &s
		} else {
			d.add(c.key, ": ", jsonString(s), "\n")
		}
	case body:
		d.body = v
	case section:
		d.section(c.key, v)
	case lists:
		d.procedure(c, v.(json.RawMessage))
	case outcome:
		d.outcome(c, v.(json.RawMessage))
	}
}

func (d *document) section(heading string, v any) { d.sections = append(d.sections, part{heading, v}) }

// front adds a value of the front matter.
func (d *document) front(f form, v any, refer func(string) string) {
	switch f {
	case number:
		d.text = appendNumber(d.text, v.(float64))
	case count:
		d.text = appendNumber(d.text, float64(v.(int64)))
	case moment:
		d.text = appendMoment(d.text, v.(int64))
	case list:
		d.add("[")
		for i, s := range v.([]string) {
			d.separate(i)
			d.text = appendItem(d.text, s)
		}
		d.add("]")
	case refs:
		ids := v.([]string)
		if len(ids) == 0 {
			d.add("[]")
		}
		for i, id := range ids {
			d.separate(i)
			if name := refer(id); name != "" {
				d.add("[[", name, "]]")
			} else {
				d.text = appendItem(d.text, id)
			}
		}
	default:
		d.text = appendQuoted(d.text, v.(string))
	}
}

func (d *document) separate(i int) {
	if i > 0 {
		d.add(", ")
	}
}

// finish adds what follows the front matter.
func (d *document) finish() {
	began := len(d.text)
	if d.title != nil {
		d.add(heading, *d.title, "\n")
	}
	end := len(d.text)
	switch v := d.body.(type) {
	case json.RawMessage:
		d.bodyOf(v)
	case string:
		d.escape(v)
	}
	if len(d.text) > end {
		d.add("\n")
	}
	for i, s := range d.sections {
		if i > 0 || len(d.text) > began {
			d.add("\n")
		}
		d.add(subheading, s.heading, "\n")
		end := len(d.text)
		switch v := s.value.(type) {
		case []string:
			d.items(v)
		case json.RawMessage:
			d.block(v)
		case string:
			d.escape(v)
		}
		if len(d.text) > end {
			d.add("\n")
		}
	}
}

// bodyOf adds a JSON value as a body: the text itself if it is a string that text can show, else a block.
func (d *document) bodyOf(j json.RawMessage) {
	var s string
	if json.Unmarshal(j, &s) == nil && bytes.Equal(marshal(s), j) && !strings.HasPrefix(s, jsonFence) {
		d.add(s)
	} else {
		d.block(j)
	}
}

func (d *document) block(j json.RawMessage) {
	d.add(jsonFence, "\n")
	d.text = appendIndented(d.text, j)
	d.add("\n", fence)
}

// items adds a list, an item a line; further lines of an item are indented.
func (d *document) items(l []string) {
	for i, s := range l {
		if i > 0 {
			d.add("\n")
		}
		d.add("- ", strings.ReplaceAll(s, "\n", "\n  "))
	}
}

func (d *document) procedure(c *column, j json.RawMessage) {
	var p map[string][]string
	err := json.Unmarshal(j, &p)
	if err != nil || len(p) == 0 || !sameJSON(marshal(p), j) {
		d.section(c.key, j)
		return
	}
	for key := range p {
		if !slices.ContainsFunc(steps, func(s struct{ key, heading string }) bool { return s.key == key }) {
			d.section(c.key, j)
			return
		}
	}
	for _, s := range steps {
		if l, ok := p[s.key]; ok {
			d.section(s.heading, l)
		}
	}
}

func (d *document) outcome(c *column, j json.RawMessage) {
	var o Outcome
	if json.Unmarshal(j, &o) != nil || !sameJSON(marshal(o), j) {
		d.section(c.key, j)
		return
	}
	d.add(strings.ToLower(c.key), ": ", quoted(o.Status), "\n")
	if len(o.Learnings) > 0 {
		d.section(learnings, o.Learnings)
	}
	if o.Resolution != nil {
		d.section(resolution, *o.Resolution)
	}
}

// escape adds a text, with a backslash before lines that would begin a section.
func (d *document) escape(s string) {
	if !strings.Contains(s, subheading) {
		d.add(s)
		return
	}
	for i, l := range strings.Split(s, "\n") {
		if i > 0 {
			d.add("\n")
		}
		if isHeading(d.t, line(strings.TrimLeft(l, `\`))) {
			d.add(`\`)
		}
		d.add(l)
	}
}

// isHeading reports whether a line begins a section.
func isHeading(t *table, line string) bool {
	name, ok := strings.CutPrefix(line, subheading)
	return ok && slices.Contains(known[t], name)
}
