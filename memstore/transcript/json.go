package transcript

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value is one JSON value without blanks around it, as the bytes of the file. It is known to be valid: its parts are found by scanning,
// so what is passed over costs little, and what is kept is as it was recorded.
type value []byte

// object is the members of an object in their order. Of equal keys the last counts.
type object []member

type member struct {
	key string
	val value
}

// maxDepth is how far values are walked into.
const maxDepth = 64

func (v value) isObject() bool { return len(v) > 0 && v[0] == '{' }
func (v value) isArray() bool  { return len(v) > 0 && v[0] == '[' }
func (v value) isString() bool { return len(v) > 1 && v[0] == '"' }
func (v value) isNull() bool   { return len(v) == 0 || v[0] == 'n' }

// object is the members of an object, nil for any other value.
func (v value) object() (list object) {
	if !v.isObject() {
		return nil
	}
	for i := skipSpace(v, 1); i < len(v) && v[i] == '"'; {
		end := stringEnd(v, i)
		m := member{key: v[i:end].text()}
		i = skipSpace(v, skipSpace(v, end)+1) // the colon
		end = valueEnd(v, i)
		m.val = v[i:end:end]
		list = append(list, m)
		if i = skipSpace(v, end); i < len(v) && v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
	return list
}

// get is the value of a key, nil for none.
func (o object) get(key string) value {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].val
		}
	}
	return nil
}

// text is the string at a key, "" for none.
func (o object) text(key string) string { return o.get(key).text() }

// number is the integer at a key, 0 for none.
func (o object) number(key string) int {
	n, _ := strconv.Atoi(string(o.get(key))) // 0 with an error
	return n
}

// at follows a path with dots, of several with bars the first that leads to something; from an array it goes on with its first element.
func (o object) at(paths string) value {
	for path := range strings.SplitSeq(paths, "|") {
		key, rest, more := strings.Cut(path, ".")
		at := o.get(key)
		for more {
			if at.isArray() {
				at = at.first()
			}
			key, rest, more = strings.Cut(rest, ".")
			at = at.object().get(key)
		}
		if !at.isNull() {
			return at
		}
	}
	return nil
}

// each calls visit for the elements of an array.
func (v value) each(visit func(value)) {
	if !v.isArray() {
		return
	}
	for i := skipSpace(v, 1); i < len(v) && v[i] != ']'; {
		end := valueEnd(v, i)
		visit(v[i:end:end])
		if i = skipSpace(v, end); i < len(v) && v[i] == ',' {
			i = skipSpace(v, i+1)
		}
	}
}

// first is the first element of an array; nil: there is none.
func (v value) first() value {
	if i := skipSpace(v, 1); v.isArray() && i < len(v) && v[i] != ']' {
		return v[i:valueEnd(v, i)]
	}
	return nil
}

// text decodes a string; "" for any other value. Half a surrogate pair and bytes that are no UTF-8 become U+FFFD.
func (v value) text() (s string) {
	switch {
	case !v.isString():
	case bytes.IndexByte(v, '\\') < 0 && utf8.Valid(v): // as most are
		return string(v[1 : len(v)-1])
	case json.Unmarshal(v, &s) != nil:
		return ""
	}
	return s
}

// word is a string, a number or a word such as true.
func (v value) word() string {
	if v.isString() {
		return v.text()
	}
	if v.isObject() || v.isArray() || v.isNull() {
		return ""
	}
	return string(v)
}

// texts joins the texts in a result: a string, the texts of blocks, or the leaves of a tree, as VS Code keeps what it has rendered.
func (v value) texts(depth int) string {
	var b strings.Builder
	switch {
	case depth > maxDepth:
	case v.isString():
		return v.text()
	case v.isArray():
		v.each(func(e value) { b.WriteString(e.texts(depth + 1)) })
	case v.isObject():
		o := v.object()
		for _, key := range []string{"text", "value", "node", "children"} {
			b.WriteString(o.get(key).texts(depth + 1))
		}
	}
	return b.String()
}

func skipSpace(p []byte, i int) int {
	for i < len(p) && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t') {
		i++
	}
	return i
}

// stringEnd is the offset after the string that begins at i.
func stringEnd(p []byte, i int) int {
	for at := i + 1; at < len(p); {
		n := bytes.IndexByte(p[at:], '"')
		if n < 0 {
			return len(p)
		}
		quote, escapes := at+n, 0
		for escapes < n && p[quote-1-escapes] == '\\' {
			escapes++
		}
		if at = quote + 1; escapes%2 == 0 {
			return at
		}
	}
	return len(p)
}

// valueEnd is the offset after the value that begins at i; len(p) where it doesn't end.
func valueEnd(p []byte, i int) int {
	for depth := 0; i < len(p); {
		switch p[i] {
		case '"':
			i = stringEnd(p, i)
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
			continue
		default:
			for i < len(p) && bytes.IndexByte([]byte(",:]} \n\r\t"), p[i]) < 0 {
				i++
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return len(p)
}

// split visits the JSON values that follow one another; rest is what follows the last whole one.
func split(data []byte, visit func(v value, offset int)) (rest []byte) {
	for i := skipSpace(data, 0); i < len(data); i = skipSpace(data, i) {
		end := valueEnd(data, i)
		if data[i] != '{' && data[i] != '[' || !json.Valid(data[i:end]) {
			return data[i:]
		}
		visit(data[i:end:end], i)
		i = end
	}
	return nil
}

// quote is a text as a JSON string.
func quote(text string) value {
	out, _ := json.Marshal(text) // a string never fails
	return out
}

// canonical is one spelling for all spellings of a JSON value.
func canonical(v []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(v))
	d.UseNumber()
	var x any
	if d.Decode(&x) == nil {
		if out, err := json.Marshal(x); err == nil {
			return out
		}
	}
	return v
}
