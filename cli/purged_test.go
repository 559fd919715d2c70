package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// What was purged is named where it still is, shown nowhere, and comes back only if somebody agrees to it.
func TestAPurgedValueStaysPurged(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	project := filepath.Join(home, ".claude", "projects", "-p")
	dir := filepath.Join(project, "memory")
	env := map[string]string{"MEMCURATOR_STATE": t.TempDir(), "HOME": home}
	note := "# Ops\nThe Grafana password is " + somePassword + ".\n"
	memtest.WriteFiles(t, dir, map[string]string{"ops.md": note, "other.md": "stays\n"})
	at, chat := filepath.Join(dir, "ops.md"), filepath.Join(project, "s1.jsonl")
	input := commandLine(t, map[string]any{"command": "create", "path": "/memories/ops.md", "file_text": note})
	must(t, os.Rename(transcriptOf(t, strings.TrimSpace(input), "File created successfully at: /memories/ops.md"), chat))
	value, err := json.Marshal(somePassword)
	must(t, err)
	escaped := strings.Trim(string(value), `"`)
	do := func(c call) outcome {
		t.Helper()
		c.env = env
		return c.run(t)
	}
	o := do(call{args: []string{"replay", "--json", "--dir", dir, chat}})
	if !strings.Contains(o.out, escaped) {
		t.Fatalf("the transcript has no such call: %+v", o)
	}
	o = do(call{args: []string{"scrub", dir, "--purge-history", "--yes"}})
	if o.code != 1 || !strings.Contains(o.err, "Left: the transcript "+chat) || !strings.Contains(o.err, "Values may remain at 1 place") {
		t.Errorf("%+v", o)
	}
	hidden := func(o outcome) {
		t.Helper()
		for _, form := range []string{somePassword, escaped} {
			if strings.Contains(o.out+o.err, form) {
				t.Errorf("it shows the value: %+v", o)
			}
		}
	}
	o = do(call{args: []string{"replay", "--json", "--dir", dir, chat}})
	if hidden(o); o.code != 0 || !strings.Contains(o.out, "REDACTED:") || !json.Valid([]byte(o.out)) {
		t.Errorf("%+v", o)
	}
	into := []string{"replay", "--dir", dir, "--into", dir, "--yes", chat}
	if o = do(call{args: into}); o.code != 2 || strings.Contains(read(t, dir, "ops.md"), somePassword) ||
		!strings.Contains(o.err, "/memories/ops.md gets a purged value back: ") {
		t.Errorf("%+v", o)
	}
	hidden(o)
	if o = do(call{args: into, tty: true, stdin: "n\n"}); strings.Contains(read(t, dir, "ops.md"), somePassword) {
		t.Errorf("%+v", o)
	}
	if o = do(call{args: into, tty: true, stdin: "y\n"}); o.code != 0 || !strings.Contains(read(t, dir, "ops.md"), somePassword) {
		t.Errorf("%+v", o)
	}
	// An undo of a deletion would write it back, too.
	must(t, os.Remove(at))
	for _, args := range [][]string{{"restore", dir, "ops.md"}, {"undo", dir, "1"}} {
		if args[0] == "undo" {
			args[2] = lastRemoved(t, do(call{args: []string{"log", dir, "--json"}}).out)
		}
		if o = do(call{args: args}); o.code != 2 || !strings.Contains(o.err, "gets a purged value back") {
			t.Errorf("%q: %+v", args, o)
		}
	}
	if o = do(call{args: []string{"restore", dir, "ops.md"}, tty: true, stdin: "y\n"}); o.code != 0 ||
		!strings.Contains(read(t, dir, "ops.md"), somePassword) {
		t.Errorf("%+v", o)
	}
}

// lastRemoved is the number of the newest removal in the output of log --json.
func lastRemoved(t *testing.T, log string) string {
	t.Helper()
	for _, r := range jsonOf(t, log) {
		if r["after"] == nil {
			return fmt.Sprint(r["rev"])
		}
	}
	t.Fatalf("no removal in %s", log)
	return ""
}
