package config

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"memcurator/render/text"
)

// Parse reads a file. name is used in mistakes and origins; home stands for the tilde in
// directories, "" where there is none. The error is [Mistakes].
func Parse(name string, data []byte, home string) (*Config, error) {
	c, mistakes := Check(name, data, home)
	if len(mistakes) > 0 {
		return nil, mistakes
	}
	return c, nil
}

// file is all that a file may have. Its keys are the tags of the fields, here and in the structs below.
type file struct {
	section
	Discover discover  `toml:"discover"`
	Keys     []Binding `toml:"keys"`
	Stores   []Store   `toml:"stores"`
}

type discover struct {
	Paths []string `toml:"paths" is:"directory"`
}

// Check is [Parse] for who has something to say about the words of [keys] too: the Config is
// there, and incomplete, also where mistakes were found.
func Check(name string, data []byte, home string) (*Config, Mistakes) {
	d := &decoder{name: name, home: home, data: bytes.TrimPrefix(data, []byte("\ufeff"))}
	c := &Config{File: name}
	if len(data) > maxConfigBytes {
		return c, Mistakes{{Origin{File: name}, fmt.Sprintf("the file is larger than %s", formatSize(maxConfigBytes))}}
	}
	var all map[string]any
	if err := toml.Unmarshal(d.data, &all); err != nil {
		return c, Mistakes{d.invalid(err)}
	}
	f := d.read()
	d.checkRules(f.Rules, "")
	for i := range f.Stores {
		s := &f.Stores[i]
		d.checkRules(s.Rules, s.Name)
		same := slices.IndexFunc(f.Stores, func(o Store) bool { return o.Dir.Value == s.Dir.Value })
		switch {
		case !s.Dir.IsSet():
			d.mistakeAt(s.At, `[stores.%s] needs dir = "DIRECTORY"`, s.Name)
		case s.Dir.Value != "" && same < i:
			d.mistakeAt(s.Dir.From, "same directory as [stores.%s]", f.Stores[same].Name)
		}
	}
	c.general, c.Keys, c.stores, c.paths = f.section, f.Keys, f.Stores, f.Discover.Paths
	d.mistakes.Sort()
	if len(d.mistakes) > maxMistakes {
		d.mistakes = append(d.mistakes[:maxMistakes:maxMistakes],
			Mistake{Origin{File: name}, fmt.Sprintf("there are more than these %d mistakes", maxMistakes)})
	}
	return c, d.mistakes
}

// decoder puts the values of a file in the fields of a struct. The library has no way to keep the places of values.
type decoder struct {
	name, home string
	data       []byte
	mistakes   Mistakes
}

// invalid is the mistake of a file that is no TOML.
func (d *decoder) invalid(err error) Mistake {
	m := Mistake{Origin{File: d.name}, text.Clean("invalid TOML: " + strings.TrimPrefix(err.Error(), "toml: "))}
	if strings.HasPrefix(err.Error(), "toml: table ") { // which is there already
		m.Text += "; put its keys below the first one"
	}
	var e *toml.DecodeError
	if errors.As(err, &e) {
		m.Line, m.Column = e.Position()
	}
	return m
}

// origin is the place of a byte.
func (d *decoder) origin(offset int) Origin {
	before := d.data[:min(offset, len(d.data))]
	line := before[bytes.LastIndexByte(before, '\n')+1:]
	return Origin{File: d.name, Line: bytes.Count(before, []byte("\n")) + 1, Column: utf8.RuneCount(line) + 1}
}

func (d *decoder) mistake(offset int, format string, args ...any) {
	if len(d.mistakes) <= maxMistakes {
		d.mistakeAt(d.origin(offset), format, args...)
	}
}

func (d *decoder) mistakeAt(at Origin, format string, args ...any) {
	d.mistakes = append(d.mistakes, Mistake{at, fmt.Sprintf(format, args...)})
}

// part is one part of a dotted key.
type part struct {
	name    string
	at, end int
}

func parts(it unstable.Iterator) (out []part) {
	for it.Next() {
		raw := it.Node().Raw
		out = append(out, part{string(it.Node().Data), int(raw.Offset), int(raw.Offset + raw.Length)})
	}
	return out
}

// read walks over the expressions of the file.
func (d *decoder) read() *file {
	f := &file{}
	root := reflect.ValueOf(f).Elem()
	var table []part
	var lost bool // the header was refused, and so are its keys
	var p unstable.Parser
	p.Reset(d.data)
	for p.NextExpression() {
		switch n := p.Expression(); n.Kind {
		case unstable.Table, unstable.ArrayTable:
			table = parts(n.Key())
			lost = !d.put(root, field{}, table, n, table[0].at)
		case unstable.KeyValue:
			if !lost {
				d.keyValue(root, table, n)
			}
		}
	}
	return f
}

// keyValue puts a value in a field of the table that above names.
func (d *decoder) keyValue(root reflect.Value, above []part, n *unstable.Node) {
	path := parts(n.Key())
	at := path[len(path)-1].end
	for at < len(d.data) && strings.IndexByte(" \t=", d.data[at]) >= 0 {
		at++
	}
	d.put(root, field{}, append(slices.Clip(above), path...), n.Value(), at)
}

// field is a key of a table.
type field struct {
	name  string // "" for the whole file
	table string // the path of the table with the key
	is    string // what the value is, where its type doesn't say that: its words, or one of glob, folder, directory, size
	at    int
}

// path is the path of the table that a field is.
func (f field) path() string { return strings.TrimPrefix(f.table+"."+f.name, ".") }

// header is how a mistake names the table that a field is.
func (f field) header(rule bool) string {
	if rule {
		return "[[" + f.path() + "]]"
	}
	return "[" + f.path() + "]"
}

