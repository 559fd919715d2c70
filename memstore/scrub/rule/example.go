package rule

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// ChanceOf is the same for the same id, so that examples do not change from run to run.
func ChanceOf(id string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(id))
	return rand.New(rand.NewPCG(h.Sum64(), 7))
}

// Make makes a text that one pattern matches and the conditions of the rule accept.
func (r *Rule) Make(i int, chance *rand.Rand) (string, bool) {
	for range 4000 {
		text := r.Patterns[i].Example(chance)
		if r.Accepts([]byte(text)) && (r.Check != "token" || shape.TokenLike([]byte(text[len(r.Patterns[i].Prefix()):]))) {
			return text, true
		}
	}
	return "", false
}

// Expand fills in an example.
func (r *Rule) Expand(source string, chance *rand.Rand) (string, error) {
	if strings.Contains(source, "{match}") && len(r.Patterns) > 0 {
		made, ok := r.Make(0, chance)
		if !ok {
			return "", fmt.Errorf("nothing matches pattern %q", r.Patterns[0].Source)
		}
		source = strings.ReplaceAll(source, "{match}", made)
	}
	if !strings.Contains(source, "{") {
		return source, nil
	}
	var out strings.Builder
	for rest := source; rest != ""; {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			out.WriteString(rest)
			break
		}
		out.WriteString(rest[:open])
		body, after, ok := strings.Cut(rest[open+1:], "}")
		if country, isAccount := strings.CutPrefix(body, "iban:"); ok && isAccount {
			out.WriteString(makeIBAN(country, chance))
			rest = after
			continue
		}
		p, err := parsePiece(body)
		if !ok || err != nil {
			out.WriteByte('{')
			rest = rest[open+1:]
			continue
		}
		out.WriteString((&Pattern{Pieces: []piece{p}}).Example(chance))
		rest = after
	}
	return out.String(), nil
}

// makeIBAN makes an account number of a country, digits only behind its code.
func makeIBAN(country string, chance *rand.Rand) string {
	account := (&Pattern{Pieces: []piece{{Set: ascii.Digits, Min: shape.IBANLength[country] - 4,
		Max: shape.IBANLength[country] - 4}}}).Example(chance)
	if country == "GB" {
		account = "BANK" + account[4:]
	}
	for check := range 98 {
		if text := fmt.Sprintf("%s%02d%s", country, check, account); shape.IBAN([]byte(text)) {
			return text
		}
	}
	return ""
}
