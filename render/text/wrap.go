package text

import "unicode"

// Row is one screen row of a wrapped line.
type Row struct {
	Start, End int // bytes of the line
	Width      int // cells, at most the wrap width
	Col        int // StartCol for showing these bytes, so that tabs agree
}

// Wrap appends the rows of a line, each at most width cells wide. Rows break
// after a space or another word boundary in the last third of the row, else
// at the edge; East Asian text breaks between any two characters. Together
// the rows cover all bytes in order; an empty line is one empty row. A
// character wider than the row has a row to itself and must be cut with
// Window.
func Wrap(dst []Row, line []byte, width int, o Options) []Row {
	width = max(width, 1)
	if len(line) == 0 {
		return append(dst, Row{Col: o.StartCol})
	}
	start, col := 0, o.StartCol
	s := newScanner(line, o)
	for start < len(line) {
		// Every row starts afresh, because its bytes are shown without those before it.
		s.line, s.o.StartCol, s.pos, s.col, s.cut = line[start:], col, 0, 0, 0
		r := wrapRow(s, width)
		dst = append(dst, Row{Start: start, End: start + r.End, Width: min(r.Width, width), Col: col})
		start += r.End
		col += r.Width
	}
	return dst
}

// wrapRow returns the first row of a scanner that is at the start of its line.
func wrapRow(s *scanner, width int) Row {
	line := s.line
	var soft Row // the last possible break in the last third
	wasWide := false
	for {
		col := s.col
		u, ok := s.next(width - col + 1)
		if !ok {
			return Row{End: len(line), Width: s.col}
		}
		isWide := eastAsian(&u)
		if (isWide || wasWide) && u.start > 0 && 3*col >= 2*width {
			soft = Row{End: u.start, Width: col}
		}
		wasWide = isWide
		if s.col <= width {
			soft = boundary(line, &u, col, width, soft)
			continue
		}
		if u.form == formRaw && u.ascii() {
			fit := width - col
			part := u
			part.end, part.width = u.start+fit, fit
			soft = boundary(line, &part, col, width, soft)
			u.start, col = u.start+fit, width
			// The run continues beyond the edge: a space there may move to the next row
			// only if the word before it stays whole.
			if fit > 0 && line[u.start] == ' ' {
				soft = Row{End: u.start, Width: col}
			}
		}
		switch {
		case soft.End > 0:
			return soft
		case u.start > 0:
			return Row{End: u.start, Width: col}
		default:
			return Row{End: u.end, Width: u.width}
		}
	}
}

// boundary returns the last word boundary after a byte of u in the last third
// of the row, or soft if u has none.
func boundary(line []byte, u *unit, col, width int, soft Row) Row {
	if u.form == formSpaces && 3*(col+u.width) >= 2*width {
		return Row{End: u.end, Width: col + u.width}
	}
	if u.form != formRaw || !u.ascii() {
		return soft
	}
	for i := u.end - 1; i >= u.start; i-- {
		w := col + i + 1 - u.start
		if 3*w < 2*width {
			break
		}
		if breaksAfter(line[i]) {
			return Row{End: i + 1, Width: w}
		}
	}
	return soft
}

func breaksAfter(b byte) bool {
	switch b {
	case ' ', '-', ',', ';', '/', '|', ')', ']', '}', '>':
		return true
	}
	return false
}

// eastAsian reports whether a row may break on either side of u.
func eastAsian(u *unit) bool {
	return u.width == 2 && u.r >= 0x2e80 && u.kind == plain &&
		unicode.In(u.r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
