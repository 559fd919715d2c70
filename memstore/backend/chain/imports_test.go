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

// Code is what the expression of Gemini CLI matches. It needs an engine with back references; here every match is tried.
func TestBetweenBackticks(t *testing.T) {
	t.Parallel()
	var each func(text string)
	each = func(text string) {
		var want []span
		for at := 0; at < len(text); {
			end := -1
			run := len(text[at:]) - len(strings.TrimLeft(text[at:], "`"))
			for k := run; k > 0 && end < 0; k-- {
				if i := strings.Index(text[at+k:], strings.Repeat("`", k)); i >= 0 {
					end = at + k + i + k
				}
			}
			if end < 0 {
				at++
				continue
			}
			want = append(want, span{at, end})
			at = end
		}
		if got := betweenBackticks([]byte(text)); !slices.Equal(got, want) {
			t.Fatalf("code of %q is %v, want %v", text, got, want)
		}
		if len(text) < 9 {
			each(text + "`")
			each(text + "x")
		}
	}
	each("")
}

// A text of backticks takes no time in the square of its length.
func TestMentionsAreLinear(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{"`@a ", "``` @a\n", "<!-- @a\n", "~~~\n@a\n", "@", " @a", "`` ` "} {
		claudeSyntax.mentions([]byte(strings.Repeat(unit, 1<<20/len(unit))))
		geminiSyntax.mentions([]byte(strings.Repeat(unit, 1<<20/len(unit))))
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for _, rel := range []string{"CLAUDE.md", ".claude/rules/a.md", "a/.b/..c/d", "a b/ü.md"} {
		name, ok := shown(rel)
		if !ok || onDisk(name) != rel || strings.Contains("/"+name, "/.") {
			t.Errorf("%s is shown as %s (%v), back %s", rel, name, ok, onDisk(name))
		}
	}
	for _, rel := range []string{"dot-claude/a.md", "node_modules/a.md", "a/.tmp-12-abcd"} {
		if name, ok := shown(rel); ok {
			t.Errorf("%s is shown as %s", rel, name)
		}
	}
}
