package markdown

import (
	"bytes"
	"html"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"

	"memcurator/render/flow"
)

// text lays out a node whose children are text.
func (w *writer) text(n ast.Node, look flow.Span) {
	w.begin()
	w.inline(n, look, 0)
	w.end()
}

// inline adds the children of a node to the line.
func (w *writer) inline(n ast.Node, look flow.Span, depth int) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if depth > nestMost {
			return
		}
		w.span(c, look, depth)
	}
}

func (w *writer) span(n ast.Node, look flow.Span, depth int) {
	switch n := n.(type) {
	case *ast.Text:
		w.plain(n, look)
	case *ast.String:
		w.cur.Text(n.Value, look)
	case *ast.Emphasis:
		look.Attr |= flow.Italic
		if n.Level > 1 {
			look.Attr = look.Attr&^flow.Italic | flow.Bold
		}
		w.inline(n, look, depth+1)
	case *extast.Strikethrough:
		look.Attr |= flow.Strike
		w.inline(n, look, depth+1)
	case *ast.CodeSpan:
		look.Role = flow.Code
		w.inline(n, look, depth+1)
	case *ast.Link:
		w.link(n, n.Destination, n.Title, look, depth)
	case *ast.Image:
		w.cur.Span(flow.Own("[image: ", flow.Dim))
		w.inline(n, look, depth+1)
		w.cur.Span(flow.Own("]", flow.Dim))
		w.target(n.Destination, n.Title)
	case *ast.AutoLink:
		look.Role, look.Link = flow.Link, w.cur.Link(string(n.URL(w.src)))
		w.cur.Text(n.Label(w.src), look)
	case *ast.RawHTML:
		for i := range n.Segments.Len() {
			s := n.Segments.At(i)
			w.cur.Text(oneLine(s.Value(w.src)), flow.Span{Role: flow.HTML, Attr: look.Attr})
		}
	case *extast.TaskCheckBox:
		box := "[ ] "
		if n.IsChecked {
			box = "[x] "
		}
		w.cur.Span(flow.Own(box, flow.Marker))
	default:
		w.inline(n, look, depth+1)
	}
}

// plain adds text. The lines of a paragraph stay separate, as intended in most notes.
func (w *writer) plain(n *ast.Text, look flow.Span) {
	value := n.Segment.Value(w.src)
	if n.Parent().Kind() != ast.KindCodeSpan && !n.IsRaw() {
		value = resolve(value)
	}
	w.cur.Text(oneLine(value), look)
	if n.HardLineBreak() || n.SoftLineBreak() {
		links := w.cur.Links()
		w.end()
		w.begin()
		w.cur.SetLinks(links)
	}
}

func (w *writer) link(n ast.Node, destination, title []byte, look flow.Span, depth int) {
	look.Role, look.Link = flow.Link, w.cur.Link(string(destination))
	w.inline(n, look, depth+1)
	w.target(destination, title)
}

// target shows where a link leads, since its text may be misleading.
func (w *writer) target(destination, title []byte) {
	look := flow.Span{Role: flow.Target}
	w.cur.Text([]byte(" ("), look)
	w.cur.Text(oneLine(destination), look)
	if len(title) > 0 {
		w.cur.Text([]byte(" \""), look)
		w.cur.Text(oneLine(resolve(title)), look)
		w.cur.Text([]byte("\""), look)
	}
	w.cur.Text([]byte(")"), look)
}

// oneLine replaces line ends by spaces.
func oneLine(b []byte) []byte {
	if bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\r') < 0 {
		return b
	}
	out := bytes.ReplaceAll(b, []byte("\r\n"), []byte(" "))
	return bytes.ReplaceAll(out, []byte("\n"), []byte(" "))
}

// entityMost is the maximum length of an entity, in bytes.
const entityMost = 40

// resolve removes the backslashes before punctuation and decodes entities, in one pass: a backslash prevents an entity.
func resolve(b []byte) []byte {
	if bytes.IndexByte(b, '\\') < 0 && bytes.IndexByte(b, '&') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '\\' && i+1 < len(b) && util.IsPunct(b[i+1]):
			i++
			out = append(out, b[i])
		case b[i] == '&':
			n := bytes.IndexByte(b[i:min(len(b), i+entityMost)], ';') + 1
			if n == 0 {
				n = 1
			}
			out = append(out, html.UnescapeString(string(b[i:i+n]))...)
			i += n - 1
		default:
			out = append(out, b[i])
		}
	}
	return out
}
