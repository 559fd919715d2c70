package cli

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// brokenWriter fails like a full disk.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestOutputThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": "a\n"})
	for _, args := range [][]string{{"ls", dir}, {"cat", dir, "/memories/a.md"}, {"version"}, {"--version"}, {"help"}, {"exec", dir},
		{"completion", "bash"}} {
		var errs strings.Builder
		code := runLine(context.Background(), args, session.Environment{
			Stdin: strings.NewReader(`{"command":"view","path":"/memories"}`), Stdout: brokenWriter{}, Stderr: &errs,
			Getenv: func(string) string { return "" }, Assets: assets(t),
		})
		if code != session.ExitFailed || errs.String() != session.Program+": Can't write the output: no space left on device\n" {
			t.Errorf("%q: status %d, %q", args, code, errs.String())
		}
	}
}

func TestAPanicIsReported(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	code := runLine(context.Background(), []string{"ls"}, session.Environment{
		Stdout: io.Discard, Stderr: &errs, Getenv: func(string) string { panic("mistake") },
	})
	if code != session.ExitFailed || !strings.Contains(errs.String(), "please report it: mistake\n") || !strings.Contains(errs.String(), "settings_test.go") {
		t.Errorf("status %d, %q", code, errs.String())
	}
}
