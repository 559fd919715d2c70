package cli

import (
	"bytes"
	"context"
	"io"
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
	in    io.Reader // instead of stdin
	env   map[string]string
	tty   bool // all three streams are a terminal
	ctx   context.Context
}

// outcome is what a run left.
type outcome struct {
	code     int
	out, err string
}

func (c call) run(t *testing.T) outcome {
	t.Helper()
	var out, errs bytes.Buffer
	if c.in == nil {
		c.in = strings.NewReader(c.stdin)
	}
	if c.ctx == nil {
		c.ctx = t.Context()
	}
	code := runLine(c.ctx, c.args, session.Environment{
		Stdin: c.in, Stdout: &out, Stderr: &errs,
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
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
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
