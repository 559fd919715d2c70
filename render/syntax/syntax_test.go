package syntax

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"memcurator/render/flow"
	"memcurator/render/text"
)

// marked writes the roles of lines in short: k keyword, n name, s string, # number, c comment.
func marked(lines []flow.Line) string {
	sign := map[flow.Role]string{flow.Keyword: "k", flow.Name: "n", flow.String: "s", flow.Number: "#", flow.Comment: "c",
		flow.Inserted: "+", flow.Deleted: "-"}
	var b strings.Builder
	for _, l := range lines {
		for _, s := range l.Spans {
			if c := sign[s.Role]; c != "" {
				fmt.Fprintf(&b, "<%s %s>", c, s.Text)
			} else {
				b.WriteString(s.Text)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestLanguages(t *testing.T) {
	for _, c := range []struct{ file, src, want string }{
		{"a.json", `{"k": "v", "n": -1.5, "t": true}`, `{<n "k">: <s "v">, <n "n">: <# -1.5>, <n "t">: <k true>}`},
		{"a.yaml", "# c\nname: x\nn: 12\nl:\n  - true\n", "<c # c>\n<n name>: x\n<n n>: <# 12>\n<n l>:\n  - <k true>"},
		{"a.yaml", "a: | # c\n  x: y # z\n\n  - 1\nb: 2", "<n a>: | <c # c>\n<s   x: y # z>\n\n<s   - 1>\n<n b>: <# 2>"},
		{"a.yaml", "l:\n  - k: >-\n      n: 1\n    o: !t |2+\n     p: 1\n  -\n  - |\n   q: 1\n  - r: 1",
			"<n l>:\n  - <n k>: >-\n<s       n: 1>\n    <n o>: !t |<# 2>+\n<s      p: 1>\n  -\n  - |\n<s    q: 1>\n  - <n r>: <# 1>"},
		{"a.yaml", "a: b|\nc: 1\nd: 2026-11-21\ne: 2026-11-21 10:00:00.5+01:00\nf: 2026-11-2x",
			"<n a>: b|\n<n c>: <# 1>\n<n d>: <# 2026-11-21>\n<n e>: <# 2026-11-21 10:00:00.5+01:00>\n<n f>: <# 2026>-<# 11>-<# 2x>"},
		{"a.toml", "d = 2026-11-21T10:00:00Z", "<n d> = <# 2026-11-21T10:00:00Z>"},
		{"a.diff", "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same", "<k --- a/x>\n<k +++ b/x>\n<# @@ -1 +1 @@>\n<- -old>\n<+ +new>\n same"},
		{"a.toml", "[a.b]\nk = 'v' # c\nm = \"\"\"\nx\n\"\"\"\nn = 3", "<k [a.b]>\n<n k> = <s 'v'> <c # c>\n<n m> = <s \"\"\">\n<s " +
			"x>\n<s \"\"\">\n<n n> = <# 3>"},
		{"a.xml", "<a b=\"c\"\n d='e'>t &amp; u</a><!-- x\ny -->z", "<k <a> <n b>=<s \"c\">\n <n d>=<s 'e'><k >>t &amp; u<k </a>><c " +
			"<!-- x>\n<c y -->>z"},
		{"a.go", "func f() { // c\n\treturn `a\nb` + 1 /* x\ny */\n}", "<k func> f() { <c // c>\n        <k return> <s `a>\n<s b`> + " +
			"<# 1> <c /* x>\n<c y */>\n}"},
		{"a.py", "def f():\n    '''doc\n    more'''\n    return None # c", "<k def> f():\n    <s '''doc>\n<s     more'''>\n    <k " +
			"return> <k None> <c # c>"},
		{"a.sh", "if true; then echo \"a b\" # c\nfi", "<k if> <k true>; <k then> <k echo> <s \"a b\"> <c # c>\n<k fi>"},
		{"a.txt", "plain # text", "plain # text"},
	} {
		lines := Lines([]byte(c.src), ForFile(c.file), false, flow.Options{Width: 80})
		if got := strings.TrimRight(marked(lines), "\n"); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.file, got, c.want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("a.go", []byte("func f() { /* \x1b[31m */ `\xff\n` }"))
	f.Add("a.xml", []byte("<a\n\u202e b='"))
	f.Add("a.yaml", []byte("k: \"\\\"\n- 'x'\t# y"))
	f.Add("a.json", []byte(`{"a": 1,`))
	f.Add("a.yml", []byte("- a: &x |+\n    b: 2026-11-21T10:00\n\t\n"))
	f.Add("a", []byte("0000000000000000000000 \u0306"+strings.Repeat("0", 60))) // a break before a blank with a mark
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		lines := Lines(src, ForFile(name), false, flow.Options{Width: 30})
		if n := bytes.Count(bytes.TrimSuffix(src, []byte("\n")), []byte("\n")) + 1; len(lines) != n && len(src) > 0 {
			t.Fatalf("%d lines for %d", len(lines), n)
		}
		for _, r := range flow.Rows(nil, lines, flow.Options{Width: 30}) {
			checkRow(t, r, 30)
		}
		if out, ok := IndentJSON(src, 1<<20); ok {
			var a, b bytes.Buffer
			if json.Compact(&a, src) != nil || json.Compact(&b, out) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
				t.Fatalf("%q became %q", src, out)
			}
		}
	})
}

func checkRow(t *testing.T, r flow.Row, width int) {
	t.Helper()
	joined := ""
	for _, s := range r.Spans {
		joined += s.Text
	}
	if w := text.Width(joined); w != r.Width || w > width || flow.Width(r.Spans) != w {
		t.Fatalf("%q is %d cells wide, the row says %d, its spans %d, the limit is %d", joined, w, r.Width, flow.Width(r.Spans), width)
	}
	if text.Clean(joined) != joined {
		t.Fatalf("%q is not clean", joined)
	}
}

func BenchmarkLines(b *testing.B) {
	src := []byte(strings.Repeat("\tif err := run(ctx, \"name\", 12); err != nil { // why\n", 1000))
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		Lines(src, goLanguage, false, flow.Options{Width: 100})
	}
}

func TestIndentJSON(t *testing.T) {
	got, ok := IndentJSON([]byte(`{"a":[1,2,{}],"b":"x, {y} \" z","c":[ ]}`), 1000)
	want := "{\n  \"a\": [\n    1,\n    2,\n    {}\n  ],\n  \"b\": \"x, {y} \\\" z\",\n  \"c\": []\n}"
	if !ok || string(got) != want {
		t.Errorf("got %v %s", ok, got)
	}
	if _, ok := IndentJSON([]byte(`{"a":`), 1000); ok {
		t.Error("half a value was laid out")
	}
	deep := strings.Repeat("[", 5000) + "1" + strings.Repeat("]", 5000)
	if _, ok := IndentJSON([]byte(deep), 64<<10); ok {
		t.Error("the limit was passed over")
	}
}
