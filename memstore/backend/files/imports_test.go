package files

import (
	"strings"
	"testing"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{ // joined by |
		{"none", "no import", ""},
		{"at the start", "@a.md", "a.md"},
		{"in a sentence", "See @README for more and @docs/b.md.", "README|docs/b.md"},
		{"mail", "me@example.com", ""},
		{"home", "- @~/.claude/x.md", "~/.claude/x.md"},
		{"above and absolute", "@../x.md @/etc/x.md @./y.md", "../x.md|/etc/x.md|./y.md"},
		{"escaped space", `@my\ notes.md x`, "my notes.md"},
		{"span", "`@a.md` @b.md", "b.md"},
		{"double span", "``x ` @a.md`` @b.md", "b.md"},
		{"open backtick", "` @a.md", "a.md"},
		{"fence", "```\n@a.md\n```\n@b.md", "b.md"},
		{"fence with a word", "```sh\n@a.md\n````\n@b.md", "b.md"},
		{"tildes", "~~~\n@a.md\n~~~\n@b.md", "b.md"},
		{"open fence", "```\n@a.md", ""},
		{"comment", "<!--\n@a.md\n-->\n@b.md", "b.md"},
		{"not text", "@a\xff.md", ""},
	} {
		if got := strings.Join(mentions([]byte(c.text)), "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// An import is in its text, and outside code.
func FuzzMentions(f *testing.F) {
	for _, s := range []string{"See @a.md", "```\n@a\n```", "`@a` @b", "<!-- @a --> @b", "~~~~\n~~~\n@x\n~~~~~ \n@y", strings.Repeat("`@a ", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, m := range mentions([]byte(text)) {
			if m == "" || !strings.Contains(strings.ReplaceAll(text, `\ `, " "), "@"+m) {
				t.Fatalf("%q in %q", m, text)
			}
		}
		if list := mentions([]byte("```\n" + strings.ReplaceAll(text, "`", "") + "\n```")); len(list) > 0 {
			t.Fatalf("%q in the code %q", list, text)
		}
	})
}
