package diff

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// wordCells is the maximum product of the token counts of the differing parts
// for comparing token by token; larger parts are marked whole. It keeps a
// pair well below a millisecond.
const wordCells = 1 << 16

// words returns the byte ranges in which two lines differ, in whole tokens: a
// run of letters, digits and underscores, a run of white space, one CJK
// character, or one other character. Both are nil if the lines are equal, too
// different, too long, or not UTF-8.
func words(a, b []byte) (inA, inB [][2]int) {
	if len(a) > wordBytes || len(b) > wordBytes || !utf8.Valid(a) || !utf8.Valid(b) {
		return nil, nil
	}
	x, y := tokens(a), tokens(b)
	runs := equalTokens(a, b, x, y)
	shared, all := 0, 0
	for _, run := range runs {
		shared += solid(between(a, x, run.a, run.a+run.n))
	}
	if all = solid(a) + solid(b); all > 0 && float64(2*shared) < alike*float64(all) {
		return nil, nil
	}
	runs = append(clean(a, b, x, y, runs), run{len(x), len(y), 0})
	i, j := 0, 0
	for _, run := range runs {
		if run.a > i {
			inA = append(inA, [2]int{tokenStart(x, i), tokenStart(x, run.a)})
		}
		if run.b > j {
			inB = append(inB, [2]int{tokenStart(y, j), tokenStart(y, run.b)})
		}
		i, j = run.a+run.n, run.b+run.n
	}
	return inA, inB
}

// clean drops equal runs between two changes that would only fragment a rewritten phrase: white space, and runs at most half as long as
// the changes on either side. Runs at the ends of the lines stay.
func clean(a, b []byte, x, y []int, runs []run) []run {
	kept := runs[:0]
	for k, r := range runs {
		kept = append(kept, r)
		after := run{a: len(x), b: len(y)}
		if k+1 < len(runs) {
			after = runs[k+1]
		}
		// Dropping a run lengthens the change, which may absorb the run before.
		for len(kept) > 0 {
			last := len(kept) - 1
			r, before := kept[last], endOf(kept[:last])
			size := solid(between(a, x, r.a, r.a+r.n))
			if size > 0 && 2*size > min(changedBy(a, b, x, y, before, r), changedBy(a, b, x, y, endOf(kept), after)) {
				break
			}
			inner := r.a > before.a && r.b > before.b && r.a+r.n < after.a && r.b+r.n < after.b
			if size > 0 {
				inner = (r.a > before.a || r.b > before.b) && (r.a+r.n < after.a || r.b+r.n < after.b)
			}
			if !inner {
				break
			}
			kept = kept[:last]
		}
	}
	return kept
}

// changedBy is the size of the larger side between the end of one equal run
// and the start of the next, in bytes other than white space.
func changedBy(a, b []byte, x, y []int, from, to run) int {
	return max(solid(between(a, x, from.a, to.a)), solid(between(b, y, from.b, to.b)))
}

// between returns tokens i to j-1 of a line.
func between(line []byte, ends []int, i, j int) []byte {
	return line[tokenStart(ends, i):tokenStart(ends, j)]
}

// endOf returns the end of the last run.
func endOf(runs []run) run {
	if len(runs) == 0 {
		return run{}
	}
	last := runs[len(runs)-1]
	return run{a: last.a + last.n, b: last.b + last.n}
}

// equalTokens returns the equal runs of two token lists in rising order.
func equalTokens(a, b []byte, x, y []int) []run {
	same := func(i, j int) bool {
		return bytes.Equal(a[tokenStart(x, i):x[i]], b[tokenStart(y, j):y[j]])
	}
	head := 0
	for head < len(x) && head < len(y) && same(head, head) {
		head++
	}
	tail := 0
	for tail < len(x)-head && tail < len(y)-head && same(len(x)-tail-1, len(y)-tail-1) {
		tail++
	}
	var runs []run
	if head > 0 {
		runs = append(runs, run{0, 0, head})
	}
	n, m := len(x)-head-tail, len(y)-head-tail
	if n > 0 && m > 0 && n*m <= wordCells {
		known := map[string]rune{}
		symbols := func(text []byte, ends []int) []rune {
			out := make([]rune, 0, len(ends)-head-tail)
			for i := head; i < len(ends)-tail; i++ {
				word := text[tokenStart(ends, i):ends[i]]
				r, ok := known[string(word)]
				if !ok {
					r = symbol(int32(len(known)))
					known[string(word)] = r
				}
				out = append(out, r)
			}
			return out
		}
		middle, _ := compare(symbols(a, x), symbols(b, y), 0)
		for _, r := range middle {
			runs = append(runs, run{head + r.a, head + r.b, r.n})
		}
	}
	if tail > 0 {
		runs = append(runs, run{len(x) - tail, len(y) - tail, tail})
	}
	return runs
}

// solid counts the bytes that are not white space.
func solid(text []byte) int {
	n := 0
	for _, r := range string(text) {
		if kindOf(r) != blankToken {
			n += utf8.RuneLen(r)
		}
	}
	return n
}

type tokenKind uint8

const (
	wordToken  tokenKind = iota // continues with its like
	blankToken                  // continues with its like
	signToken                   // a token by itself
	joinToken                   // belongs to the token before
)

const (
	zeroWidthNon     = 0x200C // within Persian and Indic words
	zeroWidthJoiner  = 0x200D
	longVowel        = 0x30FC // of Katakana, and its narrow form
	longVowelNarrow  = 0xFF70
	firstTag         = 0xE0020 // flags of regions
	lastTag          = 0xE007F
	firstSkinTone    = 0x1F3FB
	lastSkinTone     = 0x1F3FF
	firstVariation   = 0xFE00
	lastVariation    = 0xFE0F
	firstRegionalInd = 0x1F1E6
	lastRegionalInd  = 0x1F1FF
)

func kindOf(r rune) tokenKind {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_':
			return wordToken
		case r == ' ', '\t' <= r && r <= '\r':
			return blankToken
		}
		return signToken
	case unicode.Is(unicode.M, r), r == zeroWidthJoiner, r == zeroWidthNon, r == longVowel, r == longVowelNarrow,
		firstTag <= r && r <= lastTag, firstSkinTone <= r && r <= lastSkinTone, firstVariation <= r && r <= lastVariation:
		return joinToken
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		// Written without spaces, or edited syllable by syllable.
		return signToken
	case unicode.IsLetter(r), unicode.IsDigit(r):
		return wordToken
	case unicode.IsSpace(r):
		return blankToken
	default:
		return signToken
	}
}

// tokens returns the end of each token. It never splits what is drawn as one
// character: combining marks, joined emoji and flags stay together.
func tokens(line []byte) []int {
	ends := make([]int, 0, len(line)/3+1)
	var last rune
	kind, flag := signToken, false
	for at := 0; at < len(line); {
		r, size := utf8.DecodeRune(line[at:])
		k := kindOf(r)
		region := firstRegionalInd <= r && r <= lastRegionalInd
		switch {
		case at == 0:
			kind = k
		case k == joinToken || last == zeroWidthJoiner || region && flag:
			// Same token; kind stays.
		case k == kind && (k == wordToken || k == blankToken):
		default:
			ends = append(ends, at)
			kind = k
		}
		flag = region && !flag
		last = r
		at += size
	}
	if len(line) > 0 {
		ends = append(ends, len(line))
	}
	return ends
}

func tokenStart(ends []int, i int) int {
	if i == 0 {
		return 0
	}
	return ends[i-1]
}

func firstRune(word []byte) rune {
	r, _ := utf8.DecodeRune(word)
	return r
}
