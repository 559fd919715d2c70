package scrub

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/rule"
	"memcurator/memstore/scrub/shape"
)

// tryExamples runs the examples and counterexamples of rules. In both, "{match}" stands
// for a text made by the rule's first pattern, and "{set:n}" is as in patterns; no rule
// file needs to hold a token.
func (e *Engine) tryExamples(rules []*rule.Rule) []rule.Problem {
	var problems []rule.Problem
	for _, r := range rules {
		if e.byID[r.ID] != r {
			continue
		}
		chance := chanceOf(r.ID)
		if why := e.tryRule(r, chance); why != "" {
			problems = append(problems, rule.Problem{File: r.File, Line: r.Line, Rule: r.ID, Reason: why})
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

func (e *Engine) tryRule(r *rule.Rule, chance *rand.Rand) string {
	for i := range r.Patterns {
		if r.Required {
			break
		}
		made, ok := makeMatch(r, i, chance)
		if !ok {
			return fmt.Sprintf("pattern %q: no text that it matches passes the rule's own conditions", r.Patterns[i].Source)
		}
		if !e.finds(r, "so "+made+" it is") {
			return fmt.Sprintf("pattern %q does not find what it makes", r.Patterns[i].Source)
		}
	}
	for _, source := range r.Examples {
		text, err := expand(r, source, chance)
		if err != nil {
			return err.Error()
		}
		if !e.finds(r, text) {
			return fmt.Sprintf("does not find its example %q", source)
		}
	}
	for _, source := range r.Counterexamples {
		text, err := expand(r, source, chance)
		if err != nil {
			return err.Error()
		}
		if slices.ContainsFunc(e.Find("counter.txt", []byte(text)), func(f Finding) bool { return f.Rule == r.ID }) {
			return fmt.Sprintf("finds its counterexample %q", source)
		}
	}
	return ""
}

// finds reports whether the rule, or another of its class at the same place, finds something.
func (e *Engine) finds(r *rule.Rule, text string) bool {
	return slices.ContainsFunc(e.Find("example.txt", []byte(text)), func(f Finding) bool { return f.Rule == r.ID || f.Class == r.Class })
}

// makeMatch makes a text that one pattern matches and the conditions of the rule accept.
func makeMatch(r *rule.Rule, i int, chance *rand.Rand) (string, bool) {
	for range 4000 {
		text := r.Patterns[i].Example(chance)
		if r.Accepts([]byte(text)) && (r.Check != "token" || shape.TokenLike([]byte(text[len(r.Patterns[i].Prefix()):]))) {
			return text, true
		}
	}
	return "", false
}

// expand fills in an example.
func expand(r *rule.Rule, source string, chance *rand.Rand) (string, error) {
	if strings.Contains(source, "{match}") && len(r.Patterns) > 0 {
		made, ok := makeMatch(r, 0, chance)
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
		p, err := rule.ParsePiece(body)
		if !ok || err != nil {
			out.WriteByte('{')
			rest = rest[open+1:]
			continue
		}
		out.WriteString((&rule.Pattern{Pieces: []rule.Piece{p}}).Example(chance))
		rest = after
	}
	return out.String(), nil
}

// makeIBAN makes an account number of a country, digits only behind its code.
func makeIBAN(country string, chance *rand.Rand) string {
	account := (&rule.Pattern{Pieces: []rule.Piece{{Set: ascii.Digits, Min: shape.IBANLength[country] - 4,
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
