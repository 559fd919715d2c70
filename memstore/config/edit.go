package config

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Edit opens a file to be changed. A file with mistakes is not changed: the error is [Mistakes].
func Edit(name string, data []byte, home string) (*Document, error) {
	d := open(name, data)
	if _, mistakes := d.config(home); len(mistakes) > 0 {
		return nil, mistakes
	}
	return d, nil
}

// Place names a table of the file.
type Place struct {
	Store   string // "" for what is said in general
	Section string // "ui", "limits", "journal", "scrub" or "rule"; "" for the keys that stand above them
	Rule    int    // which rule of the section, from 0, where Section is "rule"
}

// Splice replaces the bytes from Start to End.
type Splice struct {
	Start, End int
	Text       string
}

// Literal is a value as the file has it; make one with [Text], [Flag], [Count], [Size] or [Period].
type Literal string

// Text is a string.
func Text(s string) Literal { return Literal(literal(s)) }

// Flag is true or false.
func Flag(b bool) Literal { return Literal(strconv.FormatBool(b)) }

// Count is a number; 0 is none.
func Count(n int64) Literal { return Literal(count.write(n)) }

// Size is a number of bytes, in the largest unit that fits; 0 is none.
func Size(n int64) Literal { return Literal(size.write(n)) }

// Period is a duration in whole seconds; 0 is none.
func Period(d time.Duration) Literal { return Literal(duration.write(d)) }

// KeyValue is one line of a new rule.
type KeyValue struct {
	Key   string
	Value Literal
}

// ErrUnusual is the error of an edit of a file that is written in a way which the editor does
// not know how to extend: the user does it by hand.
var ErrUnusual = errors.New("the layout of the file can't be extended; edit it by hand")

// Set sets a key: its value is replaced, or a line is added to the table, or
// the table to the file.
func (d *Document) Set(p Place, key string, v Literal) (Splice, error) {
	kind, ok := kindOf(p.Section, key)
	if !ok {
		return Splice{}, fmt.Errorf("unknown key %s", quoted(key))
	}
	if err := v.fits(kind); err != nil {
		return Splice{}, fmt.Errorf("%s %w", key, err)
	}
	t, err := d.find(p)
	if err != nil {
		return Splice{}, err
	}
	if t != nil {
		if e := t.index[key]; e != nil {
			return Splice{e.val.at.start, e.val.at.end, string(v)}, nil
		}
	}
	return d.addKey(t, p, key+" = "+string(v))
}

// fits makes sure that a literal is one value, and one of the kind.
func (v Literal) fits(k kind) error {
	d := open("", []byte("v = "+string(v)+"\n"))
	if len(d.mistakes) > 0 || len(d.root.entries) != 1 {
		return errors.New("can't have this value")
	}
	if _, why := k.read(d.root.entries[0].val); why != "" {
		return errors.New(why)
	}
	return nil
}

func kindOf(section, name string) (kind, bool) {
	switch section {
	case "":
		return find(sectionKeys, name)
	case "ui":
		return find(uiKeys, name)
	case "limits":
		return find(limitKeys, name)
	case "journal":
		return find(journalKeys, name)
	case "scrub":
		return find(scrubKeys, name)
	case "rule":
		return find(ruleKeys, name)
	}
	return kind{}, false
}

func find[T any](keys []key[T], name string) (kind, bool) {
	for _, k := range keys {
		if k.name == name {
			return k.kind, true
		}
	}
	return kind{}, false
}

// section is the table of the store, or the root; nil where it is not there.
func (d *Document) section(store string) *table {
	if store == "" {
		return d.root
	}
	if all := d.root.get("stores"); all != nil && all.table != nil {
		if one := all.table.get(store); one != nil {
			return one.table
		}
	}
	return nil
}