// put stores the value n, which begins at an offset, or begins the table of the header n, at a path below v. It reports whether there is
// such a place.
func (d *decoder) put(v reflect.Value, f field, path []part, n *unstable.Node, at int) bool {
	if len(path) == 0 {
		return d.assign(v, f, n, at)
	}
	below := field{name: path[0].name, table: f.path(), at: path[0].at}
	switch to := v.Addr().Interface().(type) {
	case *[]Binding:
		return d.bind(to, path, n, at)
	case *[]Rule:
		if len(*to) == 0 {
			return d.assign(v, f, n, at)
		}
		return d.put(v.Index(v.Len()-1), f, path, n, at)
	case *[]Store:
		i := slices.IndexFunc(*to, func(s Store) bool { return s.Name == below.name })
		if i < 0 {
			i, *to = len(*to), append(*to, Store{Name: below.name, At: d.origin(below.at)})
		}
		return d.put(v.Index(i), below, path[1:], n, at)
	case *[]ScrubClass:
		i := slices.IndexFunc(*to, func(c ScrubClass) bool { return c.Name == below.name })
		if i < 0 {
			i, *to = len(*to), append(*to, ScrubClass{Name: below.name})
		}
		return d.put(v.Index(i), below, path[1:], n, at)
	}
	if v.Kind() != reflect.Struct || isValue(v) {
		d.mistake(path[0].at, "%s can't be a table", f.name)
		return false
	}
	var known []string
	for _, one := range reflect.VisibleFields(v.Type()) {
		name, is := one.Tag.Get("toml"), one.Tag.Get("is")
		if name == below.name && name != "" {
			below.is = is
			return d.put(v.FieldByIndex(one.Index), below, path[1:], n, at)
		}
		if name != "" {
			known = append(known, name)
		}
	}
	where := "at the top level"
	if f.name != "" {
		where = "in " + f.header(v.Type() == reflect.TypeFor[Rule]())
	}
	hint := fmt.Sprintf(" %s; valid keys: %s", where, strings.Join(known, ", "))
	if near := text.Nearest(below.name, known); near != "" {
		hint = fmt.Sprintf("; did you mean %s?", near)
	}
	d.mistake(below.at, "unknown key %s%s", quoted(below.name), hint)
	return false
}

// assign stores a value in the field that has its key.
func (d *decoder) assign(v reflect.Value, f field, n *unstable.Node, at int) bool {
	switch to := v.Addr().Interface().(type) {
	case *[]Rule:
		if n.Kind != unstable.ArrayTable {
			d.mistake(at, "a rule needs two brackets: [[rule]], and its keys below")
			return false
		}
		*to = append(*to, Rule{At: d.origin(at)})
		return true
	case *[]string:
		for _, one := range d.texts(f, n, at) {
			*to = append(*to, one.Value)
		}
		return true
	}
	if isValue(v) {
		if why := d.scan(v.Field(0).Addr().Interface(), f.is, n); why != "" {
			d.mistake(at, "%s %s", f.name, why)
		}
		v.Field(1).Set(reflect.ValueOf(d.origin(f.at)))
		return true
	}
	if n.Kind == unstable.Table {
		return true
	}
	d.mistake(at, "%s must be a table of its own: %s, and its keys below", f.path(), f.header(false))
	return false
}

// offset is where an element of an array begins; the parser doesn't know that of an array in an array.
func offset(n *unstable.Node, array int) int {
	if n.Raw.Length == 0 {
		return array
	}
	return int(n.Raw.Offset)
}

// texts reads a string or a list of strings.
func (d *decoder) texts(f field, n *unstable.Node, at int) (out []Value[string]) {
	take := func(n *unstable.Node, at int) {
		if n.Kind == unstable.Comment {
			return
		}
		one, why := "", "must be text in quotes, or a list of texts"
		if n.Kind == unstable.String {
			one, why = d.judge(string(n.Data), f.is)
		}
		if why != "" {
			d.mistake(at, "%s %s", f.name, why)
		}
		out = append(out, Value[string]{one, d.origin(at)})
	}
	if n.Kind != unstable.Array {
		take(n, at)
		return out
	}
	for it := n.Children(); it.Next(); {
		take(it.Node(), offset(it.Node(), at))
	}
	return out
}

// bind reads a line of [keys] or of [keys.SCOPE] without checking the names.
func (d *decoder) bind(to *[]Binding, path []part, n *unstable.Node, at int) bool {
	switch {
	case n.Kind == unstable.Table && len(path) == 1:
		return true
	case n.Kind == unstable.Table || n.Kind == unstable.ArrayTable || len(path) > 2:
		d.mistake(path[0].at, "[keys] has no such table; use [keys] or [keys.SCREEN]")
		return false
	}
	action := path[len(path)-1]
	b := Binding{Action: action.name, At: d.origin(action.at)}
	if len(path) == 2 {
		b.Scope, b.ScopeAt = path[0].name, d.origin(path[0].at)
	}
	keys := d.texts(field{name: action.name}, n, at)
	if len(keys) != 1 || keys[0].Value != none {
		b.Keys = keys
	}
	*to = append(*to, b)
	return true
}

// checkRules says what the rules of a section lack.
func (d *decoder) checkRules(rules []Rule, store string) {
	header := "[[rule]]"
	if store != "" {
		header = "[[stores." + store + ".rule]]"
	}
	for i := range rules {
		r := &rules[i]
		if len(r.Match) == 0 {
			d.mistakeAt(r.At, `%s needs match = ["GLOB"]; use ["**"] for every path`, header)
		}
	}
}
