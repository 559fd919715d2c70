package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"memcurator/cli/session"
)

// onlyTemp makes a folder the place for temporary files and checks at the end that it is empty.
func onlyTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Setenv("TEMP", dir)
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in the folder for temporary files: %v, %v", left, err)
		}
	})
	return dir
}

func TestDemoWithoutATerminal(t *testing.T) {
	onlyTemp(t)
	script, err := readScript(assets(t))
	if err != nil || len(script) == 0 {
		t.Fatalf("%d steps, %v", len(script), err)
	}
	for _, c := range []call{{args: []string{"demo"}}, {args: []string{"demo", "--plain"}, tty: true}} {
		o := c.run(t)
		if o.code != 0 || o.err != "" || strings.Count(o.out, "\n> {") != len(script)-1 || !strings.HasPrefix(o.out, "> {") {
			t.Errorf("%q: status %d, %q, %d commands of %d", c.args, o.code, o.err, strings.Count(o.out, "\n> {")+1, len(script))
		}
		if strings.Contains(o.out, keyPlaceholder) {
			t.Error("the placeholder of the key was not replaced")
		}
	}
}

func TestDemoThatCannotStart(t *testing.T) {
	onlyTemp(t)
	for name, fs := range map[string]fstest.MapFS{
		"no script":  {},
		"bad script": {demoScript: {Data: []byte("{")}},
		"no store":   {demoScript: {Data: []byte("{}")}},
	} {
		var out, errs bytes.Buffer
		code := Run(t.Context(), []string{"demo"}, session.Environment{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }, Assets: fs,
		})
		if code != session.ExitFailed || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%s: status %d, %q", name, code, errs.String())
		}
	}
}

func TestFakeKeyLooksLikeOne(t *testing.T) {
	t.Parallel()
	key := fakeKey()
	if parts := strings.SplitN(key, "-", 4); len(parts) != 4 || len(parts[3]) != 95 || !strings.HasSuffix(key, "AA") {
		t.Errorf("a key of %d letters", len(key))
	}
}
