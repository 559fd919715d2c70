package markdown

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"

	"memcurator/render/flow"
	"memcurator/render/syntax"
	"memcurator/render/text"
)

// nestMost is how many nested quotes, lists and emphases are laid out; anything deeper is shown literally.
const nestMost = 24

// writer lays out a text.
type writer struct {
	o            flow.Options
	src          []byte
	out          []flow.Line
	prefix, hang []flow.Span
	cur          *flow.Builder // of the line under construction
}

func (w *writer) glyph(unicode, ascii string) string {
	if w.o.Text.ASCII {
		return ascii
	}
	return unicode
}

// mark is the marker of a list item.
func (w *writer) mark(l *ast.List, number int) string {
	if l.IsOrdered() {
		return strconv.Itoa(number) + string(l.Marker) + " "
	}
	return w.glyph("• ", "* ")
}

// enter prefixes the next line with first and the lines after it with hang.
func (w *writer) enter(first, hang flow.Span) (leave func()) {
	prefix, before, lines := w.prefix, w.hang, len(w.out)
	w.prefix = append(slices.Clip(w.prefix), first)
	w.hang = append(slices.Clip(w.hang), hang)
	return func() {
		if len(w.out) > lines {
			prefix = before
		}
		w.prefix, w.hang = prefix, before
	}
}

// emit outputs a line.
func (w *writer) emit(l flow.Line) {
	l.Prefix = append(slices.Clip(w.prefix), l.Prefix...)
	l.Hang = append(slices.Clip(w.hang), l.Hang...)
	w.prefix = w.hang
	w.out = append(w.out, l)
}

func (w *writer) blank() { w.emit(flow.Line{}) }

func (w *writer) begin() { w.cur = flow.NewBuilder(w.o.Text) }

func (w *writer) end() { w.emit(w.cur.Line()) }

// blocks lays out the children of a node, with empty rows between them if they are apart.
func (w *writer) blocks(n ast.Node, apart bool, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if apart && c.PreviousSibling() != nil {
			w.blank()
		}
		if depth > nestMost {
			w.raw(c)
			continue
		}
		w.block(c, depth)
	}
}

func (w *writer) block(n ast.Node, depth int) {
	switch n := n.(type) {
	case *ast.Heading:
		mark := strings.Repeat("#", n.Level) + " "
		leave := w.enter(flow.Own(mark, flow.Marker), flow.Own(strings.Repeat(" ", len(mark)), flow.Plain))
		w.text(n, flow.Span{Role: flow.Heading, Attr: flow.Bold})
		leave()
	case *ast.Blockquote:
		w.inside(w.glyph("│ ", "| "), w.glyph("│ ", "| "), func() { w.blocks(n, true, depth+1) })
	case *ast.List:
		w.list(n, depth)
	case *ast.FencedCodeBlock:
		w.fenced(n)
	case *ast.CodeBlock:
		w.codeBlock(n, false)
	case *ast.HTMLBlock:
		w.raw(n)
	case *ast.ThematicBreak:
		width := max(1, w.o.Width-flow.Width(w.prefix))
		w.begin()
		w.cur.Span(flow.Own(strings.Repeat(w.glyph("─", "-"), width), flow.Rule))
		w.end()
	case *extast.Table:
		w.table(n)
	case *ast.Paragraph, *ast.TextBlock:
		w.text(n, flow.Span{})
	default:
		w.raw(n)
	}
}

// inside lays out the contents of a container and keeps its first marker.
func (w *writer) inside(mark, hang string, fill func()) {
	leave := w.enter(flow.Own(mark, flow.Marker), flow.Own(hang, flow.Marker))
	lines := len(w.out)
	fill()
	if len(w.out) == lines {
		w.blank()
	}
	leave()
}

func (w *writer) list(l *ast.List, depth int) {
	number := l.Start
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		if c.PreviousSibling() != nil && !l.IsTight {
			w.blank()
		}
		mark := w.mark(l, number)
		number++
		w.inside(mark, strings.Repeat(" ", text.Width(mark)), func() { w.blocks(c, !l.IsTight, depth+1) })
	}
}

func (w *writer) fenced(n *ast.FencedCodeBlock) {
	if n.Info != nil {
		// Show the language, and anything else in the info string.
		w.begin()
		w.cur.Text(n.Info.Segment.Value(w.src), flow.Span{Role: flow.Dim})
		w.end()
	}
	w.codeBlock(n, syntax.Known(string(n.Language(w.src))))
}

func (w *writer) codeBlock(n ast.Node, highlighted bool) {
	w.inside("  ", "  ", func() {
		for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
			w.begin()
			if line := trimEnd(s.Value(w.src)); highlighted {
				syntax.Highlight(w.cur, line, flow.Code)
			} else {
				w.cur.Text(line, flow.Span{Role: flow.Code})
			}
			w.end()
		}
	})
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// each shows the lines of a part of the text literally.
func (w *writer) each(from, to int, role flow.Role) {
	for line := range bytes.Lines(w.src[from:to]) {
		w.begin()
		w.cur.Text(trimEnd(line), flow.Span{Role: role})
		w.end()
	}
}

// raw shows a node literally.
func (w *writer) raw(n ast.Node) {
	from := lineStart(w.src, max(0, start(n)))
	to := len(w.src)
	if next := n.NextSibling(); next != nil && start(next) >= from {
		to = lineStart(w.src, start(next))
	}
	role := flow.Dim
	if _, ok := n.(*ast.HTMLBlock); ok {
		role = flow.HTML
	}
	to = max(from, to)
	w.each(from, from+len(bytes.TrimRight(w.src[from:to], "\n")), role)
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
