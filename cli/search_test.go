package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

func TestSearchFindsLines(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{
		"a.md": "the launch is near\n\nits date is not known\n", "b.md": "a launch date\n", "c.md": "Launch alone\n",
		"d.md":      "date, then launch\n",
		".git/HEAD": "launch date\n",
	})
	found := func(want string, args ...string) {
		t.Helper()
		var names []string
		for line := range strings.Lines(ok(t, append([]string{"search", dir}, args...)...)) {
			names = append(names, strings.TrimSuffix(strings.Split(filepath.Base(strings.Split(line, " ")[0]), ".")[0], ":"))
		}
		if got := strings.Join(names, ""); got != want {
			t.Errorf("%q finds %q, want %q", args, got, want)
		}
	}
	for range 2 { // without a journal, and with one
		found("b", "launch", "date")
		found("b", "launch date")
		found("c", "Launch")
		found("abcd", "launch")
		found("aabd", `/launch is|date/`)
		found("c", "/launch alone/")
		do(t, "search", dir, "date", "nowhere").sentence(t, session.ExitFailed, "No match for \"date nowhere\"")
		do(t, "search", dir, "/a(b/").sentence(t, session.ExitWrongUse, "Invalid regular expression a(b")
		if out := ok(t, "search", dir, "launch is"); out != "/memories/a.md:1 (now): the launch is near\n" {
			t.Errorf("the line is %q", out)
		}
		ok(t, "exec", dir)
	}
}
