package diff

// RowKind is the type of a Row.
type RowKind uint8

// Kinds of Row. The last two occur only side by side.
const (
	HunkHeader RowKind = iota // Text is the @@ line
	Context                   // a line of both texts
	Removed                   // a line only in a
	Added                     // a line only in b
	NoNewline                 // the line above has no final newline
	Note                      // a sentence about the comparison
	changed                   // a line of a opposite one of b
	Filler                    // no line, opposite one
)

const noteApproximate = "Too much is different to compare all of it line by line: some lines shown as changed may be equal."

// Row is one row of a unified view, or one side of a row of a split one. Text and Words belong to the texts and the View: don't modify
// them.
type Row struct {
	Kind RowKind
	// ANumber, BNumber are the line's numbers, from 1; 0 if the line is not in that text or the row shows no line.
	ANumber, BNumber int
	// Text is the line without its newline: not sanitized, and possibly not UTF-8.
	Text []byte
	// Words are the byte ranges of Text that changed, for a line with a similar partner on the other side; nil otherwise.
	Words [][2]int
}

// Line is a row of a View. A unified one has the first side only, and so have headers and notes.
type Line struct {
	Kind  RowKind
	Sides [2]Row
}

// Changed reports whether the row shows a changed line.
func (l Line) Changed() bool { return l.Kind == Added || l.Kind == Removed || l.Kind == changed }

// Numbers returns the line's numbers in the two texts, 0 for none.
func (l Line) Numbers() (a, b int) {
	return max(l.Sides[0].ANumber, l.Sides[1].ANumber), max(l.Sides[0].BNumber, l.Sides[1].BNumber)
}

// View returns the rows of a diff by number. What a row takes is computed on request: a screen has few of them. It is
// safe for concurrent use.
type View struct {
	Sides    int // 2: side by side
	a, b     Text
	slots    []slot
	headers  [][]byte
	partners [2]map[int]int // of changed lines, by text
	budget   int
}

// slot is what a row shows: lines of the texts, from 0, a header by number, or the sides without a newline at the end.
type slot struct {
	kind RowKind
	a, b int
}

// Unified lays out the rows one below another; a and b are the texts that r compares.
func Unified(r *Result, a, b Text, context int) *View {
	v := newView(r, a, b, 1)
	for _, h := range Hunks(r, context) {
		v.header(HunkHeader, h.Header())
		for i, op := range h.Ops {
			if op.Kind == Delete && i+1 < len(h.Ops) && h.Ops[i+1].Kind == Insert {
				v.pair(op.AStart, op.AEnd, op.BStart, h.Ops[i+1].BEnd)
			}
			for k := range op.AEnd - op.AStart {
				v.slots = append(v.slots, slot{[]RowKind{Context, Removed}[op.Kind], op.AStart + k, op.BStart + k})
			}
			for k := range op.BEnd - op.BStart {
				if op.Kind == Insert {
					v.slots = append(v.slots, slot{Added, op.AStart, op.BStart + k})
				}
			}
			if op.Kind == Delete && r.ANoNewline && op.AEnd == r.ALines || op.Kind != Delete && r.BNoNewline && op.BEnd == r.BLines {
				v.slots = append(v.slots, slot{kind: NoNewline, a: 1})
			}
		}
	}
	return v
}

// Split lays out the rows side by side: a on the left, b on the right. Similar lines of a changed block are opposite each other, the lines
// between them are paired by position, and the surplus of one side faces Fillers.
func Split(r *Result, a, b Text, context int) *View {
	v := newView(r, a, b, 2)
	for _, h := range Hunks(r, context) {
		v.header(HunkHeader, h.Header())
		for i := 0; i < len(h.Ops); i++ {
			op := h.Ops[i]
			if op.Kind == Equal {
				for k := range op.AEnd - op.AStart {
					v.slots = append(v.slots, slot{Context, op.AStart + k, op.BStart + k})
				}
				continue
			}
			if op.Kind == Delete && i+1 < len(h.Ops) && h.Ops[i+1].Kind == Insert {
				i++
				op.BEnd = h.Ops[i].BEnd
			}
			at, bt := op.AStart, op.BStart
			for _, p := range append(v.pair(op.AStart, op.AEnd, op.BStart, op.BEnd), [2]int{op.AEnd, op.BEnd}) {
				for at < p[0] || bt < p[1] {
					switch {
					case at == p[0]:
						v.slots = append(v.slots, slot{Added, at, bt})
						bt++
					case bt == p[1]:
						v.slots = append(v.slots, slot{Removed, at, bt})
						at++
					default:
						v.slots = append(v.slots, slot{changed, at, bt})
						at, bt = at+1, bt+1
					}
				}
				if at < op.AEnd && bt < op.BEnd {
					v.slots = append(v.slots, slot{changed, at, bt})
					at, bt = at+1, bt+1
				}
			}
		}
		last, open := h.Ops[len(h.Ops)-1], slot{kind: NoNewline}
		if r.ANoNewline && last.AEnd == r.ALines && h.ALines > 0 {
			open.a = 1
		}
		if r.BNoNewline && last.BEnd == r.BLines && h.BLines > 0 {
			open.b = 1
		}
		if open.a+open.b > 0 {
			v.slots = append(v.slots, open)
		}
	}
	return v
}

