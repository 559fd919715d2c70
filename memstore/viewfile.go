package memstore

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// maxRows is the maximum number of rows of a view; a longer file is refused,
// even with a range.
const maxRows = 999_999

// rowPrefix is the width of a line number and its tab.
const rowPrefix = 7

// span is a part of a file: rows, numbered from 1, and the range of their
// bytes without the last newline.
type span struct {
	first, last int // last < first: no rows
	from, to    int64
}

func (p span) rows() int { return max(0, p.last-p.first+1) }

// renderFile writes the header and the numbered rows of a file. It reads the
// file twice, first to check and count, then to write, so that a refused file
// writes nothing. A file that fits in one chunk is read once.
func (s *Store) renderFile(ctx context.Context, w io.Writer, f backend.File, t target, r viewRange) *Error {
	info, err := f.Info()
	if err != nil {
		return s.failedAt(CmdView, t, err)
	}
	chunk := chunks.get()
	defer chunks.put(chunk)

	asked, rangeOK := s.rules.askedRows(r)
	text, m, err := s.measured(f, info.Size, asked, chunk.in[:])
	if err != nil {
		return s.failedAt(CmdView, t, err)
	}
	// An invalid range is reported only if the file itself is fine (row 14).
	if !rangeOK {
		return saying(CmdView, t, ErrRange, fill(s.rules.viewRange, "range", r.list(s.rules)))
	}
	if s.rules.checkRange != nil {
		if told := s.rules.checkRange(r, m.rows); told != "" {
			return saying(CmdView, t, ErrRange, told)
		}
	}
	part := m.span()
	out := rowWriter{w: w, out: append(s.rules.appendHeader(chunk.out[:0], t.show, r), '\n')}
	note := ""
	if limit := s.viewChars(); limit > 0 {
		if part, note, err = s.rules.cut(text, part, m.rows, limit, utf8.RuneCount(out.out)); err != nil {
			return s.failedAt(CmdView, t, err)
		}
	}
	if b, ok := w.(*strings.Builder); ok {
		b.Grow(len(out.out) + rowPrefix*part.rows() + int(part.to-part.from) + len(note))
	}
	if err = out.rows(text, part, m.whole, chunk.in[:]); err != nil {
		return s.failedAt(CmdView, t, err)
	}
	out.out = append(out.out, note...)
	if err := out.flush(); err != nil {
		return s.failedAt(CmdView, t, err)
	}
	return nil
}

// appendHeader appends the first line of the view of a file.
func (r *rules) appendHeader(dst []byte, show string, asked viewRange) []byte {
	if r.rangeHeader == "" || len(asked.numbers) < 2 {
		return appendFilled(dst, r.fileHeader, "p", show)
	}
	return appendFilled(dst, r.rangeHeader, "p", show, "from", strconv.Itoa(asked.numbers[0]), "to", strconv.Itoa(asked.numbers[1]))
}

// measured checks a file and finds the requested rows in it. It returns the text to show, read through buf.
func (s *Store) measured(f backend.File, size int64, asked [2]int, buf []byte) (text io.ReaderAt, m measure, err error) {
	asked[1] = min(asked[1], maxRows)
	m = measure{rules: s.rules, asked: asked}
	text = f
	err = m.scan(text, size, buf)
	if err == errOtherText {
		text, err = s.rules.rescan(&m, f, size, buf)
	}
	if err == nil && m.asked[1] < 0 {
		// An end counted from the last row, which is only known now.
		asked[1] = max(0, m.rows+asked[1])
		size = m.size
		m = measure{rules: s.rules, asked: asked, decoded: m.decoded}
		err = m.scan(text, size, buf)
	}
	return text, m, err
}

