package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// prefixed tries a pattern at the place where its beginning stands.
func (s *scan) prefixed(p shaped, start int) {
	if start > 0 && ascii.Alnums[s.text[start-1]] && !escapeBefore(s.text, start) {
		return
	}
	end := p.match(s.text, start, true)
	if end < 0 && p.rule.check == "token" {
		s.loose(p, start)
	}
	if end < 0 || !s.accept(p.rule, start, end) || p.rule.check == "token" && !shape.TokenLike(s.text[start+len(p.prefix()):end]) {
		return
	}
	if open := p.pieces[len(p.pieces)-1]; open.set != nil && open.max > open.min+20 {
		end = wrapped(s.text, end, open.set)
	}
	s.propose(p.rule, start, end, p.rule.score)
}

// looseScore is that of a token with the beginning of a provider and another length than
// its tokens have: mistyped, cut off, or of a later form.
const looseScore = 60

// loose takes what begins as a pattern does and goes on as random text of another length.
func (s *scan) loose(p shaped, start int) {
	prefix := p.prefix()
	last := prefix[len(prefix)-1]
	if len(prefix) < 4 && last != '_' && last != '-' && last != '.' || last == '/' || plainPrefixes.Has([]byte(prefix)) ||
		!hasLiteral(s.text, start, prefix) {
		return
	}
	if start > 0 && (s.text[start-1] == '_' || s.text[start-1] == '-') {
		return // pk_test_... is no test_...
	}
	capitals := true // no pattern of this beginning has small letters
	for _, piece := range p.pieces {
		capitals = capitals && (piece.set == nil || !piece.set['q'] && !piece.set['b'])
	}
	from := start + len(prefix)
	end := ascii.Run(s.text, from, ascii.Named["b64url"])
	for end > from && !ascii.Alnums[s.text[end-1]] {
		end--
	}
	tail := s.text[from:end]
	sh := shape.Of(tail)
	random := sh.Upper >= 2 && sh.Lower >= 2 && len(tail) >= 16 || ascii.Run(tail, 0, ascii.Hexes) == len(tail) && len(tail) >= 24 ||
		capitals && sh.Lower == 0 && len(tail) >= 12
	if !random || len(tail) > 512 || sh.Digit < 3 && (sh.Digit == 0 || sh.Upper < 6 || sh.Lower < 6) || sh.Soft*6 > len(tail) ||
		shape.Readable(tail) || ascii.Entropy(tail) < 3 || shape.IsDummy(s.text[start:end]) {
		return
	}
	s.propose(p.rule, start, end, looseScore)
}

// plainPrefixes are beginnings that names have too.
var plainPrefixes = ascii.NewWords("test_ live_ key- secret_ prod_ api_ api- token- token_ pat- app- user_ bot-")

// wrapped follows a token without a fixed length over a seam, where the line or the text
// in quotes ended in its middle: what goes on there is no word and stands alone.
func wrapped(b []byte, end int, s *ascii.Set) int {
	next := joinEnd(b, end)
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
