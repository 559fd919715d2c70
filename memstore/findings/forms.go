package findings

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf16"

	"memcurator/memstore/scrub"
	"memcurator/memstore/scrub/redact"
)

// form is a way to write a value.
type form string

// Forms of a value. The search ignores case in all of them.
const (
	rawForm     form = "as it is"
	escapedForm form = "escaped as in JSON"
	base64Form  form = "base64"
	hexForm     form = "hex"
	namedForm   form = "as in a name"
)

// maxNeedle is how much of a long form is searched for, in bytes: the beginning is enough.
const maxNeedle = 4 << 10

// needle is one form of one value, in lower case.
type needle struct {
	text  string
	value int // index of the value
	form  form
}

// needles finds many values in all their forms at once. It is immutable.
type needles struct {
	list    []needle
	index   *scrub.Index
	longest int
}

func newNeedles(values []string) *needles {
	n := &needles{}
	seen := map[string]bool{}
	for i, v := range values {
		for _, part := range parts(v) {
			forms := formsOf(part)
			for _, form := range []form{rawForm, escapedForm, base64Form, hexForm, namedForm} {
				for _, t := range forms[form] {
					n.add(needle{t, i, form}, seen)
				}
			}
		}
	}
	texts := make([]string, len(n.list))
	for i, one := range n.list {
		texts[i] = one.text
	}
	n.index = scrub.NewIndex(texts)
	return n
}

// parts returns a value, and for one of several lines also its long lines: even indented or quoted, they are still the secret.
func parts(value string) []string {
	list := []string{value}
	if strings.Contains(value, "\n") {
		for line := range strings.Lines(value) {
			if line = strings.TrimSpace(line); len(line) >= 32 && !strings.HasPrefix(line, "-----") {
				list = append(list, line)
			}
		}
	}
	return list
}

func formsOf(value string) map[form][]string {
	raw := []byte(value)
	return map[form][]string{
		// letters beyond ASCII, which lower doesn't map
		rawForm: {value, strings.ToLower(value), strings.ToUpper(value)},
		escapedForm: {escaped(value, false), escaped(value, true),
			escaped(escaped(value, false), false)}, // the last one is for JSON within a JSON string
		base64Form: base64Forms(raw),
		hexForm:    {hex.EncodeToString(raw)},
		namedForm:  {named(value)},
	}
}

// escaped returns a value as in a JSON string, with ascii also escaping everything beyond ASCII.
func escaped(value string, ascii bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(ascii)
	if e.Encode(value) != nil {
		return value
	}
	s := strings.TrimSuffix(b.String(), "\n")
	s = s[1 : len(s)-1]
	if !ascii {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if r < 0x80 {
			out.WriteRune(r)
			continue
		}
		for _, u := range utf16.Encode([]rune{r}) {
			out.WriteString(`\u` + hex.EncodeToString([]byte{byte(u >> 8), byte(u)}))
		}
	}
	return out.String()
}

// named returns a value as a record's name is in that of its file: what a name can't have is =XX.
func named(value string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		if c < ' ' || strings.IndexByte(`/\=%~[]|#^<>{}*$"?:`, c) >= 0 {
			b.WriteString("=" + hex.EncodeToString([]byte{c}))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// base64Forms returns the middle of a base64 text that contains the value, whatever surrounds it.
func base64Forms(raw []byte) (list []string) {
	for shift := range 3 {
		padded := append(make([]byte, shift), raw...)
		text := base64.RawStdEncoding.EncodeToString(padded)
		text = text[(shift*8+5)/6 : len(padded)*8/6] // the characters at the ends depend on the neighbors
		list = append(list, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	return list
}

func (n *needles) add(one needle, seen map[string]bool) {
	b := []byte(one.text)
	lower(b)
	b = b[:min(len(b), maxNeedle)]
	if one.text = string(b); len(b) < scrub.MinIndexed || seen[one.text] {
		return
	}
	seen[one.text] = true
	n.list = append(n.list, one)
	n.longest = max(n.longest, len(b))
}

// in calls found for each needle in data, with its offsets. It lowers the letters of data in place.
func (n *needles) in(data []byte, found func(one needle, start, end int)) {
	if len(n.list) == 0 {
		return
	}
	lower(data)
	for i := range data {
		for at, end := range n.index.At(data, i) {
			if one := n.list[at]; one.form != rawForm || peculiar(data, i, end) {
				found(one, i, end)
			}
		}
	}
}

// lower maps ASCII letters to lower case in place. No other byte changes, so offsets stay.
func lower(data []byte) {
	for i, c := range data {
		if 'A' <= c && c <= 'Z' {
			data[i] = c + 'a' - 'A'
		}
	}
}

// peculiar reports whether a match at an offset can't be a coincidence, as a very short value within a word or a hash could be, or part
// of our own replacement of another value.
func peculiar(data []byte, start, end int) bool {
	if end-start < shortNeedle && (start > 0 && isWord(data[start-1]) && isWord(data[start]) || end < len(data) && isWord(data[end]) &&
		isWord(data[end-1])) {
		return false
	}
	return !redact.InPlaceholder(data, start)
}

// shortNeedle is the length, in bytes, below which a value must be a word by itself.
const shortNeedle = 8

func isWord(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
