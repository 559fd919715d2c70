package scrub

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"memcurator/memstore/scrub/rule"
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
		chance := rule.ChanceOf(r.ID)
		if why := e.tryRule(r, chance); why != "" {
			problems = append(problems, rule.Problem{File: r.File, Line: r.Line, Rule: r.ID, Reason: why})
		}
	}
	return problems
}

func (e *Engine) tryRule(r *rule.Rule, chance *rand.Rand) string {
	for i := range r.Patterns {
		if r.Required {
			break
		}
		made, ok := r.Make(i, chance)
		if !ok {
			return fmt.Sprintf("pattern %q: no text that it matches passes the rule's own conditions", r.Patterns[i].Source)
		}
		if !e.finds(r, "so "+made+" it is") {
			return fmt.Sprintf("pattern %q does not find what it makes", r.Patterns[i].Source)
		}
	}
	for _, source := range r.Examples {
		text, err := r.Expand(source, chance)
		if err != nil {
			return err.Error()
		}
		if !e.finds(r, text) {
			return fmt.Sprintf("does not find its example %q", source)
		}
	}
	for _, source := range r.Counterexamples {
		text, err := r.Expand(source, chance)
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
