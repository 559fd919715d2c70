package text

import "strings"

// Window returns the part of a line that is in the cells [fromCol,
// fromCol+width) of its safe form, for horizontal scrolling. Columns count
// from the first byte of line, whatever StartCol is. If the edge cuts a wide
// character, spaces replace its visible cells. If the line ends within the
// window, the result is narrower than width cells.
//
// The cost grows with the bytes before and in the window, not with the line.
func Window(line []byte, fromCol, width int, o Options) []Span {
	if width <= 0 {
		return nil
	}
	fromCol = max(fromCol, 0)
	to := fromCol + width
	s := newScanner(line, o)
	w := windower{line: line}
	for s.col < to {
		col := s.col
		u, ok := s.next(to - col)
		if !ok {
			break
		}
		if s.col > fromCol {
			w.add(&u, max(fromCol-col, 0), min(to-col, u.width))
		}
	}
	w.flush()
	return w.dst
}

// windower collects the spans of a window. It joins consecutive unchanged
// bytes into one span.
type windower struct {
	line       []byte
	dst        []Span
	start, end int // the pending unchanged bytes
	width      int
}

func (w *windower) flush() {
	if w.width > 0 {
		w.dst = append(w.dst, Span{Text: string(w.line[w.start:w.end]), Width: w.width})
		w.width = 0
	}
}

// add adds the cells [from, to) of a unit.
func (w *windower) add(u *unit, from, to int) {
	whole := from == 0 && to == u.width
	if u.form == formRaw && (whole || u.ascii()) {
		start, end := u.start, u.end
		if !whole {
			start, end = u.start+from, u.start+to
		}
		if w.width == 0 {
			w.start = start
		}
		w.end = end
		w.width += to - from
		return
	}
	w.flush()
	var text string
	switch {
	case whole:
		text = u.render(w.line)
	case u.ascii():
		text = u.render(w.line)[from:to]
	default:
		text = strings.Repeat(" ", to-from)
	}
	w.dst = append(w.dst, Span{Text: text, Kind: u.kind, Width: to - from})
}

// Column returns the cell where the character with the byte at byteOffset
// begins, counted from the first byte of line. For an offset at or beyond the
// end, it is the width of the line.
func Column(line []byte, byteOffset int, o Options) int {
	s := newScanner(line, o)
	for {
		col := s.col
		u, ok := s.next(max(byteOffset-s.pos, 0) + 1)
		if !ok {
			return col
		}
		if byteOffset < u.end {
			if u.ascii() && u.form == formRaw {
				return col + max(byteOffset-u.start, 0)
			}
			return col
		}
	}
}

// ByteAt returns the offset of the character that covers the cell col,
// counted from the first byte of line; len(line) beyond its end.
func ByteAt(line []byte, col int, o Options) int {
	s := newScanner(line, o)
	for {
		before := s.col
		u, ok := s.next(max(col-before, 0) + 1)
		if !ok {
			return len(line)
		}
		if col < s.col {
			if u.ascii() && u.form == formRaw {
				return u.start + max(col-before, 0)
			}
			return u.start
		}
	}
}
