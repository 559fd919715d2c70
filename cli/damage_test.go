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

// A journal that is empty or gone is damage: the agent works on with a warning, what would need the journal is refused, and doctor
// does not say that nothing is wrong.
func TestALostJournalIsNotANewOne(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(file string) error{
		"empty": func(file string) error { return os.Truncate(file, 0) },
		"gone":  os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			dir, state, file := spoilable(t)
			if err := spoil(file); err != nil {
				t.Fatal(err)
			}
			o := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/d.md","file_text":"d"}`}.run(t)
			if o.code != 0 || !strings.Contains(o.out, `"is_error":false`) ||
				!strings.Contains(o.err, "not recorded: the journal is damaged") || !strings.Contains(o.err, "memcurator doctor") {
				t.Errorf("exec: %+v", o)
			}
			for _, args := range [][]string{{"doctor"}, {"log"}, {"undo"}, {"restore", "/memories/b.md"}, {"doctor", "--keep-age", "90d"},
				{"doctor", "--export", "-"}, {"scrub", "--purge-history", "--yes"}} {
				if o := do(t, append(args, "--state", state, "--dir", dir)...); o.code != 1 || !strings.Contains(o.err, "damaged") {
					t.Errorf("%v: %+v", args, o)
				}
			}
		})
	}
}

// doctor repairs a damaged journal from its copy, after saying what is lost, and asks.
func TestDoctorRepairs(t *testing.T) {
	dir, state, file := spoilable(t)
	exec := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/d.md","file_text":"d"}`}
	if o := exec.run(t); o.code != 0 || o.err != "" {
		t.Fatalf("%+v", o)
	}
	if err := os.WriteFile(filepath.Join(dir, "since.md"), []byte("since"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(file, 0); err != nil {
		t.Fatal(err)
	}
	if o := do(t, "doctor", dir, "--state", state); o.code != 1 || !strings.Contains(o.err, "doctor --repair") {
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
	if o := do(t, "log", dir, "--state", state, "--json"); strings.Count(o.out, `"actor":"agent"`) < 2 {
		t.Errorf("the past: %+v", o)
	}
}
