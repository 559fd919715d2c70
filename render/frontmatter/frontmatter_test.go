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

func TestSet(t *testing.T) {
	for _, c := range []struct{ src, value, want string }{
		{"---\na: 1\nexpires: 2026-01-01\n---\nbody", "never", "---\na: 1\nexpires: never\n---\nbody"},
		{"---\r\nExpires:2026-01-01  \r\n---\r\nbody", "x", "---\r\nExpires: x  \r\n---\r\nbody"},
		{"\xef\xbb\xbf---\nexpires:\n...\nbody", "x", "\xef\xbb\xbf---\nexpires: x\n...\nbody"},
		{"---\nexpires: '2026'\n---\n", "x", "---\nexpires: \"x\"\n---\n"},
		{"---\nexpires:\n  - 1\n---\n", "x", ""},
		{"---\nwho:\n  expires: 1\n---\n", "x", ""},
		{"---\na: 1\n---\nexpires: 2\n", "x", ""},
		{"expires: 1\n", "x", ""},
	} {
		got, ok := Set([]byte(c.src), "expires", c.value)
		if ok != (c.want != "") || string(got) != c.want {
			t.Errorf("%q: %q, %v", c.src, got, ok)
		}
	}
}

// What is set is found again, and the text behind the front matter stays.
func FuzzSet(f *testing.F) {
	for _, src := range []string{"---\na: 1\nexpires: 2\n---\nbody", "---\r\nexpires: |\r\n x\r\n---\r\n"} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, ok := Set(data, "expires", "2026-12-31T00:00:00Z")
		if !ok {
			return
		}
		before, _ := Find(data)
		after, found := Find(got)
		if len(got) > MaxBytes {
			return // its front matter may have become too long to be one
		}
		if !found || !bytes.Equal(data[before.End:], got[after.End:]) || len(before.Rows) != len(after.Rows) {
			t.Fatalf("%q became %q", data, got)
		}
		for _, r := range after.Rows {
			if strings.EqualFold(r.Key, "expires") {
				if r.Value != "2026-12-31T00:00:00Z" {
					t.Fatalf("%q became %q: %q", data, got, r.Value)
				}
				return
			}
		}
		t.Fatalf("%q became %q", data, got)
	})
}