func newView(r *Result, a, b Text, sides int) *View {
	v := &View{Sides: sides, a: a, b: b, partners: [2]map[int]int{{}, {}}, budget: pairBudget}
	if r.Approximate {
		v.header(Note, []byte(noteApproximate))
	}
	return v
}

func (v *View) header(kind RowKind, text []byte) {
	v.slots = append(v.slots, slot{kind: kind, a: len(v.headers)})
	v.headers = append(v.headers, text)
}

// pair finds the lines of a changed block that became each other. In a large block they are those in the same place, which side by side
// come about by themselves.
func (v *View) pair(a0, a1, b0, b1 int) (pairs [][2]int) {
	n, m := a1-a0, b1-b0
	if v.budget -= n * m; max(n, m) > pairLines || v.budget < 0 {
		for k := range min(n, m) {
			v.partners[0][a0+k], v.partners[1][b0+k] = b0+k, a0+k
		}
		return nil
	}
	x, y := make([][]byte, n), make([][]byte, m)
	for i := range x {
		x[i] = v.a.Line(a0 + i)
	}
	for j := range y {
		y[j] = v.b.Line(b0 + j)
	}
	for _, p := range align(x, y) {
		v.partners[0][a0+p[0]], v.partners[1][b0+p[1]] = b0+p[1], a0+p[0]
		pairs = append(pairs, [2]int{a0 + p[0], b0 + p[1]})
	}
	return pairs
}

// Len is the number of rows; 0 if the texts are equal.
func (v *View) Len() int { return len(v.slots) }

// At returns a row.
func (v *View) At(row int) Line {
	s := v.slots[row]
	l := Line{Kind: s.kind}
	sides := []*Row{&l.Sides[0], &l.Sides[v.Sides-1]}
	if v.Sides == 2 && s.kind != HunkHeader && s.kind != Note {
		l.Sides = [2]Row{{Kind: Filler}, {Kind: Filler}}
	}
	switch s.kind {
	case HunkHeader, Note:
		l.Sides[0] = Row{Kind: s.kind, Text: v.headers[s.a]}
	case NoNewline:
		for i, open := range []int{s.a, s.b} {
			if open > 0 {
				*sides[i] = Row{Kind: NoNewline, Text: []byte(noNewlineMark)}
			}
		}
	case Context:
		*sides[0] = Row{Kind: Context, ANumber: s.a + 1, Text: v.a.Line(s.a)}
		*sides[1] = Row{Kind: Context, BNumber: s.b + 1, Text: v.b.Line(s.b)}
		if v.Sides == 1 {
			l.Sides[0].ANumber = s.a + 1
		}
	default:
		if s.kind != Added {
			*sides[0] = v.left(s.a)
		}
		if s.kind != Removed {
			*sides[1] = v.right(s.b)
		}
	}
	return l
}

func (v *View) left(i int) Row {
	row := Row{Kind: Removed, ANumber: i + 1, Text: v.a.Line(i)}
	if j, ok := v.partners[0][i]; ok {
		row.Words, _ = changedWords(row.Text, v.b.Line(j))
	}
	return row
}

func (v *View) right(j int) Row {
	row := Row{Kind: Added, BNumber: j + 1, Text: v.b.Line(j)}
	if i, ok := v.partners[1][j]; ok {
		_, row.Words = changedWords(v.a.Line(i), row.Text)
	}
	return row
}

// numbers are those of the lines that a row shows, from 1; 0 for none.
func (s slot) numbers() (a, b int) {
	if s.kind == Context || s.kind == Removed || s.kind == changed {
		a = s.a + 1
	}
	if s.kind == Context || s.kind == Added || s.kind == changed {
		b = s.b + 1
	}
	return a, b
}

// Nearest returns the row of the line closest to line b of the second text or, if b is 0, to line a of the first; -1 if no row shows a
// line of that text.
func (v *View) Nearest(a, b int) int {
	best, least := -1, 0
	for row, s := range v.slots {
		x, y := s.numbers()
		far := max(x-a, a-x)
		if b > 0 {
			x, far = y, max(y-b, b-y)
		}
		if x > 0 && (best < 0 || far < least) {
			best, least = row, far
		}
	}
	return best
}

// begins reports whether a changed block begins at a row.
func (v *View) begins(row int) bool {
	changes := func(row int) bool { return Line{Kind: v.slots[row].kind}.Changed() }
	above := row - 1
	if above > 0 && v.slots[above].kind == NoNewline {
		above--
	}
	return changes(row) && !changes(above) // there is a header above
}

// NextChange returns the first row of the nearest changed block that begins below row, PrevChange of the one that begins above it; -1 if
// there is none.
func (v *View) NextChange(row int) int {
	for row++; row < len(v.slots); row++ {
		if v.begins(row) {
			return row
		}
	}
	return -1
}

// PrevChange is the counterpart of NextChange.
func (v *View) PrevChange(row int) int {
	for row = min(row, len(v.slots)) - 1; row >= 0; row-- {
		if v.begins(row) {
			return row
		}
	}
	return -1
}
