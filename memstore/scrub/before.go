package scrub

import (
	"bytes"
	"unicode/utf8"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// before looks for a value in front of its cue, which ends at end.
func (r *sentences) before(kind prose.Kind, at, end int) {
	if kind == prose.Login {
		r.pairs.pairBefore(at)
		return
	}
	if kind != prose.Password && kind != prose.Secret || !mayEndSentence(r.text, end) {
		return
	}
	b := r.text
	from := ascii.LineStart(b, at, 160)
	line := prose.TrimMarks(b[from:at])
	if open := bytes.LastIndexByte(line, '('); open > 6 && line[open-1] == ' ' && len(line)-open < 24 &&
		bytes.IndexByte(line[open:], ')') < 0 {
		r.valueBefore(kind, from, prose.TrimMarks(line[:open]), false)
		return
	}
	for words := 0; words <= 5 && len(line) > 0; words++ {
		if rest, ok := cutLink(line); ok {
			r.valueBefore(kind, from, rest, true)
			return
		}
		start := wordBefore(line)
		if start == len(line) {
			return
		}
		line = prose.TrimMarks(line[:start])
	}
}

// wordBefore is the start of the word, or of the few signs of another script, at the end of line.
func wordBefore(line []byte) int {
	if n := len(line); line[n-1] >= 0xe2 || line[n-1] >= 0x80 && line[n-1] < 0xc0 {
		i := n
		for i > 0 && n-i < 18 {
			r, size := utf8.DecodeLastRune(line[:i])
			if r < 0x2e80 || r == '。' || r == '、' || r == '，' || r == '：' {
				break
			}
			if i < n && lastLink(line[:i]) {
				break
			}
			i -= size
		}
		return i
	}
	return ascii.RunBack(line, len(line), beforeBytes, 24)
}

var beforeBytes = ascii.NewSet("a-zA-Z0-9-")

func lastLink(line []byte) bool {
	_, ok := cutLink(line)
	return ok
}

// linksBefore stand between a value and the cue behind it: "with ... as password".
var linksBefore = ascii.NewWords(`as is was for als ist war für comme est pour como es era para come è é`)

// foreignLinks are the same in scripts without spaces.
var foreignLinks = []string{"を", "를", "을", "가", "이", "は", "が", "という", "라는", "作为", "设为", "是", "为", "當作", "当作", "用作", "로", "으로"}

var arrowsBack = []string{"←", "<-", "<=", "⟵"}

// cutLink takes a link off the end of line.
func cutLink(line []byte) ([]byte, bool) {
	last := line[len(line)-1]
	if last == '-' || last == '=' || last >= 0x80 {
		for _, w := range arrowsBack {
			if rest, ok := bytes.CutSuffix(line, []byte(w)); ok && len(rest) > 0 {
				return prose.TrimMarks(rest), true
			}
		}
	}
	if last >= 0x80 {
		for _, w := range foreignLinks {
			if rest, ok := bytes.CutSuffix(line, []byte(w)); ok && len(rest) > 0 {
				return prose.TrimMarks(rest), true
			}
		}
	}
	if n := len(line); n > 2 && (line[n-1] == '-' || line[n-1] == '=') && line[n-2] == ' ' {
		return prose.TrimMarks(line[:n-1]), true
	}
	from := len(line)
	for from > 0 && (ascii.Letters[line[from-1]] || line[from-1] >= 0x80) {
		from--
	}
	if from == 0 || line[from-1] != ' ' || !linksBefore.Has(line[from:]) {
		return nil, false
	}
	return prose.TrimMarks(line[:from]), true
}

// valueBefore takes the last word of line, which begins at from, if it may be a value.
func (r *sentences) valueBefore(kind prose.Kind, from int, line []byte, linked bool) {
	b := r.text
	line = bytes.TrimRight(line, "”」』»")
	start := bytes.LastIndexAny(line, " \t`\"'“「『«(") + 1
	if i := lastForeign(line); i > start {
		start = i
	}
	v := b[from+start : from+len(line)]
	if len(v) < 6 || shape.Of(v).Letters() == 0 || ascii.Run(v, 0, prose.HexDash) == len(v) || bytes.Contains(bytes.ToLower(v), []byte("password")) {
		return
	}
	f := prose.Beside
	if quote := start > 0 && bytes.IndexByte([]byte("`\"'"), line[start-1]) >= 0; linked && (quote || givers.Has(prose.LastWord(line[:start]))) {
		f = prose.Copula
	}
	if linked && prose.Grouped(v) && !shape.IsDummy(v) || r.prose.Plausible(kind, f, v, false) && (f == prose.Copula || shape.Of(v).Digit > 0) {
		r.found.detect(detectorOf[kind], from+start, from+len(line))
	}
}

// givers are verbs whose object is the value.
var givers = ascii.NewWords(`mis habe gesetzt puse puesto made chose picked use uses used using try enter type set put take keep nimm
 nutze nutzt verwende setze gib utilise utilisez utiliser mets entre usa use usar pon introduce`)

// mayEndSentence reports whether a cue at whose end nothing follows that makes it the
// first half of another word: "password policy", "password hash".
func mayEndSentence(b []byte, end int) bool {
	if end >= len(b) || b[end] != ' ' {
		return end >= len(b) || !ascii.Alnums[b[end]]
	}
	next := ascii.Run(b, end, ascii.Blanks)
	word := b[next:prose.WordEnd(b, next)]
	return len(word) == 0 || !prose.NotValue.Has(word) && !laterHalf.Has(word)
}

// laterHalf are nouns that make a password something else, beside those of notValue.
var laterHalf = ascii.NewWords(`database databases vault managers cipher library plugin policies tool app entry store stores wallet
 cracker recovery protection encryption hashing derivation safe`)

// lastForeign is the end of the last character that cannot be part of a value.
func lastForeign(b []byte) int {
	for i := len(b); i > 0; {
		r, n := utf8.DecodeLastRune(b[:i])
		if r >= 0x2e80 || r == utf8.RuneError || r == '“' || r == '：' {
			return i
		}
		i -= n
	}
	return 0
}
