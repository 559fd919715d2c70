package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// spoiledJournals are what may become of a journal that was there.
var spoiledJournals = map[string]func(t *testing.T, file string){
	"truncated": func(t *testing.T, file string) { must(t, os.Truncate(file, 5000)) },
	"of no database": func(t *testing.T, file string) {
		must(t, os.WriteFile(file, []byte(strings.Repeat("damage", 4000)), 0o600))
	},
	"of another version": func(t *testing.T, file string) {
		f, err := os.OpenFile(file, os.O_RDWR, 0)
		must(t, err)
		_, err = f.WriteAt([]byte{0, 0, 0, 99}, 60) // where SQLite has the number of the schema
		must(t, err)
		must(t, f.Close())
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// No command says that a store is clean, or that nothing is due, when it could not read the journal.
func TestUnreadJournalIsNeverClean(t *testing.T) {
	t.Parallel()
	for name, spoil := range spoiledJournals {
		t.Run(name, func(t *testing.T) {
			dir, env := secretive(t)
			files, err := filepath.Glob(filepath.Join(env["MEMCURATOR_STATE"], "*", "journal.db"))
			if err != nil || len(files) != 1 {
				t.Fatal(files, err)
			}
			spoil(t, files[0])
			for _, args := range [][]string{{"scan", "--check"}, {"scan"}, {"scan", "--json"},
				{"plan", "--check"}, {"plan"}, {"doctor"}, {"scrub", "--yes"}, {"scrub", "--purge-history",
					"--yes"}} {
				got := call{args: append(args, dir), env: env}.run(t)
				if got.code != session.ExitFailed || !strings.Contains(got.err, "journal") {
					t.Errorf("%v: %+v", args, got)
				}
				if args[0] == "scan" && len(args) < 3 && !strings.Contains(got.out, "/memories/a.md") {
					t.Errorf("%v: what could be read was not scanned: %+v", args, got)
				}
			}
		})
	}
}

// A file above the size limit was not read; a binary file and a link out of the store are skipped by rule.
func TestUnreadFilesAreNeverClean(t *testing.T) {
	t.Parallel()
	dir := newStore(t, map[string]string{"a.md": "nothing\n", "picture.png": "\x89PNG\x00\x00"})
	linked := os.Symlink(filepath.Join(t.TempDir(), "vault"), filepath.Join(dir, "vault")) == nil // needs a privilege on Windows
	env := map[string]string{"MEMCURATOR_STATE": t.TempDir()}
	do := func(args ...string) outcome { t.Helper(); return call{args: append(args, dir), env: env}.run(t) }
	if got := do("scan", "--check"); got.code != 0 || !strings.Contains(got.err, "Skipped 1 item (not text)") ||
		linked && !strings.Contains(got.err, "Skipped 1 item (a link out of the store)") {
		t.Errorf("%+v", got)
	}
	big := filepath.Join(dir, "big.md")
	must(t, os.WriteFile(big, nil, 0o600))
	must(t, os.Truncate(big, 65<<20))
	for _, args := range [][]string{{"scan", "--check"}, {"scan"}, {"scrub", "--yes"},
		{"scrub", "--purge-history", "--yes"}} {
		if got := do(args...); got.code != session.ExitFailed || !strings.Contains(got.err,
			"Not read: /memories/big.md (larger than 64 MiB)") {
			t.Errorf("%v: %+v", args, got)
		}
	}
	must(t, os.WriteFile(filepath.Join(dir, "b.md"), []byte("token: "+someToken+"\n"), 0o600))
	if got := do("scan", "--check"); got.code != session.ExitFailed || !strings.Contains(got.out, "/memories/b.md:1") ||
		!strings.Contains(got.err, "1 not read") {
		t.Errorf("with a finding: %+v", got)
	}
}
