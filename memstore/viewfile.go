package memstore

import (
	"bytes"
	"strconv"
	"unicode/utf8"
	"unsafe"

	"memcurator/memstore/backend"
)

// maxRows is the maximum number of rows of a view; a longer file is refused, even with a range.
const maxRows = 999_999

// rowPrefix is the width of a line number and its tab.
const rowPrefix = 7

// renderFile returns the view of a file: the header and the numbered rows. The file is read whole. A range is checked last: it is only
// reported if the file itself is fine (row 14).
func (s *Store) renderFile(t target, r viewRange, a backend.Access) (string, error) {
	text, rows, err := s.viewedText(t.name, a)
	if err != nil {
		return "", err
	}
	asked, ok := s.rules.askedRows(r)
	if !ok {
		return "", saying(CmdView, t, ErrRange, fill(s.rules.viewRange, "range", r.list(s.rules)))
	}
	if s.rules.checkRange != nil {
		if told := s.rules.checkRange(r, rows); told != "" {
			return "", saying(CmdView, t, ErrRange, told)
		}
	}
	if asked[1] < 0 {
		asked[1] = max(0, rows+asked[1])
	}
	first, last := asked[0], min(asked[1], rows)
	if text = linesOf(text, first, last, rows); last < first {
		return s.rules.viewHeader(t.show, r) + "\n", nil
	}
	head, note := s.rules.viewHeader(t.show, r)+"\n", ""
	if limit := s.options.MaxViewChars; limit > 0 {
		text, last, note = s.rules.cut(text, first, last, rows, limit, limit-utf8.RuneCountInString(head))
	}
	return numbered(head, text, first, last-first+1, note), nil
}

// viewedText reads a file as a view does: its text as the dialect sees it, and how many rows that has.
func (s *Store) viewedText(name string, a backend.Access) (text []byte, rows int, err error) {
	data, err := backend.ReadFile(s.backend, name, a, MaxFile)
	if err != nil {
		return nil, 0, err
	}
	if text, _, err = s.rules.decode(data); err != nil {
		return nil, 0, err
	}
	if rows = s.rules.viewRows(bytes.Count(text, newline), bytes.HasSuffix(text, newline)); rows > maxRows {
		err = &lineLimitError{Lines: rows}
	}
	return text, rows, err
}

// linesOf are the lines first to last of a text of so many rows, counted from 1, without the last newline.
func linesOf(text []byte, first, last, rows int) []byte {
	if last < first {
		return nil
	}
	text = text[lineStart(text, first-1):]
	if last < rows || rows == maxRows {
		end := 0
		for range last - first + 1 {
			n := bytes.IndexByte(text[end:], '\n')
			if n < 0 {
				return text
			}
			end += n + 1
		}
		text = text[:end-1]
	}
	return text
}

// numbered is a text of so many rows with a number before each, between head and note.
func numbered(head string, text []byte, first, rows int, note string) string {
	out := make([]byte, 0, len(head)+rows*rowPrefix+len(text)+len(note))
	out = append(out, head...)
	for n := first; n < first+rows; n++ {
		line, rest, more := bytes.Cut(text, newline)
		out = append(appendLabel(out, n), line...)
		if more {
			out = append(out, '\n')
		}
		text = rest
	}
	out = append(out, note...)
	return unsafe.String(unsafe.SliceData(out), len(out)) // nothing writes to it any more, and a copy would double it
}

// viewHeader is the first line of the view of a file.
func (r *rules) viewHeader(show string, asked viewRange) string {
	if r.rangeHeader == "" || len(asked.numbers) < 2 {
		return fill(r.fileHeader, "p", show)
	}
	return fill(r.rangeHeader, "p", show, "from", strconv.Itoa(asked.numbers[0]), "to", strconv.Itoa(asked.numbers[1]))
}

// cut shortens the rows first to last, which have this text, to the room for their characters, and words the line that says where to
// continue; of is how many rows the file has. It cuts at the end of a line, or inside one if not even the first fits. Without any room only
// the header and the note appear.
func (r *rules) cut(text []byte, first, last, of, limit, room int) (shown []byte, lastShown int, note string) {
	if last < first || (last-first+1)*rowPrefix+len(text) <= room {
		return text, last, ""
	}
	used, at, n := 0, 0, first // the next row
	for ; n <= last; n++ {
		line, _, _ := bytes.Cut(text[at:], newline)
		if n > first {
			used++ // the newline before it
		}
		if used += rowPrefix + utf8.RuneCount(line); used > room {
			break
		}
		at += len(line) + 1
	}
	template := r.cutRows
	switch {
	case n > last:
		return text, last, ""
	case n > first:
		text = text[:at-1]
	default:
		line, _, _ := bytes.Cut(text, newline)
		text = line[:prefixRunes(line, room-rowPrefix)]
		if template = r.cutLine; first == last {
			template = r.cutLast
		}
		n++
	}
	return text, n - 1, "\n" + fill(template, "max", strconv.Itoa(limit), "from", strconv.Itoa(first), "to", strconv.Itoa(n-1),
		"n_lines", strconv.Itoa(of), "next", strconv.Itoa(n), "end", strconv.Itoa(last))
}

// prefixRunes is the length in bytes of the first n runes of p.
func prefixRunes(p []byte, n int) (size int) {
	for ; n > 0 && size < len(p); n-- {
		_, one := utf8.DecodeRune(p[size:])
		size += one
	}
	return size
}

// appendLabel appends a line number, right-aligned in six columns, and a tab.
func appendLabel(dst []byte, n int) []byte {
	var digits [20]byte
	d := strconv.AppendInt(digits[:0], int64(n), 10)
	for i := len(d); i < rowPrefix-1; i++ {
		dst = append(dst, ' ')
	}
	return append(append(dst, d...), '\t')
}
