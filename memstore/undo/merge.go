package undo

import (
	"bytes"
	"context"
	"slices"
	"time"

	"memcurator/render/diff"
)

// mergeTimeout bounds each of the two comparisons of a merge. A coarser one would find conflicts where there are none, so a busy machine
// gets time for it.
const mergeTimeout = 10 * time.Second

// edit is a replaced run of lines.
type edit struct{ aStart, aEnd, bStart, bEnd int }

// Merge joins two changes of one text: ours is what is there now, theirs what one wants. Not ok: both have changed the same lines, or lines
// next to each other, in different ways; [Parts] lists them. Lines that one side only added right before or after those that the other
// changes stay: they are not what the other is about.
func Merge(ctx context.Context, base, ours, theirs []byte) (merged []byte, ok bool) {
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return ours, true
	case bytes.Equal(base, ours):
		return theirs, true
	}
	m := newMerger(ctx, base, ours, theirs)
	if !m.conflict {
		return m.text(), true
	}
	if ends(base) && ends(ours) && ends(theirs) {
		return nil, false
	}
	// A line that ends the text is another line than the same one with more after it. As whole lines they are the same.
	whole := newMerger(ctx, ended(base), ended(ours), ended(theirs))
	if whole.conflict {
		return nil, false
	}
	end := ends(ours)
	if end == ends(base) {
		end = ends(theirs)
	}
	if !end {
		return bytes.TrimSuffix(whole.text(), []byte{'\n'}), true
	}
	return whole.text(), true
}

// ends reports whether the last line of a text has an end.
func ends(text []byte) bool { return len(text) == 0 || text[len(text)-1] == '\n' }

// ended is a text whose last line has an end.
func ended(text []byte) []byte {
	if ends(text) {
		return text
	}
	return append(slices.Clone(text), '\n')
}

// Part is a stretch of a merged text: lines that are sure, or a conflict with the lines of both sides.
type Part struct {
	Conflict     bool
	Text         []byte // of what is sure
	Ours, Theirs []byte // of a conflict; either may be empty
}

// Parts is Merge in pieces, in order, for deciding conflicts one by one: the sure ones and of each
// conflict the side that is chosen make up the text.
func Parts(ctx context.Context, base, ours, theirs []byte) []Part {
	return newMerger(ctx, base, ours, theirs).parts
}

// edits are the stretches of base that a side replaced, in order. Neighbors are one.
func edits(ctx context.Context, base, side []byte) []edit {
	var list []edit
	for _, op := range diff.Lines(ctx, base, side, diff.Options{Timeout: mergeTimeout}).Ops {
		if op.Kind == diff.Equal {
			continue
		}
		if n := len(list) - 1; n >= 0 && list[n].aEnd == op.AStart && list[n].bEnd == op.BStart {
			list[n].aEnd, list[n].bEnd = op.AEnd, op.BEnd
			continue
		}
		list = append(list, edit{op.AStart, op.AEnd, op.BStart, op.BEnd})
	}
	return list
}

// lines splits a text after each newline.
func lines(text []byte) [][]byte { return slices.Collect(bytes.Lines(text)) }

// merger walks the edits of both sides along the base.
type merger struct {
	base, ours, theirs [][]byte
	a, b               []edit
	at                 int // line of base that is reached
	offA, offB         int // what the sides are ahead of base by, at this line
	parts              []Part
	conflict           bool // in one of them, or where two of them meet
}

// newMerger merges three texts.
func newMerger(ctx context.Context, base, ours, theirs []byte) *merger {
	m := &merger{
		base: lines(base), ours: lines(ours), theirs: lines(theirs),
		a: edits(ctx, base, ours), b: edits(ctx, base, theirs),
	}
	m.run()
	return m
}

func (m *merger) run() {
	for len(m.a)+len(m.b) > 0 {
		start := m.nextStart()
		m.copy(m.base[m.at:start])
		end := start
		var as, bs []edit
		for grown := true; grown; {
			grown = false
			if len(m.a) > 0 && meets(m.a[0], end, bs) {
				as, end, m.a, grown = append(as, m.a[0]), max(end, m.a[0].aEnd), m.a[1:], true
			}
			if len(m.b) > 0 && meets(m.b[0], end, as) {
				bs, end, m.b, grown = append(bs, m.b[0]), max(end, m.b[0].aEnd), m.b[1:], true
			}
		}
		m.join(start, end, as, bs)
		m.at = end
	}
	m.copy(m.base[m.at:])
}

// meets reports whether an edit has to be joined with those of the other side, which reach to end. Lines that one side only adds right
// before or after lines that the other side changes stay beside them.
func meets(e edit, end int, others []edit) bool {
	if e.aStart != end || len(others) == 0 {
		return e.aStart <= end
	}
	last := others[len(others)-1]
	return (e.aStart == e.aEnd) == (last.aStart == last.aEnd)
}

func (m *merger) nextStart() int {
	switch {
	case len(m.a) == 0:
		return m.b[0].aStart
	case len(m.b) == 0:
		return m.a[0].aStart
	}
	return min(m.a[0].aStart, m.b[0].aStart)
}

// join writes one stretch of base that one side or both have changed.
func (m *merger) join(start, end int, as, bs []edit) {
	oursStart, theirsStart := start+m.offA, start+m.offB
	for _, e := range as {
		m.offA += (e.bEnd - e.bStart) - (e.aEnd - e.aStart)
	}
	for _, e := range bs {
		m.offB += (e.bEnd - e.bStart) - (e.aEnd - e.aStart)
	}
	ours, theirs := m.ours[oursStart:end+m.offA], m.theirs[theirsStart:end+m.offB]
	switch {
	case len(bs) == 0:
		m.copy(ours)
	case len(as) == 0, bytes.Equal(bytes.Join(ours, nil), bytes.Join(theirs, nil)):
		m.copy(theirs)
	default:
		m.parts = append(m.parts, Part{Conflict: true, Ours: bytes.Join(ours, nil), Theirs: bytes.Join(theirs, nil)})
		m.conflict = true
	}
}

// copy adds lines that are sure.
func (m *merger) copy(list [][]byte) {
	if len(list) == 0 {
		return
	}
	last := len(m.parts) - 1
	if last < 0 || m.parts[last].Conflict {
		m.parts = append(m.parts, Part{})
		last++
	}
	part := &m.parts[last]
	m.conflict = m.conflict || !ends(part.Text) // a line would run into the next one
	part.Text = append(part.Text, bytes.Join(list, nil)...)
}

// text is the merged text, without conflicts.
func (m *merger) text() (text []byte) {
	for _, p := range m.parts {
		text = append(text, p.Text...)
	}
	return text
}

// withoutHunk is after with one block of the difference from before undone; ok is false if there is no such block.
func withoutHunk(ctx context.Context, before, after []byte, number int) (_ []byte, ok bool) {
	hunks := diff.Hunks(diff.Lines(ctx, before, after, diff.Options{}), 0)
	if number < 0 || number >= len(hunks) {
		return nil, false
	}
	old, now := lines(before), lines(after)
	var list [][]byte
	at := 0 // line of after
	for _, op := range hunks[number].Ops {
		if op.Kind == diff.Equal {
			continue
		}
		list = append(append(list, now[at:op.BStart]...), old[op.AStart:op.AEnd]...)
		at = op.BEnd
	}
	return bytes.Join(append(list, now[at:]...), nil), true
}
