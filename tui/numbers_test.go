package tui

import (
	"fmt"
	"testing"
)

// A change goes by the number of its revision in the diff tab too, regardless of who made it, and what was
// recorded before the start counts.
func TestLiveChangesGoByTheirRevision(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n", "b.md": "b\n"})
	first := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	first.does(edit("/memories/a.md", "two", "2"))
	first.unread(1)
	first.leaves()

	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	d.write("b.md", "b\nmore\n")
	d.arrived(1)
	d.press(".") // the oldest unread one, from before this start
	d.sees("#1 ")
	d.press(".")
	d.sees("#2  today 12:04  external")
	d.does(edit("/memories/a.md", "one", "1"))
	d.arrived(2)
	d.command("compare #2 /memories/b.md")
	d.sees("/memories/b.md after #2 → /memories/b.md")
	d.command("compare #1 #3")
	d.sees("/memories/a.md after #1 → /memories/a.md after #3")
	d.sees("-one")
	for line, want := range map[string]string{
		"compare #9": "#9 is not a revision. 2 lists them",
		"compare #x": "#x is not a revision",
	} {
		d.command(line)
		d.sees(want)
	}
}

// Of changes that left the same bytes each goes by its own revision.
func TestNumbersOfChangesThatLeftTheSame(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir()})
	for _, words := range [][2]string{{"one", "two"}, {"two", "one"}, {"one", "two"}} {
		d.does(edit("/memories/a.md", words[0], words[1]))
	}
	d.arrived(3)
	for i, r := range d.m.feed.Revisions() {
		if r.Rev != int64(i+1) {
			t.Errorf("change %d is revision %d", i+1, r.Rev)
		}
		d.run(d.browse().ShowChange(r))
		d.sees(fmt.Sprintf("#%d  today 12:04  agent", i+1))
		d.sees([]string{"+two", "+one", "+two"}[i])
	}
}

// Without a journal the changes since the start are counted, own ones too.
func TestNumbersWithoutAJournal(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 120, h: 35, theme: dark})
	d.write("a.md", "two\n")
	d.arrived(1)
	d.command("create /memories/b.md b")
	d.arrived(2)
	d.press("esc")
	d.write("a.md", "three\n")
	d.arrived(3)
	d.run(d.browse().ShowChange(d.m.feed.Revisions()[2]))
	d.sees("#3  today 12:04  external")
	d.command("compare #1 #3")
	d.sees("/memories/a.md after #1 → /memories/a.md after #3")
	d.command("compare #9")
	d.sees("#9 is not a change of this session")
}

// The diff below the list of changes is turned without leaving the list.
func TestDiffIsTurnedFromTheListOfChanges(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: 190, h: 35, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "two", "2"))
	d.unread(1)
	d.press("2", "s")
	d.sees("Side by side. s stacks the sides")
	d.press("W")
	d.sees("Ignoring whitespace")
	d.press("}")
	if d.m.stage.focus != onList {
		t.Error("the list has lost the focus")
	}
}
