package memstore

import (
	"net/url"
	"path"
	"strings"
	"testing"
	"unicode"

	"memcurator/memstore/backend"
)

// The plain, slow way to find a ".." segment in any spelling.
func climbs(raw string) bool {
	for {
		for _, segment := range strings.FieldsFunc(raw, func(r rune) bool { return r == '/' || r == '\\' }) {
			if segment == ".." {
				return true
			}
		}
		var b strings.Builder
		for i := 0; i < len(raw); {
			if i+3 <= len(raw) && raw[i] == '%' {
				if c, err := url.PathUnescape(raw[i : i+3]); err == nil {
					b.WriteString(c)
					i += 3
					continue
				}
			}
			b.WriteByte(raw[i])
			i++
		}
		if b.String() == raw {
			return false
		}
		raw = b.String()
	}
}

func FuzzParsePath(f *testing.F) {
	for _, seed := range []string{
		"/memories", "/memories/a", "/memories/../x", "/memories/%2e%2e%2fx", "/memories/%25%32%65./", "/memories/..\\", "/memories//./a/",
		"/memories_evil", "/memories/\x00", "/memories/%%32%65%2e", "/memories/....//", "/memories/\xc0\xae\xc0\xae/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		name, err := backend.ParsePath(raw)
		bounded := raw == backend.Root || strings.HasPrefix(raw, backend.Root+"/")
		if err != nil {
			if bounded && !strings.ContainsFunc(raw, unicode.IsControl) && !climbs(raw) {
				t.Fatalf("%q refused: %v", raw, err)
			}
			return
		}
		if !bounded || strings.ContainsFunc(raw, unicode.IsControl) || climbs(raw) {
			t.Fatalf("%q let through as %q", raw, name)
		}
		if name != path.Clean(name) || strings.HasPrefix(name, "/") || name == ".." || strings.HasPrefix(name, "../") {
			t.Fatalf("%q became %q", raw, name)
		}
		if again, err := backend.ParsePath(backend.AgentPath(name)); again != name || err != nil {
			t.Fatalf("%q became %q, and that %q, %v", raw, name, again, err)
		}
	})
}
