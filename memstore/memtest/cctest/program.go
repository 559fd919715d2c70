package cctest

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// cloneVariable names the folder of a clone of cc-memory in which it has been built.
const cloneVariable = "MEMCURATOR_TEST_CC_MEMORY"

//go:embed program.mjs
var driver []byte

// Program is cc-memory itself, run by Node.
type Program struct{ clone string }

// Step is one thing that the program is asked to do: see program.mjs.
type Step map[string]any

// Find returns the program. Where it isn't at hand, the test is skipped.
func Find(t testing.TB) Program {
	t.Helper()
	clone := os.Getenv(cloneVariable)
	if clone == "" {
		t.Skip("a comparison with cc-memory itself: " + cloneVariable + " names no clone of it")
	}
	if _, err := os.Stat(filepath.Join(clone, "dist", "memory", "MemoryManager.js")); err != nil {
		t.Skipf("cc-memory has not been built in %s", clone)
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("Node is not installed")
	}
	return Program{clone}
}

// Run starts the program on the memory in a folder (its file is memory.db), with a clock that stands at now, takes the steps, and
// returns what each gave. The file is written when all is done.
func (p Program) Run(t testing.TB, folder string, now time.Time, steps ...Step) []json.RawMessage {
	t.Helper()
	script := filepath.Join(t.TempDir(), "program.mjs")
	if err := os.WriteFile(script, driver, 0o600); err != nil {
		t.Fatal(err)
	}
	input, err := json.Marshal(map[string]any{"clone": p.clone, "folder": folder, "now": now.UnixMilli(), "steps": steps})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("node", script)
	c.Env = append(os.Environ(), "HOME="+t.TempDir())
	c.Stdin = bytes.NewReader(input)
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	if err != nil {
		t.Fatalf("cc-memory: %v\n%s", err, errs.Bytes())
	}
	var answers []json.RawMessage
	if err := json.Unmarshal(out, &answers); err != nil || len(answers) != len(steps) {
		t.Fatalf("cc-memory answered %q: %v", out, err)
	}
	return answers
}
