package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// emptied makes a store with a past in whose place an empty folder has come; back brings it back.
func emptied(t *testing.T) (dir string, back func()) {
	t.Helper()
	dir = recorded(t)
	away := dir + "-away"
	must(t, os.Rename(dir, away))
	must(t, os.Mkdir(dir, 0o700))
	return dir, func() {
		t.Helper()
		if err := os.Remove(dir); err != nil { // nothing was written into it
			t.Fatal(err)
		}
		must(t, os.Rename(away, dir))
	}
}

const createX = `{"command":"create","path":"/memories/x.md","file_text":"x"}` + "\n"

// What is at the path of a store that had files, and is empty, may be where a mount is missing: nothing works on it
// before the files are back or the user confirms that they are gone.
func TestEmptiedStoreIsRefused(t *testing.T) {
	t.Parallel()
	dir, back := emptied(t)
	file := transcriptOf(t, replayMake, replayMade)
	for _, args := range [][]string{
		{"exec", dir}, {"exec", "--create", dir}, {"mcp", dir}, {"plan", dir}, {"plan", "--check", dir}, {"apply", "--yes", dir},
		{"replay", file, "--into", dir, "--yes"}, {"undo", dir, "1"}, {"restore", dir, "/memories/a.md"}, {"doctor", dir},
	} {
		o := call{args: args, stdin: createX}.run(t)
		if o.code != session.ExitFailed || !strings.Contains(o.err, "are gone (2 files)") ||
			!strings.Contains(o.err, "doctor --accept-empty") || strings.Contains(o.out, "created") {
			t.Errorf("%v: %+v", args, o)
		}
	}
	if log := jsonOf(t, ok(t, "log", dir, "--json")); len(log) != 5 {
		t.Errorf("the log has %d revisions, want 5", len(log))
	}
	back()
	if o := (call{args: []string{"exec", dir}, stdin: createX}).run(t); o.code != 0 || o.err != "" {
		t.Errorf("when the files are back: %+v", o)
	}
	if o := do(t, "doctor", "--accept-empty", dir); o.code != 0 || !strings.Contains(o.err, "Nothing to accept") {
		t.Errorf("accepting where nothing is amiss: %+v", o)
	}
}

// Without a folder every command says what works. Accepted, the files count as removed by others, and come back as one.
func TestAcceptedEmptinessIsUndone(t *testing.T) {
	t.Parallel()
	dir, _ := emptied(t)
	must(t, os.Remove(dir))
	if o := do(t, "log", dir); o.code != session.ExitFailed || !strings.Contains(o.err, "doctor --accept-empty "+dir) ||
		!strings.Contains(o.err, "--relink "+dir+" NEW") {
		t.Errorf("without a folder: %+v", o)
	}
	must(t, os.Mkdir(dir, 0o700))
	if o := do(t, "doctor", "--accept-empty", dir); o.code != 0 || !strings.Contains(o.err, "deletion of 2 files") ||
		!strings.Contains(o.err, "--group 6") {
		t.Fatalf("%+v", o)
	}
	if o := (call{args: []string{"exec", dir}, stdin: createX}).run(t); o.code != 0 || o.err != "" {
		t.Errorf("afterwards: %+v", o)
	}
	for _, r := range jsonOf(t, ok(t, "log", dir, "--json"))[5:7] {
		if r["actor"] != "external" || r["command"] != "delete" || r["group"] != 6.0 {
			t.Errorf("recorded is %v", r)
		}
	}
	ok(t, "undo", dir, "--group", "6")
	for name, want := range map[string]string{"a.md": "東京\ntwo\n", "base.md": "base\n", "x.md": "x"} {
		if data, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != want {
			t.Errorf("%s is %q, %v", name, data, err)
		}
	}
}
