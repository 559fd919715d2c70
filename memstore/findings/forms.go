package findings

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"strings"
	"unicode/utf16"
)

// form is how a value may be written.
type form string

// The forms. All are sought whatever the case of their letters.
const (
	rawForm     form = "as it is"
	escapedForm form = "escaped as in JSON"
	base64Form  form = "base64"
	hexForm     form = "hex"
	utf16Form   form = "UTF-16"
	percentForm form = "percent-encoded"
)

// Bounds of what is sought, in bytes: a shorter form is met by chance, of a longer one the beginning tells.
const (
	minNeedle = 6
	maxNeedle = 4 << 10
)

// needle is one form of one value, its letters small.
type needle struct {
	text  string
	value int // of the values that are sought
	form  form
}

// needles finds many values in all their forms at once. It does not change once it is made.
type needles struct {
	list    []needle
	start   map[uint64][]int32 // by the first minNeedle bytes: many tokens share four or five
	filter  []uint64           // a bit for each beginning, hashed
	longest int
}

// fold makes the letters of ASCII small; no other byte changes, so that offsets stay.
var fold = func() (table [256]byte) {
	for i := range table {
		table[i] = byte(i)
		if 'A' <= i && i <= 'Z' {
			table[i] = byte(i) + 'a' - 'A'
		}
	}
	return table
}()

func newNeedles(values []string) *needles {
	n := &needles{start: map[uint64][]int32{}, filter: make([]uint64, 1<<filterBits>>6)}
	seen := map[string]bool{}
	for i, v := range values {
		for _, part := range parts(v) {
			for form, texts := range formsOf(part) {
				for _, t := range texts {
					n.add(needle{t, i, form}, seen)
				}
			}
		}
	}
	return n
}

// parts are a value, and of one with several lines the long ones too: indented or quoted, they are
// still what opens the door.
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
	little, big := wide(value)
	return map[form][]string{
		// letters beyond ASCII are folded here
		rawForm:     {value, strings.ToLower(value), strings.ToUpper(value)},
		escapedForm: {escaped(value, false), escaped(value, true), escaped(escaped(value, false), false)}, // the last: JSON as a text in JSON
		base64Form:  base64Forms(raw),
		hexForm:     {hex.EncodeToString(raw)},
		utf16Form:   {little, big},
		percentForm: {percent(value, "-_.~"), percent(value, "-_.~$&+=:@"), strings.ReplaceAll(percent(value, "-_.~ "), " ", "+")},
	}
}

// escaped is a value as JSON has it, with ascii also what is not ASCII as escapes.
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

// percent is a value as it is in a URL: every byte but letters, digits and kept as %XX.
func percent(value, kept string) string {
	var b strings.Builder
	for _, c := range []byte(value) {
		switch {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', strings.IndexByte(kept, c) >= 0:
			b.WriteByte(c)
		default:
			b.WriteString("%" + hex.EncodeToString([]byte{c}))
		}
	}
	return b.String()
}

// base64Forms are what is in the middle of a text in base64, whatever is before and after the value.
func base64Forms(raw []byte) (list []string) {
	for shift := range 3 {
		padded := append(make([]byte, shift), raw...)
		text := base64.RawStdEncoding.EncodeToString(padded)
		text = text[(shift*8+5)/6 : len(padded)*8/6] // the characters beside depend on what stands there
		list = append(list, text, strings.NewReplacer("+", "-", "/", "_").Replace(text))
	}
	return list
}

func wide(value string) (little, big string) {
	var l, b []byte
	for _, u := range utf16.Encode([]rune(value)) {
		l, b = binary.LittleEndian.AppendUint16(l, u), binary.BigEndian.AppendUint16(b, u)
	}
	return string(l), string(b)
}

func (n *needles) add(one needle, seen map[string]bool) {
	b := []byte(one.text)
	for i, c := range b {
		b[i] = fold[c]
	}
	b = b[:min(len(b), maxNeedle)]
	if one.text = string(b); len(b) < minNeedle || seen[one.text] {
		return
	}
	seen[one.text] = true
	key := beginning(b)
	n.start[key] = append(n.start[key], int32(len(n.list)))
	n.list = append(n.list, one)
	n.longest = max(n.longest, len(b))
	h := filterBit(key)
	n.filter[h>>6] |= 1 << (h & 63)
}

// filterBits makes a filter of 32 KiB, which stays in the cache and is sparse with thousands of values.
const filterBits = 18

func filterBit(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> (64 - filterBits) }

// beginning is the first minNeedle bytes of b, which has as many.
func beginning(b []byte) uint64 {
	return uint64(binary.LittleEndian.Uint32(b)) | uint64(binary.LittleEndian.Uint16(b[4:]))<<32
}

// in calls found for each needle in data, with its place. Letters of data are made small.
func (n *needles) in(data []byte, found func(one needle, start, end int)) {
	if len(n.list) == 0 {
		return
	}
	for i, c := range data {
		data[i] = fold[c]
	}
	for i := 0; i+minNeedle <= len(data); i++ {
		key := beginning(data[i:])
		h := filterBit(key)
		if n.filter[h>>6]&(1<<(h&63)) == 0 {
			continue
		}
		for _, at := range n.start[key] {
			one := n.list[at]
			if end := i + len(one.text); end <= len(data) && string(data[i:end]) == one.text && (one.form != rawForm || peculiar(data, i, end)) {
				found(one, i, end)
			}
		}
	}
}

// peculiar reports whether a value at a place cannot be there by chance: a very short one in the middle of a word or of
// a hash is, and so is one in what we have put in the place of a value.
func peculiar(data []byte, start, end int) bool {
	if end-start < shortNeedle && (start > 0 && isWord(data[start-1]) && isWord(data[start]) || end < len(data) && isWord(data[end]) &&
		isWord(data[end-1])) {
		return false
	}
	before := data[max(0, start-placeholderMost):start]
	i := bytes.LastIndex(before, []byte("[redacted:"))
	return i < 0 || bytes.IndexByte(before[i:], ']') >= 0
}

// shortNeedle is the length, in bytes, below which a value counts only as a word of its own; placeholderMost
// that of what takes the place of a value.
const (
	shortNeedle     = 8
	placeholderMost = 96
)

func isWord(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }
