package index

import (
	"bytes"

	"memcurator/render/frontmatter"
)

// Entry is an item of a list, or a row of a table, that names a note.
type Entry struct {
	Link
	Item Span // its lines with their ends, and those of nested items that name no note
	More int  // other links in its own text
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
	start, text int // of its line, and of what follows bullet and checkbox
	own         int // the end of its own text
	end         int // the end of it and of the nested ones
	indent      int
	row         bool
	parent      int // -1: none
	first, past int // its links in Index.Links
	entry       bool
	nested      bool // one below it is an entry
}

// parsing is a text while it is read.
type parsing struct {
	*Index
	items []item
	open  []int  // items that may go on, the innermost last
	blank bool   // the line before is blank
	table int    // 0: no table; 1: its head; 2: its rows
	fence []byte // of the code block that is open
	quiet bool   // in an HTML comment
}

// Parse reads a Markdown text. The result refers to data, which must not change.
func Parse(data []byte) *Index {
	p := &parsing{Index: &Index{data: data}, blank: true}
	at := 0
	if bytes.HasPrefix(data, bom) {
		at = len(bom)
	}
	if m, ok := frontmatter.Find(data); ok {
		at = m.End
	}
	for at < len(data) {
		end := at + lineLength(data[at:])
		p.line(at, end)
		at = end
	}
	p.entries()
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

// line reads one line.
func (p *parsing) line(start, end int) {
	content := bytes.TrimRight(p.data[start:end], "\r\n")
	stop := start + len(content)
	indent, width := indentOf(content)
	body := content[indent:]
	if len(bytes.TrimSpace(body)) == 0 {
		p.blank, p.table = true, 0
		return
	}
	if p.hidden(body) {
		p.goesOn(end, width)
		p.blank = false
		return
	}
	switch bullet, _ := bulletOf(body); {
	case len(body) > 0 && body[0] == '#' && isHeading(body):
		p.open, p.table = nil, 0
		p.links(start+indent, stop)
	case body[0] == '|':
		p.open = nil
		p.row(start, start+indent, stop, end)
	case bullet > 0:
		p.table = 0
		p.bullet(start, start+indent+bullet, stop, end, width)
	default:
		p.table = 0
		from := len(p.Links)
		p.links(start+indent, stop)
		if p.goesOn(end, width) {
			n := len(p.open)
			one := &p.items[p.open[n-1]]
			if one.own == start || one.past == from { // its own text, not behind a nested item
				one.own, one.past = end, len(p.Links)
			}
		}
	}
	p.blank = false
}

// hidden reports whether a line is in a code block or an HTML comment.
func (p *parsing) hidden(body []byte) bool {
	if p.quiet {
		p.quiet = !bytes.Contains(body, []byte("-->"))
		return true
	}
	if p.fence != nil {
		rest := bytes.TrimRight(body, " \t")
		if bytes.HasPrefix(rest, p.fence) && len(bytes.Trim(rest, string(p.fence[:1]))) == 0 {
			p.fence = nil
		}
		return true
	}
	for _, mark := range []byte{'`', '~'} {
		n := 0
		for n < len(body) && body[n] == mark {
			n++
		}
		if n >= 3 && (mark == '~' || bytes.IndexByte(body[n:], '`') < 0) {
			p.fence = bytes.Repeat([]byte{mark}, n)
			return true
		}
	}
	if i := bytes.LastIndex(body, []byte("<!--")); i >= 0 && !bytes.Contains(body[i:], []byte("-->")) {
		p.quiet = true
		return i == 0
	}
	return bytes.HasPrefix(body, []byte("<!--")) && bytes.HasSuffix(bytes.TrimSpace(body), []byte("-->"))
}

// goesOn lengthens the items that a line belongs to, and reports whether there are any.
func (p *parsing) goesOn(end, width int) bool {
	for n := len(p.open); n > 0; n = len(p.open) {
		one := p.items[p.open[n-1]]
		if width > one.indent || !p.blank {
			break
		}
		p.open = p.open[:n-1]
	}
	for _, i := range p.open {
		p.items[i].end = end
	}
	return len(p.open) > 0
}

// bullet begins a list item.
func (p *parsing) bullet(start, text, stop, end, width int) {
	for n := len(p.open); n > 0 && p.items[p.open[n-1]].indent >= width; n = len(p.open) {
		p.open = p.open[:n-1]
	}
	parent := -1
	if n := len(p.open); n > 0 {
		parent = p.open[n-1]
	}
	for _, i := range p.open {
		p.items[i].end = end
	}
	if text+3 < stop && p.data[text] == '[' && p.data[text+2] == ']' && p.data[text+3] == ' ' &&
		bytes.IndexByte([]byte(" xX-"), p.data[text+1]) >= 0 {
		text += 4
	}
	first := len(p.Links)
	p.links(text, stop)
	p.open = append(p.open, len(p.items))
	p.items = append(p.items, item{
		start: start, text: text, own: end, end: end, indent: width, parent: parent, first: first, past: len(p.Links),
	})
}

// row reads a line of a table.
func (p *parsing) row(start, text, stop, end int) {
	switch {
	case p.table == 0:
		p.table = 1
		p.links(text, stop)
		return
	case p.table == 1:
		if len(bytes.Trim(p.data[text:stop], "|:- \t")) == 0 {
			p.table = 2
		}
		return
	}
	first := len(p.Links)
	p.links(text, stop)
	p.items = append(p.items, item{
		start: start, text: text, own: end, end: end, row: true, parent: -1, first: first, past: len(p.Links),
	})
}

// entries makes entries of the items that name a note.
func (p *parsing) entries() {
	p.Items = len(p.items)
	for i := range p.items {
		one := &p.items[i]
		if _, ok := p.subject(one); !ok {
			continue
		}
		one.entry = true
		for up := one.parent; up >= 0 && !p.items[up].nested; up = p.items[up].parent {
			p.items[up].nested = true
		}
	}
	for i := range p.items {
		one := &p.items[i]
		if !one.entry {
			continue
		}
		l, _ := p.subject(one)
		e := Entry{Link: p.Links[l], Item: Span{one.start, one.end}, More: one.past - one.first - 1}
		if one.nested {
			e.Item.End = one.own
		}
		p.Entries = append(p.Entries, e)
	}
}

// subject is the link that an item is about.
func (p *parsing) subject(one *item) (int, bool) {
	for l := one.first; l < one.past; l++ {
		switch link := p.Links[l]; {
		case link.Image:
		case link.Form != Path:
			return l, true
		case isPath(p.String(link.Target)) && (p.leads(one, link) || one.row):
			return l, true
		}
	}
	return 0, false
}

// leads reports whether an item begins with a link, apart from emphasis.
func (p *parsing) leads(one *item, l Link) bool {
	return l.All.Start >= one.text && len(bytes.Trim(p.data[one.text:l.All.Start], " \t*_~|")) == 0
}

// indentOf is how many bytes and columns a line is indented.
func indentOf(line []byte) (bytes, columns int) {
	for _, c := range line {
		switch c {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return bytes, columns
		}
		bytes++
	}
	return bytes, columns
}

// bulletOf is the length of the bullet or number, with the blank behind it, that begins a list item; 0: none.
func bulletOf(body []byte) (length int, numbered bool) {
	n := 0
	for n < len(body) && n < 9 && body[n] >= '0' && body[n] <= '9' {
		n++
	}
	switch {
	case n > 0 && n < len(body) && (body[n] == '.' || body[n] == ')'):
		n, numbered = n+1, true
	case n == 0 && len(body) > 1 && (body[0] == '-' || body[0] == '*' || body[0] == '+'):
		n = 1
	default:
		return 0, false
	}
	blanks := n
	for blanks < len(body) && (body[blanks] == ' ' || body[blanks] == '\t') {
		blanks++
	}
	if blanks == n || blanks == len(body) {
		return 0, false
	}
	if !numbered && len(bytes.Trim(body, "-*+ \t")) == 0 {
		return 0, false // a rule: * * *
	}
	return blanks, numbered
}

func isHeading(body []byte) bool {
	n := 0
	for n < len(body) && body[n] == '#' {
		n++
	}
	return n <= 6 && (n == len(body) || body[n] == ' ' || body[n] == '\t')
}
