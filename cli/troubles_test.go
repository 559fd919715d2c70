package cli

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/memtest"
	"memcurator/memstore/memtest/dbtest"
)

// What is damaged of another program's memory is a sentence of its row, and of doctor, and nothing of it is changed.
func TestTroublesOfOtherProgramsMemoriesAreListed(t *testing.T) {
	t.Parallel()
	const ann = `{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}` + "\n"
	db := filepath.Join(t.TempDir(), "memory.db")
	must(t, dbtest.WriteCCMemory(db, time.Now(), false))
	whole := read(t, filepath.Dir(db), "memory.db")
	for _, c := range []struct {
		name, at, text string
		want           string // in stores
		reads          bool   // doctor lists it, as the rest can be read
	}{
		{"a line of a graph", "memory.jsonl", ann + "{broken\n", "Line 2 of the file", true},
		{"an empty graph", "memory.jsonl", "", "", true},
		{"a database that is half written", ".claude-memory/memory.db", whole[:len(whole)/2], "only half of one was written", false},
		{"a whole database", ".claude-memory/memory.db", whole, "", true},
		{"engram, half written", ".engram/engram.db", whole[:50], "only half of one was written", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			file := filepath.Join(home, c.at)
			memtest.WriteFiles(t, home, map[string]string{c.at: c.text})
			env := map[string]string{"HOME": home, "MEMORY_FILE_PATH": filepath.Join(home, "memory.jsonl")}
			o := call{args: []string{"stores", "--json", "--state", filepath.Join(home, "state")}, env: env}.run(t)
			problems := ""
			for _, row := range jsonOf(t, o.out) {
				if row["path"] == file {
					for _, p := range row["problems"].([]any) {
						problems += p.(string) + "\n"
					}
				}
			}
			if o.code != 0 || !strings.Contains(problems, c.want) || (c.want == "") != (problems == "") {
				t.Errorf("problems %q, want %q: %+v", problems, c.want, o)
			}
			call{args: []string{"exec", "--state", filepath.Join(home, "state"), file}, env: env}.run(t)
			d := call{args: []string{"doctor", "--state", filepath.Join(home, "state"), file}, env: env}.run(t)
			if c.reads && (c.want != "") != strings.Contains(d.out, "memory     ") || c.reads && !strings.Contains(d.out, c.want) {
				t.Errorf("doctor: %+v", d)
			}
			if read(t, filepath.Dir(file), filepath.Base(file)) != c.text {
				t.Error("looking changed the file")
			}
		})
	}
}
