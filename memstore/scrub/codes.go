package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/judge"
	"memcurator/memstore/scrub/shape"
)

// maxCodes bounds how far a list of recovery codes is read, in bytes.
const maxCodes = 2000

// code is a recovery code: eight digits, groups of one length, letters with digits.
var code = ascii.NewExpression(`[A-Za-z0-9]{3,12}(?:-[A-Za-z0-9]{3,12})+|\d{3,6}(?: \d{3,6})+|[A-Za-z0-9]{6,64}`)

// recovery takes the codes that follow "recovery codes": in the same line, in the lines below, in a list, a table or an array. It
// ends where a line holds other text.
func (s *scan) recovery(at int) {
	b := s.text
	if at < s.codesEnd {
		return // another word of the same announcement
	}
	var first []byte
	stop := min(len(b), at+maxCodes, s.barrier)
	for line := 0; at < stop && line < 30; line++ {
		end := min(ascii.LineEnd(b, at, maxCodes), stop)
		n := s.codesOfLine(at, end, &first)
		if line > 0 && n == 0 && first != nil && len(bytes.TrimSpace(b[at:end])) > 3 {
			return
		}
		s.codesEnd, at = end, end+1
	}
}

// codesOfLine takes the codes of one line that are built as the first one of the list.
func (s *scan) codesOfLine(from, end int, first *[]byte) (n int) {
	b := s.text
	for _, m := range code.Get().FindAllIndex(b[from:end], 40) {
		start, stop := from+m[0], from+m[1]
		v := b[start:stop]
		isInside := start > 0 && codeGlue[b[start-1]] || stop < len(b) && codeGlue[b[stop]]
		if isInside || *first == nil && (!isCode(v) || judge.Ordinary(v)) || *first != nil && !isLike(v, *first) {
			continue
		}
		if *first == nil {
			*first = v
		}
		n++
		s.detect("recovery", assigned, start, stop)
	}
	return n
}

// codeGlue joins a code to more of the same: base64, a path, a version.
var codeGlue = ascii.NewSet("a-zA-Z0-9+/=_@")

func isCode(v []byte) bool {
	sh := shape.Of(v)
	switch {
	case bytes.ContainsAny(v, "- "):
		return sh.Digit > 1 || !shape.Readable(v)
	case sh.Digit == len(v):
		return len(v) <= 10
	case sh.Digit > 0:
		return sh.Digit > 1 && !shape.Readable(v)
	}
	return sh.Upper == len(v) && len(v) >= 8 && !shape.Readable(v)
}

// isLike reports a code built as another one: groups as long, the same marks between.
func isLike(v, first []byte) bool {
	n, m := ascii.Run(v, 0, ascii.Alnums), ascii.Run(first, 0, ascii.Alnums)
	if n == len(v) && m == len(first) {
		return n-m <= 2 && m-n <= 2
	}
	return n == m && n < len(v) && m < len(first)
}

// phraseWords are twelve to thirty-three words of a wallet's seed phrase (BIP-39: 12 to 24 words of 3 to 8 letters; Monero has 25,
// SLIP-39 20 or 33): in one line, one below the other, numbered, with commas between.
var phraseWords = ascii.NewExpression("(?:^|[^A-Za-z])((?:[A-Za-z][a-z]{2,7}" +
	"(?:,[ \t]*|[ \t]+|[ \t|]*\\r?\\n[ \t>|*`-]*|[ \t]*[|•;][ \t]*)(?:\\d{1,2}[.):]?[ \t]*)?){11,32}[A-Za-z][a-z]{2,7})\\b")

// phrase takes a seed phrase.
func (s *scan) phrase(at int) {
	b := s.text
	stop := min(len(b), at+600)
	for from := max(at, s.phraseEnd); from < stop; {
		m := phraseWords.Get().FindSubmatchIndex(b[from:stop])
		if m == nil || from+m[2] > at+120 {
			s.phraseEnd = max(s.phraseEnd, min(stop, at+120))
			return
		}
		start, end := from+m[2], from+m[3]
		if isPhrase(b[start:end]) {
			s.detect("phrase", assigned, start, end)
			s.phraseEnd = end
			return
		}
		from = start + ascii.Run(b[start:], 0, ascii.Letters)
		s.phraseEnd = from
	}
}

// isPhrase reports words drawn at random: none only holds sentences together.
func isPhrase(b []byte) bool {
	for w := range bytes.FieldsFuncSeq(b, func(r rune) bool { return r > 0x7f || !ascii.Letters[r] }) {
		if judge.IsSmall(string(bytes.ToLower(w))) {
			return false
		}
	}
	return true
}
