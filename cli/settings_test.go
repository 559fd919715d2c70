package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
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
		{"demo"}, {"completion", "bash"}} {
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

func TestAPanicIsOneSentence(t *testing.T) {
	t.Parallel()
	var errs strings.Builder
	code := runLine(context.Background(), []string{"ls"}, session.Environment{
		Stdout: io.Discard, Stderr: &errs, Getenv: func(string) string { panic("mistake") },
	})
	if code != session.ExitFailed || strings.Count(errs.String(), "\n") != 1 || !strings.Contains(errs.String(), "--log FILE") {
		t.Errorf("status %d, %q", code, errs.String())
	}
	var log strings.Builder
	run := &session.Session{Env: session.Environment{Stderr: io.Discard}, Log: slog.New(slog.NewTextHandler(&log, nil))}
	run.Fail(&session.PanicError{Value: "mistake", Stack: []byte("goroutine 1")})
	if !strings.Contains(log.String(), "mistake") || !strings.Contains(log.String(), "goroutine 1") {
		t.Errorf("log: %q", log.String())
	}
}
