package ccmemory

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// lineError is what is wrong with the text of a record.
type lineError struct {
	Line   int // from 1
	Reason string
}

func (e *lineError) Error() string { return fmt.Sprintf("Line %d: %s", e.Line, e.Reason) }

func wrong(line int, format string, args ...any) error {
	return &lineError{Line: line, Reason: fmt.Sprintf(format, args...)}
}

// decoded is the text of a record, read.
type decoded struct {
	values map[string]any // of the columns that it shows; nil where the text has nothing
	lines  map[string]int // where they are
}

// decode is the inverse of encode. resolve is the inverse of refer: the ID of the record in a file.
func decode(t *table, segments []string, data []byte, resolve func(name string) (string, bool)) (decoded, error) {
	p := parser{t: t, resolve: resolve, out: decoded{values: map[string]any{}, lines: map[string]int{}}}
	if i := invalidAt(data); i >= 0 {
		return p.out, wrong(1+strings.Count(string(data[:i]), "\n"), "these bytes are not text (UTF-8).")
	}
	p.lines = strings.SplitAfter(string(data), "\n")
	if p.lines[len(p.lines)-1] == "" {
		p.lines = p.lines[:len(p.lines)-1]
	}
	if err := p.frontMatter(); err != nil {
		return p.out, err
	}
	if err := p.rest(); err != nil {
		var bad *lineError
		if errors.As(err, &bad) { // what is missing at the end is missing after the last line
			bad.Line = min(bad.Line, len(p.lines))
		}
		return p.out, err
	}
	return p.out, p.names(segments)
}

