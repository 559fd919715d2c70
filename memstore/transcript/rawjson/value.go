// Package rawjson finds the parts of JSON values in their bytes.
//
// What is kept of a transcript must stay the bytes of the file, and most of a transcript is passed
// over. So values are scanned, not decoded: what is skipped costs the scan alone. [Valid] checks first
// that a text is JSON; the scans trust that and read broken or cut text without harm. The package
// has no state and knows nothing of transcripts. The packages around it are its only callers.
package rawjson

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// Value is one JSON value without blanks around it. Where it is cut off or broken its parts are
// too, and nothing worse happens. Its parts are found by
// scanning, not by decoding: what is skipped costs nothing but the scan, and the bytes of what is
// kept are those of the file.
type Value []byte

// Field is one member of an object.
type Field struct {
	Key string
	Val Value
}

// IsObject, IsArray and IsString go by the first byte of a value.
func (v Value) IsObject() bool { return len(v) > 0 && v[0] == '{' }
func (v Value) IsArray() bool  { return len(v) > 0 && v[0] == '[' }
func (v Value) IsString() bool { return len(v) > 0 && v[0] == '"' }

// Object is the members of an object in their order. Of duplicate keys the last counts.
type Object []Field

// Object is the members of an object, nil for every other value.
func (v Value) Object() Object {
	if !v.IsObject() {
		return nil
	}
	var list Object
	for i := SkipSpace(v, 1); i < len(v) && v[i] == '"'; {
		end := StringEnd(v, i)
		f := Field{Key: Value(v[i:end]).Text()}
		i = SkipSpace(v, end) + 1 // the colon
		if i = SkipSpace(v, i); i >= len(v) {
			break // cut off
		}
		end = ValueEnd(v, i)
		f.Val = v[i:end:end]
		list = append(list, f)
		if i = SkipSpace(v, end); i < len(v) && v[i] == ',' {
			i = SkipSpace(v, i+1)
		}
	}
	return list
}

// Get is the value of a key, nil for none.
func (o Object) Get(key string) Value {
	for i := len(o) - 1; i >= 0; i-- {
		if o[i].Key == key {
			return o[i].Val
		}
	}
	return nil
}

// Text is the string at a key, "" for none.
func (o Object) Text(key string) string { return o.Get(key).Text() }

// Number is the integer at a key, 0 for none.
func (o Object) Number(key string) int {
	n, _ := strconv.Atoi(string(o.Get(key))) // 0 with an error
	return n
}

// First is the first string that is not empty among keys.
func (o Object) First(keys ...string) string {
	for _, k := range keys {
		if s := o.Text(k); s != "" {
			return s
		}
	}
	return ""
}

// IsTrue reports whether the value is true.
func (v Value) IsTrue() bool { return string(v) == "true" }

// Each calls visit for the elements of an array.
func (v Value) Each(visit func(Value)) {
	if !v.IsArray() {
		return
	}
	for i := SkipSpace(v, 1); i < len(v) && v[i] != ']'; {
		end := ValueEnd(v, i)
		visit(v[i:end:end])
		if i = SkipSpace(v, end); i < len(v) && v[i] == ',' {
			i = SkipSpace(v, i+1)
		}
	}
}

// SkipSpace returns the offset of the first non-blank byte from i on.
func SkipSpace(p []byte, i int) int {
	for i < len(p) && (p[i] == ' ' || p[i] == '\n' || p[i] == '\r' || p[i] == '\t') {
		i++
	}
	return i
}

// StringEnd is the offset after the string that begins at i; len(p) if it does not end.
func StringEnd(p []byte, i int) int {
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

// ValueEnd is the offset after the value that begins at i.
func ValueEnd(p []byte, i int) int {
	depth := 0
	for i < len(p) {
		switch p[i] {
		case '"':
			i = StringEnd(p, i)
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

// Repair closes a JSON value that was cut off after its last whole element of an array that is
// not part of an input. Nil: no whole element remains.
func Repair(p []byte) Value {
	type open struct {
		close  byte
		frozen bool
	}
	var stack []open
	var safe []byte // what closes the value at the last safe offset
	end, key, frozenNow := 0, "", false
	for i := SkipSpace(p, 0); i < len(p); {
		switch c := p[i]; c {
		case '"':
			next := StringEnd(p, i)
			if next < len(p) && NextByte(p, next) == ':' {
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
	if !Valid(whole) {
		return nil
	}
	return bytes.TrimSpace(whole)
}

// NextByte is the byte after the blanks at i, 0 at the end.
func NextByte(p []byte, i int) byte {
	if i = SkipSpace(p, i); i < len(p) {
		return p[i]
	}
	return 0
}

// Split yields the JSON values that follow one another in data. rest is what follows the last whole one.
func Split(data []byte, visit func(v Value, offset int)) (rest []byte) {
	for i := SkipSpace(data, 0); i < len(data); i = SkipSpace(data, i) {
		end := len(data)
		if data[i] == '{' || data[i] == '[' {
			end = ValueEnd(data, i)
		}
		if !Valid(data[i:end]) {
			return data[i:]
		}
		visit(data[i:end:end], i)
		i = end
	}
	return nil
}

// Quote is a text as a JSON string.
func Quote(text string) Value {
	out, err := json.Marshal(text)
	if err != nil {
		return Value(strconv.Quote(text))
	}
	return out
}

// MaxDepth is how far values are walked into.
const MaxDepth = 64
