package diff

// RowKind is the type of a Row.
type RowKind uint8

// Kinds of Row. The last two occur only in a Split.
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

// Texts of Note rows.
const (
	NoteRewritten   = "Too much is different to compare line by line: the changed part is shown as rewritten."
	noteApproximate = "Too much is different to compare all of it line by line: some lines shown as changed may be equal."
)

// Row is one row of a unified view, or one side of a row of a split one. Text
// and Words belong to the texts and the View: don't modify them.
type Row struct {
	Kind RowKind
	// ANumber, BNumber are the line's numbers, from 1; 0 if the line is not in
	// that text or the row shows no line.
	ANumber, BNumber int
	// Text is the line without its newline: not sanitized, and possibly not
	// UTF-8. If white space is ignored, Context has the line of b.
	Text []byte
	// Words are the byte ranges of Text that changed, for a line with a similar
	// partner on the other side; nil otherwise.
	Words [][2]int
	// Moved is the line's number on the other side if it only moved: where it
	// went or came from. 0: not moved.
	Moved int
}

// Unified returns all rows at once. For large texts use a View.
func Unified(r *Result, a, b Text, o Options) []Row {
	v := NewView(r, a, b, o)
	return v.Rows(0, v.Len())
}

// View returns the rows of a unified diff by number. Its memory grows with
// the number of changes, not of rows; words are computed for the requested
// rows, in a fraction of a millisecond per changed pair at worst. Not safe
// for concurrent use.
type View struct {
	layout
	blocks []block
}

// NewView lays out the rows; a and b are the texts that r compares.
func NewView(r *Result, a, b Text, o Options) *View {
	v := &View{layout: newLayout(r, a, b)}
	for _, h := range Hunks(r, o) {
		v.heading(HunkHeader, h.Header())
		for i, op := range h.Ops {
			v.op(r, h.Ops, i, op)
		}
	}
	return v
}

func (v *View) op(r *Result, ops []Op, i int, op Op) {
	s := segment{a: op.AStart, b: op.BStart, rows: op.AEnd - op.AStart, which: -1}
	open := false
	switch op.Kind {
	case Equal:
		s.kind = Context
		open = r.BNoNewline && op.BEnd == r.BLines
	case Delete:
		s.kind, s.begin = Removed, true
		open = r.ANoNewline && op.AEnd == r.ALines
		if i+1 < len(ops) && ops[i+1].Kind == Insert {
			s.which = len(v.blocks)
			v.blocks = append(v.blocks, block{op.AStart, op.AEnd, op.BStart, ops[i+1].BEnd})
		}
	case Insert:
		s.kind, s.begin = Added, true
		s.rows = op.BEnd - op.BStart
		open = r.BNoNewline && op.BEnd == r.BLines
		if i > 0 && ops[i-1].Kind == Delete {
			s.which, s.begin = len(v.blocks)-1, false
		}
	}
	v.add(s)
	if open {
		v.add(segment{kind: NoNewline, rows: 1})
	}
}

// Rows returns rows first to first+count-1, as far as they exist.
func (v *View) Rows(first, count int) []Row {
	var rows []Row
	v.each(first, count, func(s segment, i int) { rows = append(rows, v.row(s, i)) })
	return rows
}

func (v *View) row(s segment, i int) Row {
	switch s.kind {
	case Context:
		row := v.right(Context, s.b+i, -1)
		row.ANumber = s.a + i + 1
		return row
	case Removed:
		partner := -1
		if s.which >= 0 {
			partner = v.words.partnerOfA(v.blocks[s.which], s.a+i)
		}
		return v.left(Removed, s.a+i, partner)
	case Added:
		partner := -1
		if s.which >= 0 {
			partner = v.words.partnerOfB(v.blocks[s.which], s.b+i)
		}
		return v.right(Added, s.b+i, partner)
	case NoNewline:
		return Row{Kind: NoNewline, Text: []byte(noNewlineMark)}
	default:
		return Row{Kind: s.kind, Text: v.headers[s.which]}
	}
}
