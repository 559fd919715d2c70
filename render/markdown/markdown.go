// Package markdown turns Markdown into lines for the screen. The text is split into blocks of a bounded size, which are parsed and laid
// out one by one, so that hostile text can't cost more than linear time. Reference links resolve across blocks.
//
// The parser is goldmark, which glamour uses. We tried glamour itself: importing it costs every start of the program 19 ms (five times
// the rest of the start), it drops HTML, decodes &#27; after any sanitizing of the input, sends links of the file to the terminal as
// such, prints warnings to standard output, and can't tell which line of the file a row came from. The output here looks similar, but
// omits nothing of a file: HTML, images, link definitions and link targets are all text.
package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"memcurator/render/flow"
	"memcurator/render/syntax"
)

// A larger block is split, so that showing a part of it is cheap and hostile text in it can't cost more.
const (
	blockLines = 64
	blockBytes = 8 << 10
)

// depthMost is how deep to split nested quotes and lists that are too large for one block.
const depthMost = 4

// doc is a Markdown text in blocks.
type doc struct {
	blocks []block
	refs   parser.Context
	lines  int
}

// kind is how to show the source of a block.
type kind uint8

const (
	parsed   kind = iota // as Markdown
	code                 // as the inside of a code block
	verbatim             // unparsed: too large or too deep for anything else
)

// block is a part of the text that is laid out separately.
type block struct {
	src         []byte // without the markers of the surrounding quotes and lists
	first, last int    // lines of the file
	kind        kind
	lang        *syntax.Language
	role        flow.Role
	around      []container
	start       int  // number of the list item, if the list is ordered
	apart       bool // an empty row follows
	header      int  // lines of a table's head that were copied to the start of this block
}

// container is a quote or list item around a block.
type container struct {
	mark  string // of a list item, shown on its first row; "" afterwards
	cells int    // width of a list item's mark
	quote bool
}

// structure finds blocks and link definitions, but nothing within a line.
var structure = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
)

// whole parses a block completely.
var whole = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999))...),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200))...),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// split splits src, whose first byte is on line first of the file. The caller must not modify src.
func split(src []byte, first int) *doc {
	d := &doc{refs: parser.NewContext(), lines: first + bytes.Count(src, []byte("\n")) + 1}
	s := splitter{doc: d, pc: d.refs}
	if tooDeep(src) {
		s.pieces(src, first, block{kind: verbatim})
	} else {
		s.split(src, first, nil, 0)
	}
	if len(d.blocks) == 0 {
		d.blocks = []block{{first: first, last: d.lines}}
	}
	d.blocks[0].first = first
	d.blocks[len(d.blocks)-1].apart = false
	for i := range d.blocks {
		if i+1 < len(d.blocks) {
			d.blocks[i].last = max(d.blocks[i].first, d.blocks[i+1].first)
		} else {
			d.blocks[i].last = d.lines
		}
	}
	return d
}

// marksMost is how many quotes and lists may begin on one line: the parser takes quadratic time for them.
const marksMost = 64

// tooDeep reports whether a line begins more quotes and lists than any real text does.
func tooDeep(src []byte) bool {
	marks, leading := 0, true
	for i, c := range src {
		switch {
		case c == '\n':
			marks, leading = 0, true
		case !leading:
		case c == '>':
			marks++
		case c == '-' || c == '*' || c == '+' || c == '.' || c == ')':
			if i+1 < len(src) && (src[i+1] == ' ' || src[i+1] == '\t') {
				marks++
			}
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			leading = false
		}
		if marks > marksMost {
			return true
		}
	}
	return false
}

// Lines are the lines of a Markdown text whose first byte is on line first of the file.
func Lines(src []byte, first int, o flow.Options) (out []flow.Line) {
	d := split(src, first)
	for i := range d.blocks {
		out = append(out, d.render(i, o)...)
	}
	return out
}

// splitter makes the blocks of a document.
type splitter struct {
	doc *doc
	pc  parser.Context
}

// part is a range of a text between two nodes.
type part struct {
	node     ast.Node
	src      []byte
	from, to int // bytes
	line     int
}

// split appends the blocks of a text within containers.
func (s *splitter) split(src []byte, first int, around []container, depth int) {
	doc := structure.Parse(text.NewReader(src), parser.WithContext(s.pc))
	parts := children(doc, src, 0, len(src), first)
	for i, p := range parts {
		s.node(p, around, depth, true)
		if i == 0 {
			around = later(around)
		}
	}
}

