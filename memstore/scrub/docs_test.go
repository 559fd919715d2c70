package scrub

import (
	"os"
	"strings"
	"testing"

	"memcurator/memstore/scrub/rule"
)

// The rules that the documentation shows load, and pass their own examples.
func TestDocumentedRules(t *testing.T) {
	text, err := os.ReadFile("../../docs/rules.md")
	if err != nil {
		t.Skip("the documentation is not here")
	}
	blocks := strings.Split(string(text), "```")
	shown := 0
	for i := 1; i < len(blocks); i += 2 {
		body, ok := strings.CutPrefix(blocks[i], "toml\n")
		if !ok {
			continue
		}
		shown++
		e, problems := New(Options{Files: []rule.File{{Name: "rules.md", Text: []byte(body)}}})
		if len(problems) > 0 {
			t.Errorf("%+v", problems)
		}
		if strings.Contains(body, "magic word") && len(e.Find("a.md", []byte("the magic word is xyzzy77!"))) != 1 {
			t.Error("the cue of the documentation finds nothing")
		}
	}
	if shown != 3 {
		t.Errorf("%d blocks of rules", shown)
	}
}
