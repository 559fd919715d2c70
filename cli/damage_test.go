package cli

import (
	"path/filepath"
	"strings"
	"testing"
)

// doctor repairs a damaged journal from its copy, after saying what is lost, and asks.
func TestDoctorRepairs(t *testing.T) {
	t.Parallel()
	for name, damaged := range map[string]string{"garbage": strings.Repeat("damage", 4000), "empty, as after a power failure": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, state := newStore(t, map[string]string{"alpha.md": "first line\n"}), filepath.Join(t.TempDir(), "state")
			env := map[string]string{"MEMCURATOR_STATE": state}
			edits(t, env, dir, `{"command":"create","path":"/memories/b.md","file_text":"b"}
{"command":"create","path":"/memories/c.md","file_text":"c"}`)
			edits(t, env, dir, `{"command":"create","path":"/memories/d.md","file_text":"d"}`)
			writeText(t, filepath.Join(dir, "since.md"), "since")
			writeText(t, journalIn(t, state), damaged)
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
			edits(t, env, dir, "")
			if o := do(t, "doctor", dir, "--state", state); o.code != 0 {
				t.Errorf("doctor after it: %+v", o)
			}
			// The daily copy is made while the first edits arrive, so it may have one of them only.
			if o := do(t, "log", dir, "--state", state, "--json"); !strings.Contains(o.out, `"actor":"agent","command":"create","path":"/memories/b.md"`) {
				t.Errorf("the past: %+v", o)
			}
		})
	}
}
