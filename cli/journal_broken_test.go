//go:build linux || darwin

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// brokenJournals are the ways in which a journal that was there cannot be used, and what is said then.
var brokenJournals = map[string]struct {
	spoil func(file string) error
	says  string
}{
	"damaged": {func(file string) error {
		return os.WriteFile(file, []byte(strings.Repeat("damage", 4000)), 0o600)
	}, "the journal is damaged"},
	"of another version": {func(file string) error {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.WriteAt([]byte{0, 0, 0, 99}, 60) // where SQLite has the number of the schema
		return err
	}, "another version of"},
	"not writable": {func(file string) error {
		return os.Mkdir(file+"-wal", 0o700) // as root may write whatever its mode is
	}, "the journal is read-only"},
}

// Where the journal cannot be used the agent works on with a warning, what would need it says why, the
// interface opens and says so too, and the file is left as it is.
func TestBrokenJournalsStopNoCommand(t *testing.T) {
	t.Parallel()
	for name, c := range brokenJournals {
		t.Run(name, func(t *testing.T) {
			dir := newStore(t, map[string]string{"alpha.md": "first line\n"})
			state := filepath.Join(t.TempDir(), "state")
			exec := call{args: []string{"exec", dir, "--state", state}, stdin: `{"command":"create","path":"/memories/b.md","file_text":"b"}`}
			if o := exec.run(t); o.code != 0 || o.err != "" {
				t.Fatalf("%+v", o)
			}
			files, err := filepath.Glob(filepath.Join(state, "*", "journal.db"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			if err := c.spoil(files[0]); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			exec.stdin = `{"command":"create","path":"/memories/c.md","file_text":"c"}`
			if o := exec.run(t); o.code != 0 || !strings.Contains(o.out, "successfully") || !strings.Contains(o.err, "not recorded: "+c.says) {
				t.Errorf("exec: %+v", o)
			}
			do(t, "undo", dir, "--state", state).sentence(t, session.ExitFailed)
			s := openScreen(t, nil, dir, "--state", state)
			banner := "NOT RECORDED  " + c.says
			if name == "damaged" {
				banner = "JOURNAL DAMAGED"
			}
			s.await("alpha.md", "c.md", banner)
			s.press("q")
			s.leaves(0)
			if after, err := os.ReadFile(files[0]); err != nil || string(after) != string(before) {
				t.Errorf("the journal was touched: %v", err)
			}
		})
	}
}
