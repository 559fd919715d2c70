package format

import (
	"bytes"

	"memcurator/memstore/transcript/rawjson"
)

// voters is how many lines decide on a format.
const voters = 20

// Detect names the format of a file by its beginning. spread: its JSON values are spread over lines.
func Detect(head []byte) (name string, spread bool) {
	text := bytes.TrimLeft(head, " \t\r\n\x1e")
	for _, p := range []string{"event:", "data:", "id:", "retry:", ":"} {
		if bytes.HasPrefix(text, []byte(p)) {
			return SSE, false
		}
	}
	if len(text) == 0 || text[0] != '{' && text[0] != '[' {
		return Other, false
	}
	first, _, more := bytes.Cut(text, []byte{'\n'})
	if more && !rawjson.Valid(bytes.TrimSpace(first)) && opensValue(first) {
		name, _ := kindOf(text)
		return name, true
	}
	votes := map[string]int{}
	best := Other
	for line := range bytes.Lines(text) {
		name, decides := kindOf(bytes.TrimSpace(line))
		if decides {
			return name, false
		}
		if votes[name]++; name != Other && (best == Other || votes[name] > votes[best]) {
			best = name
		}
		if votes[""]++; votes[""] == voters {
			break
		}
	}
	return best, false
}

// opensValue distinguishes a line whose value continues in the next one from a broken one:
// all that it opens is not closed yet.
func opensValue(line []byte) bool {
	return len(bytes.TrimSpace(line)) <= 2 || rawjson.ValueEnd(line, 0) == len(line) && !bytes.HasSuffix(bytes.TrimSpace(line), []byte("}"))
}

// kindOfMost is the first format that is known of the elements at the beginning of a list.
func kindOfMost(list rawjson.Value) (name string, decides bool) {
	name = Other
	n := 0
	list.Each(func(e rawjson.Value) {
		if n++; name == Other && n <= voters && !bytes.HasPrefix(e, []byte{'['}) {
			name, decides = kindOf(e)
		}
	})
	return name, decides
}

// kindOf names the format that the keys at the top of a value speak for. decides: all of its file is that.
func kindOf(v rawjson.Value) (name string, decides bool) {
	if v.IsArray() {
		v = bytes.TrimLeft(v[1:], " \t\r\n")
	}
	if !v.IsObject() {
		return Other, false
	}
	o := v.Object()
	for _, key := range []string{"data", "loglines"} { // a list of an API, a session that was fetched
		if list := o.Get(key); list.IsArray() {
			return kindOfMost(list)
		}
	}
	for _, f := range registered {
		if f.Detects != nil && f.Detects(o) {
			return f.Name, f.Decides
		}
	}
	return Other, false
}
