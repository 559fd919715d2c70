package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// server plays the server of a program that has read a file: once the file has a text, or lacks it, it writes over it what it has read.
func server(t *testing.T, file, of string, has bool) (wrote <-chan struct{}) {
	t.Helper()
	read, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for t.Context().Err() == nil {
			if now, err := os.ReadFile(file); err == nil && strings.Contains(string(now), of) == has {
				if err := os.WriteFile(file, read, 0o600); err != nil {
					t.Error(err)
				}
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return done
}

// undoPart is the command that a message ends with.
var undoPart = regexp.MustCompile(`To restore (?:it|them), run: memcurator (undo .*)\n`)

func TestAnEditThatTheProgramWritesOverIsReported(t *testing.T) {
	t.Parallel()
	graph := filepath.Join(t.TempDir(), "memory.jsonl")
	const before = `{"type":"entity","name":"Ann","entityType":"person","observations":["Likes tea"]}
{"type":"entity","name":"Bo","entityType":"person","observations":[]}
`
	if err := os.WriteFile(graph, []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, file, path, old, new string }{
		{"graph", graph, "/memories/person/Ann.md", "Likes tea", "Likes coffee"},
		{"cc-memory", ccMemory(t), "/memories/semantic/config/connection pool.md", "50 connections", "61 connections"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			state := t.TempDir()
			is := func(text string) {
				t.Helper()
				if now := ok(t, "cat", "--state", state, "--dir", c.file, c.path); !strings.Contains(now, text) {
					t.Fatalf("it isn't %q: %s", text, now)
				}
			}
			edit := fmt.Sprintf(`{"command":"str_replace","path":%q,"old_str":%q,"new_str":%q}`, c.path, c.old, c.new)
			wrote := server(t, c.file, c.new, true)
			o := call{args: []string{"exec", "--state", state, c.file}, stdin: edit + "\n"}.run(t)
			<-wrote
			is(c.old)
			if o.code != 0 || !strings.Contains(o.err, "memcurator: Its server has written over an agent's edit of "+c.path+". To restore it, run:") {
				t.Fatalf("%+v\n%s", o, ok(t, "log", "--json", "--state", state, c.file))
			}
			restore := func(o outcome) {
				t.Helper()
				args := strings.Fields(undoPart.FindStringSubmatch(o.err)[1])
				if o := do(t, args...); o.code != 0 || strings.Contains(o.err, "written over") {
					t.Fatalf("%+v", o)
				}
			}
			restore(o)
			is(c.new)

			// An undo may be lost, too: then it has failed.
			wrote = server(t, c.file, c.new, false)
			o = do(t, "undo", "--state", state, c.file)
			<-wrote
			is(c.new)
			if o.code != 1 || !strings.Contains(o.err, "Its server has written over your edit of "+c.path+". To restore it, run:") {
				t.Fatalf("%+v", o)
			}
			restore(o)
			is(c.old)
		})
	}
}
