package diff

import "sort"

// RowKind says what a Row shows.
type RowKind uint8

// The kinds of Row.
const (
	HunkHeader RowKind = iota // Text is the @@ line
	Context                   // a line of both texts
	Removed                   // a line of a only
	Added                     // a line of b only
	NoNewline                 // the line above has no newline at its end
	Note                      // a sentence about the comparison
)

// What Note rows say.
const (
	NoteRewritten   = "Too much is different to compare line by line: the changed part is shown as rewritten."
	NoteApproximate = "Too much is different to compare all of it line by line: some lines shown as changed may be equal."
)

// Row is one row of a unified view. Text and Words belong to the texts and to
// the View: read only.
type Row struct {
	Kind RowKind
	// ANumber, BNumber are the line's numbers, from 1; 0 where the line is
	// not in that text and in rows that show no line.
	ANumber, BNumber int
	// Text is the line without its newline, as it is: not sanitised, and
	// perhaps not UTF-8.
	Text []byte
	// Words are the byte ranges of Text that changed, for a line that has a
	// partner on the other side which it resembles; nil otherwise.
	Words [][2]int
}

// Unified gives all rows at once. For texts of any size use a View.
func Unified(r *Result, a, b Text, o Options) []Row {
	v := NewView(r, a, b, o)
	return v.Rows(0, v.Len())
}

// View gives the rows of a unified diff by number. What it keeps grows with
// the number of changes, not of rows; words are worked out for the rows that
// are asked for, a fraction of a millisecond for each changed pair at the
// worst. Not safe for concurrent use.
type View struct {
	a, b     *cursor
	segments []segment
	headers  [][]byte
	blocks   []block
	words    *wordCache
	rows     int
}

// segment is a run of rows of one kind.
type segment struct {
	kind  RowKind
	row   int // its first row
	a, b  int // line numbers of the first row, from 0
	rows  int
	which int // HunkHeader: index in headers; Removed, Added: in blocks, or -1
}

// NewView lays out the rows; a and b are the texts that r compares.
func NewView(r *Result, a, b Text, o Options) *View {
	v := &View{a: a.cursor(), b: b.cursor()}
	v.words = newWordCache(a, b)
	switch {
	case r.Rewritten:
		v.note(NoteRewritten)
	case r.Approximate:
		v.note(NoteApproximate)
	}
	for _, h := range Hunks(r, o) {
		v.add(segment{kind: HunkHeader, rows: 1, which: len(v.headers)})
		v.headers = append(v.headers, h.Header())
		for i, op := range h.Ops {
			v.op(r, h.Ops, i, op)
		}
	}
	return v
}

func (v *View) note(text string) {
	v.add(segment{kind: Note, rows: 1, which: len(v.headers)})
	v.headers = append(v.headers, []byte(text))
}

func (v *View) add(s segment) {
	s.row = v.rows
	v.segments = append(v.segments, s)
	v.rows += s.rows
}

func (v *View) op(r *Result, ops []Op, i int, op Op) {
	s := segment{a: op.AStart, b: op.BStart, rows: op.AEnd - op.AStart, which: -1}
	open := false
	switch op.Kind {
	case Equal:
		s.kind = Context
		open = r.ANoNewline && op.AEnd == r.ALines
	case Delete:
		s.kind = Removed
		open = r.ANoNewline && op.AEnd == r.ALines
		if i+1 < len(ops) && ops[i+1].Kind == Insert {
			s.which = len(v.blocks)
			v.blocks = append(v.blocks, block{op.AStart, op.AEnd, op.BStart, ops[i+1].BEnd})
		}
	case Insert:
		s.kind = Added
		s.rows = op.BEnd - op.BStart
		open = r.BNoNewline && op.BEnd == r.BLines
		if i > 0 && ops[i-1].Kind == Delete {
			s.which = len(v.blocks) - 1
		}
	}
	v.add(s)
	if open {
		v.add(segment{kind: NoNewline, rows: 1})
	}
}

// Len is the number of rows; 0 when the texts are equal.
func (v *View) Len() int { return v.rows }

// Rows gives rows first to first+count-1, as far as there are such rows.
func (v *View) Rows(first, count int) []Row {
	first = max(first, 0)
	count = min(count, v.rows-first)
	if count <= 0 {
		return nil
	}
	rows := make([]Row, 0, count)
	for k := v.segment(first); len(rows) < count; k++ {
		s := v.segments[k]
		for i := first + len(rows) - s.row; i < s.rows && len(rows) < count; i++ {
			rows = append(rows, v.row(s, i))
		}
	}
	return rows
}

// segment finds the segment that a row is in.
func (v *View) segment(row int) int {
	return sort.Search(len(v.segments), func(k int) bool { return v.segments[k].row > row }) - 1
}

func (v *View) row(s segment, i int) Row {
	row := Row{Kind: s.kind}
	switch s.kind {
	case HunkHeader, Note:
		row.Text = v.headers[s.which]
	case NoNewline:
		row.Text = []byte(noNewlineMark)
	case Context:
		row.ANumber, row.BNumber = s.a+i+1, s.b+i+1
		row.Text = v.a.line(s.a + i)
	case Removed:
		row.ANumber = s.a + i + 1
		row.Text = v.a.line(s.a + i)
		if s.which >= 0 {
			row.Words = v.words.removed(v.blocks[s.which], s.a+i)
		}
	case Added:
		row.BNumber = s.b + i + 1
		row.Text = v.b.line(s.b + i)
		if s.which >= 0 {
			row.Words = v.words.added(v.blocks[s.which], s.b+i)
		}
	}
	return row
}

// Find gives the row that shows a line, by its numbers in a and b as in Row; -1 if no row does.
func (v *View) Find(a, b int) int {
	for _, s := range v.segments {
		i := -1
		switch {
		case s.kind == Added && a == 0:
			i = b - 1 - s.b
		case s.kind == Removed && b == 0, s.kind == Context && a > 0:
			i = a - 1 - s.a
		}
		if i >= 0 && i < s.rows {
			return s.row + i
		}
	}
	return -1
}

// NextChange gives the first row of the nearest changed block that begins
// below row, PrevChange of the one that begins above it; -1 if there is none.
func (v *View) NextChange(row int) int {
	for k := v.segment(row) + 1; k < len(v.segments); k++ {
		if v.beginsChange(k) {
			return v.segments[k].row
		}
	}
	return -1
}

// PrevChange is the counterpart of NextChange.
func (v *View) PrevChange(row int) int {
	for k := min(v.segment(row-1), len(v.segments)-1); k >= 0; k-- {
		if v.beginsChange(k) {
			return v.segments[k].row
		}
	}
	return -1
}

func (v *View) beginsChange(k int) bool {
	switch v.segments[k].kind {
	case Removed:
		return true
	case Added:
		return v.segments[k].which < 0
	default:
		return false
	}
}
