package tui

import (
	"testing"

	"memcurator/memstore/memtest"
)

// What the user changed, and only that, is committed with the message that they type, after its files are listed.
func TestChangesOfTheUserAreCommitted(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a", "b.md": "b", "theirs.md": "c"})
	git := memtest.Repository(t, dir)
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir(), rules: "commit = \"ask\"\n"})
	d.command("commit")
	d.sees("Nothing to commit: the last commit has all your changes")
	d.command("delete /memories/a.md")
	d.press("y")
	d.sees("u undoes, :commit commits it")
	d.command(`create /memories/new.md "text"`)
	d.sees("new.md")
	d.press("esc")
	d.write("theirs.md", "agent")
	git("add", "memories/theirs.md")
	d.command("commit")
	d.sees(":commit Curate memory: add 1 file, delete 1 file")
	d.types(" (don't \"ask\")")
	d.press("enter")
	d.sees("Commit 2 files?")
	d.sees("delete a.md")
	d.sees("add    new.md")
	d.press("y")
	d.sees("Committed 2 files as ")
	if got := git("show", "--name-status", "--format=%s", "HEAD"); got != "Curate memory: add 1 file, delete 1 file (don't \"ask\")\n\nD\tmemories/a.md\nA\tmemories/new.md" {
		t.Errorf("the commit is %q", got)
	}
	if got := git("status", "--porcelain", "memories"); got != "M  memories/theirs.md" {
		t.Errorf("afterwards the state is %q", got)
	}
	git("config", "core.pager", "less")
	d.command("commit")
	d.sees("Can't commit: the configuration of the repository sets core.pager")
}

// Without the word of the configuration, or without a repository, the reason is the answer.
func TestCommitsThatAreNotOffered(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir(), rules: "commit = \"ask\"\n"})
	d.command("commit")
	d.sees("Can't commit: the store is in no git repository")
	memtest.Repository(t, dir)
	d = start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.command("commit")
	d.sees("Commits are off")
}
