package text

import (
	"strings"
	"testing"
)

func TestFitPath(t *testing.T) {
	const path = "projects/booking-api/notes/payments_sandbox.md"
	for _, c := range []struct {
		path  string
		width int
		want  string
	}{
		{path, 80, path},
		{path, 40, "projects/…/notes/payments_sandbox.md"},
		{path, 35, "projects/…/payments_sandbox.md"},
		{path, 22, "…/payments_sandbox.md"},
		{path, 19, "payments_sandbox.md"},
		{path, 10, "payments_…"},
		{path, 0, ""},
		{"a.md", 2, "a…"},
		{"notes/archive/", 10, "…/archive/"},
	} {
		if got := FitPath(c.path, c.width, "…"); got != c.want {
			t.Errorf("%s in %d cells: %q, want %q", c.path, c.width, got, c.want)
		}
	}
}

func FuzzFitPath(f *testing.F) {
	f.Add("a/b/c.md", 5)
	f.Add("/東京/x/", 3)
	f.Fuzz(func(t *testing.T, path string, width int) {
		if width > 1000 || strings.Count(path, "/") > 200 {
			t.Skip()
		}
		if got := FitPath(Clean(path), width, "…"); Width(got) > max(width, 0) {
			t.Errorf("%q in %d cells: %q", path, width, got)
		}
	})
}
