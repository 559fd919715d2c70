package rule

import (
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
			if joins && last != nil && !ascii.HasLiteral(b, at, piece.literal) {
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

// seam is where a token goes on: a wrapped line, two string literals that are put together, emphasis in the middle of a token.
var seam = ascii.NewExpression("^(?:[\"'`][ \t+.&\\\\]*(?:\\r?\\n)?[ \t>|+.&\\\\]*[\"'`]|[=\\\\]?\\r?\\n[ \t>|]*|\\*+)")

// SeamEnd is the end of a seam at at, 0 for none.
func SeamEnd(b []byte, at int) int {
	m := seam.Get().FindIndex(b[at:min(len(b), at+48)])
	if m == nil || at+m[1] >= len(b) {
		return 0
	}
	return at + m[1]
}

// literalEnd is the end of a literal at at, a seam in it stepped over; 0 where it is not there.
func literalEnd(b []byte, at, start int, literal string, joins bool) int {
	for i := range len(literal) {
		if at < len(b) && b[at] != literal[i] && joins && at-start >= 6 {
			at = max(at, SeamEnd(b, at))
		}
		if at == len(b) || b[at] != literal[i] {
			return 0
		}
		at++
	}
	return at
}

// overSeam continues a run of a set past a seam at at; it is at where there is none.
func overSeam(b []byte, at, start int, set *ascii.Set) int {
	next := SeamEnd(b, at)
	if at-start < 6 || next == 0 || !set[b[next]] {
		return at
	}
	return ascii.Run(b, next, set)
}

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
