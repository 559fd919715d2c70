package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

func TestSearchLooksForAllWords(t *testing.T) {
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
		found("abd", "launch", "date")
		found("b", "launch date")
		found("b", `"launch date"`)
		found("b", `"launch date" a`)
		found("c", "Launch")
		found("abcd", "launch")
		found("bd", `/(launch|date).*(launch|date)/`)
		found("c", "/launch alone/")
		found("a", "date", "/is .*n/", "launch")
		if o := do(t, "search", dir, "launch", "nowhere"); o.code != session.ExitFailed || o.out != "" ||
			!strings.Contains(o.err, "No match") {
			t.Errorf("nothing is found: %+v", o)
		}
		if out := ok(t, "search", dir, "launch", "near"); !strings.Contains(out, "/memories/a.md:1 (now): the launch is near") {
			t.Errorf("the line is %q", out)
		}
		ok(t, "exec", dir)
	}
}

// One commit writes a dozen files into .git: they are not edits of the memory, in the journal nor in the sums.
func TestACommitIsNotAnEdit(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": "a\n", ".git/HEAD": "ref\n"})
	ok(t, "exec", dir)
	for name, data := range map[string]string{".git/HEAD": "other\n", ".git/objects/ab/cdef": "object\n", ".git/index": "index\n",
		"b.md": "b\n"} {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ok(t, "exec", dir)
	list := jsonOf(t, ok(t, "log", dir, "--json"))
	if len(list) != 1 || list[0]["path"] != "/memories/b.md" {
		t.Errorf("recorded is %v", list)
	}
	if o := do(t, "doctor", dir); o.code != 0 {
		t.Errorf("doctor: %+v", o)
	}
	o := do(t, "stats", dir, "--json")
	if sum := jsonOf(t, o.out); sum[0]["files"] != 2.0 || !strings.Contains(o.err, "Skipped .git") {
		t.Errorf("the stats: %+v", o)
	}
	view := `{"command":"view","path":"/memories/.git/HEAD"}` + "\n"
	if o := (call{args: []string{"exec", dir}, stdin: view}).run(t); !strings.Contains(o.out, "other") {
		t.Errorf("the agent sees %q", o.out)
	}
	edit := `{"command":"create","path":"/memories/.git/by-agent","file_text":"x"}` + "\n"
	call{args: []string{"exec", dir}, stdin: edit}.run(t)
	if list := jsonOf(t, ok(t, "log", dir, "--json")); len(list) != 2 || list[1]["actor"] != "agent" {
		t.Errorf("what an agent does there is recorded: %v", list)
	}
}

// Files as they are are read from the disk: those too that the journal does not keep, or has not seen yet.
func TestSearchReadsWhatIsThere(t *testing.T) {
	t.Parallel()
	dir := recorded(t)
	large := strings.Repeat("x\n", 5<<20) + "a needle at the end\n"
	if err := os.WriteFile(filepath.Join(dir, "large.md"), []byte(large), 0o600); err != nil {
		t.Fatal(err)
	}
	if out := ok(t, "search", dir, "needle"); out != "/memories/large.md:5242881 (now): a needle at the end\n" {
		t.Errorf("%q", out)
	}
	list := jsonOf(t, ok(t, "search", dir, "--json", "東京"))
	if len(list) != 1 || list[0]["rev"] != 2.0 || list[0]["state"] != "now" || list[0]["until"] != nil {
		t.Errorf("%v", list)
	}
	if o := do(t, "search", newStore(t, nil), "--deleted", "x"); o.code != session.ExitFailed ||
		!strings.Contains(o.err, "No journal yet") {
		t.Errorf("without a past: %+v", o)
	}
}

// Present notes come first, then the newest versions; versions in a row with the same line are one row, and no ranges overlap.
func TestSearchOrder(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"base.md": "base\n"})
	o := call{args: []string{"exec", dir}, stdin: `
{"command":"create","path":"/memories/a.md","file_text":"Postgres 14\none\n"}
{"command":"str_replace","path":"/memories/a.md","old_str":"one","new_str":"two"}
{"command":"str_replace","path":"/memories/a.md","old_str":"Postgres 14","new_str":"Postgres 15"}
{"command":"create","path":"/memories/b.md","file_text":"Postgres in b\n"}
{"command":"str_replace","path":"/memories/a.md","old_str":"Postgres 15","new_str":"Postgres 16"}
`}.run(t)
	if o.code != 0 {
		t.Fatalf("%+v", o)
	}
	out := ok(t, "search", dir, "postgres")
	_, older, _ := strings.Cut(out, "(past")
	if strings.Contains(older, "(now)") || strings.Count(out, "(now)") != 2 {
		t.Errorf("the present is not first:\n%s", out)
	}
	if want := ", 3 to 4): Postgres 15\n/memories/a.md:1 (past, 1 to 2): Postgres 14\n"; older != want {
		t.Errorf("the past is %q, want %q", older, want)
	}
}

// Rows are for people and end up in logs: they show no secret of the present or the past, unless asked to.
func TestSearchMasksSecrets(t *testing.T) {
	t.Parallel()
	token, key := "gh"+"p_"+"Q7wE2rT9yU4iO1pA6sD3fG8hJ5kL0zX7cV2b", "MIIEow"+"IBAAKCAQEA7ferry9zYk3Qp"
	dir := newStore(t, map[string]string{
		"pier.md": "-----BEGIN RSA " + "PRIVATE KEY-----\n" + key + "\n-----END RSA " + "PRIVATE KEY-----\n",
	})
	o := call{args: []string{"exec", dir}, stdin: `
{"command":"create","path":"/memories/ops.md","file_text":"# Ops\n\nferry token: ` + token + `, from Ana\n"}
{"command":"str_replace","path":"/memories/ops.md","old_str":"# Ops","new_str":"# Ferry operations"}
`}.run(t)
	if o.code != 0 {
		t.Fatalf("%+v", o)
	}
	out := ok(t, "search", dir, "token")
	if strings.Contains(out, token) || strings.Count(out, "ferry token: ghp_••••, from Ana") != 2 {
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
