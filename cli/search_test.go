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

// Rows are for people and end up in logs: they show no secret of the present or the past, unless asked to.
func TestSearchMasksSecrets(t *testing.T) {
	t.Parallel()
	token, key := "gh"+"p_"+"Q7wE2rT9yU4iO1pA6sD3fG8hJ5kL0zX7cV2b", "MIIEow"+"IBAAKCAQEA7ferry9zYk3Qp"
	dir := newStore(t, map[string]string{
		"pier.md": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + key + "\n-----END RSA " + "PRIVATE KEY-----\n",
	})
	edits(t, nil, dir, `
{"command":"create","path":"/memories/ops.md","file_text":"# Ops\n\nferry token: `+token+`, from Ana\n"}
{"command":"str_replace","path":"/memories/ops.md","old_str":"from Ana","new_str":"from Bea"}
`)
	out := ok(t, "search", dir, "token")
	if strings.Contains(out, token) || strings.Count(out, "ferry token: ghp_••••, from ") != 2 {
		t.Errorf("masked:\n%s", out)
	}
	if out := ok(t, "search", dir, key[:8]); strings.Contains(out, key) {
		t.Errorf("a line of a key is shown:\n%s", out)
	}
	for _, args := range [][]string{{"--reveal"}, {"--json"}} {
		if out := ok(t, append([]string{"search", dir, "token"}, args...)...); strings.Count(out, token) != 2 {
			t.Errorf("%v:\n%s", args, out)
		}
	}
}
