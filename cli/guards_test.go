package cli

import (
	"bufio"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"

	"memcurator/cli/session"
	"memcurator/memstore"
)

const tightRules = "[limits]\nread_chars = 200\n[[rule]]\nmatch = \"**\"\nmax_file_bytes = 10\n[[rule]]\nmatch = " +
	"\"rules.md\"\nlock = true\n"

func TestExecAndMCPAreGuarded(t *testing.T) {
	t.Parallel()
	dir, config := newStore(t, map[string]string{"rules.md": "r\n", "long.md": strings.Repeat("a line of text\n", 50)}),
		writeConfig(t, tightRules)
	const stdin = `{"command":"create","path":"/memories/a.md","file_text":"more than ten bytes"}
{"command":"delete","path":"/memories/rules.md"}
{"command":"view","path":"/memories/long.md"}
`
	got := execLines(t, dir, stdin, "--config", config)
	for i, want := range []string{
		`{"content":"Error: /memories/a.md would have 19 bytes, 9 bytes over the 10 bytes that a file may have. Shorten the text, or split ` +
			`it into several files","is_error":true}`,
		`{"content":"Error: /memories/rules.md is locked by the user and cannot be changed, moved or deleted. Leave it as it is and write ` +
			`to another path","is_error":true}`,
		`To read on, use view_range [7, 51].]","is_error":false}`,
	} {
		if !strings.HasSuffix(got[i], want) {
			t.Errorf("line %d is %s", i, got[i])
		}
	}
	o := call{args: []string{"mcp", dir, "--config", config}, stdin: mcpHello +
		mcpCall(3, `{"command":"delete","path":"/memories/rules.md"}`)}.run(t)
	if !strings.Contains(o.out, "/memories/rules.md is locked by the user") || !strings.Contains(o.out, `"isError":true`) {
		t.Errorf("%+v", o)
	}
	if o := do(t, "cat", dir, "/memories/long.md", "--config", config); o.code != 0 ||
		!strings.HasSuffix(o.out, "To read on, use view_range [7, 51].]") {
		t.Errorf("%+v", o)
	}
}

// A broken configuration is said, and the last good one holds on.
func TestABrokenConfigurationIsNotTaken(t *testing.T) {
	t.Parallel()
	dir, file := newStore(t, nil), writeConfig(t, tightRules)
	errs, stderr := io.Pipe()
	run := &session.Session{Env: session.Environment{Getenv: func(string) string { return "" }, Stderr: stderr},
		Log: slog.New(slog.DiscardHandler)}
	run.Flags.Config = file
	s, err := run.Settings()
	if err == nil {
		s, err = run.ForStore(s, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	b := memstore.NewMemory()
	var o memstore.Options
	e := session.Enforce(&o, s, b)
	stop := run.Follow(t.Context(), s, e, run.SayFollowed)
	defer stop()
	if err := os.WriteFile(file+".new", []byte("nonsense\n"), 0o600); err != nil { // so that no half of it is read
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(errs).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "memcurator: Warning: Ignored the saved rules, the last valid ones "+
		"stay in force: config.toml:1:") {
		t.Errorf("%q, %v", line, err)
	}
	if r := memstore.New(b, o).Create(t.Context(), "/memories/a", "more than ten bytes"); !r.IsError || e.Guard().Idle() ||
		e.ViewChars() != 200 {
		t.Errorf("the last good configuration is gone: %+v", r)
	}
}
