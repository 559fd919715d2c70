package search

import (
	"math"
	"regexp/syntax"
	"unicode"
	"unicode/utf8"

	"memcurator/render/literal"
)

// stretch says that each match holds a given number of bytes in a row that are all of a set: four digits, say,
// or seven bytes that are digits or dashes for a day. Lines without them need not be looked
// at by the expression. It helps where no text is known that a match needs.
type stretch struct {
	set   [256]bool
	least int
}

// stretchWeight is how much a stretch must say, in bits as if all bytes were as frequent, to be worth looking for.
const stretchWeight = 1

// stretchParts bounds the parts of a sequence that are tried together.
const stretchParts = 32

// requiredStretch returns the stretch that says most of what each match holds; nil where none says enough.
func requiredStretch(re *syntax.Regexp) *stretch {
	best := bestStretch(re)
	if best == nil || best.weight() < stretchWeight {
		return nil
	}
	best.set['\n'] = false // a match is within a line
	return best
}

func (r *stretch) weight() float64 {
	size := 0
	for _, in := range r.set {
		if in {
			size++
		}
	}
	return float64(r.least) * math.Log2(256/float64(max(size, 1)))
}

func bestStretch(re *syntax.Regexp) *stretch {
	var best *stretch
	try := func(r *stretch) {
		if r != nil && r.least > 0 && (best == nil || r.weight() > best.weight()) {
			best = r
		}
	}
	try(wholly(re))
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		try(bestStretch(re.Sub[0]))
	case syntax.OpRepeat:
		if re.Min > 0 {
			try(bestStretch(re.Sub[0]))
		}
	case syntax.OpConcat:
		for from, sub := range re.Sub[:min(len(re.Sub), stretchParts)] {
			try(bestStretch(sub))
			together := &stretch{}
			for _, next := range re.Sub[from:min(len(re.Sub), stretchParts)] {
				part := wholly(next)
				if part == nil {
					break
				}
				together = together.and(part)
				try(together)
			}
		}
	}
	return best
}

// wholly describes what matches nothing but bytes of a set, and at least how many; nil where
// the set would be everything.
func wholly(re *syntax.Regexp) *stretch {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText,
		syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return &stretch{}
	case syntax.OpLiteral:
		r := &stretch{least: len(re.Rune)}
		for _, c := range re.Rune {
			r.add(c, c)
			for f := unicode.SimpleFold(c); re.Flags&syntax.FoldCase != 0 && f != c; f = unicode.SimpleFold(f) {
				r.add(f, f)
			}
		}
		return r
	case syntax.OpCharClass:
		r := &stretch{least: 1}
		for i := 0; i+1 < len(re.Rune); i += 2 {
			r.add(re.Rune[i], re.Rune[i+1])
		}
		return r
	case syntax.OpCapture, syntax.OpPlus:
		return wholly(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		return wholly(re.Sub[0]).times(0)
	case syntax.OpRepeat:
		return wholly(re.Sub[0]).times(re.Min)
	case syntax.OpConcat:
		return joined(re.Sub, (*stretch).and)
	case syntax.OpAlternate:
		return joined(re.Sub, (*stretch).or)
	}
	return nil
}

func joined(subs []*syntax.Regexp, join func(a, b *stretch) *stretch) *stretch {
	all := wholly(subs[0])
	for _, sub := range subs[1:] {
		next := wholly(sub)
		if all == nil || next == nil {
			return nil
		}
		all = join(all, next)
	}
	return all
}

// add puts runes into the set: beyond ASCII by all the bytes that such characters are made of,
// and that are none.
func (r *stretch) add(from, to rune) {
	for c := from; c <= to && c < utf8.RuneSelf; c++ {
		r.set[c] = true
	}
	if to >= utf8.RuneSelf {
		for b := utf8.RuneSelf; b < len(r.set); b++ {
			r.set[b] = true
		}
	}
}

// and is one behind the other.
func (r *stretch) and(next *stretch) *stretch {
	out := *r
	for b, in := range next.set {
		out.set[b] = out.set[b] || in
	}
	out.least += next.least
	return &out
}

// or is one of both.
func (r *stretch) or(other *stretch) *stretch {
	out := r.and(other)
	out.least = min(r.least, other.least)
	return out
}

func (r *stretch) times(n int) *stretch {
	if r == nil {
		return nil
	}
	out := *r
	out.least *= n
	return &out
}

// find is where the next stretch begins at from or behind it, -1 for none. It looks at one byte of
// as many as the stretch has while none is of the set.
func (r *stretch) find(b []byte, from int) int {
	for end := from + r.least - 1; end < len(b); {
		at := end
		for at > end-r.least && r.set[b[at]] {
			at--
		}
		if at == end-r.least {
			return at + 1
		}
		end = at + r.least
	}
	return -1
}

// stretchBeats is how long a stretch must be to search for it rather than single characters, which
// are found faster one by one and are often there.
const stretchBeats = 4

// beats reports whether to look for the stretch and not for the texts of which a match needs one.
func (r *stretch) beats(needs []*literal.Text) bool {
	for _, n := range needs {
		if !n.Single() {
			return false
		}
	}
	return len(needs) == 0 || r.least >= stretchBeats
}
