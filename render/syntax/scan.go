package syntax

import (
	"bytes"

	"memcurator/render/flow"
)

type roleOf = flow.Role

// quote is a pair of string delimiters.
type quote struct {
	open, close string
	escapes     bool // a backslash escapes the next character
	lines       bool // the string may continue on the next line
}

// grammar is everything in which languages differ. A line is read once from left to right, without backtracking, so the time is linear
// for any input.
type grammar struct {
	comments []string // comments to the end of the line
	apart    bool     // such a comment must follow a blank
	block    bool     // comments between /* and */
	quotes   []quote
	words    map[string]bool
	key      byte // the character after a name; 0: no names
	wide     bool // YAML: names may contain blanks, and block scalars are indented below their names
	sections bool // [name] at the start of a line is a heading
	dates    bool // 2026-11-21T10:00:00Z is one value
}

// States of a line: inside a block comment; inside a string, inQuote plus the index of its quote; inside a block scalar, inBlock plus the
// column that it is indented beyond.
const (
	inComment uint8 = 1
	inQuote   uint8 = 2
	inBlock   uint8 = 32
)

func code(g grammar) *Language {
	return &Language{scan: g.scan}
}

func (g *grammar) scan(line []byte, state uint8, give func(int, roleOf)) uint8 {
	at := 0
	if state >= inBlock && g.wide {
		if within(line, int(state-inBlock)) {
			give(len(line), flow.String)
			return state
		}
		state = 0
	}
	if state != 0 {
		if at, state = g.goOn(line, state, give); state != 0 {
			return state
		}
	}
	blank := len(bytes.TrimLeft(line, " \t"))
	if g.sections && blank > 0 && line[len(line)-blank] == '[' && at == 0 {
		give(len(line), flow.Keyword)
		return 0
	}
	if g.wide && at == 0 {
		at = wideName(line, g.key, give)
	}
	for at < len(line) {
		n, role, next := g.token(line, at)
		give(n, role)
		at += n
		if next != 0 {
			return next
		}
	}
	if g.wide {
		return blockBelow(line)
	}
	return 0
}

// goOn consumes the rest of what began on an earlier line.
func (g *grammar) goOn(line []byte, state uint8, give func(int, roleOf)) (at int, next uint8) {
	end, role := "*/", flow.Comment
	escapes := false
	if state >= inQuote {
		q := g.quotes[int(state-inQuote)%len(g.quotes)]
		end, role, escapes = q.close, flow.String, q.escapes
	}
	at, closed := through(line, 0, end, escapes)
	give(at, role)
	if closed {
		return at, 0
	}
	return at, state
}

// through returns the offset after the next end, or the end of the line.
func through(line []byte, at int, end string, escapes bool) (int, bool) {
	for ; at < len(line); at++ {
		switch {
		case escapes && line[at] == '\\':
			at++
		case line[at] == end[0] && bytes.HasPrefix(line[at:], []byte(end)):
			return at + len(end), true
		}
	}
	return len(line), false
}

// token returns the length of the token at an offset, its role, and the state of the next line if the line ends in it.
func (g *grammar) token(line []byte, at int) (n int, role flow.Role, next uint8) {
	c := line[at]
	switch {
	case c == ' ' || c == '\t':
		for n = 1; at+n < len(line) && (line[at+n] == ' ' || line[at+n] == '\t'); n++ {
		}
		return n, flow.Plain, 0
	case g.comment(line, at):
		return len(line) - at, flow.Comment, 0
	case g.block && c == '/' && at+1 < len(line) && line[at+1] == '*':
		end, closed := through(line, at+2, "*/", false)
		if !closed {
			next = inComment
		}
		return end - at, flow.Comment, next
	case isDigit(c) || c == '-' && at+1 < len(line) && isDigit(line[at+1]) && (at == 0 || !isWord(line[at-1])):
		if n = dateAt(line[at:]); g.dates && n > 0 {
			return n, flow.Number, 0
		}
		n = 1
		for at+n < len(line) && (isWord(line[at+n]) || line[at+n] == '.' && at+n+1 < len(line) && isDigit(line[at+n+1])) {
			n++
		}
		return n, flow.Number, 0
	case isWord(c):
		return g.word(line, at)
	}
	for i, q := range g.quotes {
		if c == q.open[0] && bytes.HasPrefix(line[at:], []byte(q.open)) {
			return g.quoted(line, at, i)
		}
	}
	return 1, flow.Punctuation, 0
}

func (g *grammar) comment(line []byte, at int) bool {
	for _, c := range g.comments {
		if line[at] == c[0] && bytes.HasPrefix(line[at:], []byte(c)) {
			return !g.apart || at == 0 || line[at-1] == ' ' || line[at-1] == '\t'
		}
	}
	return false
}

func (g *grammar) quoted(line []byte, at, i int) (n int, role flow.Role, next uint8) {
	q := g.quotes[i]
	end, closed := through(line, at+len(q.open), q.close, q.escapes)
	role = flow.String
	switch {
	case !closed && q.lines:
		next = inQuote + uint8(i)
	case closed && g.named(line, end):
		role = flow.Name
	}
	return end - at, role, next
}

func (g *grammar) word(line []byte, at int) (n int, role flow.Role, next uint8) {
	for n = 1; at+n < len(line) && (isWord(line[at+n]) || g.key != 0 && (line[at+n] == '-' || line[at+n] == '.')); n++ {
	}
	switch {
	case g.named(line, at+n):
		return n, flow.Name, 0
	case g.words[string(line[at:at+n])]:
		return n, flow.Keyword, 0
	}
	return n, flow.Plain, 0
}

// named reports whether the key character follows, which makes the word before it a name.
func (g *grammar) named(line []byte, at int) bool {
	if g.key == 0 {
		return false
	}
	for at < len(line) && (line[at] == ' ' || line[at] == '\t') {
		at++
	}
	return at < len(line) && line[at] == g.key
}

// wideName consumes a name with blanks at the start of a line, after list markers, and returns the offset after it.
func wideName(line []byte, key byte, give func(int, roleOf)) int {
	start := 0
	for start < len(line) && (line[start] == ' ' || line[start] == '\t' ||
		line[start] == '-' && (start+1 == len(line) || line[start+1] == ' ')) {
		start++
	}
	for at := start; at < len(line); at++ {
		switch c := line[at]; {
		case c == key && (at+1 == len(line) || line[at+1] == ' ' || line[at+1] == '\t'):
			give(start, flow.Punctuation)
			give(at-start, flow.Name)
			return at
		case bytes.IndexByte([]byte(`"'#{}[],&*!|>`), c) >= 0:
			return 0
		}
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isWord treats every non-ASCII byte as part of a word.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c >= 0x80
}
