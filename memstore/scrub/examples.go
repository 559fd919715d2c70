package scrub

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// tryExamples runs the examples and counterexamples of rules. In both, "{match}" stands
// for a text made by the rule's first pattern, and "{set:n}" is as in patterns; no rule
// file needs to hold a token.
func (e *Engine) tryExamples(rules []*rule) []Problem {
	var problems []Problem
	for _, r := range rules {
		if e.byID[r.id] != r {
			continue
		}
		chance := chanceOf(r.id)
		if why := e.tryRule(r, chance); why != "" {
			problems = append(problems, Problem{r.file, r.line, r.id, why})
		}
	}
	return problems
}

// chanceOf is the same for the same id, so that examples do not change from run to run.
func chanceOf(id string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(id))
	return rand.New(rand.NewPCG(h.Sum64(), 7))
}

func (e *Engine) tryRule(r *rule, chance *rand.Rand) string {
	for i := range r.patterns {
		if r.required {
			break
		}
		made, ok := r.make(i, chance)
		if !ok {
			return fmt.Sprintf("pattern %q: no text that it matches passes the rule's own conditions", r.patterns[i].source)
		}
		if !e.finds(r, "so "+made+" it is") {
			return fmt.Sprintf("pattern %q does not find what it makes", r.patterns[i].source)
		}
	}
	for _, source := range r.examples {
		text, err := r.expand(source, chance)
		if err != nil {
			return err.Error()
		}
		if !e.finds(r, text) {
			return fmt.Sprintf("does not find its example %q", source)
		}
	}
	for _, source := range r.counterexamples {
		text, err := r.expand(source, chance)
		if err != nil {
			return err.Error()
		}
		if slices.ContainsFunc(e.Find("counter.txt", []byte(text)), func(f Finding) bool { return f.Rule == r.id }) {
			return fmt.Sprintf("finds its counterexample %q", source)
		}
	}
	return ""
}

// finds reports whether the rule, or another of its class at the same place, finds something.
func (e *Engine) finds(r *rule, text string) bool {
	return slices.ContainsFunc(e.Find("example.txt", []byte(text)), func(f Finding) bool { return f.Rule == r.id || f.Class == r.class })
}

// make makes a text that one pattern matches and the conditions of the rule accept.
func (r *rule) make(i int, chance *rand.Rand) (string, bool) {
	in := &passage{}
	f := &proposals{in: in}
	bare := *r
	bare.required = false
	for range 4000 {
		text := r.patterns[i].example(chance)
		in.text = []byte(text)
		if f.accept(&bare, 0, len(text)) && (r.check != "token" || shape.TokenLike(in.text[len(r.patterns[i].prefix()):])) {
			return text, true
		}
	}
	return "", false
}

// expand fills in an example.
func (r *rule) expand(source string, chance *rand.Rand) (string, error) {
	if strings.Contains(source, "{match}") && len(r.patterns) > 0 {
		made, ok := r.make(0, chance)
		if !ok {
			return "", fmt.Errorf("nothing matches pattern %q", r.patterns[0].source)
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
		out.WriteString((&pattern{pieces: []piece{p}}).example(chance))
		rest = after
	}
	return out.String(), nil
}

// makeIBAN makes an account number of a country, digits only behind its code.
func makeIBAN(country string, chance *rand.Rand) string {
	account := (&pattern{pieces: []piece{{set: ascii.Digits, min: shape.IBANLength[country] - 4,
		max: shape.IBANLength[country] - 4}}}).example(chance)
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
