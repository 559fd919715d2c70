package memstore

import (
	"bytes"
	"errors"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// Python is the dialect of the Python SDK: what its own handlers answer and do, except as listed in docs/dialects.md (escapes, host
// paths, lost bytes).
var Python = Dialect{&pythonRules}

// pythonRules follows BetaLocalFilesystemMemoryTool of the Python SDK 0.121.0.
var pythonRules = sdkRules.but(func(r *rules) {
	r.name = "python"

	r.listHeader = "Here're the files and directories up to 2 levels deep in {p}, excluding hidden items:"
	r.root = map[string]string{
		CmdDelete: "Cannot delete the " + backend.Root + " directory itself",
		CmdRename: docsRules.root[CmdRename],
	}
	r.failures = sdkFailures(failureText{backend.ErrEscapes, sdkEscapes})
	r.insertRange = "Invalid `insert_line` parameter: {n}. It should be within the range [0, {n_lines}]."

	r.locate = pyLocate
	r.appendSize = appendPySize
	r.hidden = func(name string) bool { return name == "" || name[0] == '.' }
	r.listsClosed = true

	r.decode = pyDecode
	r.askedRows = pyAskedRows
	r.number = pyNumber

	r.find = pyFind
	r.insertAt = pyInsertAt

	r.keepsOther = true
	r.renameChecks = []func(*renaming) *Error{
		(*renaming).notTaken, (*renaming).notRoot,
		(*renaming).notInside, (*renaming).hasSource, (*renaming).hasParents, (*renaming).notIntoItself,
	}
})

// pyLocate: what can't be looked at isn't there, unless a link leads out.
func pyLocate(b backend.Backend, name string) (string, bool, error) {
	_, err := b.Stat(name)
	if errors.Is(err, backend.ErrUnavailable) || errors.Is(err, backend.ErrEscapes) {
		return name, false, err
	}
	return name, err == nil, nil
}

// pyAskedRows: a slice takes integers of any size, but not a number sent with a fraction or an exponent that doesn't fit 64 bits. A start
// below 1 becomes 1 first.
func pyAskedRows(r viewRange) (rows [2]int, ok bool) {
	rows, ok = sdkAskedRows(r)
	if len(r.numbers) == 2 && r.sent != nil {
		ok = !isPyFloat(r.sent[1]) && (r.numbers[0] < 1 || !isPyFloat(r.sent[0]))
	}
	return rows, ok
}

// appendPySize: exact multiples of a unit without decimals, else one decimal,
// halves rounded to even. Rounding never moves to the next unit, and G is the
// last.
func appendPySize(dst []byte, n int64) []byte {
	if n < 1024 {
		return append(strconv.AppendInt(dst, n, 10), 'B')
	}
	unit := min((bits.Len64(uint64(n))-1)/10, 3)
	size := int64(1) << (10 * unit)
	if n%size == 0 {
		dst = strconv.AppendInt(dst, n/size, 10)
	} else {
		dst = strconv.AppendFloat(dst, float64(n)/float64(size), 'f', 1, 64)
	}
	return append(dst, " KMG"[unit])
}

// pyDecode reads as Python reads text: \r\n and \r are newlines.
func pyDecode(data []byte) (text []byte, lossy bool, err error) {
	if !utf8.Valid(data) {
		return nil, false, ErrNotText
	}
	if bytes.IndexByte(data, '\r') < 0 {
		return data, false, nil
	}
	text = bytes.ReplaceAll(data, []byte("\r\n"), newline)
	return bytes.ReplaceAll(text, []byte{'\r'}, newline), false, nil
}

// pyFind counts matches that don't overlap; if there are several, it returns the lines of all matches, overlapping ones included. An
// empty old matches before every character and at the end.
func pyFind(text []byte, old string) (at int, lines []int) {
	needle := []byte(old)
	at = bytes.Index(text, needle)
	if at < 0 || len(text) == 0 {
		return at, nil
	}
	if old != "" && !bytes.Contains(text[at+len(needle):], needle) {
		return at, nil
	}
	return at, slices.Collect(linesFrom(text, at, func(pos int) int {
		if pos == len(text) {
			return -1
		}
		_, size := utf8.DecodeRune(text[pos:])
		return indexFrom(text, needle, pos+size)
	}))
}

// pyInsertAt splits the text at everything that Python considers a line end
// and joins it with newlines: all line ends become \n, and the text ends in
// one. Newlines at the end of add are dropped.
func pyInsertAt(text []byte, n int, add string) (out []byte, lines int, ok bool) {
	add = strings.TrimRight(add, "\n")
	out = make([]byte, 0, len(text)+len(add)+2)
	put := func(line []byte) { out = append(append(out, line...), '\n') }
	for rest := text; len(rest) > 0; lines++ {
		if lines == n {
			put([]byte(add))
		}
		end, size := pyLineEnd(rest)
		put(rest[:end])
		rest = rest[end+size:]
	}
	if n < 0 || n > lines {
		return nil, lines, false
	}
	if lines == n {
		put([]byte(add))
	}
	// Joining adds no newline after the last line; one is added only if the text
	// doesn't end in one. An empty last line therefore looks the same as none.
	if trimmed := out[:len(out)-1]; bytes.HasSuffix(trimmed, newline) {
		out = trimmed
	}
	return out, lines, true
}

// pyLineEnd is the offset and size of the first line end in p; len(p), 0 if none.
func pyLineEnd(p []byte) (at, size int) {
	for i, c := range p {
		switch {
		case c == '\r' && i+1 < len(p) && p[i+1] == '\n':
			return i, 2
		case '\n' <= c && c <= '\r', 0x1C <= c && c <= 0x1E:
			return i, 1
		case c == 0xC2 && i+1 < len(p) && p[i+1] == 0x85: // NEL
			return i, 2
		case c == 0xE2 && i+2 < len(p) && p[i+1] == 0x80 && p[i+2]&^1 == 0xA8: // U+2028, U+2029
			return i, 3
		}
	}
	return len(p), 0
}
