//go:build unix

package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// A purge names the commits with a value, which it doesn't rewrite.
func TestAPurgeSearchesCommits(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	dir := filepath.Join(top, "memories")
	git := memtest.Git(t, top)
	must(t, os.Mkdir(dir, 0o700))
	writeText(t, filepath.Join(dir, "a.md"), "token: "+someToken+"\n")
	git("init", "-q")
	git("add", "-A")
	git("commit", "-q", "-m", "first")
	env := map[string]string{"MEMCURATOR_STATE": t.TempDir()}
	got := call{args: []string{"scrub", dir, "--purge-history", "--yes"}, env: env}.run(t)
	if got.code != 1 || !strings.Contains(got.err, "git has values in 1 file") || !strings.Contains(got.err, "Values may remain at 1 place") {
		t.Errorf("%+v", got)
	}
}
