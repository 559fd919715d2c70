package bigfile

import (
	"bytes"
	"io"
)

// walker reads the lines of a text forward from an entry of the index. It serves one call on one goroutine.
type walker struct {
	ix    *index
	line  int   // the next line
	off   int64 // where it begins
	limit int64 // where reading stops
	eof   bool  // the text ended in the last read
	done  bool  // there is no next line

	buf  []byte // reused by every read
	win  []byte // bytes of the text from base
	base int64
	size int // bytes of the next read
	then int // bytes of later reads
}

// walk makes a walker for count lines from first. Its first read covers them and the distance from the entry before them, if that is
// known and short.
func (f *File) walk(ix *index, first, count int) *walker {
	w := &walker{ix: ix, limit: ix.indexed + f.tuning.reach, size: f.tuning.window, then: f.tuning.window}
	end := ix.indexed
	if count <= ix.newlines-first {
		if m, ok := ix.after(first + count - 1); ok {
			end = m.off
		}
	} else if ix.size != ix.indexed {
		return w
	}
	// One more byte shows whether the text ends there.
	span := end - ix.before(first).off + 1
	w.size = int(min(max(span, int64(w.then/16), 1), int64(w.then)*4))
	return w
}

// at returns bytes of the text from off: the rest of the window, or a new window. No bytes means the end of the text (eof) or the limit.
func (w *walker) at(off int64) ([]byte, error) {
	end := w.base + int64(len(w.win))
	if off >= w.base && off < end {
		return w.win[off-w.base:], nil
	}
	n := min(int64(w.size), w.limit-off)
	if n <= 0 || w.eof && off == end {
		return nil, nil
	}
	w.size = w.then
	if int64(len(w.buf)) < n {
		w.buf = make([]byte, n)
	}
	got, eof, err := readFull(w.ix.src, w.buf[:n], off)
	w.win, w.base, w.eof = w.buf[:got], off, eof
	if err != nil {
		return nil, err
	}
	return w.win, nil
}

// seek goes to a line. ok is false if the line is beyond the end of the text or the limit.
func (w *walker) seek(line int) (ok bool, err error) {
	m := w.ix.before(line)
	w.line, w.off = m.line, m.off
	for w.line < line {
		if ok, err = w.skip(); !ok {
			return false, err
		}
	}
	return true, nil
}

// skip goes to the next line. ok is false if there is none before the limit.
func (w *walker) skip() (ok bool, err error) {
	for pos := w.off; ; {
		b, err := w.at(pos)
		if err != nil || len(b) == 0 {
			return false, err
		}
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			w.step(pos + int64(i) + 1)
			return true, nil
		}
		pos += int64(len(b))
		off, ended := w.jump(pos)
		if ended {
			w.step(off)
			return true, nil
		}
		pos = off
	}
}

func (w *walker) step(off int64) { w.line, w.off = w.line+1, off }

// jump returns where to continue in a line that is known up to pos: at the next line if the index knows its start (ended), at the indexed
// end if it is the last line of the index, else at pos.
func (w *walker) jump(pos int64) (off int64, ended bool) {
	next, ok := w.ix.after(w.line)
	switch {
	case ok && next.line == w.line+1 && next.off > pos:
		return next.off, true
	case w.line == w.ix.newlines:
		return max(pos, w.ix.indexed), false
	}
	return pos, false
}

// next returns the next line with at most most bytes of its text.
func (w *walker) next(most int) (l Line, ok bool, err error) {
	if w.done {
		return l, false, nil
	}
	l = Line{Number: w.line, Offset: w.off}
	for pos := w.off; ; {
		b, err := w.at(pos)
		if err != nil {
			return l, false, err
		}
		if len(b) == 0 {
			w.done = true
			l.Partial = !w.eof
			l.Length = pos - l.Offset
			return l, w.eof || l.Length > 0, nil
		}
		piece, ended := upToNewline(b)
		l.Text = appendUpTo(l.Text, piece, most)
		pos += int64(len(piece))
		if !ended && len(l.Text) >= most {
			if pos, ended = w.jump(pos); ended {
				pos--
			}
		}
		if ended {
			l.Length = pos - l.Offset
			w.step(pos + 1)
			return l, true, nil
		}
	}
}

// within reports whether the current line has at least from bytes. In an indexed line this reads little more than a gap.
func (w *walker) within(from int64) (bool, error) {
	target := w.off + from
	pos, ended := w.jump(w.off)
	if ended {
		return target < pos, nil
	}
	for pos < target {
		b, err := w.at(pos)
		if err != nil {
			return false, err
		}
		if len(b) == 0 {
			if err = w.verdict(nil); err == nil && !w.eof {
				err = ErrNotIndexed
			}
			return false, err
		}
		piece, ended := upToNewline(b)
		pos += int64(len(piece))
		if ended {
			return pos >= target, nil
		}
	}
	return true, nil
}

// rest returns up to most bytes from off to the end of the line.
func (w *walker) rest(most int) (text []byte, err error) {
	w.then = max(1, min(most, w.then*4))
	w.size = w.then
	for pos := w.off; len(text) < most; {
		b, err := w.at(pos)
		if err != nil || len(b) == 0 {
			return text, err
		}
		piece, ended := upToNewline(b)
		text = appendUpTo(text, piece, most)
		if ended {
			break
		}
		pos += int64(len(piece))
	}
	return text, nil
}

// verdict returns err, or io.ErrUnexpectedEOF if the text ended before the indexed end. It can't detect a replacement of the same or
// greater length; whoever watches the file calls Reset then.
func (w *walker) verdict(err error) error {
	if err != nil || !w.eof {
		return err
	}
	size, err := w.ix.src.Size()
	if err == nil && size < w.ix.indexed {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// missing returns why a seek that failed without an error didn't find its line.
func (w *walker) missing() error {
	if w.eof {
		return io.EOF
	}
	return ErrNotIndexed
}

// upToNewline returns b up to its first newline, and whether there is one.
func upToNewline(b []byte) (piece []byte, ended bool) {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		return b[:i], true
	}
	return b, false
}

// appendUpTo appends b to text until it has most bytes.
func appendUpTo(text, b []byte, most int) []byte {
	return append(text, b[:min(len(b), max(0, most-len(text)))]...)
}
