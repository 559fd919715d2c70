package index

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"memcurator/memstore"
)

// Span is a range of bytes of a text.
type Span struct{ Start, End int }

// Form is how a text names a file.
type Form uint8

// The forms.
const (
	Markdown Form = iota + 1 // [title](notes/a.md)
	Wiki                     // [[a]], [[a|title]], [[a#heading]]
	Path                     // notes/a.md or `notes/a.md` in running text
)

// Link is one place where a text names a file.
type Link struct {
	Form   Form
	All    Span // with its brackets, or the backticks around a path
	Text   Span // what a reader sees: the title, the alias of a wikilink, else the name
	Target Span // the name alone: no <>, heading or alias
	Image  bool // it is embedded: ![...]
}

// maxName bounds a name in bytes; longer texts aren't names.
const maxName = 1024

var root = []byte(memstore.Root + "/")

// links appends the links of a range of the text, which is within one paragraph.
func (x *Index) links(from, to int) {
	data := x.data[:to]
	for i := from; i < to; {
		switch c := data[i]; {
		case c == '\\' && i+1 < to:
			i += 2
		case c == '`':
			i = x.code(i, to)
		case c == '[':
			i = x.bracket(i, to)
		case c == '<' && bytes.HasPrefix(data[i:], []byte("<!--")):
			end := bytes.Index(data[i:], []byte("-->"))
			if end < 0 {
				return
			}
			i += end
		case nameByte(c):
			i = x.word(i, to)
		default:
			i++
		}
	}
}

// code reads a code span; one that is a path names a file.
func (x *Index) code(at, to int) int {
	ticks := at + len(x.data[at:to]) - len(bytes.TrimLeft(x.data[at:to], "`"))
	mark := x.data[at:ticks]
	n := bytes.Index(x.data[ticks:to], mark)
	if n < 0 {
		return ticks
	}
	inner, end := Span{ticks, ticks + n}, ticks+n+len(mark)
	if name := x.String(inner); isPath(name) || bareName(name) {
		x.Links = append(x.Links, Link{Form: Path, All: Span{at, end}, Text: inner, Target: inner})
	}
	return end
}

// What follows an opening bracket. In an address, parentheses are in pairs, and a title may follow it. In a table, the | of a wikilink is
// written \|.
var (
	wikilink    = regexp.MustCompile(`^\[\[([^\[\]|#^\\\n]+)(?:[#^][^\[\]|\\\n]*)?(?:\\?\|([^\[\]\n]+))?\]\]`)
	destination = regexp.MustCompile(`^\( *(?:<([^<>\n]*)>|((?:[^\s()]|\([^\s()]*\))*))\s*`)
	definition  = regexp.MustCompile(`^:[ \t]*(?:<([^<>\n]*)>|([^\s<]\S*))[ \t]*(?:"[^"\n]*"|'[^'\n]*')?[ \t]*(?:\r?\n|$)`)
)

// bracket reads [title](address), [name]: address or [[name]].
func (x *Index) bracket(at, to int) int {
	l := Link{Image: at > 0 && x.data[at-1] == '!'}
	if m := wikilink.FindSubmatchIndex(x.data[at:min(to, at+maxName)]); m != nil {
		l.Form, l.All, l.Target, l.Text = Wiki, Span{at, at + m[1]}, Span{at + m[2], at + m[3]}, Span{at + 2, at + m[1] - 2}
		if m[4] >= 0 {
			l.Text = Span{at + m[4], at + m[5]}
		}
		if name := strings.TrimSpace(x.String(l.Target)); name != "" && !placeholder(name) {
			x.Links = append(x.Links, l)
		}
		return l.All.End
	}
	closing := closingBracket(x.data[:min(to, at+maxName)], at)
	if closing < 0 {
		return at + 1
	}
	from := closing + 1
	rest := x.data[from:min(to, from+maxName)]
	m, title := destination.FindSubmatchIndex(rest), -1
	if m != nil {
		title = bytes.IndexByte(rest[m[1]:], ')')
	} else if len(bytes.TrimSpace(x.data[x.lineStart(at):at])) == 0 {
		m = definition.FindSubmatchIndex(rest)
	}
	if m == nil || rest[0] == '(' && (title < 0 || title > 0 && rest[m[1]] != '"' && rest[m[1]] != '\'') {
		return at + 1
	}
	l.Form = Markdown
	l.All = Span{at, from + m[1] + title + 1} // of a definition all of its line
	l.Text = Span{at + 1, closing}
	l.Target = Span{from + max(m[2], m[4]), from + max(m[3], m[5])}
	if i := bytes.IndexAny(x.data[l.Target.Start:l.Target.End], "#?"); i >= 0 {
		l.Target.End = l.Target.Start + i
	}
	name := x.String(l.Target)
	if local(name) && (rest[0] == '(' || NoteEnding(name)) { // what is defined may be anything else
		x.Links = append(x.Links, l)
	}
	return l.All.End
}

