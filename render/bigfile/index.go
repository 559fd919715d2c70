package bigfile

import (
	"bytes"
	"sort"
)

// binaryPrefix is how many bytes decide whether a text is binary.
const binaryPrefix = 8 << 10

// mark is the known start of a line.
type mark struct {
	line int
	off  int64
}

// index describes the first indexed bytes of a text. A published index never changes. extend makes the next one; the two share the arrays
// behind starts and extras, and each uses only its own length.
//
// Entries come from three sources: starts has every stride-th line, extras the lines that begin gap or more bytes after the previous
// entry, and lineStart the line in which the index ends. So every line without an entry begins less than gap bytes after one (a few gaps
// after thinning), and the line after a giant one is an entry: a giant line can be skipped without reading it.
type index struct {
	src       Source
	size      int64 // as seen by the last Index; -1 before
	indexed   int64
	newlines  int
	lineStart int64 // where the last line begins

	starts    []int64 // starts[i] is the offset of line i*stride
	extras    []mark
	lastEntry int64 // offset of the newest entry

	stride               int
	gap                  int64
	maxStarts, maxExtras int
	block                int

	longest         int64 // of the complete lines
	utf8            validity
	nul, cr, binary bool // binary: a NUL in the first bytes
}

func newIndex(src Source, t tuning) *index {
	return &index{
		src: src, size: -1, starts: []int64{0}, utf8: validity{first: -1},
		stride: t.stride, gap: t.gap, maxStarts: t.maxStarts, maxExtras: t.maxExtras, block: t.block,
	}
}

func (ix *index) facts() Facts {
	return Facts{
		Lines:        ix.newlines + 1,
		Complete:     ix.size == ix.indexed,
		Indexed:      ix.indexed,
		Size:         max(ix.size, 0),
		FirstInvalid: ix.utf8.firstInvalid(ix.size == ix.indexed),
		LongestLine:  max(ix.longest, ix.indexed-ix.lineStart),
		FinalNewline: ix.indexed > 0 && ix.lineStart == ix.indexed,
		Binary:       ix.binary,
		HasNUL:       ix.nul,
		HasCR:        ix.cr,
	}
}

// extend returns the index with the bytes of b added at its end.
func (ix *index) extend(b []byte) *index {
	next := *ix
	next.utf8.feed(b, ix.indexed)
	if !next.nul {
		if i := bytes.IndexByte(b, 0); i >= 0 {
			next.nul = true
			next.binary = ix.indexed+int64(i) < binaryPrefix
		}
	}
	if !next.cr {
		next.cr = bytes.IndexByte(b, '\r') >= 0
	}
	for len(b) > 0 {
		n := min(next.block, len(b))
		next.lines(b[:n])
		next.indexed += int64(n)
		b = b[n:]
	}
	for len(next.starts) > next.maxStarts {
		next.thin(next.stride*2, next.gap)
	}
	for len(next.extras) > next.maxExtras {
		next.thin(next.stride, next.gap*2)
	}
	return &next
}

// lines records the line starts in b, which is at ix.indexed. Counting newlines first is nearly free and selects the cheapest way: blocks
// of long lines are skipped, and below about 16 bytes a line a plain loop beats a call per newline.
func (ix *index) lines(b []byte) {
	n := bytes.Count(b, newline)
	switch {
	case n == 0:
	case n > len(b)/16:
		for i, c := range b {
			if c == '\n' {
				ix.line(ix.indexed + int64(i))
			}
		}
	default:
		at := ix.indexed
		for ; n > 0; n-- {
			i := bytes.IndexByte(b, '\n')
			ix.line(at + int64(i))
			b = b[i+1:]
			at += int64(i) + 1
		}
	}
}

var newline = []byte{'\n'}

// line records a newline at offset at.
func (ix *index) line(at int64) {
	ix.longest = max(ix.longest, at-ix.lineStart)
	ix.newlines++
	ix.lineStart = at + 1
	if ix.newlines&(ix.stride-1) == 0 {
		ix.starts = append(ix.starts, at+1)
		ix.lastEntry = at + 1
	} else if at+1-ix.lastEntry >= ix.gap {
		ix.extras = append(ix.extras, mark{ix.newlines, at + 1})
		ix.lastEntry = at + 1
	}
}

// thin rebuilds the entries with a wider stride or gap. A dropped entry is less than the new gap after a kept one, so each thinning moves
// a line at most one gap away from its entry.
func (ix *index) thin(stride int, gap int64) {
	starts := make([]int64, 0, len(ix.starts)*ix.stride/stride+1)
	var extras []mark
	var last int64
	keep := func(m mark) {
		switch {
		case m.line%stride == 0:
			starts = append(starts, m.off)
		case m.off-last >= gap:
			extras = append(extras, m)
		default:
			return
		}
		last = m.off
	}
	rest := ix.extras
	for i, off := range ix.starts {
		for len(rest) > 0 && rest[0].line < i*ix.stride {
			keep(rest[0])
			rest = rest[1:]
		}
		keep(mark{i * ix.stride, off})
	}
	for _, m := range rest {
		keep(m)
	}
	ix.starts, ix.extras, ix.lastEntry = starts, extras, last
	ix.stride, ix.gap = stride, gap
}

// tail is the line in which the index ends.
func (ix *index) tail() mark { return mark{ix.newlines, ix.lineStart} }

// before returns the last entry at or before line.
func (ix *index) before(line int) mark {
	if line >= ix.newlines {
		return ix.tail()
	}
	i := min(line/ix.stride, len(ix.starts)-1)
	best := mark{i * ix.stride, ix.starts[i]}
	j := sort.Search(len(ix.extras), func(j int) bool { return ix.extras[j].line > line })
	if j > 0 && ix.extras[j-1].line > best.line {
		best = ix.extras[j-1]
	}
	return best
}

// after returns the first entry after line; the last line has none.
func (ix *index) after(line int) (mark, bool) {
	if line >= ix.newlines {
		return mark{}, false
	}
	best := ix.tail()
	if i := line/ix.stride + 1; i < len(ix.starts) {
		best = mark{i * ix.stride, ix.starts[i]}
	}
	j := sort.Search(len(ix.extras), func(j int) bool { return ix.extras[j].line > line })
	if j < len(ix.extras) && ix.extras[j].line < best.line {
		best = ix.extras[j]
	}
	return best, true
}

// beforeOffset returns the last entry at or before off.
func (ix *index) beforeOffset(off int64) mark {
	if off >= ix.lineStart {
		return ix.tail()
	}
	i := sort.Search(len(ix.starts), func(i int) bool { return ix.starts[i] > off }) - 1
	best := mark{i * ix.stride, ix.starts[i]}
	j := sort.Search(len(ix.extras), func(j int) bool { return ix.extras[j].off > off })
	if j > 0 && ix.extras[j-1].line > best.line {
		best = ix.extras[j-1]
	}
	return best
}