// decoded reads a file as the dialect sees it.
func (r *rules) decoded(f backend.File, size int64) ([]byte, error) {
	if size > editLimit {
		return nil, &SizeLimitError{Size: size} // a sparse file of terabytes would kill the process
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	text, _, err := r.decode(data[:n])
	return text, err
}

// errOtherText reports that a view shows something other than the bytes of the file.
var errOtherText = errors.New("shown as other text than its bytes")

// rescan measures the text that the dialect sees in a file. It holds that text in memory: few files need it, and the text must not change
// between two passes.
func (r *rules) rescan(m *measure, f backend.File, size int64, buf []byte) (io.ReaderAt, error) {
	text, err := r.decoded(f, size)
	if err != nil {
		return nil, err
	}
	*m = measure{rules: r, asked: m.asked, decoded: true}
	other := otherText{bytes.NewReader(text), text}
	return other, m.scan(other, other.Size(), buf)
}

// otherText is a text that differs from the bytes of its file.
type otherText struct {
	*bytes.Reader
	data []byte
}

// measure checks a text, counts its rows and finds the bytes of the requested ones.
type measure struct {
	rules *rules
	asked [2]int // first and last row
	// decoded is set if the text is already the one that the dialect sees.
	decoded bool

	newlines int
	ended    bool // the text ends in a newline
	rows     int
	size     int64
	from, to int64  // offsets of the requested rows, as far as found
	whole    []byte // the whole text if it fits in one chunk
}

// scan reads a text of size bytes through buf. The error is the first
// problem, in byte order. If the text shrinks meanwhile, it ends there; bytes
// appended meanwhile are left for the next view.
func (m *measure) scan(f io.ReaderAt, size int64, buf []byte) error {
	m.to = -1
	for m.size < size {
		want := min(int64(len(buf)), size-m.size)
		n, err := f.ReadAt(buf[:want], m.size)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		atEnd := int64(n) < want || m.size+int64(n) == size
		part := buf[:n]
		if !atEnd {
			part = part[:len(part)-cutRune(part)]
		}
		if len(part) == 0 && !atEnd {
			part = buf[:n] // too short a read to hold a whole rune
		}
		if !m.decoded {
			plain, err := m.rules.shown(part)
			if err != nil {
				return err
			}
			if !plain {
				return errOtherText
			}
		}
		if err := m.count(part); err != nil {
			return err
		}
		if atEnd {
			break
		}
	}
	if m.size <= int64(len(buf)) {
		m.whole = buf[:m.size]
	}
	m.rows = m.rules.viewRows(m.newlines, m.ended)
	return m.tooLong(m.rows)
}

func (m *measure) tooLong(rows int) error {
	switch {
	case rows <= maxRows:
		return nil
	case m.rules.tooLong != "":
		return &lineLimitError{Lines: rows}
	}
	return ErrTooLong
}

// count reads the next part of the text.
func (m *measure) count(part []byte) error {
	found := bytes.Count(part, newline)
	if start := m.asked[0] - 1; start > m.newlines && start <= m.newlines+found {
		m.from = m.size + int64(lineStart(part, start-m.newlines))
	}
	if end := m.asked[1]; end > m.newlines && end <= m.newlines+found {
		m.to = m.size + int64(lineStart(part, end-m.newlines)) - 1
	}
	m.newlines += found
	m.size += int64(len(part))
	m.ended = len(part) > 0 && part[len(part)-1] == '\n'
	if m.rules.readsAll {
		return nil
	}
	return m.tooLong(m.rules.viewRows(m.newlines, true)) // how the text ends is unknown at this point
}

// cutRune is the length of the incomplete rune at the end of p; 0 if none.
func cutRune(p []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if c := p[len(p)-i]; utf8.RuneStart(c) {
			if utf8.FullRune(p[len(p)-i:]) {
				return 0
			}
			return i
		}
	}
	return 0
}

// span is the range to show. Call it after the scan.
func (m *measure) span() span {
	p := span{first: m.asked[0], last: min(m.asked[1], m.rows), from: m.from, to: m.to}
	if p.last < p.first {
		return span{first: p.first, last: p.first - 1}
	}
	if p.to < 0 {
		p.to = m.size
	}
	return p
}

// cut shortens a span to fit the room for its characters, and words the line
// that says where to continue. It cuts at the end of a line, or inside one if
// not even the first fits. If the limit leaves no room after the header, only
// the header and the note appear.
func (r *rules) cut(f io.ReaderAt, p span, rows, limit, header int) (span, string, error) {
	room := limit - header
	if p.rows() == 0 || int64(p.rows())*rowPrefix+p.to-p.from <= int64(room) {
		return p, "", nil
	}
	// Only this many bytes can fit.
	text := make([]byte, min(p.to-p.from, int64(max(0, room))*utf8.UTFMax+1))
	if n, err := f.ReadAt(text, p.from); err != nil && !errors.Is(err, io.EOF) {
		return p, "", err
	} else if n < len(text) {
		return p, "", backend.ErrChanged
	}
	all := int64(len(text)) == p.to-p.from
	used, at, shown := 0, 0, 0
	for shown < p.rows() {
		line := text[at:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i]
		} else if !all {
			break
		}
		need := rowPrefix + utf8.RuneCount(line)
		if shown > 0 {
			need++ // the newline before it
		}
		if used += need; used > room {
			break
		}
		shown++
		at += len(line) + 1
	}
	if shown == p.rows() {
		return p, "", nil
	}
	fields := []string{
		"max", strconv.Itoa(limit), "from", strconv.Itoa(p.first), "to", strconv.Itoa(p.first + shown - 1),
		"n_lines", strconv.Itoa(rows), "next", strconv.Itoa(p.first + max(shown, 1)), "end", strconv.Itoa(p.last),
	}
	template := r.cutRows
	end := p.from + int64(at) - 1
	if shown == 0 {
		end = p.from + int64(prefixRunes(text, room-rowPrefix))
		template = r.cutLine
		if p.rows() == 1 {
			template = r.cutLast
		}
	}
	return span{first: p.first, last: p.first + max(shown, 1) - 1, from: p.from, to: end}, "\n" + fill(template, fields...), nil
}

// prefixRunes is the length in bytes of the first n runes of p, but at most its first line.
func prefixRunes(p []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(p) && p[at] != '\n'; n-- {
		_, size := utf8.DecodeRune(p[at:])
		at += size
	}
	return at
}
