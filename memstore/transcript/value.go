package transcript

import (
	"bytes"
	"strconv"
)

// value is one JSON value without blanks around it. Where it is cut off or broken its parts are
// too, and nothing worse happens. Its parts are found by
// scanning, not by decoding: what is skipped costs nothing but the scan, and the bytes of what is
// kept are those of the file.
type value []byte

// field is one member of an object.
type field struct {
	key string
	val value
}

func (v value) isObject() bool { return len(v) > 0 && v[0] == '{' }
func (v value) isArray() bool  { return len(v) > 0 && v[0] == '[' }
func (v value) isString() bool { return len(v) > 0 && v[0] == '"' }

// object is the members of an object in their order. Of duplicate keys the last counts.
type object []field

func (v value) object() object {
	if !v.isObject() {
		return nil
	}
	var list object
	for i := blanks(v, 1); i < len(v) && v[i] == '"'; {
		end := stringEnd(v, i)
		f := field{key: value(v[i:end]).text()}
		i = blanks(v, end) + 1 // the colon
		if i = blanks(v, i); i >= len(v) {
			break // cut off
		}
		end = valueEnd(v, i)
		f.val = v[i:end:end]
		list = append(list, f)
		if i = blanks(v, end); i < len(v) && v[i] == ',' {
			i = blanks(v, i+1)
		}
	}
	return list
}

// get is the value of a key, nil if there is none.
func (o object) get(key string) value {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].key == key {
			return o[i].val
		}
	}
	return nil
}

// text is the string at a key, "" if there is none.
func (o object) text(key string) string { return o.get(key).text() }

// number is the integer at a key, 0 if there is none.
func (o object) number(key string) int {
	n, _ := strconv.Atoi(string(o.get(key))) // 0 with an error
	return n
}

// first is the first string that is not empty among keys.
func (o object) first(keys ...string) string {
	for _, k := range keys {
		if s := o.text(k); s != "" {
			return s
		}
	}
	return ""
}

func (v value) isTrue() bool { return string(v) == "true" }

// each calls visit for the elements of an array.
func (v value) each(visit func(value)) {
	if !v.isArray() {
		return
	}
	for i := blanks(v, 1); i < len(v) && v[i] != ']'; {
		end := valueEnd(v, i)
		visit(v[i:end:end])
		if i = blanks(v, end); i < len(v) && v[i] == ',' {
			i = blanks(v, i+1)
		}
	}
}

func blanks(p []byte, i int) int {
	for i < len(p) && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t') {
		i++
	}
	return i
}

// stringEnd is the offset after the string that begins at i; len(p) if it does not end.
func stringEnd(p []byte, i int) int {
	for at := i + 1; at < len(p); {
		n := bytes.IndexByte(p[at:], '"')
		if n < 0 {
			return len(p)
		}
		quote := at + n
		escapes := 0
		for escapes < n && p[quote-1-escapes] == '\\' {
			escapes++
		}
		if at = quote + 1; escapes%2 == 0 {
			return at
		}
	}
	return len(p)
}

// endsWord are the bytes that end a number or a word.
var endsWord = [256]bool{',': true, ':': true, ']': true, '}': true, ' ': true, '\n': true, '\r': true, '\t': true}

// valueEnd is the offset after the value that begins at i.
func valueEnd(p []byte, i int) int {
	depth := 0
	for i < len(p) {
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
			for i < len(p) && !endsWord[p[i]] {
				i++
			}
		}
		if depth <= 0 {
			return i
		}
	}
	return len(p)
}

// frozen are the keys below which nothing of a cut value is kept: half an input is none.
var frozen = map[string]bool{"input": true, "arguments": true, "args": true, "content_block": true}

// mend closes a JSON value that was cut off after its last whole element of an array that is
// not part of an input. Nil: nothing is left of it.
func mend(p []byte) value {
	type open struct {
		close  byte
		frozen bool
	}
	var stack []open
	var safe []byte // what closes the value at the last safe offset
	end, key, frozenNow := 0, "", false
	for i := blanks(p, 0); i < len(p); {
		switch c := p[i]; c {
		case '"':
			next := stringEnd(p, i)
			if next < len(p) && stackTop(p, next) == ':' {
				key = string(p[i+1 : next-1])
			}
			i = next
			continue
		case '{', '[':
			frozenNow = frozenNow || frozen[key]
			stack = append(stack, open{c + 2, frozenNow})
			key = ""
		case '}', ']':
			if len(stack) == 0 {
				return nil
			}
			stack = stack[:len(stack)-1]
			frozenNow = len(stack) > 0 && stack[len(stack)-1].frozen
			if c == '}' && len(stack) > 0 && stack[len(stack)-1].close == ']' && !frozenNow {
				end, safe = i+1, safe[:0]
				for j := len(stack) - 1; j >= 0; j-- {
					safe = append(safe, stack[j].close)
				}
			}
		case ',':
			key = ""
		}
		i++
	}
	if end == 0 {
		return nil
	}
	whole := append(append([]byte{}, p[:end]...), safe...)
	if !valid(whole) {
		return nil
	}
	return bytes.TrimSpace(whole)
}

// stackTop is the byte after the blanks at i, 0 at the end.
func stackTop(p []byte, i int) byte {
	if i = blanks(p, i); i < len(p) {
		return p[i]
	}
	return 0
}
