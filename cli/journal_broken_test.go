//go:build linux || darwin

package cli

import (
	"os"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// brokenJournals are the ways in which a journal that was there cannot be used, and what is said then.
var brokenJournals = map[string]struct {
	spoil        func(file string) error
	says, banner string
}{
	"damaged": {func(file string) error {
		return os.WriteFile(file, []byte(strings.Repeat("damage", 4000)), 0o600)
	}, "the journal is damaged", "JOURNAL DAMAGED"},
	"truncated": {func(file string) error { return os.Truncate(file, 5000) }, "the journal is damaged", "JOURNAL DAMAGED"},
	"of another version": {func(file string) error {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteAt([]byte{0, 0, 0, 99}, 60) // where SQLite has the number of the schema
		return err
	}, "another version of", "NOT RECORDED  another version of"},
	"not writable": {func(file string) error {
		return os.Mkdir(file+"-wal", 0o700) // as root may write whatever its mode is
	}, "the journal is read-only", "NOT RECORDED  the journal is read-only"},
}

// Where the journal cannot be used the agent works on with a warning, what would need it says why, and never that a store is
// clean or that nothing is due. The interface opens and says so too, and the file is left as it is.
func TestBrokenJournals(t *testing.T) {
	t.Parallel()
	for name, c := range brokenJournals {
		t.Run(name, func(t *testing.T) {
			dir, env := secretive(t)
			state := env["MEMCURATOR_STATE"]
			file := journalIn(t, state)
			must(t, c.spoil(file))
			before, err := os.ReadFile(file)
			must(t, err)
			exec := call{args: []string{"exec", dir}, env: env, stdin: `{"command":"create","path":"/memories/d.md","file_text":"d"}`}
			if o := exec.run(t); o.code != 0 || !strings.Contains(o.out, "successfully") || !strings.Contains(o.err, "not recorded: "+c.says) {
				t.Errorf("exec: %+v", o)
			}
			call{args: []string{"undo", dir}, env: env}.run(t).sentence(t, session.ExitFailed)
			for _, args := range [][]string{{"scan", "--check"}, {"scan"}, {"scan", "--json"}, {"plan", "--check"}, {"plan"}, {"doctor"},
				{"scrub", "--yes"}, {"scrub", "--purge-history", "--yes"}} {
				o := call{args: append(args, dir), env: env}.run(t)
				if o.code != session.ExitFailed || !strings.Contains(o.err, "journal") {
					t.Errorf("%v: %+v", args, o)
				}
				if args[0] == "scan" && len(args) < 3 && !strings.Contains(o.out, "/memories/a.md") {
					t.Errorf("%v: what could be read was not scanned: %+v", args, o)
				}
			}
			s := openScreen(t, nil, dir, "--state", state)
			s.await("a.md", "d.md", c.banner)
			s.press("q")
			s.leaves(0)
			if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
				t.Errorf("the journal was touched: %v", err)
			}
		})
	}
}
