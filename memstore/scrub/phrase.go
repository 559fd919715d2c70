package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
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

// spokenPhrases reads passphrases of plain words, which nothing but their sentence shows: "encrypted with the usual phrase, i.e. four
// words in a row".
var spokenPhrases = detector{
	words: func() []string {
		return []string{"phrase", "frase", "answer with", "type \"",
			"enter \"", "with \"", "mit „", "mit \"", "avec «", "con \"", "con «", "com \"",
			"type “", "enter “", "with “"}
	},
	begin: func(s *scan) reading { return (&commands{s.reader}).spokenPhrase },
}

// Bounds of a passphrase of plain words.
const (
	leastSpoken = 4
	mostSpoken  = 8
)

// opening are words by which the sentence says that something is locked.
var opening = ascii.NewPhrases("encrypt", "decrypt", "verschlüssel", "entschlüssel", "chiffr", "cifrad", "criptograf", "coffre", "keepass",
	"vault", "ssh ", "sudo", "zip ", "gpg", "luks", "unlock", "at boot",
	"passphrase", "s'ouvre", "se abre", "öffnet", "veracrypt", "cryptomator")

// spokenPhrase takes four to eight plain words behind one of its words: in quotes, or to the end of the clause.
func (r *commands) spokenPhrase(_, at int) {
	b := r.text
	if !opening.In(b[ascii.LineStart(b, at, 160):ascii.LineEnd(b, at, 120)]) {
		return
	}
	from := at
	quoted := openQuotes.End(b[:at]) != ""
	for !quoted && from < len(b) && from < at+24 && (b[from] == ' ' || b[from] == ',' || b[from] == ':') {
		next := ascii.Run(b, from, phraseLeads)
		if word := prose.WordEnd(b, next); word > next && spokenLeads.Has(b[next:word]) {
			next = word
			if next < len(b) && b[next] == '.' {
				next = ascii.Run(b, next, phraseDots)
			}
		} else if n, _ := shape.QuoteAt(b, next); n > 0 {
			quoted, next = true, next+n
		}
		if next == from {
			break
		}
		from = next
		if quoted {
			break
		}
	}
	for quoted && from < len(b) && (b[from] == ' ' || bytes.HasPrefix(b[from:], []byte("\u00a0"))) {
		from++
	}
	if end := plainRun(b, from, quoted); end > 0 {
		r.found.announced("password", stated, from, end)
	}
}

var (
	phraseLeads = ascii.NewSet(" ,:")
	phraseDots  = ascii.NewSet(".eg")
	openQuotes  = ascii.NewLiterals(`"`, "„", "«", "“")
	shutQuotes  = ascii.NewLiterals(`"`, "“", "”", "»")
	spokenLeads = ascii.NewWords("i is ist est es das die la el namely")
)

// plainRun is the end of four to eight plain words at at, all small or all capitalised, none of which only holds sentences together; 0
// where there are fewer, or where the clause goes on behind them. In quotes one line end may be among them.
func plainRun(b []byte, at int, quoted bool) int {
	n, capitals, lines := 0, 0, 0
	for i := at; ; {
		end := prose.WordEnd(b, i)
		if word := b[i:end]; len(word) < 3 || prose.IsSmall(word) || shape.Of(word[1:]).Upper > 0 {
			return 0
		}
		if ascii.Uppers[b[i]] {
			capitals++
		}
		if n++; n > mostSpoken {
			return 0
		}
		next := ascii.Run(b, end, ascii.Blanks)
		if quoted && lines == 0 && next < len(b) && b[next] == '\n' {
			lines++
			next++
		}
		if next == end || next >= len(b) || !ascii.Letters[b[next]] {
			rest := bytes.TrimLeft(b[end:min(len(b), end+6)], "\u00a0 ")
			shut := shutQuotes.Begin(rest) != ""
			ends := len(rest) == 0 || rest[0] == '\n' || rest[0] == '.' || rest[0] == '('
			if n < leastSpoken || capitals > 0 && capitals < n || quoted && !shut || !quoted && !ends {
				return 0
			}
			return end
		}
		i = next
	}
}
