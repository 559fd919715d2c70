package text

// Window returns the part of the line that lies in the cells [fromCol,
// fromCol+width) of its safe form, for horizontal scrolling. Columns count from
// the first byte of line, whatever StartCol is. Where the edge cuts a wide
// character, spaces stand for the cells of it that are inside. A line that ends
// before the window does gives less than width cells.
//
// The cost grows with the bytes before and in the window, not with the line.
func Window(line []byte, fromCol, width int, o Options) []Span {
	if width <= 0 {
		return nil
	}
	fromCol = max(fromCol, 0)
	to := fromCol + width
	s := newScanner(line, o)
	var dst []Span
	for s.col < to {
		col := s.col
		u, ok := s.next(to - col)
		if !ok {
			break
		}
		if s.col > fromCol {
			dst = appendCut(dst, line, &u, max(fromCol-col, 0), min(to-col, u.width))
		}
	}
	return dst
}

// appendCut appends the cells [from, to) of a unit, joined with the last span
// where both are plain.
func appendCut(dst []Span, line []byte, u *unit, from, to int) []Span {
	var text string
	switch {
	case u.form == formRaw && u.ascii():
		text = string(line[u.start+from : u.start+to])
	case from == 0 && to == u.width:
		text = u.render(line)
	case u.ascii():
		text = u.render(line)[from:to]
	default:
		text = spaces(to - from)
	}
	if n := len(dst) - 1; u.kind == Plain && n >= 0 && dst[n].Kind == Plain {
		dst[n].Text += text
		dst[n].Width += to - from
		return dst
	}
	return append(dst, Span{Text: text, Kind: u.kind, Width: to - from})
}

// Column returns the cell where the character with the byte at byteOffset
// begins, counted from the first byte of line. For an offset at or behind the
// end it is the width of the line.
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

// ByteAt returns the offset of the character that covers the cell col, counted
// from the first byte of line; len(line) behind its end.
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
