//go:build linux || darwin

package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// What other processes record after a purge in the interface is theirs: the journal is still the one that they share.
func TestAPurgeInTheInterfaceKeepsTheJournal(t *testing.T) {
	dir, state := t.TempDir(), t.TempDir()
	writeText(t, filepath.Join(dir, "a.md"), "token: "+someToken+"\n")
	s := openScreen(t, nil, "--state", state, dir)
	s.await("live")
	s.press("6")
	s.await("1 value, 1 place")
	s.press("\x01")
	s.await("1 selected of 1")
	s.press("a")
	s.await("Purge everywhere")
	s.press("p")
	s.await("Type purge to confirm")
	s.press("purge\r")
	s.await("no trace left")
	s.press("\x1b[27u\x1b[27u") // esc twice, so that no terminal reads it as the start of another key
	for i := range 6 {
		in := fmt.Sprintf(`{"command":"insert","path":"/memories/a.md","insert_line":1,"insert_text":"line %d\n"}`, i)
		if o := process(t, in, binary(t), "exec", "--state", state, dir); o.code != 0 || !strings.Contains(o.out, `"is_error":false`) {
			t.Fatalf("%+v", o)
		}
	}
	s.press("q")
	s.leaves(0)
	if o := do(t, "doctor", "--state", state, dir); o.code != 0 {
		t.Errorf("doctor: %+v", o)
	}
	o := do(t, "log", "--json", "--state", state, dir)
	if n := strings.Count(o.out, `"actor":"agent","command":"insert"`); n != 6 ||
		strings.Contains(o.out, `"actor":"external","command":"edit"`) {
		t.Errorf("%d of 6 edits are the agent's: %s", n, o.out)
	}
}
