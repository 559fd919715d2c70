// Package syntax turns the text of files other than Markdown into lines for the screen, highlighted if the language is known. A [Doc]
// holds the whole text, split into blocks of lines; only requested blocks are scanned, starting from the remembered state at the end of
// the block before.
//
// The scanner is our own. We tried Chroma: importing its lexers costs every start of the program 12 ms, its engine with our own rules is
// thirty times slower (0.2 MB/s against 6 MB/s, a block at a time) and on hostile text tries expressions until they time out, and it
// can't report the state at the end of a line, from which a page in the middle of a file continues.
//
// The package is pure; a Doc is safe for concurrent use.
package syntax

import (
	"bytes"
	"context"
	"sync/atomic"

	"memcurator/render/flow"
)

// A block ends at that many lines or bytes, whichever comes first.
const (
	blockLines = 64
	blockBytes = 8 << 10
)

// Doc is a text in blocks.
type Doc struct {
	src    []byte
	lang   *Language
	blocks []block
	lines  int
	folded bool
}

type block struct {
	at, line int
	state    atomic.Uint32 // the state it begins in, plus 1; 0: unknown
}

// New splits src; lang may be nil for plain text. The caller must not modify src.
func New(src []byte, lang *Language) *Doc {
	d := &Doc{src: src, lang: lang}
	first, from := 0, 0
	for at := 0; at < len(src) || at == 0; {
		n := bytes.IndexByte(src[at:], '\n') + 1
		if n == 0 {
			n = max(1, len(src)-at)
		}
		d.lines++
		at += n
		if d.lines-first >= blockLines || at-from >= blockBytes || at >= len(src) {
			d.blocks = append(d.blocks, block{at: from, line: first})
			first, from = d.lines, at
		}
	}
	d.blocks[0].state.Store(1)
	return d
}

// Folded is New for a text made from one line of the file.
func Folded(src []byte, lang *Language) *Doc {
	d := New(src, lang)
	d.folded = true
	return d
}

// Blocks is the number of blocks, at least one.
func (d *Doc) Blocks() int { return len(d.blocks) }

// Lines returns the lines of the file that a block shows, as a half-open range.
func (d *Doc) Lines(i int) (first, last int) {
	switch {
	case d.folded:
		return 0, 1
	case i+1 < len(d.blocks):
		return d.blocks[i].line, d.blocks[i+1].line
	default:
		return d.blocks[i].line, d.lines
	}
}

// Height estimates the number of rows of a block without laying it out.
func (d *Doc) Height(i, width int) int {
	last := d.lines
	if i+1 < len(d.blocks) {
		last = d.blocks[i+1].line
	}
	return max(last-d.blocks[i].line, len(d.bytes(i))/max(1, width))
}

func (d *Doc) bytes(i int) []byte {
	if i+1 < len(d.blocks) {
		return d.src[d.blocks[i].at:d.blocks[i+1].at]
	}
	return d.src[d.blocks[i].at:]
}

// Render returns the lines of a block. If the state at its start is unknown, such as inside a comment, Render guesses from the blocks
// just before it; see [Doc.Learn].
func (d *Doc) Render(i int, o flow.Options) []flow.Line {
	src, line := d.bytes(i), d.blocks[i].line
	state := d.state(i)
	out := make([]flow.Line, 0, blockLines)
	for len(src) > 0 {
		var raw []byte
		raw, src = cutLine(src)
		source := line
		if d.folded {
			source = 0
		}
		b := flow.NewBuilder(o.Text, source)
		state = d.lang.Highlight(b, raw, state, flow.Span{})
		out = append(out, b.Line())
		line++
	}
	d.follow(i, state)
	return out
}

// cutLine splits off the first line of src, without its end.
func cutLine(src []byte) (line, after []byte) {
	line, after, _ = bytes.Cut(src, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r")), after
}

// near is how many preceding blocks to scan for the state at the start of a block.
const near = 2

// state is the state at the start of block i, as far as known.
func (d *Doc) state(i int) uint8 {
	if d.lang == nil || !d.lang.spans {
		return 0
	}
	from := i
	for from > 0 && i-from < near && d.blocks[from].state.Load() == 0 {
		from--
	}
	known := d.blocks[from].state.Load()
	state := uint8(max(known, 1) - 1)
	for ; from < i; from++ {
		state = d.lang.skip(d.bytes(from), state)
		if known != 0 {
			d.follow(from, state)
		}
	}
	return state
}

// follow records the state after block i, if the state at its start is certain.
func (d *Doc) follow(i int, state uint8) {
	if i+1 < len(d.blocks) && d.blocks[i].state.Load() != 0 {
		d.blocks[i+1].state.Store(uint32(state) + 1)
	}
}

// Learn determines the state at the start of every block. It takes as long as reading the whole text and reports whether a block rendered
// before may look different now.
func (d *Doc) Learn(ctx context.Context, report func(done, total int)) (changed bool, err error) {
	if d.lang == nil || !d.lang.spans {
		return false, nil
	}
	for i := range d.blocks[:len(d.blocks)-1] {
		if err := ctx.Err(); err != nil {
			return changed, err
		}
		if d.blocks[i+1].state.Load() != 0 {
			continue
		}
		state := d.lang.skip(d.bytes(i), uint8(d.blocks[i].state.Load()-1))
		d.follow(i, state)
		changed = changed || state != 0
		if i%64 == 0 {
			report(i, len(d.blocks))
		}
	}
	return changed, nil
}
