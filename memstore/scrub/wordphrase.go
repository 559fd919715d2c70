package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

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
	quoted := bytes.HasSuffix(b[:at], []byte("\"")) || bytes.HasSuffix(b[:at], []byte("„")) || bytes.HasSuffix(b[:at], []byte("«")) ||
		bytes.HasSuffix(b[:at], []byte("“"))
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
			shut := len(rest) > 0 && (rest[0] == '"' || bytes.HasPrefix(rest, []byte("“")) || bytes.HasPrefix(rest, []byte("”")) ||
				bytes.HasPrefix(rest, []byte("»")))
			ends := len(rest) == 0 || rest[0] == '\n' || rest[0] == '.' || rest[0] == '('
			if n < leastSpoken || capitals > 0 && capitals < n || quoted && !shut || !quoted && !ends {
				return 0
			}
			return end
		}
		i = next
	}
}
