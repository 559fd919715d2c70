package scrub

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"memcurator/memstore/scrub/ascii"
)

// pattern is the shape of a token in our own notation: literal text, "{set:n}",
// "{set:min-max}" or "{set:min-}" for bytes of a set, "{?text}" for text that may be
// left out. It is matched in one walk without going back, and it also makes examples,
// so that no rule file needs to hold a token.
type pattern struct {
	source string
	pieces []piece
}

type piece struct {
	literal  string
	optional bool
	set      *ascii.Set // nil for a literal
	min, max int
}

// maxToken bounds "{set:min-}".
const maxToken = 4096

func parsePattern(source string) (*pattern, error) {
	p := &pattern{source: source}
	for rest := source; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			p.pieces = append(p.pieces, piece{literal: rest})
			break
		}
		if open > 0 {
			p.pieces = append(p.pieces, piece{literal: rest[:open]})
		}
		body, after, ok := strings.Cut(rest[open+1:], "}")
		if !ok {
			return nil, fmt.Errorf("pattern %q: a brace is not closed", source)
		}
		piece, err := parsePiece(body)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", source, err)
		}
		p.pieces = append(p.pieces, piece)
		rest = after
	}
	if len(p.pieces) == 0 {
		return nil, fmt.Errorf("pattern is empty")
	}
	return p, nil
}

func parsePiece(body string) (piece, error) {
	if text, ok := strings.CutPrefix(body, "?"); ok {
		return piece{literal: text, optional: true}, nil
	}
	name, count, ok := strings.Cut(body, ":")
	s := ascii.Named[name]
	if rest, isSet := strings.CutPrefix(name, "["); isSet && strings.HasSuffix(rest, "]") {
		s = ascii.NewSet(strings.TrimSuffix(rest, "]"))
	}
	if s == nil {
		return piece{}, fmt.Errorf("no set is called %q", name)
	}
	if !ok {
		return piece{set: s, min: 1, max: 1}, nil
	}
	low, high, ranged := strings.Cut(count, "-")
	from, err := strconv.Atoi(low)
	if err != nil || from < 0 || from > maxToken {
		return piece{}, fmt.Errorf("%q is not a count", count)
	}
	to := from
	if ranged && high == "" {
		to = maxToken
	} else if ranged {
		if to, err = strconv.Atoi(high); err != nil || to < from || to > maxToken {
			return piece{}, fmt.Errorf("%q is not a range", count)
		}
	}
	return piece{set: s, min: from, max: to}, nil
}

// prefix is the literal text that each match begins with, "" where there is none.
func (p *pattern) prefix() string {
	if first := p.pieces[0]; first.set == nil && !first.optional {
		return first.literal
	}
	return ""
}

// match returns the end of the match that begins at at, or -1. A match does not end
// inside a longer word. With joins, a token that was wrapped or glued together in the
// text is followed over the seam.
func (p *pattern) match(b []byte, at int, joins bool) int {
	start, last := at, (*ascii.Set)(nil)
	for i := range p.pieces {
		piece := &p.pieces[i]
		if piece.set == nil {
			if last != nil && last != ascii.Alnums && joins && !hasLiteral(b, at, piece.literal) {
				at = overSeam(b, at, start, last)
			}
			if end := literalEnd(b, at, start, piece.literal, joins); end > 0 {
				at = end
				last = ascii.Alnums
			} else if !piece.optional {
				return -1
			}
			continue
		}
		n := 0
		for n < piece.max {
			if at < len(b) && piece.set[b[at]] {
				at++
				n++
				continue
			}
			if !joins || n >= piece.min {
				break
			}
			seam := joinEnd(b, at)
			if at-start < 6 || seam == 0 || !piece.set[b[seam]] {
				break
			}
			at = seam
		}
		if n < piece.min {
			return -1
		}
		if n > 0 {
			last = piece.set
		}
	}
	if at < len(b) && last != nil && last[b[at]] && ascii.Alnums[b[at]] {
		return -1
	}
	return at
}

func hasLiteral(b []byte, at int, literal string) bool {
	return len(b)-at >= len(literal) && string(b[at:at+len(literal)]) == literal
}

// literalEnd is the end of a literal at at, a seam in it or before it stepped over; 0
// where it does not stand there.
func literalEnd(b []byte, at, start int, literal string, joins bool) int {
	if hasLiteral(b, at, literal) {
		return at + len(literal)
	}
	for i := range len(literal) {
		if at < len(b) && b[at] == literal[i] {
			at++
			continue
		}
		seam := 0
		if joins && at-start >= 6 {
			seam = joinEnd(b, at)
		}
		if seam == 0 || b[seam] != literal[i] {
			return 0
		}
		at = seam + 1
	}
	return at
}

// overSeam goes on with a run of s behind a seam at at; it is at where there is none.
func overSeam(b []byte, at, start int, s *ascii.Set) int {
	seam := joinEnd(b, at)
	if at-start < 6 || seam == 0 || !s[b[seam]] {
		return at
	}
	return ascii.Run(b, seam, s)
}

// joinEnd is the end of a seam at at: a wrapped line, two string literals that are put
// together, emphasis in the middle of a token. 0 where there is none.
func joinEnd(b []byte, at int) int {
	i := at
	quotes := makeSeam(b, &i)
	newline, again := false, false
	for i < len(b) && i-at < 24 {
		switch b[i] {
		case '\n', '\r':
			if newline && b[i] == '\n' {
				return 0
			}
			newline = newline || b[i] == '\n'
		case ' ', '\t', '>', '|':
			if !newline && !quotes {
				return 0
			}
		case '+', '.', '&', '\\':
			if !quotes && b[i] != '\\' {
				return 0
			}
		case '"', '\'', '`', '*':
			if !quotes {
				return 0
			}
			again = true
		default:
			if newline && quotes && !again && b[at] != '*' && b[at] != '=' {
				return 0 // the text in quotes has ended
			}
			if newline || quotes {
				return i
			}
			return 0
		}
		i++
	}
	return 0
}

// makeSeam steps over the mark that may open a seam inside a line.
func makeSeam(b []byte, i *int) bool {
	if *i >= len(b) {
		return false
	}
	switch b[*i] {
	case '"', '\'', '`':
		*i++
		return true
	case '*':
		*i = ascii.Run(b, *i, makeStar)
		return true
	case '=': // at the end of a line: quoted-printable, as mail has it
		if rest := b[*i+1:]; bytes.HasPrefix(rest, []byte("\n")) || bytes.HasPrefix(rest, []byte("\r\n")) {
			*i++
		}
	}
	return false
}

var makeStar = ascii.NewSet("*")

// example makes a text that the pattern matches, the same for the same source of chance.
func (p *pattern) example(chance *rand.Rand) string {
	var out strings.Builder
	for _, piece := range p.pieces {
		if piece.set == nil {
			out.WriteString(piece.literal)
			continue
		}
		var members []byte
		for b, in := range piece.set {
			if in {
				members = append(members, byte(b))
			}
		}
		n := piece.min
		if piece.max > piece.min {
			n += chance.IntN(min(piece.max-piece.min, 8) + 1)
		}
		for range n {
			out.WriteByte(members[chance.IntN(len(members))])
		}
	}
	return out.String()
}
