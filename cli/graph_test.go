package cli

import (
	"fmt"
	"math/rand/v2"
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

// A purge of a knowledge graph clears a secret at every position, of the memory and of its past.
func TestPurgeOfAGraph(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var values []string
	made := func() string {
		values = append(values, token(random))
		return values[len(values)-1]
	}
	name, named, target, plain := made(), made(), made(), made()
	escaped := ""
	for _, c := range plain {
		escaped += fmt.Sprintf(`\u%04x`, c)
	}
	lines := []string{
		`{"type":"entity","name":"svc ` + name + `","entityType":"service","observations":["plain"]}`,
		`{"type":"entity","name":"app ` + named + `","entityType":"type ` + made() + `","observations":["knows"]}`,
		`{"type":"entity","name":"Ann","entityType":"person","observations":["token ` + made() + `","two lines\n` + made() + `"]}`,
		`{"type":"entity","name":"Extra","entityType":"person","observations":[],"note":"a ` + made() + `","deep":{"list":["` + made() +
			`"]},"the ` + made() + `":1}`,
		`{"type":"relation","from":"Ann","to":"svc ` + name + `","relationType":"uses"}`,
		`{"type":"relation","from":"Ann","to":"app ` + named + `","relationType":"uses"}`,
		`{"type":"relation","from":"Ann","to":"gone ` + target + `","relationType":"uses"}`,
		`{"type":"relation","from":"Ann","to":"Extra","relationType":"rel ` + made() + `"}`,
		`{"type":"relation","from":"Ann","to":"Extra","relationType":"r","more":"z ` + made() + `"}`,
		`{"type":"entity","name":"Esc","entityType":"person","observations":["key ` + escaped + `"]}`,
	}
	dir, state := t.TempDir(), t.TempDir()
	file := filepath.Join(dir, "memory.jsonl")
	writeText(t, file, strings.Join(lines, "\n"))
	// A past that has the values, too.
	edits(t, map[string]string{"MEMCURATOR_STATE": state}, file,
		`{"command":"insert","path":"/memories/person/Ann.md","insert_line":0,"insert_text":"- new"}`)
	ok(t, "scrub", "--purge-history", "--yes", "--state", state, file)
	for _, folder := range []string{dir, state} {
		nowhereBelow(t, folder, append(values, escaped)...)
	}
	ok(t, "scan", "--check", "--state", state, file)
	text := read(t, dir, "memory.jsonl")
	if n := strings.Count(text, "\n"); n != 9 || !strings.Contains(text, `"relationType":"uses"}`) {
		t.Errorf("%d lines: %s", n, text)
	}
}
