//go:build unix

package cli

import (
	"os"
	"strings"
	"testing"
	"time"
)

// A cap that is saved while an agent works holds from then on, also when a broken configuration is saved after it.
func TestExecTakesASavedConfiguration(t *testing.T) {
	t.Parallel()
	dir, config := newStore(t, nil), writeConfig(t, "")
	r := start(t, "exec", dir, "--config", config)
	save := func(text string) {
		t.Helper()
		writeText(t, config+".new", text)
		must(t, os.Rename(config+".new", config))
	}
	until := func(what string) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			answer := r.ask(t, `{"command":"create","path":"/memories/new/a.md","file_text":"more than ten bytes"}`)
			r.ask(t, `{"command":"delete","path":"/memories/new"}`)
			if strings.Contains(answer, what) {
				return
			}
		}
		t.Fatalf("%q was never answered", what)
	}
	until("File created successfully")
	save(tightRules)
	until("limit 10 bytes per file")
	save("nonsense\n")
	for end := time.Now().Add(2 * time.Minute); !strings.Contains(r.errs.String(), "stay in force"); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("a broken configuration is not told: %q", r.errs.String())
		}
	}
	until("limit 10 bytes per file")
	save("# nothing is limited any more\n")
	until("File created successfully")
	_ = r.in.Close()
	if err := r.Wait(); err != nil || strings.Count(r.errs.String(), "\n") != 1 {
		t.Errorf("%v, %q", err, r.errs.String())
	}
}
