package rule

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"memcurator/memstore/scrub/ascii"
)

// MaxLead bounds the digits by which patterns are looked up: fewer than this.
const MaxLead = 40

// Lead is how many digits a match can begin with; 0, 0 where it begins with something else.
func (p *Pattern) Lead() (lo, hi int) {
	for _, piece := range p.Pieces {
		if piece.Set == nil {
			n := ascii.Run([]byte(piece.literal), 0, ascii.Digits)
			if piece.optional {
				return lo, hi
			}
			lo, hi = lo+n, hi+n
			if n < len(piece.literal) {
				return lo, hi
			}
			continue
		}
		some, others := piece.Set.HasDigits()
		switch {
		case some && !others:
			lo, hi = lo+piece.Min, hi+piece.Max
		case some && lo > 0:
			return lo, MaxLead
		default:
			return lo, hi
		}
	}
	return lo, hi
}

// Pattern is the shape of a token in our own notation: literal text, "{set:n}",
// "{set:min-max}" or "{set:min-}" for bytes of a set, "{?text}" for text that may be
// left out. It is matched in one walk without going back, and it also makes examples,
// so that no rule file needs to hold a token.
type Pattern struct {
	Source string
	Pieces []piece
}

type piece struct {
	literal  string
	optional bool
	Set      *ascii.Set // nil for a literal
	Min, Max int
}

// maxToken bounds "{set:min-}".
const maxToken = 4096

func parsePattern(source string) (*Pattern, error) {
	p := &Pattern{Source: source}
	for rest := source; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			p.Pieces = append(p.Pieces, piece{literal: rest})
			break
		}
		if open > 0 {
			p.Pieces = append(p.Pieces, piece{literal: rest[:open]})
		}
		body, after, ok := strings.Cut(rest[open+1:], "}")
		if !ok {
			return nil, fmt.Errorf("pattern %q: missing }", source)
		}
		piece, err := parsePiece(body)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", source, err)
		}
		p.Pieces = append(p.Pieces, piece)
		rest = after
	}
	if len(p.Pieces) == 0 {
		return nil, fmt.Errorf("empty pattern")
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
		return piece{}, fmt.Errorf("unknown set %q", name)
	}
	if !ok {
		return piece{Set: s, Min: 1, Max: 1}, nil
	}
	low, high, ranged := strings.Cut(count, "-")
	from, err := strconv.Atoi(low)
	if err != nil || from < 0 || from > maxToken {
		return piece{}, fmt.Errorf("invalid count %q", count)
	}
	to := from
	if ranged && high == "" {
		to = maxToken
	} else if ranged {
		if to, err = strconv.Atoi(high); err != nil || to < from || to > maxToken {
			return piece{}, fmt.Errorf("invalid range %q", count)
		}
	}
	return piece{Set: s, Min: from, Max: to}, nil
}

// Prefix is the literal text that each match begins with, "" for none.
func (p *Pattern) Prefix() string {
	if first := p.Pieces[0]; first.Set == nil && !first.optional {
		return first.literal
	}
	return ""
}

// Match returns the end of the match that begins at at, or -1. A match does not end
// inside a longer word. With joins, a token that was wrapped or glued together in the
// text is followed over the seam.
func (p *Pattern) Match(b []byte, at int, joins bool) int {
	start, last := at, (*ascii.Set)(nil)
	for i := range p.Pieces {
		piece := &p.Pieces[i]
		if piece.Set == nil {
			if last != nil && last != ascii.Alnums && joins && !ascii.HasLiteral(b, at, piece.literal) {
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
		for n < piece.Max {
			if at < len(b) && piece.Set[b[at]] {
				at++
				n++
				continue
			}
			if !joins || n >= piece.Min {
				break
			}
			seam := SeamEnd(b, at)
			if at-start < 6 || seam == 0 || !piece.Set[b[seam]] {
				break
			}
			at = seam
		}
		if n < piece.Min {
			return -1
		}
		if n > 0 {
			last = piece.Set
		}
	}
	if at < len(b) && last != nil && last[b[at]] && ascii.Alnums[b[at]] {
		return -1
	}
	return at
}

// literalEnd is the end of a literal at at, a seam in it or before it stepped over; 0
// where it is not there.
func literalEnd(b []byte, at, start int, literal string, joins bool) int {
	if ascii.HasLiteral(b, at, literal) {
		return at + len(literal)
	}
	for i := range len(literal) {
		if at < len(b) && b[at] == literal[i] {
			at++
			continue
		}
		seam := 0
		if joins && at-start >= 6 {
			seam = SeamEnd(b, at)
		}
		if seam == 0 || b[seam] != literal[i] {
			return 0
		}
		at = seam + 1
	}
	return at
}

// overSeam continues a run of s past a seam at at; it is at where there is none.
func overSeam(b []byte, at, start int, s *ascii.Set) int {
	seam := SeamEnd(b, at)
	if at-start < 6 || seam == 0 || !s[b[seam]] {
		return at
	}
	return ascii.Run(b, seam, s)
}

// SeamEnd is the end of a seam at at: a wrapped line, two string literals that are put
// together, emphasis in the middle of a token. 0 for none.
func SeamEnd(b []byte, at int) int {
	i := at
	quotes := makeSeam(b, &i)
	newline, again := false, false
	for i < len(b) && i-at < 48 {
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

// Example makes a text that the pattern matches, the same for the same source of chance.
func (p *Pattern) Example(chance *rand.Rand) string {
	var out strings.Builder
	for _, piece := range p.Pieces {
		if piece.Set == nil {
			out.WriteString(piece.literal)
			continue
		}
		var members []byte
		for b, in := range piece.Set {
			if in {
				members = append(members, byte(b))
			}
		}
		n := piece.Min
		if piece.Max > piece.Min {
			n += chance.IntN(min(piece.Max-piece.Min, 8) + 1)
		}
		for range n {
			out.WriteByte(members[chance.IntN(len(members))])
		}
	}
	return out.String()
}

// MayBegin reports whether a match can begin with c.
func (p *Pattern) MayBegin(c byte) bool {
	first := p.Pieces[0]
	if first.Set != nil {
		return first.Set[c]
	}
	return first.optional || first.literal[0] == c
}
