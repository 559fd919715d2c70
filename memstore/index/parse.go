package index

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"memcurator/render/frontmatter"
	"memcurator/render/markdown"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Entry is an item of a list, or a row of a table, that names a note.
type Entry struct {
	Link
	Item  Span // its lines with their ends, and those of nested items that name no note
	More  int  // other links in its own text
	Prose bool // the link is within a sentence, which says more than what the note is
}

// Index is a Markdown text with its links and entries, in their order. It refers to the bytes that it was parsed from.
type Index struct {
	Links   []Link
	Entries []Entry
	Items   int // items of all lists and rows of all tables

	data []byte
}

// String is a part of the text.
func (x *Index) String(s Span) string { return string(x.data[s.Start:s.End]) }

// Bytes is the whole text. It must not be changed.
func (x *Index) Bytes() []byte { return x.data }

// item is a list item or a row while it is read.
type item struct {
	lines Span
	own   int    // the end of its own text, before nested items
	text  int    // what follows bullet and checkbox
	links []Link // of its own text
	row   bool
}

// parsing is a text while it is read. Offsets of the parser count from base.
type parsing struct {
	*Index
	base int
}

// blocks finds the blocks of a text; what stands within a line is read by [Index.links].
var blocks = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithParagraphTransformers(util.Prioritized(extension.NewTableParagraphTransformer(), 0)),
)

// Parse reads a Markdown text. The result refers to data, which must not change. One that would take too long to parse has no links.
func Parse(data []byte) *Index {
	p := &parsing{Index: &Index{data: data}}
	if bytes.HasPrefix(data, bom) {
		p.base = len(bom)
	}
	if m, ok := frontmatter.Find(data); ok {
		p.base = m.End
	}
	if markdown.TooDeep(data) {
		return p.Index
	}
	p.block(blocks.Parse(text.NewReader(data[p.base:])), nil)
	slices.SortFunc(p.Entries, func(a, b Entry) int { return a.All.Start - b.All.Start })
	return p.Index
}

var bom = []byte("\xef\xbb\xbf")

// lineLength is the length of the first line with its end.
func lineLength(data []byte) int {
	if n := bytes.IndexByte(data, '\n'); n >= 0 {
		return n + 1
	}
	return len(data)
}

// lineStart is where the line of an offset begins.
func (x *Index) lineStart(at int) int { return bytes.LastIndexByte(x.data[:at], '\n') + 1 }

// block reads a block and all below it. in is the item around it, nil for none. It reports whether there are entries below.
func (p *parsing) block(n ast.Node, in *item) (entries bool) {
	switch n.Kind() {
	case ast.KindCodeBlock, ast.KindFencedCodeBlock, ast.KindHTMLBlock:
		return false
	case ast.KindListItem, extast.KindTableRow:
		return p.item(n)
	case ast.KindParagraph, ast.KindTextBlock, ast.KindHeading, extast.KindTableCell:
		from := len(p.Links)
		if lines := n.Lines(); lines.Len() > 0 {
			p.links(p.base+lines.At(0).Start, p.base+lines.At(lines.Len()-1).Stop)
		}
		if in != nil && in.own == in.lines.End { // not behind a nested list
			for _, l := range p.Links[from:] {
				if l.All.End <= in.lines.End {
					in.links = append(in.links, l)
				}
			}
		}
		return false
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		entries = p.block(c, in) || entries
	}
	return entries
}

// item reads a list item or a row of a table.
func (p *parsing) item(n ast.Node) (entries bool) {
	start, end := p.span(n)
	if start < 0 {
		return false
	}
	end = p.indentedEnd(start, end)
	one := &item{lines: Span{p.lineStart(start), end}, own: end, text: start, row: n.Kind() == extast.KindTableRow}
	if box := p.data[start:min(start+4, len(p.data))]; len(box) == 4 && box[0] == '[' && box[2] == ']' && box[3] == ' ' &&
		bytes.IndexByte([]byte(" xX-"), box[1]) >= 0 {
		one.text += len(box)
	}
	p.Items++
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if first, _ := p.span(c); c.Kind() == ast.KindList && one.own == end && first >= 0 && first < end {
			one.own = p.lineStart(first)
		}
		entries = p.block(c, one) || entries
	}
	if l := p.subject(one); l != nil {
		e := Entry{Link: *l, Item: one.lines, More: len(one.links) - 1, Prose: !one.row && !p.labels(one, l)}
		if entries {
			e.Item.End = one.own
		}
		p.Entries = append(p.Entries, e)
		return true
	}
	return entries
}

// indentedEnd cuts an item off before a line that begins no further right than the item. Markdown joins it to the item (CommonMark calls
// that a lazy continuation), but to who wrote it, it is a text of its own.
func (p *parsing) indentedEnd(start, end int) int {
	first := p.lineStart(start)
	at := start + lineLength(p.data[start:])
	for next := at; next < end; next += lineLength(p.data[next:]) {
		line := p.data[next : next+lineLength(p.data[next:])]
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if blanks(line) <= blanks(p.data[first:start]) {
			break
		}
		at = next + len(line)
	}
	return min(at, end)
}

// blanks is how many blanks a text begins with.
func blanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// span is where the text of a block begins and where its last line ends; below 0: it has none.
func (p *parsing) span(n ast.Node) (start, end int) {
	start = -1
	if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
		start = p.base + n.Lines().At(0).Start
		last := max(start, p.base+n.Lines().At(n.Lines().Len()-1).Stop-1) // a line may have its end or not
		end = last + lineLength(p.data[last:])
		if fence := bytes.TrimLeft(p.data[end:], " \t"); n.Kind() == ast.KindFencedCodeBlock &&
			(bytes.HasPrefix(fence, []byte("```")) || bytes.HasPrefix(fence, []byte("~~~"))) {
			end += lineLength(p.data[end:])
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() != ast.TypeBlock {
			break
		}
		if from, to := p.span(c); from >= 0 {
			end = max(end, to)
			if start < 0 {
				start = from
			}
		}
	}
	return start, end
}

// subject is the link that an item is about; nil: it names no note.
func (p *parsing) subject(one *item) *Link {
	for i := range one.links {
		switch link := &one.links[i]; {
		case link.Image:
		case link.Form != Path:
			return link
		case isPath(p.String(link.Target)) && (one.row || p.leads(one, link)):
			return link
		}
	}
	return nil
}

// leads reports whether an item begins with a link, apart from emphasis.
func (p *parsing) leads(one *item, l *Link) bool {
	return l.All.Start >= one.text && len(p.before(one, l)) == 0
}

// before is what an item says before a link.
func (p *parsing) before(one *item, l *Link) []byte {
	return bytes.Trim(p.data[min(one.text, l.All.Start):l.All.Start], " \t*_~|")
}

// labels reports whether what an item says before a link is nothing, or the name of the note: "User role: [role](role.md)".
func (p *parsing) labels(one *item, l *Link) bool {
	label, _ := utf8.DecodeLastRune(p.before(one, l))
	return len(p.before(one, l)) == 0 || strings.ContainsRune(":-–—→", label)
}
