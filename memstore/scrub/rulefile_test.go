package scrub

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"memcurator/memstore/scrub/rule"
)

func TestUserRules(t *testing.T) {
	text := `[class.ticket]
title = "Ticket"
severity = "low"

[[rule]]
id = "ticket"
patterns = ["TCK-{digit:6}"]
examples = ["see {match}"]
counterexamples = ["TCK-12"]

[[rule]]
id = "broken-regex"
regex = "a(b"
keywords = ["a"]

[[rule]]
id = "wrong-example"
regex = "zz[0-9]+"
keywords = ["zz"]
examples = ["yy12"]

[[rule]]
id = "unknown-key"
patterns = ["Q{digit:4}"]
colour = "red"

[[rule]]
id = "email"
class = "email"
regex = "never-[0-9]{12}"
keywords = ["never-"]
`
	e, problems := New(Options{Files: []rule.File{{Name: "scrub.toml", Text: []byte(text)}}})
	want := []string{
		"11 broken-regex: the regex does not compile",
		"16 wrong-example: does not find its example",
		"25 : unknown key \"rule.colour\"",
	}
	for _, w := range want {
		line, rest, _ := strings.Cut(w, " ")
		id, reason, _ := strings.Cut(rest, ": ")
		if !slices.ContainsFunc(problems, func(p rule.Problem) bool {
			return p.File == "scrub.toml" && strconv.Itoa(p.Line) == line && p.Rule == id && strings.Contains(p.Reason, reason)
		}) {
			t.Errorf("no problem like %q in %+v", w, problems)
		}
	}
	if len(problems) != len(want) {
		t.Errorf("%d problems: %+v", len(problems), problems)
	}
	found := e.Find("a.md", []byte("bob@corp.io wrote TCK-482913 and zz12"))
	if len(found) != 1 || found[0].Class != "ticket" || found[0].Severity != rule.Low {
		t.Errorf("%+v", found)
	}
	if c := e.Class("ticket"); c.Title != "Ticket" || c.Personal {
		t.Errorf("%+v", c)
	}
}

// A file that can't be read is named with its line, and the rest works.
func TestBrokenRuleFile(t *testing.T) {
	for _, text := range []string{"[[rule]]\nid = \n", "[[rule]]\nwindow = \"wide\"\n"} {
		e, problems := New(Options{Files: []rule.File{{Name: "scrub.toml", Text: []byte(text)}}})
		if len(problems) != 1 || problems[0].Line != 2 {
			t.Errorf("%+v", problems)
		}
		if len(e.Find("a.md", []byte("mail bob@corp.io"))) != 1 {
			t.Error("the embedded rules are gone")
		}
	}
}
