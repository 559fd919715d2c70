package prose

import (
	"bytes"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// Reader reads what stands between a cue and its value, and judges what may be one.
type Reader struct {
	Text    []byte
	Format  view.Format
	Stopped *ascii.Words // values that are words, lower case
	Cue     []byte       // the last cue, as written
	From    int          // and where the name begins that it is a part of
	Weak    bool         // it has other meanings, more often than not
}

// MaxGap is how far behind its cue a value may begin, in bytes.
const MaxGap = 96

// Gap finds where the value behind a cue begins, and how it hangs on it. flag says that
// the key is one of a command line, glued that its script puts no spaces between words.
func (p *Reader) Gap(at int, flag, glued bool) (int, Form) {
	g := gap{Reader: p, begin: at, at: at, limit: min(len(p.Text), at+MaxGap), glued: glued}
	if flag && at < g.limit && p.Text[at] == ' ' {
		g.form = Assigned
	}
	for g.at < g.limit {
		at := g.at
		if c := p.Text[at]; c == ' ' || c == '\t' { // most of the way
			g.spaces++
			g.at++
			continue
		}
		if g.separates() || g.at == at && g.marks() || g.at == at && g.brackets() || g.at == at && g.ends() {
			return g.at, g.form
		}
	}
	return g.at, NoForm
}

// gap is the way from a cue to its value. Its methods step over what they know at at, and report whether the way is at its
// end, so that at and form are the answer.
type gap struct {
	*Reader
	begin, at, limit int
	form             Form
	spaces           int
	closed           bool // the quote behind the cue was met
	glued            bool
}

// settle ends the way.
func (g *gap) settle(at int, f Form) bool {
	g.at, g.form = at, f
	return true
}

// separates steps over separators.
func (g *gap) separates() (settled bool) {
	b, at := g.Text, g.at
	switch c := b[at]; {
	case at == g.begin && c == ':' && at+1 < len(b) && expansions[b[at+1]] && expanded(b, g.From):
		if b[at+1] != '-' && b[at+1] != '=' {
			return g.settle(at, NoForm) // what is said where the variable is missing
		}
		return g.settle(at+2, Assigned)
	case at == g.begin && ascii.HasLiteral(b, at, "::") && at+2 < len(b) && ascii.Letters[b[at+2]]:
		return g.settle(at, NoForm) // Password::min
	case g.form != Assigned && Separator(b[at:]) > 0:
		if c == '|' && bytes.HasSuffix(bytes.TrimRight(b[g.begin:at], " "), []byte(")")) && bytes.IndexByte(b[g.begin:at], '(') < 0 {
			return g.settle(at, NoForm) // the cue is in a remark of its cell
		}
		if c == '|' && inTemplate(b, g.From, at) {
			return g.settle(at, NoForm) // {{.data.PASSWORD | base64decode}}
		}
		if c == '|' && inAlternation(b, g.From, at) {
			return g.settle(at, NoForm)
		}
		if c == '|' && g.closed && at > g.begin && (b[g.begin] == '"' || b[g.begin] == '\'') {
			return g.settle(at, NoForm) // 'PASSWORD' | 'COMPRESSION'
		}
		if c == '|' && g.spaces == 0 && (at+1 >= len(b) || b[at+1] != ' ') {
			return g.settle(at, NoForm) // words of an alternation
		}
		g.at += Separator(b[at:])
		g.form = Assigned
	case g.form != Assigned:
	case c == '>' && b[at-1] == '=' || (c == '|' || c == '>') && blockScalar(b, at):
		g.at++
	case c == '~' && at+1 < g.limit && b[at+1] == '~': // struck out: a value of its own
		return true
	}
	return false
}

// marks steps over emphasis, arrows, tags and the quote or bracket that closes the cue.
func (g *gap) marks() (settled bool) {
	b, at, f := g.Text, g.at, g.form
	switch c := b[at]; {
	case c == '*' || c == '_' || c == '~':
		g.at++
	// a dash in the sentence, dots to lead the eye
	case (c == '-' || c == '.') && f == NoForm && g.spaces > 0 && at+1 < g.limit && b[at+1] == ' ':
		g.at++
	case c == '\'' && f == NoForm && g.spaces == 0 && at+2 < g.limit && b[at+1] == 's' && b[at+2] == ' ':
		return g.settle(ascii.Run(b, at+2, OpenersBlank), Copula)
	case c == '.' && f == NoForm && ascii.Run(b, at, makeDots) >= at+3:
		g.at = ascii.Run(b, at, makeDots)
		g.form = Copula
	case f == Assigned && (c == '=' || c == '-') && arrow(b[at:]) > 0:
		g.at += arrow(b[at:])
	case c == '<' && htmlTag(b[at:]) > 0:
		if f == NoForm && (ascii.HasFold(b[at:], "<td") || ascii.HasFold(b[at:], "<dd")) {
			g.form = Assigned
		}
		g.at += htmlTag(b[at:])
	case (c == '"' || c == '\'' || c == '`') && f == NoForm && !g.closed && g.spaces == 0:
		g.closed = true
		g.at++
	case f == NoForm && !g.closed && g.spaces == 0 && InnerQuoteAt(b, at) > 0:
		g.closed = true
		g.at += InnerQuoteAt(b, at)
	case (c == ']' || c == ')') && f == NoForm && at-g.begin < 4:
		g.at++
	}
	return false
}

// brackets steps over a remark in brackets and an index; the arguments of a call end the way.
func (g *gap) brackets() (settled bool) {
	b, at := g.Text, g.at
	switch c := b[at]; {
	case g.form != NoForm:
	case c == ',' && g.closed:
		return g.settle(GapPair(b, at+1, g.limit))
	case c == '(':
		if at == g.begin && setter(b, g.begin) && QuotedArgument(b, LiteralPrefix(b, at+1), g.limit) {
			return g.settle(at+1, Copula)
		}
		end := bytes.IndexAny(b[at:min(g.limit, at+48)], ")\n")
		if end < 0 || b[at+end] == '\n' {
			return g.settle(at, NoForm)
		}
		if v := b[at+1 : at+end]; (g.spaces > 0 || g.glued) && !leadsOn(b, at+end+1) && len(v) >= 6 &&
			g.Plausible(Password, Beside, v, false) {
			return g.settle(at, Beside)
		}
		g.at += end + 1
	case c == '[' && at == g.begin && ascii.Run(b, at+1, ascii.NameBytes) > at+1:
		end := ascii.Run(b, at+1, ascii.NameBytes)
		if end == len(b) || b[end] != ']' || !leadsOn(b, end+1) {
			return g.settle(at, NoForm)
		}
		g.at = end + 1
	}
	return false
}

// ends continues in the next line, with the key of the value, or with the words of the sentence.
func (g *gap) ends() (settled bool) {
	b, at, f := g.Text, g.at, g.form
	switch c := b[at]; {
	case c == '\n' || c == '\r':
		return g.settle(g.gapBelow(g.begin, at, f))
	case g.spaces > 0 && f == NoForm && (g.closed && ascii.HasFold(b[at:], "value") || ascii.HasFold(b[at:], "value=\"")):
		return g.settle(GapPair(b, at, g.limit))
	// how a router keeps it: "password 7 ..."
	case f == NoForm && g.spaces == 1 && ascii.Digits[c] && at+2 < g.limit && b[at+1] == ' ' && b[at+2] > ' ':
		g.at += 2
		return false
	}
	return g.settle(g.gapWords(at, g.limit, f, g.spaces, g.glued))
}

// inTemplate reports whether the bar at offset at pipes a value of a template into a function.
func inTemplate(b []byte, from, at int) bool {
	next := ascii.Run(b, at+1, ascii.Blanks)
	if filters.Has(b[next:ascii.Run(b, next, ascii.NameBytes)]) {
		return true
	}
	open := bytes.LastIndex(b[ascii.LineStart(b, from, 80):from], []byte("{{"))
	return open >= 0 && bytes.Contains(b[at:ascii.LineEnd(b, at, 80)], []byte("}}"))
}

// filters are functions that templates pipe values into.
var filters = ascii.NewWords("length default b64decode b64encode base64decode quote to_json tojson trim bool string lower upper hash int")

// inAlternation reports whether the bar at offset at separates words of a list, as in "token | password | trusted-proxy", rather than
// cells of a table row.
func inAlternation(b []byte, from, at int) bool {
	start := ascii.LineStart(b, from, 200)
	before := bytes.TrimLeft(b[start:from], " \t>")
	if len(before) == 0 || before[0] == '|' || bytes.IndexByte(before, '|') < 0 {
		return false
	}
	next := ascii.Run(b, at+1, ascii.Blanks)
	end := ascii.Run(b, next, wordsOfList)
	return end > next && ascii.Lowers[b[next]] && (end == len(b) || b[end] == '\n' || b[end] == ' ')
}

var wordsOfList = ascii.NewSet("a-z-")

// expansions follow the colon in ${DB_PASSWORD:-value}.
var expansions = ascii.NewSet("=?+-")

// expanded reports whether a name that begins at from is one of a variable that a shell expands.
func expanded(b []byte, from int) bool { return from > 1 && b[from-1] == '{' && b[from-2] == '$' }

// leadsOn reports whether a separator is at at, after spaces and marks of emphasis.
func leadsOn(b []byte, at int) bool {
	at = ascii.Run(b, at, SpaceMarks)
	return at < len(b) && b[at] != '|' && b[at] != '>' && Separator(b[at:]) > 0
}

// naming are particles and verbs of scripts without spaces that lead from a cue to its value.
var naming = func() map[rune]bool {
	set := map[rune]bool{}
	for _, r := range "はがをに是为為成用即叫於于在做设設定換换改变變的也就还還只都到写寫填输輸打选選の는은이가을를로에도인니야" {
		set[r] = true
	}
	return set
}()

// topics are particles behind which a comma does not end what is spoken of.
var topics = map[string]bool{"は": true, "が": true, "是": true, "는": true, "은": true}

// setters are parts of names of functions that are given a value.
var setters = ascii.NewWords(`set with change update reset new use put`)

// setter reports whether a name that ends at end belongs to a function that is given the
// value: setPassword, .password, PASSWORD.
func setter(b []byte, end int) bool {
	from := ascii.RunBack(b, end, alnumsUnder, 48)
	name := b[from:end]
	if from > 0 && b[from-1] == '.' || shape.Of(name).Lower == 0 {
		return !ascii.HasFold(name, "get")
	}
	ok := false
	EachPart(name, func(w []byte) { ok = ok || setters.Has(w) })
	return ok
}

var alnumsUnder = ascii.NewSet("a-zA-Z0-9_")

// InnerQuoteAt is the length of a quote inside a quoted text at at: of JSON in a string of
// JSON, of a program in a string of its own.
func InnerQuoteAt(b []byte, at int) int {
	if inner := shape.QuotePairs[3].Open; bytes.HasPrefix(b[at:], []byte(inner)) {
		return len(inner)
	}
	return shape.EscapedQuote(b, at)
}

var makeDots = ascii.NewSet(".")

// arrow is the length of "==>", "-->" and the like, as they appear in a view or in a source.
func arrow(b []byte) int {
	n := 0
	for n < len(b) && n < 4 && b[n] == b[0] {
		n++
	}
	switch {
	case n < len(b) && b[n] == '>':
		return n + 1
	case bytes.HasPrefix(b[n:], []byte("\ue03e")):
		return n + 3
	}
	return 0
}

// htmlTags may stand between a name and its value in a page.
var htmlTags = ascii.NewWords(`b strong i em td th tr dt dd span label code tt u br p`)

// htmlTag is the length of a tag of a page, 0 for the elements of other languages.
func htmlTag(b []byte) int {
	end := bytes.IndexByte(b[:min(len(b), 40)], '>')
	if end < 2 {
		return 0
	}
	from := 1
	if b[1] == '/' {
		from++
	}
	if name := ascii.Run(b, from, ascii.Alnums); !htmlTags.Has(b[from:name]) {
		return 0
	}
	return end + 1
}

// BehindTag is where the text of an element begins whose name, with attributes behind it,
// ends at at; 0 where it has no text.
func BehindTag(b []byte, at int) int {
	end := bytes.IndexByte(b[at:ascii.LineEnd(b, at, 160)], '>')
	if end < 0 || b[at+end-1] == '/' || bytes.IndexByte(b[at:at+end], '=') < 0 {
		return 0
	}
	return at + end + 1
}

// blockScalar reports the "|" or ">-" of YAML at the end of a line.
func blockScalar(b []byte, at int) bool {
	if at+1 < len(b) && (b[at+1] == '-' || b[at+1] == '+') {
		at++
	}
	return at+1 < len(b) && b[at+1] == '\n'
}

// GapPair goes from a name to its value where each has its own key: {"name": "password",
// "value": "..."}, set("password", "..."), <add key="password" value="..."/>.
func GapPair(b []byte, at, limit int) (int, Form) {
	at = ascii.Run(b, at, ascii.JSONSpace)
	from := at
	if at < limit && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	if !ascii.HasFold(b[at:], "value") && !ascii.HasFold(b[at:], "v\"") && !ascii.HasFold(b[at:], "val\"") &&
		!ascii.HasFold(b[at:], "default") && !ascii.HasFold(b[at:], "object\"") &&
		!ascii.HasFold(b[at:], "content\"") {
		name := bytes.TrimRight(b[ascii.LineStart(b, from, MaxGap):from], "\"', ")
		call := bytes.LastIndexAny(name, "(\"', ")
		if from < at && from < limit && call > 0 && name[call-1] == '(' {
			return from, Copula
		}
		return at, NoForm
	}
	at = ascii.Run(b, at, ascii.Letters)
	if at < len(b) && (b[at] == '"' || b[at] == '\'') {
		at++
	}
	at = ascii.Run(b, at, ascii.Blanks)
	if at >= limit || b[at] != ':' && b[at] != '=' {
		return at, NoForm
	}
	return ascii.Run(b, at+1, ascii.Blanks), Assigned
}

// Separator is the length of what stands between key and value.
func Separator(b []byte) int {
	if !separators[b[0]] {
		return 0
	}
	switch {
	case b[0] == ':' && len(b) > 1 && (b[1] == '=' || b[1] == ':'), b[0] == '=' && len(b) > 1 && b[1] == '>', b[0] == '-' &&
		len(b) > 1 && b[1] == '>', b[0] == '=' && len(b) > 1 && b[1] == '=':
		return 2
	case (b[0] == '-' || b[0] == '=') && bytes.HasPrefix(b[1:], []byte("\ue03e")):
		return 4
	case b[0] == ':' || b[0] == '=' || b[0] == '|':
		return 1
	case bytes.HasPrefix(b, []byte("→")) || bytes.HasPrefix(b, []byte("⇒")) || bytes.HasPrefix(b, []byte("\ue03e")):
		return 3
	case b[0] == '>':
		return 1
	}
	return 0
}

// separators are the first bytes of what separator knows.
var separators = ascii.NewSet(":=|>\xe2\xee-")

// gapBelow continues in the next line, where the value of a heading, a list or a block
// stands. begin is the end of the key.
func (p *Reader) gapBelow(begin, at int, f Form) (int, Form) {
	b := p.Text
	if f == NoForm && nameBelow(b, begin, at) {
		return GapPair(p.Text, at, len(b))
	}
	if f != Assigned && !heading(b, begin) && !headingOnly(b, begin) {
		return at, NoForm
	}
	for lines := 0; at < len(b) && lines < 3; {
		switch c := b[at]; {
		case c == '\n':
			lines++
			at++
		case c == ' ' || c == '\t' || c == '\r' || c == '-' || c == '=' || c == '>' || c == '*' || c == '|':
			at++
		case c == '`' && bytes.HasPrefix(b[at:], []byte("```")):
			at = ascii.LineEnd(b, at, 40)
		case c == '"' || c == '\'' || c == '`':
			return at, Copula
		default:
			// A line of several words, or with a key of its own, does not answer for the one above.
			line := bytes.TrimRight(b[at:ascii.LineEnd(b, at, shape.MaxValue)], " \t\r")
			if bytes.IndexByte(line, ' ') >= 0 || line[min(ascii.Run(line, 0, ascii.NameBytes), len(line)-1)] == '=' ||
				line[len(line)-1] == ':' {
				return at, NoForm
			}
			return at, Copula
		}
	}
	return at, NoForm
}

// nameBelow reports "name: DB_PASSWORD" whose value is in the next line.
func nameBelow(b []byte, begin, at int) bool {
	line := bytes.TrimLeft(b[ascii.LineStart(b, begin, 120):at], " \t-")
	next := bytes.TrimLeft(b[at:min(len(b), at+40)], " \t\r\n")
	return (ascii.HasFold(line, "name:") || ascii.HasFold(line, "key:")) && ascii.HasFold(next, "value:")
}

// heading reports a line that is a title: "## Password", "**Password**".
func heading(b []byte, at int) bool {
	from := ascii.LineStart(b, at, 60)
	return at-from < 60 && (b[from] == '#' || b[from] == '*' && bytes.HasSuffix(bytes.TrimRight(b[from:ascii.LineEnd(b, at, 60)], " \r"),
		[]byte("**")))
}

// gapGlued steps over particles and verbs of scripts without spaces, up to the value.
func (p *Reader) gapGlued(at, limit, spaces int) (int, Form) {
	b := p.Text
	f := Beside
	for at < limit {
		c := b[at]
		if c < 0x80 {
			switch n := Separator(b[at:]); {
			case c == ' ' || c == '\t' || c == '*' || c == '_':
				at++
				continue
			case n > 0 && c != '>':
				at, f = at+n, Assigned
				continue
			case c == '(':
				end := bytes.IndexAny(b[at:min(limit, at+48)], ")\n")
				if end > 0 && b[at+end] == ')' && f == Beside {
					at += end + 1
					continue
				}
			case c == '\n':
				return p.gapBelow(at, at, f)
			}
			return at, f
		}
		if n, shut := shape.QuoteAt(b, at); n > 0 && shut != "" {
			return at, min(f, Copula)
		}
		r, n := utf8.DecodeRune(b[at:])
		if (r == '、' || r == '，') && f >= Copula && at+n < limit && b[at+n] < 0x80 && at > 3 && topics[string(b[at-3:at])] {
			return at + n, Copula
		}
		if r == '。' || r == '！' || r == '？' || r == '；' || r == '、' || r == '，' {
			return at, NoForm
		}
		switch {
		case f == Beside && naming[r]:
			f = Copula
		case f == Assigned: // what follows the separator is a word, and the value further on in its sentence
			f = Beside
		}
		if r == '（' {
			end := bytes.Index(b[at:min(len(b), at+80)], []byte("）"))
			if end > n+5 && !leadsOn(b, at+end+3) && p.Plausible(Password, Copula, b[at+n:at+end], true) {
				return at + n, Copula
			}
			if end > 0 && shape.Of(b[at+n:at+end]).Digit < 2 {
				n = end + len("）")
			}
		}
		at += n
	}
	return at, NoForm
}