// children splits src[from:to] at the lines where the children of a node begin. Text before the first child belongs to it.
func children(n ast.Node, src []byte, from, to, line int) []part {
	var parts []part
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		at := lineStart(src, min(max(start(c), from), to))
		if len(parts) > 0 {
			last := &parts[len(parts)-1]
			if at < last.from {
				at = last.from
			}
			last.to = at
		} else {
			at = from
		}
		parts = append(parts, part{node: c, src: src, from: at, to: to})
	}
	for i := range parts {
		p := &parts[i]
		p.line = line
		line += bytes.Count(src[p.from:p.to], []byte("\n"))
	}
	return parts
}

// start is where a node begins, as far as the parser knows.
func start(n ast.Node) int {
	if at := n.Pos(); at >= 0 {
		return at
	}
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		return n.Lines().At(0).Start
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if at := start(c); at >= 0 {
			return at
		}
	}
	return -1
}

func lineStart(src []byte, at int) int { return bytes.LastIndexByte(src[:at], '\n') + 1 }

// node appends the blocks of one node.
func (s *splitter) node(p part, around []container, depth int, apart bool) {
	src := p.src[p.from:p.to]
	if list, ok := p.node.(*ast.List); ok {
		s.list(p, list, around, depth, apart)
		return
	}
	if len(src) <= blockBytes && bytes.Count(src, []byte("\n")) <= blockLines {
		s.add(block{src: src, first: p.line, around: around, apart: apart})
		return
	}
	switch n := p.node.(type) {
	case *ast.Blockquote:
		if depth < depthMost {
			s.split(dedent(src, 0), p.line, append(around[:len(around):len(around)], container{quote: true}), depth+1)
			return
		}
	case *ast.FencedCodeBlock:
		s.lines(p, block{kind: code, lang: syntax.Named(string(n.Language(p.src))), around: around, role: flow.Code})
		return
	case *ast.CodeBlock:
		s.lines(p, block{kind: code, around: around, role: flow.Code})
		return
	case *ast.HTMLBlock:
		s.lines(p, block{kind: verbatim, around: around, role: flow.HTML})
		return
	case *extast.Table:
		if s.table(src, p.line, around) {
			return
		}
	case *ast.Paragraph:
		s.paragraph(src, p.line, around)
		return
	}
	s.lines(p, block{kind: verbatim, around: around})
}

func (s *splitter) add(b block) { s.doc.blocks = append(s.doc.blocks, b) }

// list appends one or more blocks for every item.
func (s *splitter) list(p part, list *ast.List, around []container, depth int, apart bool) {
	items := children(list, p.src, p.from, p.to, p.line)
	for i, it := range items {
		last := i+1 == len(items)
		src := it.src[it.from:it.to]
		gap := last && apart || !last && !list.IsTight
		number := list.Start + i
		item, ok := it.node.(*ast.ListItem)
		small := len(src) <= blockBytes && bytes.Count(src, []byte("\n")) <= blockLines
		if small || !ok || depth >= depthMost {
			b := block{src: src, first: it.line, around: around, apart: gap, start: number}
			if !small {
				b.kind = verbatim
				s.pieces(src, it.line, b)
			} else {
				s.add(b)
			}
		} else {
			mark := itemMark(list, number)
			inside := append(around[:len(around):len(around)], container{mark: mark, cells: len(mark)})
			s.split(dedent(src, max(1, item.Offset)), it.line, inside, depth+1)
		}
		if i == 0 {
			around = later(around)
		}
	}
}

// later are the containers of the blocks after the first one: markers are shown once.
func later(around []container) []container {
	out := append([]container(nil), around...)
	for i := range out {
		out[i].mark = ""
	}
	return out
}

// dedent removes a level of indentation, or with 0 cells of quote markers, from every line.
func dedent(src []byte, cells int) []byte {
	out := make([]byte, 0, len(src))
	first := true
	for len(src) > 0 {
		n := bytes.IndexByte(src, '\n') + 1
		if n == 0 {
			n = len(src)
		}
		line := src[:n]
		src = src[n:]
		trimmed := bytes.TrimLeft(line, " ")
		switch {
		case cells == 0 && len(line)-len(trimmed) <= 3 && len(trimmed) > 0 && trimmed[0] == '>':
			out = append(out, bytes.TrimPrefix(trimmed[1:], []byte(" "))...)
		case cells == 0:
			out = append(out, line...)
		case first:
			out = append(out, line[min(cells, len(line)-1):]...)
		default:
			k := 0
			for k < cells && k < len(line) && line[k] == ' ' {
				k++
			}
			if k == 0 && line[0] == '\t' {
				k = 1
			}
			out = append(out, line[k:]...)
		}
		first = false
	}
	return out
}
