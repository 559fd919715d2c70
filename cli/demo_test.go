package cli

import (
	"os"
	"strings"
	"testing"
)

// onlyTemp makes a folder the place for temporary files and checks at the end that it is empty.
func onlyTemp(t *testing.T) string {
	t.Helper()
	dir := clearedTemp(t)
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Setenv("TEMP", dir)
	return dir
}

// clearedTemp is a folder for temporary files, in which nothing may be left.
func clearedTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in the folder for temporary files: %v, %v", left, err)
		}
	})
	return dir
}

func TestDemoWithoutATerminal(t *testing.T) {
	onlyTemp(t)
	calls, err := readLines[demoCall](assets(t), demoCalls, fakeKey("agent"))
	if err != nil || len(calls) == 0 {
		t.Fatalf("%d calls, %v", len(calls), err)
	}
	for _, c := range []call{{args: []string{"demo"}}, {args: []string{"demo", "--plain"}, tty: true}} {
		o := c.run(t)
		if o.code != 0 || o.err != "" || strings.Count(o.out, "\n> {") != len(calls)-1 {
			t.Errorf("%q: status %d, %q, %d of %d calls", c.args, o.code, o.err, strings.Count(o.out, "\n> {")+1, len(calls))
		}
		if strings.Contains(o.out, keyPlaceholder) || strings.Contains(o.out, "Error") || strings.Contains(o.out, "No replacement") {
			t.Errorf("%q: a placeholder was not replaced, or a call failed:\n%s", c.args, o.out)
		}
	}
}

func value[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
