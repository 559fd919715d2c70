package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
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

// secretGraph is a knowledge graph with a secret at every position, and the secrets by position.
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
	aws := strings.Repeat("wJ/alrXU+tnFE", 3) + "a"
	values["special characters"] = aws
	var b bytes.Buffer
	line := func(keysAndValues ...any) {
		b.WriteByte('{')
		for i := 0; i < len(keysAndValues); i += 2 {
			key, _ := json.Marshal(keysAndValues[i])
			value, err := json.Marshal(keysAndValues[i+1])
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "%s%s:%s", map[bool]string{true: ","}[i > 0], key, value)
		}
		b.WriteString("}\n")
	}
	entity := func(name, kind string, observations ...string) {
		line("type", "entity", "name", name, "entityType", kind, "observations", append([]string{}, observations...))
	}
	relation := func(from, to, kind string) { line("type", "relation", "from", from, "to", to, "relationType", kind) }
	entity("svc "+of("name"), "service", "plain")
	entity("svc "+of("name of another type"), "type "+of("type"), "knows")
	entity("long "+of("long name")+strings.Repeat(" and more", 30), "service", "x")
	entity("Cara", "kind "+of("long type")+strings.Repeat(" of many words", 20), "x")
	entity("twin "+of("twin"), "service", "first")
	entity("twin "+of("twin"), "service", "second")
	entity("twin "+of("twin"), "other", "third")
	entity("a "+of("merged 1"), "service", "one")
	entity("a "+of("merged 2"), "service", "two")
	entity("Ann", "person", "token "+of("observation"), "two lines\n"+of("second line"))
	entity("Aws", "person", "aws_secret_access_key = "+aws)
	entity("bucket "+aws, "service", "x")
	line("type", "entity", "name", "Extra", "entityType", "person", "observations", []string{}, "note", "a "+of("key's value"),
		"deep", map[string]any{"list": []string{of("deep")}}, "the "+of("key"), 1)
	for _, to := range []string{"svc " + of("name"), "svc " + of("name of another type"), "gone " + of("target"), "gone " + aws,
		"long " + of("long name") + strings.Repeat(" and more", 30), "a " + of("merged 1"), "a " + of("merged 2"), "twin " + of("twin")} {
		relation("Ann", to, "uses")
	}
	relation("lost "+of("source"), "Ann", "saw")
	relation("Ann", "Aws", "rel "+of("relation's type"))
	line("type", "relation", "from", "Ann", "to", "Aws", "relationType", "r", "more", "z "+of("relation's key"))
	fmt.Fprintf(&b, `{"type":"entity","name":"half","entityType":"x %s`+"\n", of("damaged"))
	units := ""
	for _, c := range of("damaged, escaped") {
		units += fmt.Sprintf(`\u%04x`, c)
	}
	fmt.Fprintf(&b, `{"type":"entity","name":"half","observations":["%s`+"\n", units)
	units = ""
	for _, c := range of("escaped") {
		units += fmt.Sprintf(`\u%04x`, c)
	}
	fmt.Fprintf(&b, `{"type":"entity","name":"Esc","entityType":"person","observations":["key %s"]}`, units)
	file = filepath.Join(t.TempDir(), "memory.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, values
}

// left are the positions whose value is in a file, plain or escaped.
func left(t *testing.T, file string, values map[string]string) (list []string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for position, value := range values {
		units := ""
		for _, c := range value {
			units += fmt.Sprintf(`\u%04x`, c)
		}
		escaped, _ := json.Marshal(value)
		for _, form := range []string{value, units, strings.Trim(string(escaped), `"`), strings.ReplaceAll(value, "/", "=2F"),
			strings.ReplaceAll(value, "/", `\/`)} {
			if bytes.Contains(bytes.ToLower(data), []byte(strings.ToLower(form))) {
				list = append(list, position)
				break
			}
		}
	}
	return list
}

func TestPurgeOfAGraph(t *testing.T) {
	t.Parallel()
	file, values := secretGraph(t)
	if n := len(left(t, file, values)); n != len(values) {
		t.Fatalf("%d of %d values are in the file", n, len(values))
	}
	state := t.TempDir()
	// A past that has the values, too.
	insert := `{"command":"insert","path":"/memories/person/Ann.md","insert_line":3,"insert_text":"- new"}` + "\n"
	if o := (call{args: []string{"exec", "--no-guards", "--state", state, file}, stdin: insert}).run(t); o.code != 0 {
		t.Fatalf("%+v", o)
	}
	if o := do(t, "scrub", "--purge-history", "--yes", "--state", state, file); o.code != 0 {
		t.Errorf("%s%s", o.out, o.err)
	}
	if list := left(t, file, values); len(list) > 0 {
		t.Errorf("the memory still has the values of %q", list)
	}
	_ = filepath.WalkDir(state, func(at string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if list := left(t, at, values); len(list) > 0 {
				t.Errorf("%s still has the values of %q", e.Name(), list)
			}
		}
		return err
	})
	if o := do(t, "scan", "--check", "--state", state, file); o.code != 0 {
		t.Errorf("a scan: %+v", o)
	}
	text := read(t, filepath.Dir(file), "memory.jsonl")
	if n := strings.Count(text, "\n"); n != 26 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{`"relationType":"uses"}`, `"name":"a [REDACTED:github-token] 2"`, `"to":"a [REDACTED:github-token] 2"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// A strip removes what the files show, and one undo restores it.
func TestStripOfAGraph(t *testing.T) {
	t.Parallel()
	file, values := secretGraph(t)
	state := t.TempDir()
	const stays = "long type" // no folder can say it, so that no undo could restore it
	if o := do(t, "scrub", "--yes", "--state", state, file); o.code != 1 || !strings.Contains(o.err, "The type is too long for the name of a folder") ||
		!strings.Contains(o.err, "Can't redact 1 file\n") {
		t.Errorf("%s%s", o.out, o.err)
	}
	if list := left(t, file, values); !slices.Equal(list, []string{stays}) {
		t.Errorf("the memory still has the values of %q", list)
	}
	if o := do(t, "undo", "--yes", "--state", state, file); o.code != 0 {
		t.Errorf("%s%s", o.out, o.err)
	}
	if list := left(t, file, values); len(list) != len(values) {
		t.Errorf("an undo restores only the values of %q", list)
	}
	if o := do(t, "undo", "--redo", "--yes", "--state", state, file); o.code != 0 {
		t.Errorf("%s%s", o.out, o.err)
	}
	if list := left(t, file, values); !slices.Equal(list, []string{stays}) {
		t.Errorf("the memory has the values of %q again", list)
	}
}
