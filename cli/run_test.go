package cli

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore/memtest"
)

// call is one run of the program in this process.
type call struct {
	args  []string
	stdin string
	env   map[string]string
	tty   bool // all three streams are a terminal
}

// outcome is what a run left.
type outcome struct {
	code     int
	out, err string
}

func (c call) run(t *testing.T) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	code := runLine(t.Context(), c.args, session.Environment{
		Stdin: strings.NewReader(c.stdin), Stdout: &out, Stderr: &errs,
		Getenv:        func(name string) string { return c.env[name] },
		Assets:        assets(t),
		StdinTerminal: c.tty, StdoutTerminal: c.tty, StderrTerminal: c.tty,
	})
	return outcome{code, out.String(), errs.String()}
}

// do runs the program with arguments only.
func do(t *testing.T, args ...string) outcome {
	t.Helper()
	return call{args: args}.run(t)
}

// assets are those that main embeds, read from the source.
func assets(t *testing.T) fs.FS {
	t.Helper()
	return os.DirFS(repository)
}

// repository is the top of the source, absolute: tests change the working directory.
var repository = func() string {
	dir, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return dir
}()

// newStore makes a memory directory with files by their names in it.
func newStore(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "memories")
	must(t, os.Mkdir(dir, 0o700))
	memtest.WriteFiles(t, dir, files)
	return dir
}

// sentence checks that a run failed with a status and exactly one line on standard error.
func (o outcome) sentence(t *testing.T, code int, parts ...string) {
	t.Helper()
	if o.code != code {
		t.Errorf("exit status %d, want %d", o.code, code)
	}
	if strings.Count(o.err, "\n") != 1 || !strings.HasSuffix(o.err, "\n") {
		t.Errorf("standard error is not one line: %q", o.err)
	}
	for _, p := range parts {
		if !strings.Contains(o.err, p) {
			t.Errorf("standard error %q does not say %q", o.err, p)
		}
	}
	if o.out != "" {
		t.Errorf("standard output got %q", o.out)
	}
}

// edits has an agent carry out commands, a line each, which must succeed.
func edits(t *testing.T, env map[string]string, dir, lines string) {
	t.Helper()
	o := call{args: []string{"exec", dir}, stdin: lines, env: env}.run(t)
	if o.code != 0 || o.err != "" || strings.Contains(o.out, `"is_error":true`) {
		t.Fatalf("%+v", o)
	}
}

// nowhereBelow checks that no file below a folder holds one of the texts.
func nowhereBelow(t *testing.T, folder string, texts ...string) {
	t.Helper()
	must(t, filepath.WalkDir(folder, func(at string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(at)
		for _, text := range texts {
			if strings.Contains(string(data), text) {
				t.Errorf("%s holds %q", at, text)
			}
		}
		return err
	}))
}

// journalIn is the one journal in a state folder.
func journalIn(t *testing.T, state string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(state, "*", "journal.db"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	return files[0]
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func writeText(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.WriteFile(name, []byte(text), 0o600))
}

func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
