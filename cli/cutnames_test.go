package cli

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A purge leaves no part of a value that a name was cut in: not in the memory, nor in the paths of its past.
func TestPurgeOfCutNames(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	name, kind := token(random), token(random)
	pad := func(n int) string { return strings.Repeat("word ", n/5+1)[:n-1] + " " }

	graph := filepath.Join(t.TempDir(), "memory.jsonl")
	must(t, os.WriteFile(graph, []byte(`{"type":"entity","name":"`+pad(165)+name+`","entityType":"service","observations":["x"]}`+"\n"+
		`{"type":"entity","name":"Ann","entityType":"a/`+pad(160)+kind+`","observations":["x"]}`+"\n"), 0o600))
	for store, values := range map[string][]string{graph: {name, kind}} {
		state := t.TempDir()
		var names []string
		for _, row := range jsonOf(t, ok(t, "ls", "--json", "--state", state, store)) {
			path, _ := row["path"].(string)
			for _, v := range values {
				if strings.Contains(path, v[:12]) {
					names = append(names, path)
				}
			}
		}
		if len(names) < len(values) {
			t.Fatalf("%s: %d names have parts of the values: %q", store, len(names), names)
		}
		in := `{"command":"delete","path":"` + names[0] + `"}` + "\n"
		if o := (call{args: []string{"exec", "--no-guards", "--state", state, store}, stdin: in}).run(t); o.code != 0 || strings.Contains(o.out, `error":true`) {
			t.Fatalf("%+v", o)
		}
		ok(t, "undo", "--group", "1", "--yes", "--state", state, "--dir", store)
		if o := do(t, "scrub", "--purge-history", "--yes", "--state", state, store); o.code != 0 {
			t.Errorf("%s%s", o.out, o.err)
		}
		for _, top := range []string{state, filepath.Dir(store)} {
			must(t, filepath.WalkDir(top, func(at string, e fs.DirEntry, err error) error {
				if err != nil || !e.Type().IsRegular() {
					return err
				}
				data, err := os.ReadFile(at)
				for _, v := range values {
					if n := bytes.Index(data, []byte(v[:12])); n >= 0 {
						t.Errorf("%s still has a part of a value: %q", e.Name(), data[max(0, n-30):min(len(data), n+40)])
					}
				}
				return err
			}))
		}
	}
}
