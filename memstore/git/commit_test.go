package git

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// store is the desk's folder memories, a store with a commit.
func (d *desk) store() string {
	d.Helper()
	d.author()
	d.write("memories/a.md", "one\n")
	d.write("memories/b.md", "one\n")
	d.write("main.go", "package main\n")
	d.commit("One")
	return filepath.Join(d.top, "memories")
}

func (d *desk) commits(paths ...string) (string, error) {
	p, err := pend(d.Context(), filepath.Join(d.top, "memories"), paths)
	if err != nil {
		return "", err
	}
	return p.Commit(d.Context(), "Curate memory\n\nmore", time.Date(2026, 11, 23, 12, 0, 0, 0, time.FixedZone("", 3600)))
}

// Only the named files are committed, new, edited and deleted ones, and what others staged or wrote stays as it is.
func TestOnlyTheNamedFilesAreCommitted(t *testing.T) {
	d := newDesk(t)
	d.store()
	d.write("memories/a.md", "two\n")
	d.must(os.Remove(filepath.Join(d.top, "memories", "b.md")))
	d.write("memories/new/c \"d\n\\.md", "three\n")
	d.write("memories/others.md", "theirs\n")
	d.write("main.go", "package main // staged\n")
	d.git("add", "main.go", "memories/others.md")
	d.write("main.go", "package main // more\n")
	hash, err := d.commits("/memories/a.md", "/memories/b.md", "/memories/new/c \"d\n\\.md", "/memories/never.md", "/memories/a.md")
	if err != nil || hash != d.git("rev-parse", "HEAD") {
		t.Fatalf("commit %s, %v", hash, err)
	}
	want := "M\tmemories/a.md\nD\tmemories/b.md\nA\t\"memories/new/c \\\"d\\n\\\\.md\""
	if got := d.git("show", "--format=", "--name-status", "HEAD"); got != want {
		t.Errorf("the commit has %q, want %q", got, want)
	}
	if got := d.git("show", "-s", "--format=%an <%ae> %cn %ai %s|%b", "HEAD"); got != "Ann <ann@example.org> Ann 2026-11-23 12:00:00 +0100 Curate memory|more" {
		t.Errorf("the commit is %q", got)
	}
	if got := d.git("status", "--porcelain"); got != "MM main.go\nA  memories/others.md" {
		t.Errorf("afterwards the state is %q", got)
	}
	if got := d.git("reflog", "-1", "--format=%gs"); got != "commit: Curate memory" {
		t.Errorf("the log of HEAD says %q", got)
	}
	if _, err := d.commits("/memories/a.md", "/memories/b.md"); !errors.Is(err, ErrUnchanged) {
		t.Errorf("a second commit: %v", err)
	}
	d.git("fsck", "--strict")
}

// What git would do at the wrong moment, or with another text, is refused with a reason, and changes nothing.
func TestACommitIsRefusedWhole(t *testing.T) {
	for name, one := range map[string]struct {
		plant func(d *desk)
		want  string
	}{
		"index.lock": {func(d *desk) { d.write(".git/index.lock", "") }, "index.lock"},
		"merge":      {func(d *desk) { d.write(".git/MERGE_HEAD", d.git("rev-parse", "HEAD")+"\n") }, "a merge is in progress"},
		"rebase":     {func(d *desk) { d.write(".git/rebase-merge/msg", "") }, "a rebase is in progress"},
		"filter":     {func(d *desk) { d.write(".gitattributes", "*.md filter=lfs\n") }, "a filter applies to memories/a.md"},
		"no name":    {func(d *desk) { d.git("config", "--unset", "user.name") }, "git has no user.name"},
		"no email":   {func(d *desk) { d.git("config", "--unset", "user.email") }, "git has no user.email"},
		"a program":  {func(d *desk) { d.git("config", "core.editor", "vi") }, "core.editor"},
		"a folder":   {func(d *desk) { d.git("rm", "-q", "-r", "--cached", "."); d.write(".git/index", "nonsense") }, ""},
		"ignored": {func(d *desk) {
			d.git("rm", "-q", "--cached", "memories/a.md")
			d.git("commit", "-q", "-m", "x")
			d.write(".gitignore", "*.md\n")
		}, ErrUnchanged.Error()},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.store()
			d.write("memories/a.md", "two\n")
			t.Setenv("GIT_AUTHOR_NAME", "inherited")
			one.plant(d)
			before := d.stamps()
			hash, err := d.commits("/memories/a.md")
			if err == nil || hash != "" || !strings.Contains(err.Error(), one.want) {
				t.Errorf("commit %q, %v, want %q", hash, err, one.want)
			}
			after := d.stamps()
			maps.DeleteFunc(after, func(file, _ string) bool { return strings.Contains(file, "objects") || filepath.Base(file) == ".git" })
			maps.DeleteFunc(before, func(file, _ string) bool { return strings.Contains(file, "objects") || filepath.Base(file) == ".git" })
			if !maps.Equal(before, after) {
				t.Errorf("it changed the repository: %v, was %v", after, before)
			}
		})
	}
}

// A commit made between the question and the answer ends ours.
func TestACommitMeanwhileIsNotOverwritten(t *testing.T) {
	d := newDesk(t)
	dir := d.store()
	d.write("memories/a.md", "two\n")
	p, err := pend(t.Context(), dir, []string{"/memories/a.md"})
	if err != nil || !slices.Equal(p.Files, []File{{"/memories/a.md", "edit"}}) {
		t.Fatal(p, err)
	}
	theirs := d.commit("Theirs")
	if _, err := p.Commit(t.Context(), "Ours", time.Now()); err == nil || d.git("rev-parse", "HEAD") != theirs {
		t.Errorf("the commit: %v", err)
	}
}
