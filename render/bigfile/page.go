package bigfile

import "io"

// Line is one line of a page.
type Line struct {
	Number  int    // 0-based
	Offset  int64  // where it begins
	Length  int64  // bytes, without the newline
	Text    []byte // its beginning; the caller owns it
	Partial bool   // the end of the line is not known yet: Length is what there is so far
}

// Page returns up to count lines from line first (0-based) on, each with at most most
// bytes of its text. It costs one or two reads as a rule and never reads a giant line to
// get over it.
//
// Lines that the index has not reached are there too if they are within about 1 MiB of
// its end, so that the first page can be shown before, or without, an index; further on
// the page just ends. When the text turns out to be shorter than what was indexed, the
// lines that are left come with [io.ErrUnexpectedEOF].
func (f *File) Page(first, count, most int) ([]Line, error) {
	if count <= 0 {
		return nil, nil
	}
	first = max(first, 0)
	w := f.walk(f.now.Load(), first, count)
	if ok, err := w.seek(first); !ok {
		return nil, w.verdict(err)
	}
	var lines []Line
	for len(lines) < count {
		line, ok, err := w.next(most)
		if err != nil {
			return lines, err
		}
		if !ok {
			break
		}
		lines = append(lines, line)
	}
	return lines, w.verdict(nil)
}

// LineStart returns where a line (0-based) begins. It is not ok when the line does not
// exist, is out of the index's reach or cannot be read.
func (f *File) LineStart(line int) (offset int64, ok bool) {
	if line < 0 {
		return 0, false
	}
	return f.lineStart(f.now.Load(), line)
}

func (f *File) lineStart(ix *index, line int) (offset int64, ok bool) {
	w := f.walk(ix, line, 1)
	ok, err := w.seek(line)
	return w.off, ok && err == nil
}

// LineAt returns the line (0-based) that holds the byte at offset; a newline belongs to
// the line it ends, the end of the text to the last line. It is not ok beyond the indexed
// end, or when the text cannot be read.
func (f *File) LineAt(offset int64) (line int, ok bool) {
	return f.lineAt(f.now.Load(), offset)
}

func (f *File) lineAt(ix *index, offset int64) (line int, ok bool) {
	if offset < 0 || offset > ix.indexed {
		return 0, false
	}
	from := ix.beforeOffset(offset)
	next, ok := ix.after(from.line)
	if !ok {
		return from.line, true
	}
	// The newlines before the next entry lie close behind this one, but for the last:
	// that one may end a giant line, and need not be looked for.
	w := f.walk(ix, from.line, next.line-from.line)
	w.line, w.off = from.line, from.off
	for w.line < next.line-1 {
		if ok, err := w.skip(); !ok || err != nil {
			return 0, false
		}
		if w.off > offset {
			return w.line - 1, true
		}
	}
	return w.line, true
}

// ReadLine returns up to most bytes of one line, from byte from of the line on: a window
// into a long line. Beyond the line's end it returns nothing. A window may begin or end
// inside a character. Errors are those of Page, [ErrNotIndexed] for what the index has
// not reached, and [io.EOF] for a line that does not exist.
func (f *File) ReadLine(line int, from int64, most int) ([]byte, error) {
	if line < 0 {
		return nil, io.EOF
	}
	w := f.walk(f.now.Load(), line, 1)
	if ok, err := w.seek(line); !ok {
		if err = w.verdict(err); err == nil {
			err = w.missing()
		}
		return nil, err
	}
	from = min(max(from, 0), w.limit)
	inside, err := w.within(from)
	if err != nil || !inside {
		return nil, err
	}
	w.off += from
	text, err := w.rest(most)
	if err != nil {
		return nil, err
	}
	return text, w.verdict(nil)
}
