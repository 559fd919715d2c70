package memstore

import (
	"context"
	"errors"
	"net/url"
	"path"
	"strings"
	"testing"
	"unicode"

	"memcurator/memstore/backend"
)

func TestParsePath(t *testing.T) {
	for raw, want := range map[string]string{
		"/memories":            ".",
		"/memories/":           ".",
		"/memories//":          ".",
		"/memories/.":          ".",
		"/memories/./":         ".",
		"/memories/a":          "a",
		"/memories/a/":         "a",
		"/memories//a//b/./c/": "a/b/c",
		"/memories/memories":   "memories",
		"/memories/...":        "...",
		"/memories/..a/b..":    "..a/b..",
		"/memories/.a":         ".a",
		"/memories/a b\\c":     "a b\\c",
		"/memories/50%":        "50%",
		"/memories/%2fetc":     "%2fetc",
		"/memories/%2e":        "%2e",
		"/memories/%2e%2ea":    "%2e%2ea",
		"/memories/%":          "%",
		"/memories/%zz..":      "%zz..",
		"/memories/%00":        "%00",
		"/memories/a%":         "a%",
		"/memories/日本":         "日本",
		"/memories/~":          "~",
		"/memories/C:":         "C:",
		"/memories/\u202e":     "\u202e", // shown visibly by whoever shows it; a name like others here
		"/memories/\xff":       "\xff",
	} {
		got, err := backend.ParsePath(raw)
		if got != want || err != nil {
			t.Errorf("%q: %q, %v, want %q", raw, got, err, want)
		}
		if again, err := backend.ParsePath(backend.AgentPath(got)); again != got || err != nil {
			t.Errorf("%q does not come back: %q, %v", got, again, err)
		}
	}
	for _, bad := range []struct {
		err error
		raw []string
	}{
		{backend.ErrPrefix, []string{
			"", "/", "memories", "memories/a", "/Memories/a", "/memoriesa", "/memories_evil/x", "/memories\\a", "//memories/a", " /memories",
			"/memories\x00", "/memories%2fa", "/etc/passwd", "/memorie", "../memories", "/memories..", "/mem\x00ories", "./memories",
		}},
		{backend.ErrControl, []string{
			"/memories/\x00", "/memories/a\nb", "/memories/\x1b[31m", "/memories/\x7f", "/memories/\u0085", "/memories/\u009b31m", "/memories/\t",
			"/memories/../\x00", "/memories/a\r",
		}},
		{backend.ErrEscapes, []string{
			"/memories/..", "/memories/../x", "/memories/a/../b", "/memories/a/..", "/memories/../memories/a", "/memories/../",
			"/memories/..\\x", "/memories/a\\..\\b", "/memories/a\\..", "/memories/\\..", "/memories/./..",
			"/memories/%2e%2e", "/memories/%2E%2e/x", "/memories/.%2e/x", "/memories/%2e./x", "/memories/..%2fx", "/memories/a%2f..%2fb",
			"/memories/..%5cx", "/memories/%2e%2e%2fx", "/memories/%252e%252e/x", "/memories/%25252e%25252e%25252fx", "/memories/%%32e%%32e/x",
			"/memories/%2e%2e%5C", "/memories/x%2f%2e%2e", "/memories/%" + strings.Repeat("25", 50) + "2e./x",
		}},
	} {
		for _, raw := range bad.raw {
			name, err := backend.ParsePath(raw)
			var pathError *backend.PathError
			if !errors.Is(err, bad.err) || !errors.As(err, &pathError) || pathError.Path != raw || name != "" {
				t.Errorf("%q: %q, %v, want %v", raw, name, err, bad.err)
			}
		}
	}
}

// Errors about the path itself echo it as it was sent, in every command.
func TestPathErrors(t *testing.T) {
	s := storeOf(t, Options{}, "a", "x")
	for raw, want := range map[string]string{
		"":                    "Error: Path must start with /memories, got: ",
		"/memories_evil//x/":  "Error: Path must start with /memories, got: /memories_evil//x/",
		"/memories//../x/":    "Error: Path /memories//../x/ would escape /memories directory",
		"/memories/%2e%2e/x":  "Error: Path /memories/%2e%2e/x would escape /memories directory",
		"/memories/..\\x":     "Error: Path /memories/..\\x would escape /memories directory",
		"/memories//a\x1b[0m": "Error: Path /memories//a\x1b[0m contains control characters",
		"/memories/a\x00":     "Error: Path /memories/a\x00 contains control characters",
	} {
		for _, c := range []Command{
			view(raw), create(raw, "x"), replace(raw, "x", "y"), insert(raw, 0, "x"), remove(raw),
			move(raw, "/memories/b"), move("/memories/a", raw),
		} {
			r := s.Do(context.Background(), c)
			if r.Content != want || !r.IsError {
				t.Errorf("%+v: %q, want %q", c, r.Content, want)
			}
			var e *Error
			if !errors.As(r.Err, &e) || e.Path != raw || e.Op != c.Name {
				t.Errorf("%+v: error %#v", c, r.Err)
			}
		}
	}
}

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