// closingBracket finds the bracket that closes the one at an offset; below 0: none.
func closingBracket(data []byte, at int) int {
	depth := 0
	for i := at; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// glued matches what follows the name of a note without a space and isn't part of it: **a.md**:text, a.md:12, a.mdを見る.
var glued = regexp.MustCompile(`\.(?:md|markdown|mdx|txt|json)([^0-9A-Za-z./_][^/]*)$`)

// word reads a run of bytes that a path may consist of.
func (x *Index) word(at, to int) int {
	end := at
	for end < to && nameByte(x.data[end]) {
		end++
	}
	if end < to && (x.data[end] == '<' || x.data[end] == '{') {
		return end // the pattern of a path
	}
	start := at
	if i := bytes.Index(x.data[at:end], root); i > 0 && x.data[at+i-1] >= utf8.RuneSelf {
		start = at + i // text without spaces before it
	}
	for start < end && strings.IndexByte("*_~@", x.data[start]) >= 0 {
		start++
	}
	stop := end
	for stop > start && strings.IndexByte(".:*_~-/", x.data[stop-1]) >= 0 {
		stop--
	}
	if bytes.IndexByte(x.data[start:stop], '.') > 0 {
		if m := glued.FindSubmatchIndex(x.data[start:stop]); m != nil {
			stop = start + m[2]
		}
	}
	name := Span{start, stop}
	home := start > at && start < stop && x.data[start-1] == '~' && x.data[start] == '/'
	if !home && stop-start <= maxName && isPath(x.String(name)) {
		x.Links = append(x.Links, Link{Form: Path, All: name, Text: name, Target: name})
	}
	return max(end, at+1)
}

// nameByte reports whether a path in running text may have a byte.
func nameByte(c byte) bool {
	return c > ' ' && c != 0x7f && strings.IndexByte("\"'`|,;()[]{}<>!?\\=", c) < 0
}

// endings are those of notes: other names in a text are files of a project as often as not.
var endings = []string{".md", ".markdown", ".mdx", ".txt"}

// NoteEnding reports whether a file is a note by the ending of its name.
func NoteEnding(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	for _, e := range endings {
		if strings.EqualFold(name[dot:], e) {
			return true
		}
	}
	return false
}

// isPath reports whether a word names a file of the store.
func isPath(name string) bool {
	if placeholder(name) || strings.Contains(name, "://") || strings.ContainsAny(name, " \t\n") {
		return false
	}
	if strings.HasPrefix(name, memstore.Root+"/") {
		return len(name) > len(memstore.Root)+1
	}
	if name == "" || name[0] == '/' || name[0] == '~' || name[0] == '-' || len(name) > 1 && name[1] == ':' {
		return false
	}
	stem := strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".md")
	return NoteEnding(name) && stem != "" && stem[0] != '.'
}

// bareName reports whether the text of a code span may be the name of a note without its ending.
func bareName(name string) bool {
	if name == "" || len(name) > 80 {
		return false
	}
	for i := range len(name) {
		if c := name[i]; c != '-' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// local reports whether the address of a link may be a file of the store.
func local(name string) bool {
	if name == "" || strings.HasPrefix(name, "//") || placeholder(name) {
		return false
	}
	if scheme, _, ok := strings.Cut(name, ":"); ok && !strings.Contains(scheme, "/") {
		return false
	}
	return name[0] != '/' || strings.HasPrefix(name, memstore.Root+"/")
}

// placeholder reports whether a name is a pattern for others.
func placeholder(name string) bool {
	return strings.ContainsAny(name, "<>{}*$\\\n\r") || strings.Contains(name, "...") || strings.Contains(name, "…") ||
		strings.Contains(name, "YYYY") || strings.Contains(name, "XXX")
}
