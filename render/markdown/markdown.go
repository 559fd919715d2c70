// Package markdown turns Markdown into lines for the screen.
//
// The parser is goldmark, which glamour uses. We tried glamour itself: importing it costs every start of the program 19 ms (five times
// the rest of the start), it drops HTML, decodes &#27; after any sanitizing of the input, sends links of the file to the terminal as
// such, and prints warnings to standard output. The output here looks similar, but
// omits nothing of a file: HTML, images, link definitions and link targets are all text.
package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"memcurator/render/flow"
)

// markdown parses a text.
var markdown = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
		util.Prioritized(extension.NewStrikethroughParser(), 500),
		util.Prioritized(extension.NewLinkifyParser(), 999))...),
	parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(),
		util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		util.Prioritized(literal{}, 300))...),
	parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0)),
)

// paragraphMost is the size of the largest paragraph in which links and emphasis are looked for, in bytes: the parser may take quadratic
// time for it.
const paragraphMost = 8 << 10

// literal keeps larger paragraphs as they are.
type literal struct{}

func (literal) Transform(n *ast.Paragraph, _ text.Reader, _ parser.Context) {
	size := 0
	for _, s := range n.Lines().Sliced(0, n.Lines().Len()) {
		size += s.Len()
	}
	if size > paragraphMost {
		block := ast.NewHTMLBlock(ast.HTMLBlockType7)
		block.SetLines(n.Lines())
		n.Parent().ReplaceChild(n.Parent(), n, block)
	}
}

// marksMost is how many quotes and lists may begin on one line: the parser takes quadratic time for them.
const marksMost = 64

// TooDeep reports whether a line begins more quotes and lists than any real text does.
func TooDeep(src []byte) bool {
	for line := range bytes.Lines(src) {
		marks := line[:len(line)-len(bytes.TrimLeft(line, "> \t-*+.)0123456789"))]
		if bytes.Count(marks, []byte(">"))+len(bytes.Fields(marks)) > marksMost {
			return true
		}
	}
	return false
}

// Lines are the lines of a Markdown text.
func Lines(src []byte, o flow.Options) []flow.Line {
	w := writer{o: o, src: src}
	if TooDeep(src) {
		w.each(0, len(src), flow.Plain)
	} else {
		w.blocks(markdown.Parse(text.NewReader(src)), true, 0)
	}
	return w.out
}
