package ascii

import (
	"strings"
	"testing"
)

func TestPhrases(t *testing.T) {
	t.Parallel()
	list := []string{"ssh-", "ssh-copy", "から", "ab", "Zb", "号", `\w`}
	folded, literal := NewPhrases("ssh-", "ssh-copy", "から", "ab", "zb", "号", `\w`), NewLiterals(list...)
	for _, text := range []string{"", "a", "ab", "xAB", "Zb", "zb", "ZB", "SSH-COPY", "ssh-copy", "use ssh-", "12号", "値から次へ", `a\W`, `a\wb`, "か"} {
		b := []byte(text)
		for name, c := range map[string]struct {
			p    *phrases
			text string
			list []string
		}{
			"literal": {literal, text, list},
			"folded":  {folded, ToLower(text), []string{"ssh-", "ssh-copy", "から", "ab", "zb", "号", `\w`}},
		} {
			in, begin, end := false, "", ""
			for _, s := range c.list {
				in = in || strings.Contains(c.text, s)
				if begin == "" && strings.HasPrefix(c.text, s) {
					begin = s
				}
				if end == "" && strings.HasSuffix(c.text, s) {
					end = s
				}
			}
			if c.p.In(b) != in || c.p.Begin(b) != begin || c.p.End(b) != end {
				t.Errorf("%s %q: in %v, begins with %q, ends with %q; want %v, %q, %q", name, text, c.p.In(b), c.p.Begin(b), c.p.End(b), in, begin, end)
			}
		}
	}
}
