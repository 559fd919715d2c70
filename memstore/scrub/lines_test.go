package scrub

import (
	"bufio"
	"encoding/base64"
	"os"
	"strings"
	"testing"

	"memcurator/memstore/scrub/rule"
)

// lineCase is one line of testdata, expanded.
type lineCase struct {
	line   int
	name   string
	text   string
	values []string
}

// readLines reads a file of testdata. Values are made again for each round.
func readLines(t testing.TB, file string, round int) []lineCase {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []lineCase
	scanner := bufio.NewScanner(f)
	for n := 1; scanner.Scan(); n++ {
		line := scanner.Text()
		if line == "" || line[0] == '#' && !strings.HasPrefix(line, "## ") {
			continue
		}
		c := lineCase{line: n, name: "note.md", text: line}
		if name, rest, ok := strings.Cut(line, ">"); ok && strings.HasPrefix(name, "a.") {
			c.name, c.text = name, rest
		}
		c.text = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\r`, "\r").Replace(c.text)
		text, err := (&rule.Rule{}).Expand(c.text, rule.ChanceOf(line+string(rune('a'+round))))
		if err != nil {
			t.Fatal(err)
		}
		for {
			before, after, ok := strings.Cut(text, "⟪")
			if !ok {
				break
			}
			inner, rest, _ := strings.Cut(after, "⟫")
			text = before + base64.StdEncoding.EncodeToString([]byte(inner)) + rest
		}
		var plain strings.Builder
		for rest := text; rest != ""; {
			before, after, ok := strings.Cut(rest, "⟦")
			plain.WriteString(before)
			if !ok {
				break
			}
			value, end, _ := strings.Cut(after, "⟧")
			plain.WriteString(value)
			c.values = append(c.values, value)
			rest = end
		}
		c.text = plain.String()
		out = append(out, c)
	}
	return out
}

// survives reports a piece of a value that is still in text.
func survives(text, value string) bool {
	n := min(len(value), 6)
	for i := 0; i+n <= len(value); i++ {
		if strings.Contains(text, value[i:i+n]) {
			return true
		}
	}
	return false
}

// Each line is found with most values of its kind: a random value may look like a word, or like an example.
func TestFinds(t *testing.T) {
	e := engine(t)
	const rounds = 3
	missed := map[int]int{} // by line
	for round := range rounds {
		for _, c := range readLines(t, "finds.txt", round) {
			out, _ := e.Scrub(c.name, []byte(c.text), nil)
			for _, v := range c.values {
				if survives(string(out), v) {
					if missed[c.line]++; missed[c.line] > rounds/2 {
						t.Errorf("finds.txt:%d: %q leaves %q of %q", c.line, c.text, out, v)
					}
				}
			}
			if again, counts := e.Scrub(c.name, out, nil); len(counts) > 0 {
				t.Errorf("finds.txt:%d: a second run makes %q of %q", c.line, again, out)
			}
		}
	}
	if len(missed) > 10 {
		t.Errorf("%d lines were missed once: %v", len(missed), missed)
	}
}

func TestLeaves(t *testing.T) {
	e := engine(t)
	for round := range 2 {
		for _, c := range readLines(t, "leaves.txt", round) {
			if found := e.Find(c.name, []byte(c.text)); len(found) > 0 {
				for _, f := range found {
					t.Errorf("leaves.txt:%d: %s finds %q in %q", c.line, f.Rule, c.text[f.Start:f.End], c.text)
				}
			}
		}
	}
}
