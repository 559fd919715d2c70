package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestScanFromASeverityOn(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	if err := os.WriteFile(filepath.Join(dir, "mail.md"), []byte("write to greta.lind@nordwind.io\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	all := call{args: []string{"scan", dir, "--json"}, env: env}.run(t)
	high := call{args: []string{"scan", dir, "--json", "--min-severity", "high"}, env: env}.run(t)
	if strings.Count(all.out, "\n") != 5 || strings.Count(high.out, "\n") != 4 || strings.Contains(high.out, "mail.md") {
		t.Errorf("%s\n%s", all.out, high.out)
	}
	for _, wrong := range [][]string{{"--min-severity", "grave"}} {
		if got := (call{args: append([]string{"scan", dir}, wrong...), env: env}).run(t); got.code != 2 {
			t.Errorf("%q: %+v", wrong, got)
		}
	}
}
