package scrub

import (
	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/shape"
)

// reach is how far before and after its keyword a regular expression is tried, in bytes.
const (
	reachBefore = 120
	reachAfter  = 400
)

// maxStretch bounds the text that an expression is tried on, in bytes.
const maxStretch = 64 << 10

// expression notes that a regular expression must be tried around a keyword. Stretches that
// overlap are joined, so that no text is looked at again for each keyword in it.
func (s *scan) expression(r *rule.Rule, start, end int) {
	from, to := max(0, start-reachBefore), min(len(s.text), end+reachAfter)
	if old, ok := s.waiting[r]; ok {
		if from <= old[1] && to-old[0] < maxStretch {
			s.waiting[r] = [2]int{old[0], to}
			return
		}
		s.tryOn(r, old[0], old[1])
	}
	if s.waiting == nil {
		s.waiting = map[*rule.Rule][2]int{}
	}
	s.waiting[r] = [2]int{from, to}
}

// lastExpressions tries the expressions on the stretches that are still to be looked at.
func (s *scan) lastExpressions() {
	for r, stretch := range s.waiting {
		s.tryOn(r, stretch[0], stretch[1])
	}
}

// expressionsAnywhere tries the expressions that no keyword leads to. Stretches overlap, so that a value of a usual length is whole in one.
func (s *scan) expressionsAnywhere() {
	for _, r := range s.e.anywhere {
		for from := 0; from < len(s.text) && s.ctx.Err() == nil; from += maxStretch - reachBefore - reachAfter {
			s.tryOn(r, from, min(from+maxStretch, len(s.text)))
		}
	}
}

// tryOn runs a regular expression on a stretch of the text.
func (s *scan) tryOn(r *rule.Rule, from, to int) {
	for at := from; at < to && s.ctx.Err() == nil; {
		m := r.Regex.Get().FindSubmatchIndex(s.text[at:to])
		if m == nil {
			return
		}
		g := r.Group
		if g == 0 && len(m) == 4 {
			g = 1
		}
		if 2*g+1 < len(m) && m[2*g] >= 0 {
			if a, b := at+m[2*g], at+m[2*g+1]; a < b && s.accept(r, a, b) {
				s.shaped(r, a, b, r.Score)
			}
		}
		at += max(m[1], 1)
	}
}

// prefixed tries a pattern at the place where its beginning stands.
func (s *scan) prefixed(p rulePattern, start int) {
	if start > 0 && ascii.Alnums[s.text[start-1]] {
		return
	}
	end := s.match(p, start, true)
	if end < 0 {
		return
	}
	s.shaped(p.rule, start, end, p.rule.Score)
}

// match is the end of what a pattern and the conditions of its rule accept at a place, -1 for none.
func (s *scan) match(p rulePattern, start int, joins bool) int {
	end := p.Match(s.text, start, joins)
	if end < 0 || !s.accept(p.rule, start, end) || p.rule.Check == "token" && !shape.TokenLike(s.text[start+len(p.Prefix()):end]) {
		return -1
	}
	return end
}

// escapeBefore reports whether the letter before at belongs to "\n", "\t" or "\r" in a
// text that is not read as JSON.
func escapeBefore(b []byte, at int) bool {
	return at >= 2 && b[at-2] == '\\' && (b[at-1] == 'n' || b[at-1] == 't' || b[at-1] == 'r')
}
