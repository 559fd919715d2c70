package config

import (
	"bytes"
	"errors"
	"fmt"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Document is a file as it is written: its bytes, and the tables in them with the range of
// every key and value. [Document.Config] reads it, the methods of edit.go change it.
type Document struct {
	name     string
	data     []byte
	lines    []int // offset of the first byte of each line
	root     *table
	mistakes Mistakes
	full     bool // no further mistakes are kept
}

// span is a range of bytes.
type span struct{ start, end int }

// table is a TOML table, however it was written.
type table struct {
	entries []*entry
	index   map[string]*entry
	head    span // of the name in its header, or of the inline table
	// end is the offset behind the last thing that was written in the table: its header or
	// its last key; -1 where neither exists yet.
	end    int
	headed bool // it has a header of its own
	inline bool
}

// entry is one key of a table.
type entry struct {
	name string
	at   span   // of this part of the key
	expr span   // of "key = value"; empty for tables made by headers
	raw  string // the parts of a dotted key before this one, as written, with the dot
	val  *value
}

// value is what a key has.
type value struct {
	kind  unstable.Kind
	at    span
	text  string   // of strings decoded, of others as written
	elems []*value // of arrays, and the tables of [[name]]
	table *table   // of tables
	heads bool     // an array made by [[name]] headers
}

// maxNesting bounds tables in tables; the parser's own bound is far above what is useful.
const maxNesting = 16

// open reads the structure of a file. Syntax errors are kept as mistakes; reading goes on in
// the line after one, so that all of them are reported.
func open(name string, data []byte) *Document {
	d := &Document{name: name, data: data, root: newTable(span{}), lines: []int{0}}
	d.root.end = -1
	if len(data) > maxConfigBytes {
		d.data = nil
		d.mistakes = Mistakes{{File: name, Text: fmt.Sprintf("the file is larger than %s", formatSize(maxConfigBytes))}}
		return d
	}
	for i, b := range data {
		if b == '\n' {
			d.lines = append(d.lines, i+1)
		}
	}
	d.read()
	return d
}

// read walks over the expressions of the file.
func (d *Document) read() {
	base := d.mark()
	in, told := d.root, false
	for base < len(d.data) {
		var p unstable.Parser
		p.Reset(d.data[base:])
		for p.NextExpression() {
			told = false
			in = d.expression(builder{d, &p, base}, p.Expression(), in)
		}
		if p.Error() == nil {
			return
		}
		at := d.syntaxOffset(&p, base)
		if !told {
			d.mistake(at, "%s", syntaxText(p.Error()))
		}
		// What follows a broken line may be the rest of it: one mistake is enough until a line is whole again.
		told = true
		base = d.nextLine(at)
	}
}

// syntaxOffset is where the parser stopped.
func (d *Document) syntaxOffset(p *unstable.Parser, base int) int {
	var e *unstable.ParserError
	if !errors.As(p.Error(), &e) || e.Highlight == nil {
		return base
	}
	at := base + int(p.Range(e.Highlight).Offset)
	return min(at, max(len(d.data)-1, 0))
}

func syntaxText(err error) string {
	return "invalid TOML: " + strings.TrimPrefix(err.Error(), "toml: ")
}

// nextLine is the offset of the line after the one that holds at.
func (d *Document) nextLine(at int) int {
	i := sort.SearchInts(d.lines, at+1)
	if i == len(d.lines) {
		return len(d.data)
	}
	return d.lines[i]
}

// confirm lets the library judge what the walk does not: rules about tables that are
// defined twice, numbers out of range, dates that do not exist.
func (d *Document) confirm() {
	var all map[string]any
	err := toml.Unmarshal(d.data[d.mark():], &all)
	if err == nil {
		return
	}
	var e *toml.DecodeError
	if !errors.As(err, &e) {
		d.add(Mistake{File: d.name, Text: syntaxText(err)})
		return
	}
	line, column := e.Position()
	start := d.mark()
	if line > 1 && line <= len(d.lines) {
		start = d.lines[line-1]
	}
	d.mistake(min(start+max(column-1, 0), len(d.data)), "%s", syntaxText(err))
}

// origin is the place of a byte.
func (d *Document) origin(offset int) Origin {
	line := sort.SearchInts(d.lines, offset+1)
	start := d.lines[line-1]
	return Origin{File: d.name, Line: line, Column: utf8.RuneCount(d.data[start:min(offset, len(d.data))]) + 1}
}

func (d *Document) mistake(offset int, format string, args ...any) {
	at := d.origin(offset)
	d.add(Mistake{d.name, at.Line, at.Column, fmt.Sprintf(format, args...)})
}

func (d *Document) add(m Mistake) {
	if len(d.mistakes) >= maxMistakes {
		d.full = true
		return
	}
	d.mistakes = append(d.mistakes, m)
}

func newTable(head span) *table {
	return &table{index: map[string]*entry{}, head: head, end: head.end}
}

func (t *table) add(e *entry) {
	t.entries = append(t.entries, e)
	t.index[e.name] = e
}

// get is the value of a key, nil where there is none.
func (t *table) get(name string) *value {
	if e := t.index[name]; e != nil {
		return e.val
	}
	return nil
}

// mark is the length of the byte order mark that some editors put in front.
func (d *Document) mark() int {
	if bytes.HasPrefix(d.data, []byte("\ufeff")) {
		return len("\ufeff")
	}
	return 0
}
