package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// lines splits a block whose lines are shown literally.
func (s *splitter) lines(p part, like block) {
	src, line := p.src[p.from:p.to], p.line
	if n := p.node.Lines(); n.Len() > 0 && like.kind == code {
		from := max(p.from, lineStart(p.src, n.At(0).Start))
		to := min(p.to, n.At(n.Len()-1).Stop)
		line += bytes.Count(p.src[p.from:from], []byte("\n"))
		src = p.src[from:max(from, to)]
	}
	s.pieces(src, line, like)
}

// pieces appends blocks of a bounded size that otherwise resemble like.
func (s *splitter) pieces(src []byte, line int, like block) {
	src = bytes.TrimRight(src, "\n")
	for len(src) > 0 {
		n, lines := piece(src)
		b := like
		b.src, b.first = src[:n], line
		src, line = src[n:], line+lines
		b.apart = len(src) == 0
		s.add(b)
		like.around = later(like.around)
	}
}

// piece returns how many bytes and lines of src fit into a block: at least one line.
func piece(src []byte) (n, lines int) {
	for n < len(src) && lines < blockLines {
		k := bytes.IndexByte(src[n:], '\n') + 1
		if k == 0 {
			k = len(src) - n
		}
		if lines > 0 && n+k > blockBytes {
			break
		}
		n += k
		lines++
	}
	return n, lines
}

// paragraph splits a long paragraph at line ends. A line that is too long for a block is not parsed.
func (s *splitter) paragraph(src []byte, line int, around []container) {
	for len(src) > 0 {
		n, lines := piece(src)
		b := block{src: src[:n], first: line, around: around}
		if n > 2*blockBytes {
			b.kind = verbatim
		}
		src, line = src[n:], line+lines
		b.apart = len(src) == 0
		s.add(b)
		around = later(around)
	}
}

// table splits a long table at its rows; every part gets a copy of the head, to be laid out as a table.
func (s *splitter) table(src []byte, line int, around []container) bool {
	n := 0
	for range 2 {
		k := bytes.IndexByte(src[n:], '\n') + 1
		if k == 0 {
			return false
		}
		n += k
	}
	head, rows := src[:n], src[n:]
	if n > blockBytes/2 || bytes.Count(head, []byte("|")) == 0 {
		return false
	}
	for first := true; len(rows) > 0; first = false {
		k, lines := piece(rows)
		if k > 2*blockBytes {
			return false
		}
		b := block{first: line, around: around, src: append(head[:n:n], rows[:k]...), header: 2}
		if first {
			b.header = 0
			line += 2
		}
		rows, line = rows[k:], line+lines
		b.apart = len(rows) == 0
		s.add(b)
		around = later(around)
	}
	return true
}

// context resolves links by the definitions of the whole text, which a single block lacks.
type context struct {
	parser.Context
	all parser.Context
}

func (c context) Reference(label string) (parser.Reference, bool) { return c.all.Reference(label) }

func (c context) AddReference(parser.Reference) {}

// parse returns the tree of a block.
func (d *doc) parse(src []byte) ast.Node {
	return whole.Parse(text.NewReader(src), parser.WithContext(context{parser.NewContext(), d.refs}))
}
