package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// spoilable is a store of which a few edits were recorded, and its journal.
func spoilable(t *testing.T) (dir, state, file string) {
	t.Helper()
	dir, state = newStore(t, map[string]string{"alpha.md": "first line\n"}), filepath.Join(t.TempDir(), "state")
	o := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/b.md","file_text":"b"}
{"command":"create","path":"/memories/c.md","file_text":"c"}`}.run(t)
	files, err := filepath.Glob(filepath.Join(state, "*", "journal.db"))
	if o.code != 0 || err != nil || len(files) != 1 {
		t.Fatal(o, files, err)
	}
	return dir, state, files[0]
}

// doctor repairs a damaged journal from its copy, after saying what is lost, and asks.
func TestDoctorRepairs(t *testing.T) {
	t.Parallel()
	for name, damaged := range map[string]string{"garbage": strings.Repeat("damage", 4000), "empty, as after a power failure": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			repairs(t, damaged)
		})
	}
}

func repairs(t *testing.T, damaged string) {
	t.Helper()
	dir, state, file := spoilable(t)
	exec := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/d.md","file_text":"d"}`}
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	if err := os.WriteFile(filepath.Join(dir, "since.md"), []byte("since"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	if o := do(t, "doctor", dir, "--state", state); o.code != 1 || !strings.Contains(o.err, " --repair") {
		t.Errorf("doctor: %+v", o)
	}
	if o := do(t, "doctor", "--repair", dir, "--state", state); o.code != 2 || !strings.Contains(o.err, "--yes") {
		t.Errorf("without an answer: %+v", o)
	}
	if o := do(t, "doctor", "--repair", "--yes", dir, "--state", state); o.code != 0 || !strings.Contains(o.err, "are lost") ||
		!strings.Contains(o.out, "Repaired the journal up to revision") {
		t.Errorf("repair: %+v", o)
	}
	if o := do(t, "doctor", dir, "--state", state); o.code != 0 {
		t.Errorf("doctor, before any other command: %+v", o)
	}
	exec.stdin = ""
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Errorf("exec after it: %+v", o)
	}
	if o := do(t, "doctor", dir, "--state", state); o.code != 0 {
		t.Errorf("doctor after it: %+v", o)
	}
	// The daily copy is made while the first edits arrive, so it may have one of them only.
	if o := do(t, "log", dir, "--state", state, "--json"); !strings.Contains(o.out, `"actor":"agent","command":"create","path":"/memories/b.md"`) {
		t.Errorf("the past: %+v", o)
	}
}
