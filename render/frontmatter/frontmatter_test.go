package frontmatter

import (
	"bytes"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, src, want, rest string }{
		{"yaml", "---\ntitle: \"A b\"\ntags:\n  - x\n  - 'y'\nwho:\n  name: me\n  age: 3\nnote: |\n  one\n  two\n# c\n---\nbody",
			"title=A b|tags=[x, y]|who={name: me, age: 3}|note=one two", "body"},
		{"yaml ends with dots", "---\na: 1\n...\nbody", "a=1", "body"},
		{"carriage returns", "---\r\na: 1\r\n---\r\nbody", "a=1", "body"},
		{"byte order mark", "\xef\xbb\xbf---\na: 1\n---\nbody", "a=1", "body"},
		{"inline", "---\na: [1, 2]\nb: {c: d}\nurl: http://x:80/\n---\n", "a=[1, 2]|b={c: d}|url=http://x:80/", ""},
		{"not yaml", "---\njust text\n---\n", "=just text", ""},
	} {
		m, ok := Find([]byte(c.src))
		var got []string
		for _, r := range m.Rows {
			got = append(got, r.Key+"="+r.Value)
		}
		if !ok || strings.Join(got, "|") != c.want || c.src[m.End:] != c.rest {
			t.Errorf("%s: %v %q, rest %q", c.name, ok, strings.Join(got, "|"), c.src[m.End:])
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"---\na: 1\n- x\n---\n", "---\n\xff: \x1b\n...\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, ok := Find(src)
		if !ok {
			return
		}
		if m.End <= 0 || m.End > len(src) || len(m.Rows) == 0 || len(m.Rows) > maxRows {
			t.Fatalf("%q: %+v", src, m)
		}
		if at := m.End; at < len(src) && src[at-1] != '\n' && at < MaxBytes && !bytes.HasSuffix(src[:at], []byte("\n")) {
			t.Fatalf("%q ends inside a line", src[:at])
		}
		for _, r := range m.Rows {
			if len(r.Value) > maxValue+3 {
				t.Fatalf("a value of %d bytes", len(r.Value))
			}
		}
	})
}
