package markdown

import (
	"strings"
	"testing"
	"time"

	"memcurator/render/flow"
	"memcurator/render/text"
)

// rendered is the whole text at a width, without looks.
func rendered(src string, o flow.Options) string {
	var out []string
	for _, r := range flow.Rows(nil, Lines([]byte(src), o), o) {
		var b strings.Builder
		for _, s := range r.Spans {
			b.WriteString(s.Text)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return strings.Join(out, "\n")
}

func at(width int) flow.Options { return flow.Options{Width: width} }

func TestLayout(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"heading and paragraph", "# Title\none\ntwo  \nthree", "# Title\n\none\ntwo\nthree"},
		{"setext", "Title\n===\nx", "# Title\n\nx"},
		{"emphasis", "a **b** *c* ~~d~~ `e*`", "a b c d e*"},
		{"list", "- a\n- b\n  - c\n- [x] d\n- [ ] e", "• a\n• b\n  • c\n• [x] d\n• [ ] e"},
		{"numbers", "3. a\n4. b\n\nx", "3. a\n4. b\n\nx"},
		{"loose list", "- a\n\n- b", "• a\n\n• b"},
		{"hanging", "- one two three four five six seven", "• one two three four five\n  six seven"},
		{"quote", "> a\n> - b\n>\n> c", "│ a\n│\n│ • b\n│\n│ c"},
		{"code", "```go\nx := 1\n```\n\n    y\n", "go\n  x := 1\n\n  y"},
		{"link", "[a](http://b.c \"t\") <http://d.e>", "a (http://b.c \"t\") http://\nd.e"},
		{"reference", "[a][r] [r]\n\n[r]: /x \"T\"", "a (/x \"T\") r (/x \"T\")\n\n[r]: /x \"T\""},
		{"image", "![alt](p.png)", "[image: alt] (p.png)"},
		{"html", "a <b>c</b>\n\n<div onclick=x>\n<!-- hidden -->\n</div>", "a <b>c</b>\n\n<div onclick=x>\n<!-- hidden -->\n</div>"},
		{"rule", "a\n\n---\n\nb", "a\n\n" + strings.Repeat("─", 26) + "\n\nb"},
		{"table", "| a | bb |\n|---|---:|\n| 1 | 2 |\n| x | long |", "a │   bb\n──┼─────\n1 │    2\nx │ long"},
		{"entities", `&lt;a&gt; &amp;lt; \&lt; \* &#35;`, "<a> &lt; &lt; * #"},
		{"wiki", "see [[notes/a]] now", "see [[notes/a]] now"},
		{"wide letters", "日本語のとても長い文章をここに書いておく", "日本語のとても長い文章をこ\nこに書いておく"},
		{"empty item", "-\n- b", "•\n• b"},
	} {
		if got := rendered(c.src, at(26)); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// What the file holds must never act on the terminal, also when it is written as an entity.
func TestHostile(t *testing.T) {
	got := rendered("&#27;[31m \x1b]8;;http://x\x07y &#x202e;z \xff [a](javascript:&#27;c)\n\n```\x1b[2J\n\u200b\r\n```", at(60))
	for _, want := range []string{"^[[31m", "^[]8;;http://x^Gy", "<U+202E>z", `\xff`, "^[[2J", "<U+200B>"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if strings.Contains(got, "\x1b") {
		t.Errorf("an escape got through: %q", got)
	}
}

// A text costs little whatever it holds.
func TestHostileTextsAreCheap(t *testing.T) {
	for _, unit := range []string{"[", "*a ", "`a``", "![", "> ", "- ", "<", "[a](", "_*", "|", "&", "\\", "a_", "**a *", "]("} {
		for _, sep := range []string{"", "\n"} {
			src := []byte(strings.Repeat(unit+sep, (128<<10)/len(unit+sep)))
			began := time.Now()
			flow.Rows(nil, Lines(src, at(80)), at(80))
			if took := time.Since(began); took > 20*time.Second {
				t.Errorf("%q%q takes more than linear time: %v", unit, sep, took)
			}
		}
	}
}

func FuzzRender(f *testing.F) {
	for _, s := range []string{"# a\n- b\n> c\n```go\nx\n```\n|a|b|\n|-|-|\n|1|2|", "\x1b[31m\u202e\xff\t[[x]] ![a](b)",
		"1. a\n\n   b\n10) c\n* * *\n- [x] d", "&#27;&amp;\\&lt;<b>[r]\n\n[r]: x 'y'", "日本語\u0301👩‍👩‍👧 e\u0301"} {
		f.Add([]byte(s), uint8(30))
	}
	f.Fuzz(func(t *testing.T, src []byte, width uint8) {
		if len(src) > 4<<10 {
			return
		}
		for _, o := range []flow.Options{at(int(width)), {Width: 24, Text: text.Options{ASCII: true, Clusters: true}}} {
			for _, r := range flow.Rows(nil, Lines(src, o), o) {
				check(t, r, o)
			}
		}
	})
}

func check(t *testing.T, r flow.Row, o flow.Options) {
	t.Helper()
	joined := ""
	for _, s := range r.Spans {
		joined += s.Text
		if s.Link > len(r.Links) {
			t.Fatalf("link %d of %d", s.Link, len(r.Links))
		}
	}
	for _, c := range joined {
		if c < 0x20 || c >= 0x7f && c < 0xa0 {
			t.Fatalf("%q holds a control character", joined)
		}
	}
	if !o.Text.Clusters {
		if w := text.Width(joined); w != r.Width || flow.Width(r.Spans) != w {
			t.Fatalf("%q is %d cells wide, the row says %d, its spans %d", joined, w, r.Width, flow.Width(r.Spans))
		}
	}
	if r.Width > max(o.Width, 12) {
		t.Fatalf("%q is %d cells wide, the limit is %d", joined, r.Width, o.Width)
	}
}
