package config

import (
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// builder turns the events of the parser into tables. Its ranges count from base.
type builder struct {
	d    *Document
	p    *unstable.Parser
	base int
}

func (b builder) span(r unstable.Range) span {
	return span{b.base + int(r.Offset), b.base + int(r.Offset) + int(r.Length)}
}

// expression takes one expression and returns the table that the next keys belong to.
func (d *Document) expression(b builder, n *unstable.Node, in *table) *table {
	switch n.Kind {
	case unstable.KeyValue:
		b.keyValue(n, in, 0)
		return in
	case unstable.Table:
		return b.header(n, false)
	case unstable.ArrayTable:
		return b.header(n, true)
	default:
		return in
	}
}

// part is one part of a dotted key.
type part struct {
	name string
	at   span
}

func (b builder) parts(it unstable.Iterator) []part {
	var out []part
	for it.Next() {
		out = append(out, part{string(it.Node().Data), b.span(it.Node().Raw)})
	}
	return out
}

// lost takes the keys of a table whose header was refused, so that they are not taken for others'.
func lost() *table { return newTable(span{}) }

// header makes or finds the table of [a.b] or [[a.b]].
func (b builder) header(n *unstable.Node, array bool) *table {
	parts := b.parts(n.Key())
	if len(parts) > maxNesting {
		b.d.mistake(parts[0].at.start, "tables are nested more than %d deep", maxNesting)
		return lost()
	}
	t := b.d.root
	for _, p := range parts[:len(parts)-1] {
		if t = b.descend(t, p); t == nil {
			return lost()
		}
	}
	last := parts[len(parts)-1]
	whole := span{parts[0].at.start, last.at.end}
	made := newTable(whole)
	made.headed = true
	// Behind the closing brackets.
	made.end = b.d.lineEnd(last.at.end)
	old := t.index[last.name]
	if array {
		return b.appendTable(t, old, last, made)
	}
	switch {
	case old == nil:
		t.add(&entry{name: last.name, at: last.at, val: &value{kind: unstable.Table, at: whole, table: made}})
		return made
	case old.val.table != nil && !old.val.table.headed && !old.val.table.inline:
		old.val.table.headed, old.val.table.head, old.val.table.end = true, whole, made.end
		return old.val.table
	}
	b.twice(last, old)
	return lost()
}

// descend goes into a table on the way to another; nil where the name is something else.
func (b builder) descend(t *table, p part) *table {
	e := t.index[p.name]
	if e == nil {
		made := newTable(p.at)
		made.end = -1
		t.add(&entry{name: p.name, at: p.at, val: &value{kind: unstable.Table, at: p.at, table: made}})
		return made
	}
	v := e.val
	if v.heads {
		v = v.elems[len(v.elems)-1]
	}
	if v.table == nil || v.table.inline {
		b.twice(p, e)
		return nil
	}
	return v.table
}

func (b builder) appendTable(t *table, old *entry, last part, made *table) *table {
	one := &value{kind: unstable.Table, at: made.head, table: made}
	if old == nil {
		all := &value{kind: unstable.Array, at: made.head, heads: true, elems: []*value{one}}
		t.add(&entry{name: last.name, at: last.at, val: all})
		return made
	}
	if !old.val.heads {
		b.twice(last, old)
		return lost()
	}
	old.val.elems = append(old.val.elems, one)
	return made
}

func (b builder) twice(p part, old *entry) {
	b.d.mistake(p.at.start, "duplicate key %s, first set in line %d", quoted(p.name), b.d.origin(old.at.start).Line)
}

// keyValue adds "a.b = value" to a table.
func (b builder) keyValue(n *unstable.Node, in *table, depth int) {
	parts, expr := b.parts(n.Key()), b.span(n.Raw)
	if len(parts) > maxNesting {
		b.d.mistake(parts[0].at.start, "keys are nested more than %d deep", maxNesting)
		return
	}
	in.end = max(in.end, expr.end)
	t := in
	for _, p := range parts[:len(parts)-1] {
		if t = b.descend(t, p); t == nil {
			return
		}
		t.end = max(t.end, expr.end)
	}
	last := parts[len(parts)-1]
	if old := t.index[last.name]; old != nil {
		b.twice(last, old)
		return
	}
	at := span{b.valueStart(last.at.end), expr.end}
	t.add(&entry{
		name: last.name, at: last.at, expr: expr, raw: string(b.d.data[expr.start:last.at.start]),
		val: b.value(n.Value(), at, depth),
	})
}

// valueStart is the offset behind the equals sign that follows a key.
func (b builder) valueStart(at int) int {
	for at < len(b.d.data) && strings.IndexByte(" \t=", b.d.data[at]) >= 0 {
		at++
	}
	return at
}

func (b builder) value(n *unstable.Node, at span, depth int) *value {
	v := &value{kind: n.Kind, at: at}
	if depth > maxNesting {
		b.d.mistake(at.start, "values are nested more than %d deep", maxNesting)
		return v
	}
	switch n.Kind {
	case unstable.Array:
		for it := n.Children(); it.Next(); {
			if it.Node().Kind == unstable.Comment {
				continue
			}
			v.elems = append(v.elems, b.value(it.Node(), b.elementSpan(it.Node(), at), depth+1))
		}
	case unstable.InlineTable:
		v.table = newTable(at)
		v.table.inline, v.table.end = true, at.start+1
		for it := n.Children(); it.Next(); {
			if it.Node().Kind == unstable.KeyValue {
				b.keyValue(it.Node(), v.table, depth+1)
			}
		}
	default:
		v.text = string(n.Data)
	}
	return v
}

// elementSpan is the place of an element; the parser keeps none for an array in an array, and
// of an inline table its first byte.
func (b builder) elementSpan(n *unstable.Node, around span) span {
	if n.Raw.Length == 0 {
		return around
	}
	return b.span(n.Raw)
}

// lineEnd is the offset of the line break behind at, or of the end of the file.
func (d *Document) lineEnd(at int) int {
	end := d.nextLine(at)
	for end > at && (d.data[end-1] == '\n' || d.data[end-1] == '\r') {
		end--
	}
	return end
}
