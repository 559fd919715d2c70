package ccmemory

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// never is the end of working memory that lasts: the last moment that has a date of four digits.
const never Millis = 253402300799999

const neverText = "never"

// A value of the front matter stands bare where no reader of YAML would take it for anything else, and in JSON's quotes elsewhere.

func quoted(s string) string { return string(appendQuoted(nil, s)) }

func appendQuoted(b []byte, s string) []byte {
	if isBare(s) {
		return append(b, s...)
	}
	return append(b, marshal(s)...)
}

// appendItem is appendQuoted, in a list.
func appendItem(b []byte, s string) []byte {
	if isBare(s) && !strings.ContainsAny(s, ",[]{}") {
		return append(b, s...)
	}
	return append(b, marshal(s)...)
}

func isBare(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	if !unicode.IsLetter(first) && !unicode.IsDigit(first) && first != '/' && first != '_' {
		return false
	}
	for i, r := range s {
		if (r < ' ' || r > '~') && (!unicode.IsPrint(r) || r == utf8.RuneError) {
			return false
		}
		next := byte(' ') // a colon or a blank that ends it counts, too
		if i+1 < len(s) {
			next = s[i+1]
		}
		if r == ':' && next == ' ' || r == ' ' && (next == '#' || i+1 == len(s)) {
			return false
		}
	}
	return true
}

// jsonString writes a string as JSON, as the program does: without escapes for HTML.
func jsonString(s string) string { return string(marshal(s)) }

// marshal writes a value as the program does.
func marshal(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil // no value here can't be written
	}
	out := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	// Go escapes these two, JavaScript doesn't.
	out = bytes.ReplaceAll(out, []byte(`\u2028`), []byte("\u2028"))
	return bytes.ReplaceAll(out, []byte(`\u2029`), []byte("\u2029"))
}

// appendIndented writes a value of JSON without blanks in lines.
func appendIndented(b []byte, j json.RawMessage) []byte {
	depth := 0
	line := func() {
		b = append(b, '\n')
		for range depth {
			b = append(b, "  "...)
		}
	}
	for i := 0; i < len(j); i++ {
		switch c := j[i]; c {
		case '"':
			end := i + quoteEnd(j[i:])
			b = append(b, j[i:end]...)
			i = end - 1
		case '{', '[':
			b = append(b, c)
			if i+1 < len(j) && j[i+1] == c+2 { // it is empty
				b = append(b, c+2)
				i++
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			b = append(b, c)
		case ',':
			b = append(b, c)
			line()
		case ':':
			b = append(b, c, ' ')
		default:
			b = append(b, c)
		}
	}
	return b
}

// unquoted is the inverse of appendQuoted and appendItem.
func unquoted(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, true
	}
	var v string
	err := json.Unmarshal([]byte(s), &v)
	return v, err == nil
}

// parseList reads a list of the front matter.
func parseList(s string) ([]string, bool) {
	inner, ok := strings.CutPrefix(s, "[")
	if !ok || !strings.HasSuffix(inner, "]") {
		return nil, false
	}
	return parseItems(strings.TrimSuffix(inner, "]"), func(s string) (string, bool) { return s, !strings.ContainsAny(s, "[]") })
}

// parseItems reads items with commas between them. bare translates those without quotes.
func parseItems(s string, bare func(string) (string, bool)) ([]string, bool) {
	l := []string{}
	rest := strings.TrimSpace(s)
	for rest != "" {
		var next string
		if rest[0] == '"' {
			end := quoteEnd(rest)
			v, ok := unquoted(rest[:end])
			if !ok {
				return nil, false
			}
			l = append(l, v)
			rest = strings.TrimSpace(rest[end:])
			if rest == "" {
				return l, true
			}
			if rest[0] != ',' {
				return nil, false
			}
			next = rest[1:]
		} else {
			value, after, more := strings.Cut(rest, ",")
			value = strings.TrimSpace(value)
			v, ok := bare(value)
			if !ok || value == "" || !isReference(value) && strings.ContainsAny(value, "{}[]") {
				return nil, false
			}
			l = append(l, v)
			if !more {
				return l, true
			}
			next = after
		}
		if rest = strings.TrimSpace(next); rest == "" {
			return nil, false // a comma, and nothing behind it
		}
	}
	return l, true
}

// quoteEnd is where a string of JSON ends that begins with a quote.
func quoteEnd[T string | []byte | json.RawMessage](s T) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(s)
}

// References are links to files, or bare IDs of records that aren't there.

func isReference(s string) bool { return strings.HasPrefix(s, "[[") && strings.HasSuffix(s, "]]") }

func referred(s string) string { return strings.TrimSuffix(strings.TrimPrefix(s, "[["), "]]") }

func numberText(n float64) string { return string(appendNumber(nil, n)) }

func appendNumber(b []byte, n float64) []byte {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return strconv.AppendInt(b, int64(n), 10)
	}
	return strconv.AppendFloat(b, n, 'g', -1, 64)
}

func parseNumber(s string) (float64, bool) {
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0) && strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("0123456789+-.eE", r)
	}) < 0
}

// appendMoment writes a moment as the program does in JSON: [time.Time.Format] takes four times as long.
func appendMoment(b []byte, m int64) []byte {
	if Millis(m) == never {
		return append(b, neverText...)
	}
	t := time.UnixMilli(m).UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return strconv.AppendInt(b, m, 10)
	}
	hour, minute, second := t.Clock()
	b = append(appendDigits(b, year, 4), '-')
	b = append(appendDigits(b, int(month), 2), '-')
	b = append(appendDigits(b, day, 2), 'T')
	b = append(appendDigits(b, hour, 2), ':')
	b = append(appendDigits(b, minute, 2), ':')
	b = append(appendDigits(b, second, 2), '.')
	return append(appendDigits(b, t.Nanosecond()/int(time.Millisecond), 3), 'Z')
}

// appendDigits writes a number in a number of digits.
func appendDigits(b []byte, n, digits int) []byte {
	b = append(b, "0000"[:digits]...)
	for i := len(b) - 1; n > 0; i-- {
		b[i] = '0' + byte(n%10)
		n /= 10
	}
	return b
}

// parseMoment reads a moment, also as a user would write it.
func parseMoment(s string) (int64, bool) {
	if s == neverText {
		return int64(never), true
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UnixMilli(), true
		}
	}
	// Local times of the user, without a zone.
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.ParseInLocation(layout, s, time.Local); err == nil {
			return t.UnixMilli(), true
		}
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && len(s) > len("20060102150405")-2
}

// same reports whether two values of a column mean the same.
func same(f form, a, b any) bool {
	switch {
	case a == nil || b == nil:
		return a == nil && b == nil
	case f == list || f == refs:
		return slices.Equal(a.([]string), b.([]string))
	case f == object:
		return sameJSON(a.(json.RawMessage), b.(json.RawMessage))
	}
	return a == b
}

// sameJSON compares numbers as they are written: a large one would lose digits.
func sameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(a, b) || bytes.Equal(canonical(a), canonical(b))
}

func canonical(j json.RawMessage) json.RawMessage {
	d := json.NewDecoder(bytes.NewReader(j))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return j
	}
	return marshal(v)
}
