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
	sign := map[flow.Role]string{flow.Keyword: "k", flow.Name: "n", flow.String: "s", flow.Number: "#", flow.Comment: "c"}
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
	for _, c := range []struct{ ext, src, want string }{
		{"json", `{"k": "v", "n": -1.5, "t": true}`, `{<n "k">: <s "v">, <n "n">: <# -1.5>, <n "t">: <k true>}`},
		{"yaml", "# c\nname: x\nn: 12\nl:\n  - true\n", "<c # c>\n<n name>: x\n<n n>: <# 12>\n<n l>:\n  - <k true>"},
		{"yaml", "- 'two words': a#b # c\n- last seen: 2026-11-21\n- v2: see http://x",
			"- <s 'two words'>: a#b<c  # c>\n- <n last seen>: <# 2026-11-21>\n- <n v2>: see http://x"},
		{"txt", "plain # text", "plain # text"},
	} {
		lines := Lines([]byte(c.src), Known(c.ext), flow.Options{Width: 80})
		if got := strings.TrimRight(marked(lines), "\n"); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.ext, got, c.want)
		}
	}
}

func FuzzRender(f *testing.F) {
	f.Add("yaml", []byte("k: \"\\\"\n- 'x'\t# y"))
	f.Add("json", []byte(`{"a": 1,`))
	f.Add("yml", []byte("- a: &x |+\n    b: 2026-11-21T10:00\n\t\n"))
	f.Add("a", []byte("0000000000000000000000 \u0306"+strings.Repeat("0", 60))) // a break before a blank with a mark
	f.Fuzz(func(t *testing.T, name string, src []byte) {
		if len(src) > 4<<10 {
			return
		}
		lines := Lines(src, Known(name), flow.Options{Width: 30})
		if n := bytes.Count(bytes.TrimSuffix(src, []byte("\n")), []byte("\n")) + 1; len(lines) != n && len(src) > 0 {
			t.Fatalf("%d lines for %d", len(lines), n)
		}
		for _, r := range flow.Rows(nil, lines, flow.Options{Width: 30}) {
			checkRow(t, r, 30)
		}
		if out, ok := IndentJSON(src); ok {
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

func TestIndentJSON(t *testing.T) {
	got, ok := IndentJSON([]byte(`{"a":[1,2,{}],"b":"x, {y} \" z","c":[ ]}`))
	want := "{\n  \"a\": [\n    1,\n    2,\n    {}\n  ],\n  \"b\": \"x, {y} \\\" z\",\n  \"c\": []\n}"
	if !ok || string(got) != want {
		t.Errorf("got %v %s", ok, got)
	}
	if _, ok := IndentJSON([]byte(`{"a":`)); ok {
		t.Error("half a value was laid out")
	}
	if _, ok := IndentJSON([]byte(strings.Repeat("[", 5000) + "1" + strings.Repeat("]", 5000))); ok {
		t.Error("a deep value was laid out")
	}
}
