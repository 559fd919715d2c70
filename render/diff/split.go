package diff

// alignBudget limits the work of laying out the changed blocks of a Split, in
// line pairs: half a second at worst. Blocks beyond it are paired by
// position, as large ones are.
const alignBudget = 1 << 20

// alignLine is the cost of preparing one line, in line pairs.
const alignLine = 16

// SplitRow is one row of a split view. Kind describes the whole row: Changed has a line on both sides, Removed one on the left and a
// Filler on the right, Added the reverse, Context the same line twice. HunkHeader and Note are the same on both sides and span the whole
// width.
type SplitRow struct {
	Kind        RowKind
	Left, Right Row
}

// Split returns the rows of a side-by-side diff by number: a on the left, b on the right. Similar lines of a changed block are opposite
// each other, the lines between them are paired by position, and the surplus of one side faces Fillers. It costs as much as a View. Not
// safe for concurrent use.
type Split struct {
	layout
	budget int
}

// NewSplit lays out the rows; a and b are the texts that r compares.
func NewSplit(r *Result, a, b Text, o Options) *Split {
	v := &Split{layout: newLayout(r, a, b), budget: alignBudget}
	for _, h := range Hunks(r, o) {
		v.heading(HunkHeader, h.Header())
		for i := 0; i < len(h.Ops); i++ {
			op := h.Ops[i]
			in := block{op.AStart, op.AEnd, op.BStart, op.BEnd}
			switch {
			case op.Kind == Equal:
				v.add(segment{kind: Context, a: op.AStart, b: op.BStart, rows: op.AEnd - op.AStart})
				continue
			case op.Kind == Delete && i+1 < len(h.Ops) && h.Ops[i+1].Kind == Insert:
				i++
				in.b1 = h.Ops[i].BEnd
			}
			v.block(in)
		}
		v.open(r, h)
	}
	return v
}

// Sides of a NoNewline row.
const (
	openLeft = 1 << iota
	openRight
)

// open records on which sides the last line of a hunk has no newline.
func (v *Split) open(r *Result, h Hunk) {
	last, sides := h.Ops[len(h.Ops)-1], 0
	if r.ANoNewline && last.AEnd == r.ALines && h.ALines > 0 {
		sides |= openLeft
	}
	if r.BNoNewline && last.BEnd == r.BLines && h.BLines > 0 {
		sides |= openRight
	}
	if sides != 0 {
		v.add(segment{kind: NoNewline, rows: 1, which: sides})
	}
}

// block lays out a changed block.
func (v *Split) block(in block) {
	begin := len(v.segments)
	i, j := in.a0, in.b0
	for _, p := range v.partners(in) {
		v.between(i, p.a, j, p.b)
		v.lines(changed, p.a, p.b, 1)
		i, j = p.a+1, p.b+1
	}
	v.between(i, in.a1, j, in.b1)
	v.segments[begin].begin = true
}

// partners returns the pairs of lines that must be opposite each other.
func (v *Split) partners(in block) []linePair {
	n, m := in.a1-in.a0, in.b1-in.b0
	if n == 0 || m == 0 || n == m && n == 1 || max(n, m) > pairLines {
		return nil
	}
	if v.budget -= n*m + alignLine*(n+m); v.budget < 0 {
		return nil
	}
	return v.words.align(in)
}

// between lays out lines without a partner.
func (v *Split) between(i, endI, j, endJ int) {
	n := min(endI-i, endJ-j)
	v.lines(changed, i, j, n)
	v.lines(Removed, i+n, j+n, endI-i-n)
	v.lines(Added, i+n, j+n, endJ-j-n)
}

func (v *Split) lines(kind RowKind, i, j, n int) {
	if n <= 0 {
		return
	}
	if last := len(v.segments) - 1; last >= 0 && kind == changed {
		if s := &v.segments[last]; s.kind == changed && s.a+s.rows == i && s.b+s.rows == j {
			s.rows += n
			v.rows += n
			return
		}
	}
	v.add(segment{kind: kind, a: i, b: j, rows: n})
}

// Rows returns rows first to first+count-1, as far as they exist.
func (v *Split) Rows(first, count int) []SplitRow {
	var rows []SplitRow
	v.each(first, count, func(s segment, i int) { rows = append(rows, v.row(s, i)) })
	return rows
}

func (v *Split) row(s segment, i int) SplitRow {
	filler := Row{Kind: Filler}
	row := SplitRow{Kind: s.kind, Left: filler, Right: filler}
	switch s.kind {
	case Context:
		row.Left, row.Right = v.left(Context, s.a+i, -1), v.right(Context, s.b+i, -1)
	case changed:
		row.Left, row.Right = v.left(Removed, s.a+i, s.b+i), v.right(Added, s.b+i, s.a+i)
	case Removed:
		row.Left = v.left(Removed, s.a+i, -1)
	case Added:
		row.Right = v.right(Added, s.b+i, -1)
	case NoNewline:
		mark := Row{Kind: NoNewline, Text: []byte(noNewlineMark)}
		if s.which&openLeft != 0 {
			row.Left = mark
		}
		if s.which&openRight != 0 {
			row.Right = mark
		}
	default:
		row.Left = Row{Kind: s.kind, Text: v.headers[s.which]}
		row.Right = row.Left
	}
	return row
}
