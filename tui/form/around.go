package form

import (
	"bytes"
)

// aroundUpTo bounds a text with its neighbors, in bytes.
const aroundUpTo = 8 << 10

// Around returns the text to put into old_str for the line with a number, from 1: the line, with
// as many lines around it as it takes that the text occurs once in data; above is how many
// of them are above it. It is the line alone where that cannot be had, and where data
// holds another line there.
func Around(data []byte, number int, line string) (old string, above int) {
	from, to, ok := lineAt(data, number)
	if !ok || string(data[from:to]) != line {
		return line, 0
	}
	for {
		text := data[from:to]
		if len(text) > 0 && once(data, text, from) {
			return string(text), above
		}
		grown := false
		if from > 0 {
			from = bytes.LastIndexByte(data[:from-1], '\n') + 1
			above++
			grown = true
		}
		if to < len(data) {
			end := bytes.IndexByte(data[to+1:], '\n')
			if end < 0 {
				end = len(data) - to - 1
			}
			to += 1 + end
			grown = true
		}
		if !grown || to-from > aroundUpTo {
			return line, 0
		}
	}
}

// lineAt finds the bytes of a line without its "\n".
func lineAt(data []byte, number int) (from, to int, ok bool) {
	for ; number > 1; number-- {
		i := bytes.IndexByte(data[from:], '\n')
		if i < 0 {
			return 0, 0, false
		}
		from += i + 1
	}
	to = bytes.IndexByte(data[from:], '\n')
	if to < 0 {
		return from, len(data), true
	}
	return from, from + to, true
}

// once reports whether text occurs at an offset of data and nowhere else, as the tool counts.
func once(data, text []byte, at int) bool {
	return bytes.Index(data, text) == at && !bytes.Contains(data[at+len(text):], text)
}
