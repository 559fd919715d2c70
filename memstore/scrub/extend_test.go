package scrub

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/scrub/rule"
)

// A rule of the user that finds nothing of its own adds to the built-in one with its id, whether that has patterns or a detector.
func TestAllowAddsToABuiltInRule(t *testing.T) {
	phone, secret, token := "+49 30 2345"+"6789", strings.Join([]string{"Tr0ub4dor", "3x"}, "&"), "ghp_"+strings.Repeat("a1B2c3D4e5F6", 3)
	text := []byte("call " + phone + "\nThe Grafana password is " + secret + ".\nsee " + token + "\n")
	for _, value := range []string{phone, secret, token} {
		plain, _ := New(Options{})
		id := ruleOf(plain, text, value)
		if id == "" {
			t.Fatalf("%s is not found", value)
		}
		for _, key := range []string{"allow", "stop"} {
			file := fmt.Sprintf("[[rule]]\nid = %q\n%s = [%q]\n", id, key,
				map[string]string{"allow": "^" + strings.NewReplacer("+", `\+`).Replace(value[:8]), "stop": value[:8]}[key])
			more, problems := New(Options{Check: true, Files: []rule.File{{Name: "scrub.toml", Text: []byte(file)}}})
			if len(problems) > 0 {
				t.Fatalf("%s: %v", file, problems)
			}
			if got := ruleOf(more, text, value); got != "" {
				t.Errorf("%s with %s is found by %s", value, key, got)
			}
			for _, other := range []string{phone, secret, token} {
				if other != value && ruleOf(more, text, other) == "" {
					t.Errorf("%s of the rule %s hides %s too", key, id, other)
				}
			}
		}
	}
}

func ruleOf(e *Engine, text []byte, value string) string {
	for _, f := range e.Find("a.md", text) {
		if strings.Contains(string(text[f.Start:f.End]), value) {
			return f.Rule
		}
	}
	return ""
}

// allow and stop take out a value of every built-in rule that finds one in its own examples.
func TestAllowAndStopHoldForEveryRule(t *testing.T) {
	plain, _ := New(Options{On: []string{"private-text"}})
	type example struct {
		rule, value string
		text        []byte
	}
	var all []example // of the rules that find one by themselves: some leave theirs to another of their class
	for _, r := range plain.rules {
		if value, text := exampleOf(plain, r); value != "" {
			all = append(all, example{r.ID, value, text})
		}
	}
	if len(all) < len(plain.rules)*9/10 {
		t.Errorf("%d of %d rules have an example", len(all), len(plain.rules))
	}
	for key, entry := range map[string]func(string) string{"stop": strings.ToLower,
		"allow": func(value string) string { return "(?s)^" + regexp.QuoteMeta(value) + "$" }} {
		var file strings.Builder
		for _, x := range all {
			fmt.Fprintf(&file, "[[rule]]\nid = %q\n%s = [%q]\n", x.rule, key, entry(x.value))
		}
		e, problems := New(Options{On: []string{"private-text"}, Files: []rule.File{{Name: "scrub.toml", Text: []byte(file.String())}}})
		for _, p := range problems {
			t.Errorf("%s: %s", p.Rule, p.Reason)
		}
		for _, x := range all {
			for _, f := range e.Find("example.txt", x.text) {
				if f.Rule == x.rule && string(x.text[f.Start:f.End]) == x.value {
					t.Errorf("%s finds %q in spite of %s", x.rule, x.value, key)
				}
			}
		}
	}
}

// exampleOf is a value that a rule finds in one of its own examples, and that text.
func exampleOf(e *Engine, r *rule.Rule) (string, []byte) {
	chance := rule.ChanceOf(r.ID)
	texts := slices.Clone(r.Examples)
	for range r.Patterns {
		texts = append(texts, "so {match} it is")
	}
	for _, source := range texts {
		text, err := r.Expand(source, chance)
		if err != nil {
			continue
		}
		for _, f := range e.Find("example.txt", []byte(text)) {
			if f.Rule == r.ID {
				return text[f.Start:f.End], []byte(text)
			}
		}
	}
	return "", nil
}
