package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// A command that changed a store in git names what commits it, and commits only what the user confirms.
func TestACommandOffersToCommit(t *testing.T) {
	t.Parallel()
	src := newStore(t, map[string]string{"a.md": "a\n", "b.md": "b\n"})
	dst := newStore(t, map[string]string{"theirs.md": "c\n"})
	git := memtest.Repository(t, dst)
	if err := os.WriteFile(filepath.Join(dst, "theirs.md"), []byte("agent\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	config := writeConfig(t, "commit = \"ask\"\n")
	const subject = "--format=%s"

	hint := "Not committed: 2 files. To commit, run memcurator " + dst + " and type :commit\n"
	if o := do(t, "copy", "--yes", "--config", config, src, dst); o.code != 0 || !strings.HasSuffix(o.err, hint) {
		t.Errorf("without a terminal: %+v", o)
	}
	if o := do(t, "undo", dst, "--config", config); o.code != 0 || strings.Contains(o.err, "ommitted") {
		t.Errorf("the files are as git has them: %+v", o)
	}
	if o := do(t, "undo", dst, "--redo"); o.code != 0 || strings.Contains(o.err, "ommitted") {
		t.Errorf("commits are off by default: %+v", o)
	}
	do(t, "undo", dst)
	again := []string{"undo", dst, "--redo", "--config", config}
	o := call{args: again, tty: true, stdin: "n\n"}.run(t)
	if question := "add    a.md\nadd    b.md\nCommit 2 files as \"Curate memory: add 2 files\"? [y/N] "; o.code != 0 ||
		!strings.HasSuffix(o.err, question) {
		t.Errorf("%+v", o)
	}
	if got := git("log", subject); got != "One" {
		t.Errorf("no was the answer, and git has %q", got)
	}
	do(t, "undo", dst)
	if o = (call{args: again, tty: true, stdin: "y\n"}).run(t); o.code != 0 ||
		!strings.Contains(o.err, "Committed ") {
		t.Errorf("%+v", o)
	}
	if got := git("log", subject, "-1", "--name-status"); got != "Curate memory: add 2 files\n\nA\tmemories/a.md\nA\tmemories/b.md" {
		t.Errorf("git has %q", got)
	}
	git("config", "core.pager", "less")
	o = do(t, "move", "--yes", "--config", config, filepath.Join(src, "a.md"), newStore(t, nil))
	if o.code != 0 || strings.Contains(o.err, "ommitted") {
		t.Errorf("neither store is in git: %+v", o)
	}
	o = do(t, "undo", dst, "--config", config)
	if want := "Not committed: the configuration of the repository sets core.pager\n"; o.code != 0 || !strings.HasSuffix(o.err, want) {
		t.Errorf("%+v", o)
	}
}
