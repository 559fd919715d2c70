package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
)

// keyPlaceholder stands in the script where the demo writes a secret that it assembles at run time.
const keyPlaceholder = "{{fake_api_key}}"

// step is one line of the demo's script: wait, then send the input to the handlers.
type step struct {
	AfterMS int             `json:"after_ms"`
	Input   json.RawMessage `json:"input"`
	command memstore.Command
}

func demoScript(t *testing.T) []step {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(moduleRoot(t), "testdata", "demo", "script.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var steps []step
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		var s step
		decoder := json.NewDecoder(bytes.NewReader(lines.Bytes()))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&s); err != nil {
			t.Fatalf("line %d: %v", len(steps)+1, err)
		}
		if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			t.Fatalf("line %d holds more than one value", len(steps)+1)
		}
		if s.command, err = memstore.DecodeCommand(s.Input); err != nil {
			t.Fatalf("line %d: %v", len(steps)+1, err)
		}
		steps = append(steps, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}

// Run in order on the bundled store every step does what the story says: the only
// failure is a str_replace from memory, which looks at the file and tries again.
func TestDemoScriptTellsItsStory(t *testing.T) {
	t.Parallel()
	store := demoStore(t)
	steps := demoScript(t)
	var failed []int
	var held bool // a note holds the secret
	counts := map[string]int{}
	for i, s := range steps {
		counts[s.command.Name]++
		r := store.Do(context.Background(), s.command)
		if r.IsError {
			failed = append(failed, i)
			continue
		}
		written := s.command.FileText + s.command.NewStr + s.command.InsertText
		held = held || strings.Contains(written, keyPlaceholder)
	}
	if len(failed) != 1 || failed[0]+2 >= len(steps) {
		t.Fatalf("steps %v fail, want exactly one and two after it", failed)
	}
	first, look, again := steps[failed[0]].command, steps[failed[0]+1].command, steps[failed[0]+2].command
	if first.Name != memstore.CmdStrReplace || look.Name != memstore.CmdView || again.Name != memstore.CmdStrReplace ||
		look.Path != first.Path || again.Path != first.Path {
		t.Errorf("after the failure of %s %s come %s %s and %s %s", first.Name, first.Path, look.Name, look.Path, again.Name, again.Path)
	}
	if !held {
		t.Error("no step writes a secret by mistake")
	}
	for _, name := range []string{memstore.CmdView, memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert, memstore.CmdDelete,
		memstore.CmdRename} {
		if counts[name] == 0 {
			t.Errorf("the script never uses %s", name)
		}
	}
	checkNoKeyLeft(t, store)
}

// checkNoKeyLeft looks for the placeholder in every file: by the end the agent has taken it out.
func checkNoKeyLeft(t *testing.T, store *memstore.Store) {
	t.Helper()
	snapshot, err := store.Scan(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	snapshot.Walk(func(agent string, n *memstore.Node) bool {
		if n.Kind != memstore.KindFile {
			return true
		}
		r := store.Do(context.Background(), memstore.Command{Name: memstore.CmdView, Path: agent})
		if r.IsError || strings.Contains(r.Content, keyPlaceholder) {
			t.Errorf("%s still holds the key, or cannot be read", agent)
		}
		return true
	})
}

func TestDemoScriptKeepsMoving(t *testing.T) {
	t.Parallel()
	steps := demoScript(t)
	var now, firstChange time.Duration
	for i, s := range steps {
		wait := time.Duration(s.AfterMS) * time.Millisecond
		now += wait
		if i > 1 && (wait < 1500*time.Millisecond || wait > 6*time.Second) {
			t.Errorf("step %d waits %v", i+1, wait)
		}
		if firstChange == 0 && s.command.Name != memstore.CmdView {
			firstChange = now
		}
	}
	if firstChange == 0 || firstChange > 2*time.Second {
		t.Errorf("the first change comes after %v, want at most 2 s", firstChange)
	}
	if len(steps) < 45 || len(steps) > 70 || now < 3*time.Minute || now > 4*time.Minute {
		t.Errorf("%d steps in %v, want 45 to 70 in 3 to 4 minutes", len(steps), now)
	}
}

// demoStore opens a copy of the store that the program carries.
func demoStore(t *testing.T) *memstore.Store {
	t.Helper()
	dir := t.TempDir()
	source := os.DirFS(filepath.Join(moduleRoot(t), "testdata", "stores", "demo"))
	if err := os.CopyFS(dir, source); err != nil {
		t.Fatal(err)
	}
	if _, err := fs.Stat(os.DirFS(dir), ".index"); err != nil {
		t.Fatal(err)
	}
	store, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	return store
}
