package bigfile

import "io"

// Line is one line of a page.
type Line struct {
	Number  int    // 0-based
	Offset  int64  // of its first byte
	Length  int64  // bytes, without the newline
	Text    []byte // the beginning of the line; the caller owns it
	Partial bool   // the line is incomplete so far, and so is Length
}

// Page returns up to count lines from line first (0-based), each with at most most bytes of its text. It usually costs one or two reads,
// and never reads a giant line just to skip it.
//
// It also returns lines that the index has not reached, up to about 1 MiB past its end, so that the first page can appear before, or
// without, an index; beyond that the page just ends. If the text turns out to be shorter than what was indexed, Page returns the
// remaining lines and [io.ErrUnexpectedEOF].
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

// LineStart returns where a line (0-based) begins. ok is false if the line doesn't exist, is beyond the index, or can't be read.
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

// LineAt returns the line (0-based) of the byte at offset; a newline belongs to the line it ends, and the end of the text to the last
// line. ok is false beyond the indexed end, or if the text can't be read.
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
	// The newlines before the next entry follow closely, except the last: that
	// one may end a giant line, and need not be searched.
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

// ReadLine returns up to most bytes of one line, starting at byte from: a window into a long line. Beyond the end of the line it returns
// nothing. A window may begin or end inside a character. Errors are those of Page, [ErrNotIndexed] for a line that the index has not
// reached, and [io.EOF] for one that doesn't exist.
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
