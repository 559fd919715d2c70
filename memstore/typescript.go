package memstore

import (
	"bytes"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// TypeScript is the dialect of the TypeScript SDK: what its own handlers answer and do, except as listed in docs/dialects.md (escapes,
// host paths, lost bytes).
var TypeScript = Dialect{&typescriptRules}

// typescriptRules follows BetaLocalFilesystemMemoryTool of @anthropic-ai/sdk 1.12.0, unchanged since 1.11.0.
var typescriptRules = sdkRules.but(func(r *rules) {
	r.name = "typescript"

	r.root = map[string]string{
		CmdDelete: "Cannot delete the " + backend.Root + " directory itself",
		CmdRename: "Cannot rename the " + backend.Root + " directory itself",
	}
	r.tooLong = "File {p} has too many lines ({n_lines}). Maximum is 999,999 lines."
	r.failures = sdkFailures(failureText{backend.ErrEscapes, "Path would escape " + backend.Root + " directory via symlink"})
	r.insertRange = "Invalid `insert_line` parameter: {n}. It should be within the range of lines of the file: [0, {n_lines}]"

	r.appendSize = appendTSSize
	r.hidden = tsHidden
	r.order = compareUTF16

	r.decode = tsDecode
	r.askedRows = sdkAskedRows
	r.number = jsNumber

	r.find = tsFind
	r.insertAt = tsInsertAt

	r.renameChecks = []func(*renaming) *Error{
		(*renaming).notRoot, (*renaming).notTaken,
		(*renaming).notInside, (*renaming).hasSource, (*renaming).hasParents, (*renaming).notIntoItself,
	}
})

// appendTSSize: exact multiples of a unit without decimals, else one decimal,
// halves rounded up. Rounding never moves to the next unit, and G is the
// last.
func appendTSSize(dst []byte, n int64) []byte {
	if n < 1024 {
		return append(strconv.AppendInt(dst, n, 10), 'B')
	}
	unit := (bits.Len64(uint64(n)) - 1) / 10
	shift := 10 * unit
	whole, rest := uint64(n)>>shift, uint64(n)&(1<<shift-1)
	tenths := (rest*10 + 1<<(shift-1)) >> shift
	dst = strconv.AppendUint(dst, whole+tenths/10, 10)
	if rest != 0 {
		dst = append(dst, '.', byte('0'+tenths%10))
	}
	if unit > 3 {
		return append(dst, "undefined"...)
	}
	return append(dst, " KMG"[unit])
}

// tsHidden also hides names that are not UTF-8: the runtime returns them garbled, and then can't find the file.
func tsHidden(name string) bool {
	return docsHidden(name) || !utf8.ValidString(name)
}

// compareUTF16 compares by UTF-16 code units, as JavaScript sorts strings:
// characters of two units sort before U+E000.
func compareUTF16(a, b string) int {
	for {
		if a == "" || b == "" {
			return len(a) - len(b)
		}
		ra, na := utf8.DecodeRuneInString(a)
		rb, nb := utf8.DecodeRuneInString(b)
		if ra != rb {
			return int(unitOrder(ra) - unitOrder(rb))
		}
		a, b = a[na:], b[nb:]
	}
}

// unitOrder moves the code points after the surrogates to the end.
func unitOrder(r rune) rune {
	if 0xE000 <= r && r <= 0xFFFF {
		return r + utf8.MaxRune
	}
	return r
}

// tsDecode replaces invalid UTF-8 by U+FFFD, one for each longest piece that could have begun a character, as the WHATWG Encoding
// Standard specifies.
func tsDecode(data []byte) (text []byte, lossy bool, err error) {
	if utf8.Valid(data) {
		return data, false, nil
	}
	text = make([]byte, 0, len(data)+len(data)/8)
	for len(data) > 0 {
		r, n := utf8.DecodeRune(data)
		if r == utf8.RuneError && n == 1 {
			text = utf8.AppendRune(text, utf8.RuneError)
			data = data[brokenRune(data):]
			continue
		}
		text = append(text, data[:n]...)
		data = data[n:]
	}
	return text, true, nil
}

// brokenRune is how many bytes at the start of p could have begun a rune, at least 1; p must not begin with a whole one.
func brokenRune(p []byte) int {
	low, high, more := byte(0x80), byte(0xBF), 0 // range of the second byte, and how many more follow
	switch c := p[0]; {
	case 0xC2 <= c && c <= 0xDF:
		more = 1
	case c == 0xE0:
		low, more = 0xA0, 2
	case c == 0xED:
		high, more = 0x9F, 2
	case 0xE1 <= c && c <= 0xEF:
		more = 2
	case c == 0xF0:
		low, more = 0x90, 3
	case c == 0xF4:
		high, more = 0x8F, 3
	case 0xF1 <= c && c <= 0xF3:
		more = 3
	}
	n := 1
	for n <= more && n < len(p) && low <= p[n] && p[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}

// tsFind searches each line separately. It counts lines, so it misses a second match on the same line, and an old_str with a newline
// never matches.
func tsFind(text []byte, old string) (at int, lines []int) {
	if strings.Contains(old, "\n") {
		return -1, nil
	}
	needle := []byte(old)
	at = bytes.Index(text, needle)
	if at < 0 {
		return -1, nil
	}
	lines = slices.Collect(linesFrom(text, at, func(pos int) int {
		end := bytes.IndexByte(text[pos:], '\n')
		if end < 0 {
			return -1
		}
		return indexFrom(text, needle, pos+end+1)
	}))
	if len(lines) == 1 {
		return at, nil
	}
	return at, lines
}

// tsInsertAt drops a final newline of add.
func tsInsertAt(text []byte, n int, add string) (out []byte, lines int, ok bool) {
	return jsInsertAt(text, n, strings.TrimSuffix(add, "\n"))
}

// jsInsertAt counts the pieces between newlines as lines, so a text that ends in a newline has an empty one more, and inserts add between
// two of them; a final newline of add makes an empty line.
func jsInsertAt(text []byte, n int, add string) (out []byte, lines int, ok bool) {
	lines = bytes.Count(text, newline) + 1
	if n < 0 || n > lines {
		return nil, lines, false
	}
	out = make([]byte, 0, len(text)+len(add)+1)
	if n == lines {
		out = append(append(out, text...), '\n')
		return append(out, add...), lines, true
	}
	at := lineStart(text, n)
	out = append(append(out, text[:at]...), add...)
	out = append(out, '\n')
	return append(out, text[at:]...), lines, true
}
