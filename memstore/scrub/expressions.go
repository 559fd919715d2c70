package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/shape"
)

// expressions tries the patterns and regular expressions of rules round their words.
type expressions struct {
	reader
	waiting map[*rule.Rule][2]int // stretches that expressions are still to be tried on
}

// reach is how far before and after its keyword a regular expression is tried, in bytes.
const (
	reachBefore = 120
	reachAfter  = 400
)

// maxStretch bounds the text that an expression is tried on, in bytes.
const maxStretch = 64 << 10

// expression notes that a regular expression must be tried around a keyword. Stretches that
// overlap are joined, so that no text is looked at again for each keyword in it.
func (x *expressions) expression(r *rule.Rule, start, end int) {
	from, to := max(0, start-reachBefore), min(len(x.text), end+reachAfter)
	if old, ok := x.waiting[r]; ok {
		if from <= old[1] && to-old[0] < maxStretch {
			x.waiting[r] = [2]int{old[0], to}
			return
		}
		x.tryOn(r, old[0], old[1])
	}
	if x.waiting == nil {
		x.waiting = map[*rule.Rule][2]int{}
	}
	x.waiting[r] = [2]int{from, to}
}

// rest tries the expressions on the stretches that are still to be looked at.
func (x *expressions) rest() {
	for r, stretch := range x.waiting {
		x.tryOn(r, stretch[0], stretch[1])
	}
}

// anywhere tries the expressions that no keyword leads to. Stretches overlap, so that a value of a usual length is whole in one.
func (x *expressions) anywhere() {
	for _, r := range x.in.e.anywhere {
		for from := 0; from < len(x.text) && x.in.ctx.Err() == nil; from += maxStretch - reachBefore - reachAfter {
			x.tryOn(r, from, min(from+maxStretch, len(x.text)))
		}
	}
}

// tryOn runs a regular expression on a stretch of the text.
func (x *expressions) tryOn(r *rule.Rule, from, to int) {
	for at := from; at < to && x.in.ctx.Err() == nil; {
		m := r.Regex.Get().FindSubmatchIndex(x.text[at:to])
		if m == nil {
			return
		}
		g := r.Group
		if g == 0 && len(m) == 4 {
			g = 1
		}
		if 2*g+1 < len(m) && m[2*g] >= 0 {
			if a, b := at+m[2*g], at+m[2*g+1]; a < b && x.found.accept(r, a, b) {
				x.found.shaped(r, a, b, r.Score)
			}
		}
		at += max(m[1], 1)
	}
}

// prefixed tries a pattern at the place where its beginning stands.
func (x *expressions) prefixed(p shaped, start int) {
	if start > 0 && ascii.Alnums[x.text[start-1]] && !escapeBefore(x.text, start) {
		return
	}
	if start > 0 && x.text[start-1] == '+' && start-ascii.RunBack(x.text, start, ascii.Named["b64"], 40) > 24 {
		return // in the middle of base64
	}
	end := p.Match(x.text, start, true)
	if end < 0 || !x.found.accept(p.rule, start, end) || p.rule.Check == "token" && !shape.TokenLike(x.text[start+len(p.Prefix()):end]) {
		return
	}
	if open := p.Pieces[len(p.Pieces)-1]; open.Set != nil && open.Max > open.Min+20 {
		end = wrapped(x.text, end, open.Set)
	}
	x.found.shaped(p.rule, start, end, p.rule.Score)
}

// wrapped follows a token without a fixed length over a seam, where the line or the text
// in quotes ended in its middle: what follows there is not a word and stands alone.
func wrapped(b []byte, end int, s *ascii.Set) int {
	next := rule.SeamEnd(b, end)
	if next == 0 || bytes.Count(b[end:next], []byte("\n")) != 1 {
		return end
	}
	stop := ascii.Run(b, next, s)
	if i := bytes.IndexByte(b[next:stop], '='); i > 0 && i < stop-next-2 || ascii.IsLabel(b, stop) {
		return end // KEY=value, "key": of its own
	}
	if sh := shape.Of(b[next:stop]); (b[end] == '\n' || b[end] == '\r') && (sh.Upper < 2 || sh.Lower < 2 || sh.Digit == 0) {
		return end // a date, a hash, a word: nothing says that the line was broken in the token
	}
	if stop-next < 8 || stop < len(b) && !shape.LastBefore(b, stop) || !shape.TokenLike(b[next:stop]) {
		return end
	}
	return stop
}

// escapeBefore reports whether the letter before at belongs to "\n", "\t" or "\r" in a
// text that is not read as JSON.
func escapeBefore(b []byte, at int) bool {
	return at >= 2 && b[at-2] == '\\' && (b[at-1] == 'n' || b[at-1] == 't' || b[at-1] == 'r')
}
