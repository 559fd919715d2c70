package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// token is a made-up token of GitHub's form.
func token(random *rand.Rand) string {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	b := []byte("ghp" + "_")
	for range 36 {
		b = append(b, letters[random.IntN(len(letters))])
	}
	return string(b)
}

// secretGraph is a knowledge graph with a secret at every position, and the secrets by position. Cleaned names differ.
func secretGraph(t *testing.T) (file string, values map[string]string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	values = map[string]string{}
	of := func(position string) string {
		if values[position] == "" {
			values[position] = token(random)
		}
		return values[position]
	}
	var b bytes.Buffer
	line := func(keys map[string]any) {
		data, err := json.Marshal(keys)
		must(t, err)
		b.Write(append(data, '\n'))
	}
	entity := func(name, kind string, observations ...string) {
		line(map[string]any{"type": "entity", "name": name, "entityType": kind, "observations": append([]string{}, observations...)})
	}
	relation := func(from, to, kind string) {
		line(map[string]any{"type": "relation", "from": from, "to": to, "relationType": kind})
	}
	entity("svc "+of("name"), "service", "plain")
	entity("app "+of("name of another type"), "type "+of("type"), "knows")
	entity("Ann", "person", "token "+of("observation"), "two lines\n"+of("second line"))
	line(map[string]any{"type": "entity", "name": "Extra", "entityType": "person", "observations": []string{}, "note": "a " + of("key's value"),
		"deep": map[string]any{"list": []string{of("deep")}}, "the " + of("key"): 1})
	for _, to := range []string{"svc " + of("name"), "app " + of("name of another type"), "gone " + of("target")} {
		relation("Ann", to, "uses")
	}
	relation("Ann", "Extra", "rel "+of("relation's type"))
	line(map[string]any{"type": "relation", "from": "Ann", "to": "Extra", "relationType": "r", "more": "z " + of("relation's key")})
	units := ""
	for _, c := range of("escaped") {
		units += fmt.Sprintf(`\u%04x`, c)
	}
	fmt.Fprintf(&b, `{"type":"entity","name":"Esc","entityType":"person","observations":["key %s"]}`, units)
	file = filepath.Join(t.TempDir(), "memory.jsonl")
	must(t, os.WriteFile(file, b.Bytes(), 0o600))
	return file, values
}

// holds checks of how many positions the memory has the value, plain or escaped.
func holds(t *testing.T, when, file string, values map[string]string, want int) {
	t.Helper()
	data, err := os.ReadFile(file)
	must(t, err)
	low := strings.ToLower(string(data))
	var list []string
	for position, value := range values {
		units := ""
		for _, c := range value {
			units += fmt.Sprintf(`\u%04x`, c)
		}
		if strings.Contains(low, strings.ToLower(value)) || strings.Contains(low, units) {
			list = append(list, position)
		}
	}
	if len(list) != want {
		t.Errorf("%s the memory has the values of %q, want %d of %d", when, list, want, len(values))
	}
}

func TestPurgeOfAGraph(t *testing.T) {
	t.Parallel()
	file, values := secretGraph(t)
	holds(t, "before,", file, values, len(values))
	state := t.TempDir()
	// A past that has the values, too.
	edits(t, map[string]string{"MEMCURATOR_STATE": state}, file,
		`{"command":"insert","path":"/memories/person/Ann.md","insert_line":0,"insert_text":"- new"}`)
	ok(t, "scrub", "--purge-history", "--yes", "--state", state, file)
	holds(t, "purged,", file, values, 0)
	must(t, filepath.WalkDir(state, func(at string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			holds(t, "in "+e.Name()+" of", at, values, 0)
		}
		return err
	}))
	ok(t, "scan", "--check", "--state", state, file)
	text := read(t, filepath.Dir(file), "memory.jsonl")
	if n := strings.Count(text, "\n"); n != 9 || !strings.Contains(text, `"relationType":"uses"}`) {
		t.Errorf("%d lines: %s", n, text)
	}
}
