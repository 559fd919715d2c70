package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

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
	writeText(t, filepath.Join(dir, "b.md"), "token: "+someToken+"\n")
	if got := do("scan", "--check"); got.code != session.ExitFailed || !strings.Contains(got.out, "/memories/b.md:1") ||
		!strings.Contains(got.err, "1 not read") {
		t.Errorf("with a finding: %+v", got)
	}
}
