package chain

import (
	"slices"
	"strings"
	"testing"
)

var (
	claudeSyntax = agents[0].Imports
	geminiSyntax = agents[2].Imports
)

func paths(s Syntax, text string) (list []string) {
	for _, m := range s.mentions([]byte(text)) {
		list = append(list, m.path)
	}
	return list
}

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text     string
		claude, gemini string // joined by |
	}{
		{"none", "no import", "", ""},
		{"at the start", "@a.md", "a.md", "a.md"},
		{"in a sentence", "See @README for more and @docs/b.md.", "README|docs/b.md.", "README|docs/b.md."},
		{"mail", "me@example.com", "", ""},
		{"home", "- @~/.claude/x.md", "~/.claude/x.md", ""},
		{"above and absolute", "@../x.md @/etc/x.md @./y.md", "../x.md|/etc/x.md|./y.md", "../x.md|/etc/x.md|./y.md"},
		{"escaped space", `@my\ notes.md x`, "my notes.md", `my\`},
		{"span", "`@a.md` @b.md", "b.md", "b.md"},
		{"double span", "``x ` @a.md`` @b.md", "b.md", "b.md"},
		{"open backtick", "` @a.md", "a.md", "a.md"},
		{"span over lines", "`x\n@a.md` @b.md", "b.md", "b.md"},
		{"no span over paragraphs", "`x\n\n@a.md ` @b.md", "a.md|b.md", "b.md"},
		{"fence", "```\n@a.md\n```\n@b.md", "b.md", "b.md"},
		{"fence with a word", "```sh\n@a.md\n````\n@b.md", "b.md", "b.md"},
		{"long run alone", "```` @a.md", "", "a.md"},
		{"tildes", "~~~\n@a.md\n~~~\n@b.md", "b.md", "a.md|b.md"},
		{"open fence", "```\n@a.md", "", "a.md"},
		{"short fence inside", "````\n```\n@a.md\n````\n@b.md", "b.md", "b.md"},
		{"comment", "<!--\n@a.md\n-->\n@b.md", "b.md", "a.md|b.md"},
		{"indented", "    @a.md", "a.md", "a.md"},
		{"digits", "@1.md @_x.md", "1.md|_x.md", ""},
		{"only a sign", "@ @@ @!x", "", ""},
		{"not text", "@a\xff.md", "", ""},
	} {
		join := func(s Syntax) string { return strings.Join(paths(s, c.text), "|") }
		if got := join(claudeSyntax); got != c.claude {
			t.Errorf("%s: Claude Code imports %q, want %q", c.name, got, c.claude)
		}
		if got := join(geminiSyntax); got != c.gemini {
			t.Errorf("%s: Gemini CLI imports %q, want %q", c.name, got, c.gemini)
		}
	}
}

// An import is where its text says, after white space, and outside code.
func FuzzMentions(f *testing.F) {
	for _, s := range []string{"See @a.md", "```\n@a\n```", "`@a` @b", "<!-- @a --> @b", "~~~~\n~~~\n@x\n~~~~~ \n@y", strings.Repeat("`@a ", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range []Syntax{claudeSyntax, geminiSyntax} {
			at := 0
			for _, m := range s.mentions([]byte(text)) {
				if m.start < at || m.end > len(text) || text[m.start] != '@' || m.end-m.start < 2 ||
					m.start > 0 && !isBlank(text[m.start-1]) || m.path == "" {
					t.Fatalf("%+v in %q", m, text)
				}
				at = m.end
			}
		}
		code := markdownCode([]byte(text))
		if !slices.IsSortedFunc(code, func(a, b span) int { return a.start - b.start }) {
			t.Fatalf("code %v of %q", code, text)
		}
		for i, c := range code {
			if c.start >= c.end || c.end > len(text) || i > 0 && c.start < code[i-1].end {
				t.Fatalf("code %v of %q", code, text)
			}
		}
	})
}