func invalidAt(data []byte) int {
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

type parser struct {
	t       *table
	resolve func(string) (string, bool)
	lines   []string // with their newlines
	at      int      // the next one
	out     decoded
}

func (p *parser) set(c column, v any, line int) error {
	if _, ok := p.out.lines[c.name]; ok {
		return wrong(line, "%s is already above.", c.key)
	}
	p.out.values[c.name], p.out.lines[c.name] = v, line
	return nil
}

// frontMatter reads the rows between the two rulers.
func (p *parser) frontMatter() error {
	if len(p.lines) == 0 || line(p.lines[0]) != ruler {
		return wrong(1, "the fields of the record begin with a line %s.", ruler)
	}
	for p.at = 1; p.at < len(p.lines); p.at++ {
		l := line(p.lines[p.at])
		if l == ruler {
			p.at++
			return nil
		}
		if strings.TrimSpace(l) == "" {
			continue
		}
		if err := p.field(l, p.at+1); err != nil {
			return err
		}
	}
	return wrong(len(p.lines), "the fields of the record end with a line %s.", ruler)
}

// line is a line without what ends it; editors on Windows end it with two bytes.
func line(s string) string { return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r") }

func (p *parser) field(l string, at int) error {
	key, value, ok := strings.Cut(l, ":")
	if !ok {
		return wrong(at, "“%s” is not a field: write “key: value”.", cutShort(l))
	}
	key, value = strings.TrimSpace(key), strings.TrimSpace(value)
	for _, c := range p.t.columns {
		switch {
		case (c.at == front || c.at == named || c.at == title) && c.key == key:
			v, err := p.value(c, value, at)
			if err != nil {
				return err
			}
			return p.set(c, v, at)
		case c.at == outcome && strings.ToLower(c.key) == key:
			s, ok := unquoted(value)
			if !ok {
				return wrong(at, "the quotes of %s don't end.", key)
			}
			return p.set(c, &Outcome{Status: s, Learnings: []string{}}, at)
		}
	}
	return wrong(at, "%s is not a field of %s; fields are %s.", cutShort(key), p.t.kindName(), strings.Join(p.t.keys(), ", "))
}

// kindName is what messages call a record.
func (t *table) kindName() string {
	switch t {
	case workingTable:
		return "working memory"
	case episodeTable:
		return "an episode"
	case entityTable:
		return "an entity"
	case patternTable:
		return "a pattern"
	case insightTable:
		return "an insight"
	case wisdomTable:
		return "wisdom"
	}
	return "shared memory"
}

// keys are the fields of the front matter.
func (t *table) keys() (keys []string) {
	for _, c := range t.columns {
		switch c.at {
		case front, named, title:
			keys = append(keys, c.key)
		case outcome:
			keys = append(keys, strings.ToLower(c.key))
		}
	}
	return keys
}

func cutShort(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

func (p *parser) value(c column, s string, at int) (any, error) {
	switch c.form {
	case number:
		if n, ok := parseNumber(s); ok {
			return n, nil
		}
		return nil, wrong(at, "%s is a number.", c.key)
	case count:
		if n, ok := parseNumber(s); ok && n == float64(int64(n)) {
			return int64(n), nil
		}
		return nil, wrong(at, "%s is a whole number.", c.key)
	case moment:
		if n, ok := parseMoment(s); ok {
			return n, nil
		}
		return nil, wrong(at, "%s is a time such as 2026-02-01T09:12:44.120Z, or %s.", c.key, neverText)
	case list:
		if l, ok := parseList(s); ok {
			return l, nil
		}
		return nil, wrong(at, "%s is a list such as [database, performance].", c.key)
	case refs:
		return p.references(c, s, at)
	}
	if v, ok := unquoted(s); ok {
		return v, nil
	}
	return nil, wrong(at, "the quotes of %s don't end.", c.key)
}

func (p *parser) references(c column, s string, at int) (any, error) {
	if s == "[]" {
		return []string{}, nil
	}
	missing := ""
	l, ok := parseItems(s, func(s string) (string, bool) {
		if !isReference(s) {
			return s, true
		}
		id, ok := p.resolve(referred(s))
		if !ok {
			missing = referred(s)
		}
		return id, ok
	})
	switch {
	case missing != "":
		return nil, wrong(at, "no record is at %s.", missing)
	case !ok || len(l) == 0:
		return nil, wrong(at, "%s has links such as [[semantic/fact/name.md]], with commas between them.", c.key)
	}
	return l, nil
}

// rest reads what follows the front matter.
func (p *parser) rest() error {
	for _, c := range p.t.columns {
		if c.at != title {
			continue
		}
		if _, ok := p.out.lines[c.name]; ok {
			continue
		}
		at := p.at
		for at < len(p.lines) && strings.TrimSpace(p.lines[at]) == "" {
			at++ // a user may leave a line empty
		}
		s, ok := "", false
		if at < len(p.lines) {
			s, ok = strings.CutPrefix(line(p.lines[at]), heading)
		}
		if !ok {
			return wrong(min(at+1, len(p.lines)), "here is a heading with the %s, “# …”.", c.key)
		}
		p.at = at + 1
		if err := p.set(c, s, p.at); err != nil {
			return err
		}
	}
	begin := p.at + 1
	text, last := p.upToHeading()
	if err := p.body(ended(text, last), begin); err != nil {
		return err
	}
	for p.at < len(p.lines) {
		at := p.at + 1
		name := strings.TrimPrefix(line(p.lines[p.at]), subheading)
		p.at++
		text, last := p.upToHeading()
		if err := p.section(name, ended(text, last), at); err != nil {
			return err
		}
	}
	return nil
}

// upToHeading takes the lines before the next section.
func (p *parser) upToHeading() (text string, last bool) {
	var b strings.Builder
	for ; p.at < len(p.lines); p.at++ {
		l := p.lines[p.at]
		if isHeading(p.t, line(l)) {
			return b.String(), false
		}
		if rest := strings.TrimLeft(l, `\`); rest != l && isHeading(p.t, line(rest)) {
			l = l[1:]
		}
		b.WriteString(l)
	}
	return b.String(), true
}

// ended is a text without the newline that ends it, and without the empty line before a section.
func ended(text string, last bool) string {
	if !last {
		text = strings.TrimSuffix(text, "\n")
	}
	return strings.TrimSuffix(text, "\n")
}

func (p *parser) body(text string, at int) error {
	for _, c := range p.t.columns {
		if c.at != body {
			continue
		}
		if c.form != object {
			return p.set(c, text, at)
		}
		if !strings.HasPrefix(text, jsonFence) {
			return p.set(c, marshal(text), at)
		}
		j, err := p.json(text, at)
		if err != nil {
			return err
		}
		return p.set(c, j, at)
	}
	return nil
}

// json reads a fenced block.
func (p *parser) json(text string, at int) (json.RawMessage, error) {
	inner, ok := strings.CutPrefix(strings.TrimSpace(text), jsonFence+"\n")
	inner, closed := strings.CutSuffix(inner, "\n"+fence)
	if !ok || !closed {
		return nil, wrong(at, "JSON is in a block between %s and %s.", jsonFence, fence)
	}
	if v, ok := compact(inner); ok {
		return v.(json.RawMessage), nil
	}
	return nil, wrong(at+1+badLine(inner), "this is not valid JSON.")
}

// badLine is the line of invalid JSON at which it goes wrong, from 0.
func badLine(s string) int {
	var v any
	if bad, ok := json.Unmarshal([]byte(s), &v).(*json.SyntaxError); ok { //nolint:errorlint // it is never wrapped
		return strings.Count(s[:min(max(int(bad.Offset)-1, 0), len(s))], "\n")
	}
	return 0
}

func (p *parser) section(name, text string, at int) error {
	for _, c := range p.t.columns {
		switch {
		case c.at == section && c.key == name:
			v, err := p.sectionValue(c, text, at)
			if err != nil {
				return err
			}
			return p.set(c, v, at)
		case (c.at == lists || c.at == outcome) && c.key == name:
			j, err := p.json(text, at+1)
			if err != nil {
				return err
			}
			return p.set(c, j, at)
		case c.at == lists:
			if i := slices.IndexFunc(steps, func(s struct{ key, heading string }) bool { return s.heading == name }); i >= 0 {
				return p.step(c, steps[i].key, name, text, at)
			}
		case c.at == outcome && (name == learnings || name == resolution):
			return p.outcome(c, name, text, at)
		}
	}
	return nil // no other line is a heading
}

func (p *parser) sectionValue(c column, text string, at int) (any, error) {
	switch c.form {
	case list:
		return p.items(text, at+1)
	case object:
		return p.json(text, at+1)
	}
	return text, nil
}

// items is the inverse of items of encode.
func (p *parser) items(text string, at int) ([]string, error) {
	l := []string{}
	if text == "" {
		return l, nil
	}
	for i, s := range strings.Split(text, "\n") {
		first, ok := strings.CutPrefix(s, "- ")
		more, indented := strings.CutPrefix(s, "  ")
		switch {
		case ok || s == "-":
			l = append(l, first)
			if s == "-" {
				l[len(l)-1] = ""
			}
		case indented && len(l) > 0:
			l[len(l)-1] += "\n" + more
		case strings.TrimSpace(s) == "":
			// A user may leave a line empty between two items.
		default:
			return nil, wrong(at+i, "items of a list begin with “- ”, their further lines with two spaces.")
		}
	}
	return l, nil
}

func (p *parser) step(c column, key, name, text string, at int) error {
	l, err := p.items(text, at+1)
	if err != nil {
		return err
	}
	m, _ := p.out.values[c.name].(map[string][]string)
	if m == nil {
		if err := p.set(c, nil, at); err != nil {
			return err
		}
		m = map[string][]string{}
	}
	if _, ok := m[key]; ok {
		return wrong(at, "%s is already above.", name)
	}
	m[key] = l
	p.out.values[c.name] = m
	return nil
}

func (p *parser) outcome(c column, name, text string, at int) error {
	o, ok := p.out.values[c.name].(*Outcome)
	if !ok {
		return wrong(at, "%s needs a field outcome: success, failure or partial.", name)
	}
	if name == learnings {
		if len(o.Learnings) > 0 {
			return wrong(at, "%s is already above.", name)
		}
		l, err := p.items(text, at+1)
		o.Learnings = l
		return err
	}
	if o.Resolution != nil {
		return wrong(at, "%s is already above.", name)
	}
	o.Resolution = &text
	return nil
}

// names takes from the name of the file what the text doesn't say, and brings the rest into the forms of the columns.
func (p *parser) names(segments []string) error {
	i := 0
	for _, c := range p.t.columns {
		switch v := p.out.values[c.name].(type) {
		case *Outcome:
			p.out.values[c.name] = marshal(v)
		case map[string][]string:
			p.out.values[c.name] = marshal(v)
		}
		if c.at != named {
			continue
		}
		if i < len(segments) && p.out.lines[c.name] == 0 {
			p.out.values[c.name] = segments[i]
		} else if i < len(segments) {
			if v := p.out.values[c.name].(string); v != segments[i] && !fits(v, segments[i]) {
				return wrong(p.out.lines[c.name], "%s doesn't fit the name of the file: move the file instead.", c.key)
			}
		}
		i++
	}
	return nil
}
