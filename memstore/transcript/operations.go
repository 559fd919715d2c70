package transcript

import (
	"bytes"
	"strconv"

	"memcurator/memstore/transcript/rawjson"
)

// operations rebuilds a chat session of VS Code from its log of operations: a snapshot,
// values that were set, elements that were appended, values that were removed. Parts that no operation
// goes into stay the bytes that they are in the file.
type operations struct {
	root *part
	at   Source // of the snapshot
}

// part is a value, taken apart as far as operations went into it.
type part struct {
	raw    rawjson.Value
	keys   []string
	fields map[string]*part // of an object
	items  []*part          // of an array
	list   bool
}

// The kinds of operations.
const (
	opSnapshot = "0"
	opSet      = "1"
	opPush     = "2"
	opDelete   = "3"
)

// deepestOperation bounds how many steps the path of an operation may have, and longestList the
// elements that it may make up for.
const (
	deepestOperation = 64
	longestList      = 1 << 20
)

// operation takes a line of the log; false: it is none.
func (r *Reader) operation(o rawjson.Object, at Source) bool {
	kind := string(o.Get("kind"))
	v := o.Get("v")
	switch {
	case kind == opSnapshot && v.IsObject():
		r.rebuilt()
		r.chat = &operations{root: &part{raw: bytes.Clone(v)}, at: at}
	case r.chat == nil || !o.Get("k").IsArray():
		return false
	case kind == opSet || kind == opPush || kind == opDelete:
		r.chat.apply(kind, o.Get("k"), bytes.Clone(v), o.Get("i"))
	default:
		return false
	}
	return true
}

// rebuilt reads the session as it is at the end of its log.
func (r *Reader) rebuilt() {
	chat := r.chat
	if chat == nil {
		return
	}
	r.chat = nil
	var out bytes.Buffer
	chat.root.write(&out)
	if rawjson.Valid(out.Bytes()) {
		r.look(out.Bytes(), chat.at)
	}
}

func (c *operations) apply(kind string, path rawjson.Value, v, cut rawjson.Value) {
	p, steps := c.root, 0
	var last rawjson.Value
	parent := p
	ok := true
	path.Each(func(k rawjson.Value) {
		if steps++; !ok || steps > deepestOperation {
			ok = false
			return
		}
		parent, last = p, k
		p = p.child(k)
		ok = p != nil
	})
	switch {
	case !ok || steps == 0:
	case kind == opDelete:
		parent.remove(last)
	case kind == opSet:
		*p = part{raw: v}
	default:
		p.push(v, cut)
	}
}

// open takes an object or an array apart.
func (p *part) open(list bool) {
	if p.raw == nil && (p.fields != nil || p.list) {
		return
	}
	raw := p.raw
	p.raw, p.list = nil, list
	if list {
		raw.Each(func(e rawjson.Value) { p.items = append(p.items, &part{raw: e}) })
		return
	}
	p.fields = map[string]*part{}
	for _, f := range raw.Object() {
		if p.fields[f.Key] == nil {
			p.keys = append(p.keys, f.Key)
		}
		p.fields[f.Key] = &part{raw: f.Val}
	}
}

// child is the part at a key or a number, made where there is none; nil: it cannot be.
func (p *part) child(k rawjson.Value) *part {
	if k.IsString() {
		p.open(false)
		if p.list {
			return nil
		}
		name := k.Text()
		if p.fields[name] == nil {
			p.fields[name] = &part{}
			p.keys = append(p.keys, name)
		}
		return p.fields[name]
	}
	n, err := strconv.Atoi(string(k))
	p.open(true)
	if err != nil || n < 0 || n > len(p.items) || n >= longestList || !p.list {
		return nil
	}
	if n == len(p.items) {
		p.items = append(p.items, &part{})
	}
	return p.items[n]
}

func (p *part) remove(k rawjson.Value) {
	if k.IsString() {
		delete(p.fields, k.Text())
		return
	}
	if n, err := strconv.Atoi(string(k)); err == nil && n >= 0 && n < len(p.items) {
		p.items = append(p.items[:n], p.items[n+1:]...)
	}
}

// push appends elements; cut is the index from which on those that are there go first.
func (p *part) push(v, cut rawjson.Value) {
	p.open(true)
	if n, err := strconv.Atoi(string(cut)); err == nil && n >= 0 && n < len(p.items) {
		p.items = p.items[:n]
	}
	v.Each(func(e rawjson.Value) { p.items = append(p.items, &part{raw: e}) })
}

func (p *part) write(out *bytes.Buffer) {
	switch {
	case p.list:
		out.WriteByte('[')
		for i, e := range p.items {
			if i > 0 {
				out.WriteByte(',')
			}
			e.write(out)
		}
		out.WriteByte(']')
	case p.fields != nil:
		out.WriteByte('{')
		first := true
		for _, k := range p.keys {
			e := p.fields[k]
			if e == nil {
				continue
			}
			if !first {
				out.WriteByte(',')
			}
			first = false
			out.Write(rawjson.Quote(k))
			out.WriteByte(':')
			e.write(out)
		}
		out.WriteByte('}')
	case len(p.raw) == 0:
		out.WriteString("null")
	default:
		out.Write(p.raw)
	}
}
