package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/render/theme"
)

func TestSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		env  map[string]string
		args session.GlobalFlags
		want session.Settings
	}{
		{"nothing", nil, session.GlobalFlags{}, session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true}}},
		{"no colour, any value", map[string]string{"NO_COLOR": "no"}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true, NoColor: true}}},
		{"no colour, empty", map[string]string{"NO_COLOR": ""}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true}}},
		{"colour off", map[string]string{"CLICOLOR": "0"}, session.GlobalFlags{Theme: "light"},
			session.Settings{Theme: theme.Options{Name: theme.Light, Dark: true, NoColor: true}}},
		{"dumb", map[string]string{"TERM": "dumb"}, session.GlobalFlags{},
			session.Settings{Plain: true, Theme: theme.Options{Name: theme.Auto, Dark: true}}},
		{"asked", nil, session.GlobalFlags{Plain: true, Ascii: true}, session.Settings{Plain: true,
			Theme: theme.Options{Name: theme.Auto, Dark: true, ASCII: true}}},
		{"C", map[string]string{"LANG": "C"}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true, ASCII: true}}},
		{"POSIX over UTF-8", map[string]string{"LANG": "en_US.UTF-8", "LC_ALL": "POSIX"}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true, ASCII: true}}},
		{"UTF-8", map[string]string{"LC_ALL": "C.utf8"}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true}}},
		{"UTF-8 with a modifier", map[string]string{"LANG": "ca_ES.UTF-8@valencia"}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true}}},
		{"Latin 1", map[string]string{"LANG": "de_DE.ISO-8859-1"}, session.GlobalFlags{},
			session.Settings{Theme: theme.Options{Name: theme.Auto, Dark: true, ASCII: true}}},
	} {
		run := &session.Session{Env: session.Environment{Getenv: func(n string) string { return c.env[n] }}, Flags: c.args}
		if got, err := run.Settings(); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
}

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