// find is the table of a place, nil where it has to be made.
func (d *Document) find(p Place) (*table, error) {
	t := d.section(p.Store)
	if t == nil {
		return nil, fmt.Errorf("no section [stores.%s]", bareKey(p.Store))
	}
	switch p.Section {
	case "":
		return t, nil
	case "rule":
		v := t.get("rule")
		if v == nil || p.Rule < 0 || p.Rule >= len(v.elems) {
			return nil, fmt.Errorf("no rule %d", p.Rule+1)
		}
		return v.elems[p.Rule].table, nil
	}
	if v := t.get(p.Section); v != nil {
		return v.table, nil
	}
	return nil, nil
}

// header is the dotted name of a place.
func (p Place) header() string {
	var parts []string
	if p.Store != "" {
		parts = append(parts, "stores", bareKey(p.Store))
	}
	if p.Section != "" {
		parts = append(parts, p.Section)
	}
	return strings.Join(parts, ".")
}

// addKey adds a line to a table.
func (d *Document) addKey(t *table, p Place, line string) (Splice, error) {
	switch {
	case t != nil && t.inline:
		return inlineKey(t, line), nil
	case t == d.root:
		return d.topKey(line), nil
	case t == nil || t.end < 0:
		// A table that only exists because tables below it have headers gets one of its own.
		return d.atEnd("[" + p.header() + "]" + d.newline() + line), nil
	case t.headed:
		at := d.lineEnd(t.end)
		return Splice{at, at, d.newline() + d.indent(t) + line}, nil
	}
	// Made by dotted keys: the new one is written like its neighbor.
	for _, e := range slices.Backward(t.entries) {
		if e.expr.end > 0 {
			at := d.lineEnd(e.expr.end)
			return Splice{at, at, d.newline() + d.indentAt(e.expr.start) + e.raw + line}, nil
		}
	}
	return Splice{}, ErrUnusual
}

func inlineKey(t *table, line string) Splice {
	if n := len(t.entries); n > 0 && t.end > t.head.start+1 {
		return Splice{t.end, t.end, ", " + line}
	}
	at := t.head.start + 1
	return Splice{at, at, " " + line + " "}
}

// topKey puts a line before the first header, behind the last key that stands there.
func (d *Document) topKey(line string) Splice {
	nl := d.newline()
	if d.root.end >= 0 {
		at := d.lineEnd(d.root.end)
		return Splice{at, at, nl + line}
	}
	at := d.firstHeader()
	if at < 0 {
		return d.atEnd(line)
	}
	return Splice{at, at, line + nl + nl}
}

// firstHeader is the start of the comment above the first header, -1 where there is no header.
func (d *Document) firstHeader() int {
	first := -1
	for i, start := range d.lines {
		if bytes.HasPrefix(bytes.TrimLeft(d.data[start:], " \t"), []byte("[")) {
			first = i
			break
		}
	}
	if first < 0 {
		return -1
	}
	for first > 0 && bytes.HasPrefix(bytes.TrimLeft(d.data[d.lines[first-1]:], " \t"), []byte("#")) {
		first--
	}
	return max(d.lines[first], d.mark())
}

// atEnd puts text at the end of the file, with an empty line before it.
func (d *Document) atEnd(text string) Splice {
	nl, before := d.newline(), ""
	if n := len(d.data); n > d.mark() {
		if d.data[n-1] != '\n' {
			before = nl
		}
		before += nl
	}
	return Splice{len(d.data), len(d.data), before + text + nl}
}

