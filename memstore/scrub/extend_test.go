package scrub

import (
	"fmt"
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
			more, problems := New(Options{Files: []rule.File{{Name: "scrub.toml", Text: []byte(file)}}})
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
