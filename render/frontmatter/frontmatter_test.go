package frontmatter

import (
	"bytes"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		name, src, want, rest string
		no                    bool
	}{
		{name: "yaml", src: "---\ntitle: A\ntags:\n  - x\n---\nbody", want: "title: A\ntags:\n  - x\n", rest: "body"},
		{name: "ends with dots", src: "---\na: 1\n...\nbody", want: "a: 1\n", rest: "body"},
		{name: "carriage returns", src: "---\r\na: 1\r\n---\r\nbody", want: "a: 1\r\n", rest: "body"},
		{name: "byte order mark", src: "\xef\xbb\xbf---\na: 1\n---\nbody", want: "a: 1\n", rest: "body"},
		{name: "nothing between the lines", src: "---\n\n---\nbody", no: true},
		{name: "a rule", src: "---\nbody", no: true},
	} {
		m, ok := Find([]byte(c.src))
		if ok == c.no || ok && (string(m.Block) != c.want || c.src[m.End:] != c.rest) {
			t.Errorf("%s: %v %q, end %d", c.name, ok, m.Block, m.End)
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
		if m.End <= 0 || m.End > len(src) || !bytes.Contains(src[:m.End], m.Block) {
			t.Fatalf("%q: %+v", src, m)
		}
		if at := m.End; at < len(src) && src[at-1] != '\n' && at < MaxBytes && !bytes.HasSuffix(src[:at], []byte("\n")) {
			t.Fatalf("%q ends inside a line", src[:at])
		}
	})
}
