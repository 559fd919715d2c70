package tui

import (
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
)

// The Changes screen has what the journal has: from before the start, and live.
func TestChangesScreenIsTheInbox(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n", "b.md": "b\n"})
	first := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	first.does(edit("/memories/a.md", "two", "2"))
	first.unread(1)
	first.leaves()

	first.write("b.md", "b\nadded while no one watched\n") // the first one is not told
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	d.unread(2)
	d.sees("made while memcurator was closed")
	d.press("2")
	d.sees("+added")
	d.unread(2)
	d.press("enter")
	d.unread(1)
	d.press("esc", ".")
	d.sees("+2")
	d.unread(0)
	d.write("c.md", "new\n")
	d.sees("c.md")
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/c.md"})
	d.unread(2)
	d.press("f")
	d.types("command:delete")
	d.press("enter")
	d.sees("-new")
	d.lacks("b.md")
	d.press("esc")
	d.sees("b.md")
	d.press("enter")
	if d.m.stage.focus != onDetail {
		t.Error("enter does not go into the diff")
	}
	d.press("esc", "esc")
	d.sees("Nothing to close")
	d.press("5")
	d.sees("-new")
	if _, err := os.Stat(filepath.Join(dir, "c.md")); err == nil {
		t.Error("c.md is still there")
	}
}

func TestChangesScreenAtEverySize(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 35, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/progress.md", "idle", "busy"))
	d.unread(1)
	for _, key := range []string{"2", "5", "1"} {
		d.press(key)
		d.resizes()
	}
}

func TestHistoryOfAPath(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n", "b.md": "b\n"})
	first := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	for _, step := range [][2]string{{"two", "2"}, {"one", "1"}, {"2", "zwei"}} {
		first.does(edit("/memories/a.md", step[0], step[1]))
	}
	first.does(edit("/memories/b.md", "b", "B"))
	first.unread(4)

	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	d.press("j")
	d.press("]") // the diff tab: the newest revision, though it is from before this start
	d.sees("+zwei")
	d.press("tab", "]")
	d.sees("#3")
	d.lacks("#4")
	d.press("enter")
	d.sees("[diff]")
	d.write("a.md", "1\nzwei\ndrei\n")
	d.press("]")
	d.sees("#5")
	d.sees("2 Changes 4") // the feed may learn of the edit after the history
}

// While another of our processes and another program work, each change is reported with who made
// it, and recorded once.
func TestWhatIsWatchedIsRecordedOnce(t *testing.T) {
	t.Parallel()
	state, dir := t.TempDir(), files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	backend, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	j, err := journal.Open(state, journal.Options{Backend: backend, Process: "exec"})
	if err != nil {
		t.Fatal(err)
	}
	other := memstore.New(backend, memstore.Options{Recorders: []memstore.Recorder{j}})
	if r := other.StrReplace(t.Context(), "/memories/a.md", "one", "two"); r.IsError {
		t.Fatal(r.Content)
	}
	d.arrived(1)
	d.write("b.md", "other\n")
	d.arrived(2)
	d.press("2")
	d.sees("b.md")
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	list, err := past.Revisions(t.Context(), d.m.options.Journal, past.Filter{})
	if err != nil || len(list) != 2 || list[0].Actor != memstore.Agent || list[1].Actor != memstore.External || list[1].Note != "" {
		t.Errorf("recorded: %+v, %v", list, err)
	}
}
