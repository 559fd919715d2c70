package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
)

// phrases reads the seed phrases of wallets.
type phrases struct {
	reader
	phraseEnd int // up to here the text was read
}

// Bounds of a seed phrase (BIP-39: 12 to 24 words of 3 to 8 letters; Monero has 25, SLIP-39
// 20 or 33), and how far behind its cue it begins, in bytes.
const (
	leastWords  = 12
	mostWords   = 33
	phraseReach = 120
)

// phrase takes the words of a wallet's seed phrase: in one line, one below the other,
// numbered, with commas between.
func (r *phrases) phrase(at int) {
	b := r.text
	if at < r.phraseEnd {
		return
	}
	start, end, n, commas := -1, -1, 0, 0
	i := at
	for i < len(b) && (n > 0 || i < at+phraseReach) {
		if !ascii.Letters[b[i]] {
			if n > 0 && !phraseGap(r.text, end, i) {
				if n >= leastWords {
					break
				}
				start, n, commas = -1, 0, 0
			}
			if b[i] == ',' {
				commas++
			}
			i++
			continue
		}
		stop := ascii.Run(b, i, ascii.Letters)
		if !phraseWord(b[i:stop]) || stop < len(b) && b[stop] >= 0x80 && b[stop] < 0xe2 {
			if n >= leastWords {
				break
			}
			start, n, commas, i = -1, 0, 0, stop
			continue
		}
		if n == 0 {
			start = i
		}
		if n, end, i = n+1, stop, stop; n > mostWords {
			break
		}
	}
	r.phraseEnd = i
	if n >= leastWords && n <= mostWords && (commas == 0 || commas >= n-2) && evenLines(b[start:end]) && variedWords(b[start:end]) {
		r.found.detect("phrase", start, end)
	}
}

// evenLines reports as many words in each line but the last: a phrase is laid out so, a poem is not.
func evenLines(b []byte) bool {
	first, n := 0, 0
	for i, c := range b {
		if ascii.Letters[c] && (i == 0 || !ascii.Letters[b[i-1]]) {
			n++
		}
		if c != '\n' || n == 0 {
			continue
		}
		if first > 0 && n != first {
			return false
		}
		first, n = n, 0
	}
	return first == 0 || n <= first
}

// variedWords reports that hardly a word occurs twice: those of a phrase are drawn at random, those of a list of tasks repeat.
func variedWords(b []byte) bool {
	seen, repeats := map[string]bool{}, 0
	for i := 0; i < len(b); i++ {
		stop := ascii.Run(b, i, ascii.Letters)
		if stop == i {
			continue
		}
		word := string(bytes.ToLower(b[i:stop]))
		if seen[word] {
			repeats++
		}
		seen[word], i = true, stop
	}
	return repeats <= 1
}

// phraseGap reports whether what stands from end to i may separate two words.
func phraseGap(b []byte, end, i int) bool {
	c := b[i]
	switch {
	case c == '.', c == ':':
		return ascii.Digits[b[i-1]]
	case c == '|': // a table, no list of words for an expression
		return b[i-1] == ' ' || i+1 < len(b) && b[i+1] == ' '
	case c == '\n': // an empty line ends it
		return bytes.Count(b[end:i], []byte("\n")) == 0
	}
	return i-end < 10 && phraseMarks[c]
}

var phraseMarks = ascii.NewSet(" ,\n\r\t0-9.)|>`\"'*_:•/;-")

// phraseWord reports three to eight letters, all small except for the first, that are not a word
// which only holds sentences together.
func phraseWord(v []byte) bool {
	return len(v) >= 3 && len(v) <= 8 && ascii.Run(v, 1, ascii.Lowers) == len(v) && !prose.Between.Has(v)
}