// newline is the line break of the file.
func (d *Document) newline() string {
	if i := bytes.IndexByte(d.data, '\n'); i > 0 && d.data[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indent is what stands before the last key of a table.
func (d *Document) indent(t *table) string {
	at := t.head.start
	for _, e := range t.entries {
		if e.expr.end > 0 {
			at = max(at, e.expr.start)
		}
	}
	return d.indentAt(at)
}

func (d *Document) indentAt(offset int) string {
	line := d.data[d.lines[d.origin(offset).Line-1]:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// AppendRule adds a rule behind the others of its section.
func (d *Document) AppendRule(store string, match []string, keys ...KeyValue) (Splice, error) {
	t := d.section(store)
	if t == nil {
		return Splice{}, fmt.Errorf("no section [stores.%s]", bareKey(store))
	}
	for _, g := range match {
		if err := writable(g); err != nil {
			return Splice{}, err
		}
	}
	nl := d.newline()
	text := "[[" + Place{Store: store, Section: "rule"}.header() + "]]" + nl + "match = " + globList(match)
	for _, kv := range keys {
		kind, ok := kindOf("rule", kv.Key)
		if !ok {
			return Splice{}, fmt.Errorf("unknown rule key %s", quoted(kv.Key))
		}
		if err := kv.Value.fits(kind); err != nil {
			return Splice{}, fmt.Errorf("%s %w", kv.Key, err)
		}
		text += nl + kv.Key + " = " + string(kv.Value)
	}
	rules := t.get("rule")
	if rules == nil {
		return d.atEnd(text), nil
	}
	if !rules.heads {
		return Splice{}, ErrUnusual
	}
	at := d.lineEnd(rules.elems[len(rules.elems)-1].table.end)
	return Splice{at, at, nl + nl + text}, nil
}

// AddStore adds a section for the store in dir, an absolute directory, at the end of the file.
func (d *Document) AddStore(name, dir string) (Splice, error) {
	if d.section(name) != nil {
		return Splice{}, fmt.Errorf("section [stores.%s] already exists", bareKey(name))
	}
	if err := writable(name + dir); err != nil {
		return Splice{}, err
	}
	return d.atEnd("[stores." + bareKey(name) + "]" + d.newline() + "dir = " + literal(dir)), nil
}

// AddPath adds a directory to [discover] paths, as it is written: absolute, or with a tilde.
func (d *Document) AddPath(dir string) (Splice, error) {
	if err := writable(dir); err != nil {
		return Splice{}, err
	}
	var t *table
	if v := d.root.get("discover"); v != nil {
		t = v.table
	}
	if t != nil {
		if e := t.index["paths"]; e != nil {
			if n := len(e.val.elems); n > 0 {
				at := e.val.elems[n-1].at.end
				return Splice{at, at, ", " + literal(dir)}, nil
			}
			return Splice{e.val.at.start, e.val.at.end, "[" + literal(dir) + "]"}, nil
		}
	}
	return d.addKey(t, Place{Section: "discover"}, "paths = ["+literal(dir)+"]")
}

// writable refuses what TOML cannot hold: a name on the disk may be of any bytes.
func writable(glob string) error {
	if !utf8.ValidString(glob) {
		return fmt.Errorf("%s is not valid UTF-8", quoted(glob))
	}
	return nil
}

func globList(globs []string) string {
	out := make([]string, len(globs))
	for i, g := range globs {
		out[i] = literal(g)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// AddPin pins what matches a glob: it joins the last rule about pins where that pins and does
// nothing else, or makes a rule of its own.
func (d *Document) AddPin(store, glob string) (Splice, error) {
	t := d.section(store)
	if t == nil {
		return Splice{}, fmt.Errorf("no section [stores.%s]", bareKey(store))
	}
	if err := writable(glob); err != nil {
		return Splice{}, err
	}
	if rules := t.get("rule"); rules != nil {
		for _, r := range slices.Backward(rules.elems) {
			pin := r.table.get("pin")
			if pin == nil {
				continue
			}
			match := r.table.get("match")
			if pin.text == "true" && len(r.table.entries) == 2 && match != nil {
				return d.addGlob(match, glob), nil
			}
			break
		}
	}
	return d.AppendRule(store, []string{glob}, KeyValue{"pin", Flag(true)})
}

// addGlob adds one more glob to match.
func (d *Document) addGlob(match *value, glob string) Splice {
	if match.kind == unstable.String {
		return Splice{match.at.start, match.at.end, "[" + string(d.data[match.at.start:match.at.end]) + ", " + literal(glob) + "]"}
	}
	// A file without mistakes has no empty list here.
	at := match.elems[len(match.elems)-1].at.end
	return Splice{at, at, ", " + literal(glob)}
}

// ReplaceRule changes the globs and keys of a rule: those of drop are removed, those of keys set. The rest stays, comments too.
func (d *Document) ReplaceRule(p Place, match []string, drop []string, keys ...KeyValue) ([]Splice, error) {
	t, err := d.find(p)
	if err != nil {
		return nil, err
	}
	for _, g := range match {
		if err := writable(g); err != nil {
			return nil, err
		}
	}
	at := t.index["match"]
	if at == nil || t.inline {
		return nil, ErrUnusual
	}
	var out []Splice
	if old := d.data[at.val.at.start:at.val.at.end]; string(old) != globList(match) {
		out = append(out, Splice{at.val.at.start, at.val.at.end, globList(match)})
	}
	var added []string
	for _, kv := range keys {
		kind, ok := kindOf("rule", kv.Key)
		if !ok {
			return nil, fmt.Errorf("unknown rule key %s", quoted(kv.Key))
		}
		if err := kv.Value.fits(kind); err != nil {
			return nil, fmt.Errorf("%s %w", kv.Key, err)
		}
		if e := t.index[kv.Key]; e != nil {
			out = append(out, Splice{e.val.at.start, e.val.at.end, string(kv.Value)})
			continue
		}
		added = append(added, kv.Key+" = "+string(kv.Value))
	}
	if len(added) > 0 { // below the globs, in the order that they were given in
		end := d.lineEnd(at.expr.end)
		out = append(out, Splice{end, end, d.newline() + d.indentAt(at.expr.start) +
			strings.Join(added, d.newline()+d.indentAt(at.expr.start))})
	}
	for _, key := range drop {
		if e := t.index[key]; e != nil {
			out = append(out, Splice{d.lineStart(e.at.start), d.nextLine(e.expr.end), ""})
		}
	}
	return out, nil
}

// RemoveRule removes a rule, with the comments between its keys, and the section of its store if nothing else is in that.
func (d *Document) RemoveRule(p Place) (Splice, error) {
	t, err := d.find(p)
	if err != nil {
		return Splice{}, err
	}
	if t == nil || t.inline || !t.headed {
		return Splice{}, ErrUnusual
	}
	start, end := d.lineStart(t.head.start), d.nextLine(max(t.end-1, t.head.end))
	if s := d.section(p.Store); p.Store != "" && s.holdsOnlyOneRule() && len(bytes.TrimSpace(d.data[d.lineEnd(s.end):start])) == 0 {
		start = d.lineStart(s.head.start)
	}
	blank := func(at int) bool {
		return at < len(d.data) && len(bytes.TrimSpace(d.data[at:d.nextLine(at)])) == 0
	}
	switch { // of the empty lines around it one stays
	case start == 0 && blank(end):
		end = d.nextLine(end)
	case start > 0 && blank(d.lineStart(start-1)) && (end == len(d.data) || blank(end)):
		start = d.lineStart(start - 1)
	}
	return Splice{start, end, ""}, nil
}

// holdsOnlyOneRule reports whether a section of a store has one rule and otherwise only says which directory it is about.
func (t *table) holdsOnlyOneRule() bool {
	for _, e := range t.entries {
		if e.name != "dir" && (e.name != "rule" || len(e.val.elems) != 1) {
			return false
		}
	}
	return t.headed && !t.inline
}

// lineStart is the offset of the line that holds at.
func (d *Document) lineStart(at int) int { return d.lines[d.origin(at).Line-1] }

// Apply carries splices out, which must not overlap, and makes sure that the result is a
// configuration without mistakes; the error is [Mistakes] where it is not.
func (d *Document) Apply(home string, splices ...Splice) ([]byte, error) {
	slices.SortStableFunc(splices, func(a, b Splice) int { return a.Start - b.Start })
	var out bytes.Buffer
	at := 0
	for _, s := range splices {
		if s.Start < at || s.End < s.Start || s.End > len(d.data) {
			return nil, errors.New("the edits overlap")
		}
		out.Write(d.data[at:s.Start])
		out.WriteString(s.Text)
		at = s.End
	}
	out.Write(d.data[at:])
	if _, err := Parse(d.name, out.Bytes(), home); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// bareKey is a name as a key of TOML, in quotes where it needs them.
func bareKey(name string) string {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return literal(name)
		}
	}
	if name == "" {
		return `""`
	}
	return name
}
