package tui

import (
	"testing"
	"time"

	"memcurator/memstore/watch"
)

// A change goes by the number of its revision in the diff tab too, whoever made it, and what was
// recorded before the start counts.
func TestLiveChangesGoByTheirRevision(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n", "b.md": "b\n"})
	first := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	first.does(edit("/memories/a.md", "two", "2"))
	first.sees("1 unread")
	first.press("q")

	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state})
	d.write("b.md", "b\nmore\n")
	d.until("the first change", func() bool { return len(d.m.live.numbers) == 1 })
	d.press(".") // the oldest unread one of this start
	d.sees("#2  12:04:11  external")
	d.does(edit("/memories/a.md", "one", "1"))
	d.until("the second change", func() bool { return len(d.m.live.numbers) == 2 })
	d.command("compare #2 /memories/b.md")
	d.sees("/memories/b.md after #2 → /memories/b.md")
	d.command("compare #1 #3")
	d.sees("/memories/a.md after #1 → /memories/a.md after #3")
	d.sees("-one")
	for line, want := range map[string]string{
		"compare #9": "#9 is no revision of the journal; 2 lists them",
		"compare #x": "#x is no revision of the journal",
	} {
		d.command(line)
		d.sees(want)
	}
}

// Of changes that left the same bytes each gets its own revision.
func TestNumbersOfChangesThatLeftTheSame(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir()})
	for _, words := range [][2]string{{"one", "two"}, {"two", "one"}, {"one", "two"}} {
		d.does(edit("/memories/a.md", words[0], words[1]))
	}
	d.until("all have numbers", func() bool { return len(d.m.live.numbers) == 3 })
	for i, c := range d.m.live.changes {
		if n := d.m.live.numbers[c.Seq]; n != int64(i+1) {
			t.Errorf("change %d is revision %d", i+1, n)
		}
	}
}

// The journal may have all of them before the second is told.
func TestNumbersAreCorrectedByLaterChanges(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir()})
	for _, words := range [][2]string{{"one", "two"}, {"two", "one"}, {"one", "two"}} {
		d.does(edit("/memories/a.md", words[0], words[1]))
	}
	d.until("all have numbers", func() bool { return len(d.m.live.numbers) == 3 })
	told := d.m.live.changes
	d.m.live.numbers, d.m.live.changes = map[int]int64{}, nil
	for i, c := range told {
		d.m.live.add(c)
		d.run(d.m.observe(told[i : i+1]))
		d.rest()
		if n := d.m.live.numbers[c.Seq]; i == 0 && n != 3 {
			t.Errorf("as long as it is alone the first change is revision %d", n)
		}
	}
	for i, c := range told {
		if n := d.m.live.numbers[c.Seq]; n != int64(i+1) {
			t.Errorf("change %d is revision %d in the end", i+1, n)
		}
	}
}

// Without a journal the changes since the start are counted; with one, what it does not have has no number.
func TestNumberOfAChange(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 120, h: 35, theme: dark})
	if got := d.m.number(&watch.Change{Seq: 7, Time: time.Now()}); got != "#7" {
		t.Errorf("without a journal it is %q", got)
	}
	d = start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir()})
	if got := d.m.number(&watch.Change{Seq: 7, Time: time.Now()}); got != "" {
		t.Errorf("a change that the journal does not have is %q", got)
	}
}

// The diff below the list of changes is turned without leaving the list.
func TestDiffIsTurnedFromTheListOfChanges(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: 190, h: 35, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "two", "2"))
	d.sees("1 unread")
	d.press("2", "s")
	d.sees("side by side; s shows one below the other")
	d.press("W")
	d.sees("white space is left out of account")
	d.press("}")
	if d.m.focus != onTree {
		t.Error("the list has lost the focus")
	}
}
