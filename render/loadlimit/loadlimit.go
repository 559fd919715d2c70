// Package loadlimit computes which part of a note a client loads when it starts, if it loads only a number of lines or bytes. Claude Code
// does so with MEMORY.md: 200 lines or 25,000 bytes, whichever comes first, not counting front matter and HTML comments, which it removes
// first.
package loadlimit

import (
	"bytes"

	"memcurator/render/frontmatter"
)

// MaxBytes limits the text to search for comments. What follows is counted unsearched.
const MaxBytes = 1 << 20

// Limits of Claude Code for MEMORY.md.
const (
	ClaudeCodeLines = 200
	ClaudeCodeBytes = 25_000
)

// Extent is an amount of text.
type Extent struct {
	Lines int64 // including a last line without a newline
	Bytes int64
}

// Measure returns the amount of text that counts.
func Measure(text []byte) Extent {
	var e Extent
	var last []byte
	for _, s := range counted(text) {
		e.Lines += int64(bytes.Count(s, newline))
		e.Bytes += int64(len(s))
		last = s
	}
	if len(last) > 0 && last[len(last)-1] != '\n' {
		e.Lines++
	}
	return e
}

// Cut returns how many lines of the file precede the first line that isn't loaded at all; 0: all is loaded. A limit of 0 is none. A line
// loaded in part comes before the cut.
func Cut(text []byte, lines, limit int64) int {
	var had Extent
	for at, s := range counted(text) {
		end := len(s)
		if limit > 0 && limit-had.Bytes < int64(end) {
			end = int(limit - had.Bytes)
		}
		if lines > 0 {
			if n := after(s[:end], lines-had.Lines); n < end {
				end = n
			}
		}
		if end < len(s) {
			return int(Lines(text[:at+end]))
		}
		had.Lines += int64(bytes.Count(s, newline))
		had.Bytes += int64(len(s))
	}
	return 0
}

var newline = []byte{'\n'}

// after returns the offset after that many lines, at most the length of the text.
func after(text []byte, lines int64) int {
	at := 0
	for ; lines > 0; lines-- {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return len(text)
		}
		at += n + 1
	}
	return at
}

// Lines counts the lines of a text, including a last one without a newline.
func Lines(text []byte) int64 {
	n := int64(bytes.Count(text, newline))
	if len(text) > 0 && text[len(text)-1] != '\n' {
		n++
	}
	return n
}

// counted yields the parts of a text that count, with their offsets.
func counted(text []byte) func(func(int, []byte) bool) {
	return func(yield func(int, []byte) bool) {
		from := 0
		if m, ok := frontmatter.Find(text); ok {
			from = m.End
		}
		for s := range comments(text, from) {
			if s.start > from && !yield(from, text[from:s.start]) {
				return
			}
			from = s.end
		}
		if from < len(text) {
			yield(from, text[from:])
		}
	}
}

// span is a part of a text, in bytes.
type span struct{ start, end int }

// comments yields the HTML comments of a text outside fenced code, starting at an offset. A comment with no other text on its lines
// includes those lines; an unterminated one is text.
func comments(text []byte, from int) func(func(span) bool) {
	return func(yield func(span) bool) {
		text := text[:min(len(text), MaxBytes)]
		var fence []byte
		for at := from; at < len(text); {
			end := after(text[at:], 1) + at
			line := text[at:end]
			if mark := fenceOf(line); fence != nil || mark != nil {
				switch {
				case fence == nil:
					fence = mark
				case bytes.HasPrefix(mark, fence) && len(bytes.TrimSpace(line)) == len(mark):
					fence = nil
				}
				at = end
				continue
			}
			open := bytes.Index(line, []byte("<!--"))
			if open < 0 {
				at = end
				continue
			}
			s := span{start: at + open}
			length := bytes.Index(text[s.start+len("<!--"):], []byte("-->"))
			if length < 0 {
				return
			}
			s.end = s.start + len("<!--") + length + len("-->")
			rest := after(text[s.end:], 1) + s.end
			if len(bytes.TrimSpace(line[:open])) == 0 && len(bytes.TrimSpace(text[s.end:rest])) == 0 {
				s = span{at, rest}
			}
			if !yield(s) {
				return
			}
			at = s.end
		}
	}
}

// fenceOf returns the backticks or tildes that begin or end fenced code, nil if the line has none.
func fenceOf(line []byte) []byte {
	body := bytes.TrimLeft(line, " ")
	if len(line)-len(body) > 3 {
		return nil
	}
	for _, mark := range []string{"`", "~"} {
		if n := len(body) - len(bytes.TrimLeft(body, mark)); n >= 3 {
			return body[:n]
		}
	}
	return nil
}
