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

// render returns the lines of a block.
func (d *doc) render(i int, o flow.Options) []flow.Line {
	b := &d.blocks[i]
	w := blockWriter{o: o, b: b, src: b.src}
	for at := 0; ; {
		w.starts = append(w.starts, at)
		n := bytes.IndexByte(b.src[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	for _, c := range b.around {
		w.within(c)
	}
	switch b.kind {
	case parsed:
		w.blocks(d.parse(b.src), true, 0)
	case code:
		w.enter(flow.Own("  ", flow.Plain), flow.Own("  ", flow.Plain))
		w.codeLines(b.src, b.lang)
	default:
		w.asWritten(b.src, b.role)
	}
	if b.apart {
		w.blank(len(b.src))
	}
	return w.out
}

// blockWriter lays out one block.
type blockWriter struct {
	o            flow.Options
	b            *block
	src          []byte
	starts       []int // of the lines of src
	out          []flow.Line
	prefix, hang []flow.Span
	cur          *flow.Builder // of the line under construction
}

// source returns the line of the file for a byte of the block.
func (w *blockWriter) source(at int) int {
	i, found := slices.BinarySearch(w.starts, at)
	if !found {
		i--
	}
	line := w.b.first + max(0, i-w.b.header)
	return max(w.b.first, min(line, w.b.last-1))
}

func (w *blockWriter) glyph(unicode, ascii string) string {
	if w.o.Text.ASCII {
		return ascii
	}
	return unicode
}

// within begins a container of the block.
func (w *blockWriter) within(c container) {
	switch {
	case c.quote:
		w.quoteBar()
	case c.mark != "":
		w.enter(flow.Own(w.mark(c.mark), flow.Marker), flow.Own(strings.Repeat(" ", c.cells), flow.Plain))
	default:
		pad := flow.Own(strings.Repeat(" ", c.cells), flow.Plain)
		w.enter(pad, pad)
	}
}

func (w *blockWriter) quoteBar() {
	bar := flow.Own(w.glyph("│ ", "| "), flow.Marker)
	w.enter(bar, bar)
}

// itemMark is the marker of a list item; [blockWriter.mark] draws bullets.
func itemMark(l *ast.List, number int) string {
	if !l.IsOrdered() {
		return "* "
	}
	return strconv.Itoa(number) + string(l.Marker) + " "
}

func (w *blockWriter) mark(m string) string {
	if m == "* " {
		return w.glyph("• ", "* ")
	}
	return m
}

// enter prefixes the next line with first and the lines after it with hang.
func (w *blockWriter) enter(first, hang flow.Span) (leave func()) {
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
func (w *blockWriter) emit(l flow.Line) {
	l.Prefix = append(slices.Clip(w.prefix), l.Prefix...)
	l.Hang = append(slices.Clip(w.hang), l.Hang...)
	w.prefix = w.hang
	w.out = append(w.out, l)
}

func (w *blockWriter) blank(at int) { w.emit(flow.Blank(w.source(at))) }

// begin starts a line of text from a byte of the block.
func (w *blockWriter) begin(at int) { w.cur = flow.NewBuilder(w.o.Text, w.source(max(0, at))) }

func (w *blockWriter) end() { w.emit(w.cur.Line()) }

// blocks lays out the children of a node, with empty rows between them if they are apart.
func (w *blockWriter) blocks(n ast.Node, apart bool, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if apart && c.PreviousSibling() != nil {
			w.blank(start(c) - 1)
		}
		if depth > nestMost {
			w.raw(c)
			continue
		}
		w.block(c, depth)
	}
}

func (w *blockWriter) block(n ast.Node, depth int) {
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
		w.codeBlock(n, nil)
	case *ast.HTMLBlock:
		w.raw(n)
	case *ast.ThematicBreak:
		width := max(1, w.o.Width-flow.Width(w.prefix))
		w.begin(start(n))
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
func (w *blockWriter) inside(mark, hang string, fill func()) {
	leave := w.enter(flow.Own(mark, flow.Marker), flow.Own(hang, flow.Marker))
	lines := len(w.out)
	fill()
	if len(w.out) == lines {
		w.blank(0)
	}
	leave()
}

func (w *blockWriter) list(l *ast.List, depth int) {
	number := l.Start
	if depth == 0 && l.IsOrdered() && w.b.start > 0 {
		number = w.b.start
	}
	for c := l.FirstChild(); c != nil; c = c.NextSibling() {
		if c.PreviousSibling() != nil && !l.IsTight {
			w.blank(start(c) - 1)
		}
		mark := w.mark(itemMark(l, number))
		number++
		w.inside(mark, strings.Repeat(" ", text.Width(mark)), func() { w.blocks(c, !l.IsTight, depth+1) })
	}
}

func (w *blockWriter) fenced(n *ast.FencedCodeBlock) {
	if n.Info != nil {
		// Show the language, and anything else in the info string.
		w.begin(n.Info.Segment.Start)
		w.cur.Text(n.Info.Segment.Value(w.src), flow.Span{Role: flow.Dim})
		w.end()
	}
	w.codeBlock(n, syntax.Named(string(n.Language(w.src))))
}

func (w *blockWriter) codeBlock(n ast.Node, lang *syntax.Language) {
	w.inside("  ", "  ", func() {
		lines := n.Lines()
		var state uint8
		for i := range lines.Len() {
			s := lines.At(i)
			w.begin(s.Start)
			state = lang.Highlight(w.cur, trimEnd(s.Value(w.src)), state, flow.Span{Role: flow.Code})
			w.end()
		}
	})
}

func trimEnd(line []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
}

// codeLines lays out a part of a code block.
func (w *blockWriter) codeLines(src []byte, lang *syntax.Language) {
	var state uint8
	w.each(src, 0, func(line []byte) { state = lang.Highlight(w.cur, line, state, flow.Span{Role: flow.Code}) })
}

// asWritten shows lines literally.
func (w *blockWriter) asWritten(src []byte, role flow.Role) {
	w.each(src, 0, func(line []byte) { w.cur.Text(line, flow.Span{Role: role}) })
}

func (w *blockWriter) each(src []byte, base int, show func(line []byte)) {
	for at := 0; at < len(src); {
		n := bytes.IndexByte(src[at:], '\n') + 1
		if n == 0 {
			n = len(src) - at
		}
		w.begin(base + at)
		show(trimEnd(src[at : at+n]))
		w.end()
		at += n
	}
}

// raw shows a node literally.
func (w *blockWriter) raw(n ast.Node) {
	from := lineStart(w.src, max(0, start(n)))
	to := len(w.src)
	if next := n.NextSibling(); next != nil && start(next) >= from {
		to = lineStart(w.src, start(next))
	}
	role := flow.Dim
	if _, ok := n.(*ast.HTMLBlock); ok {
		role = flow.HTML
	}
	w.each(bytes.TrimRight(w.src[from:max(from, to)], "\n"), from, func(line []byte) {
		w.cur.Text(line, flow.Span{Role: role})
	})
}
