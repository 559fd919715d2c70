package tui

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
)

// edits sets a shell script as the editor; "$1" is the file, or its line and "$2" the file. The
// editor runs without a terminal.
func (d *driver) edits(script string) {
	d.t.Helper()
	if runtime.GOOS == "windows" {
		d.t.Skip("the scripts are for a shell")
	}
	file := filepath.Join(d.t.TempDir(), "vim") // so that it gets the line
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		d.t.Fatal(err)
	}
	for name, value := range map[string]string{"VISUAL": "", "EDITOR": file} {
		old, was := os.LookupEnv(name)
		d.t.Cleanup(func() {
			if was {
				os.Setenv(name, old)
			} else {
				os.Unsetenv(name)
			}
		})
		if err := os.Setenv(name, value); err != nil {
			d.t.Fatal(err)
		}
	}
	d.m.editor.Exec = func(c *exec.Cmd, then tea.ExecCallback) tea.Cmd {
		return func() tea.Msg { return then(c.Run()) }
	}
}

// nothingLeft checks that no copy of a memory remains.
func nothingLeft(t *testing.T, state string) {
	t.Helper()
	if left, err := filepath.Glob(filepath.Join(state, "edit-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestEditorWritesThroughTheHandlersAndComesBack(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"log.md": rowsOfLog(1, 200)}), w: 80, h: 24, theme: dark, state: state})
	d.edits(`echo "$1" > "$2.args"; sed 's/^entry 120$/entry 120, edited/' "$2" > "$2.new"; sed "1s/.*/$1 of $(basename "$2")/" "$2.new" > "$2"`)
	d.press("j", "enter")
	d.command("120")
	place := d.browse().View.Place()
	d.press("e")
	d.sees("Saved log.md")
	d.sees("entry 120, edited")
	d.arrived(1)
	if d.browse().View.Place() != place || d.m.stage.focus != onDetail {
		t.Errorf("came back to %s, focus %d; was at %s", d.browse().View.Place(), d.m.stage.focus, place)
	}
	d.golden("edited-80x24")
	d.holds("log.md", "+120 of log.md\n"+strings.Replace(strings.TrimPrefix(rowsOfLog(1, 200), "entry 1\n"), "entry 120\n", "entry 120, edited\n", 1))
	c := d.m.feed.Revisions()
	if len(c) != 1 || c[0].Actor != memstore.Curator || len(d.m.feed.Unread()) != 0 {
		t.Errorf("the watch reports %+v", c)
	}
	nothingLeft(t, state)
}

func TestEditorKeepsEveryByte(t *testing.T) {
	contents := map[string]string{"a-empty.md": "", "b-crlf.md": "a\r\nb", "c-bytes.md": "caf\xe9\n", "d-日.md": "x"}
	d := start(t, setup{dir: files(t, contents), w: 100, h: 24, theme: dark, state: t.TempDir()})
	d.edits(`for f; do :; done; printf 'z\r\n\377' >> "$f"`)
	for i, name := range []string{"a-empty.md", "b-crlf.md", "c-bytes.md", "d-日.md"} {
		d.press("g")
		for range i + 1 {
			d.press("j")
		}
		d.press("e")
		d.until("the file is written", func() bool {
			got, err := os.ReadFile(filepath.Join(d.dir, name))
			return err == nil && string(got) == contents[name]+"z\r\n\xff"
		})
	}
}

func TestEditorThatChangesNothingWritesNothing(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 140, h: 24, theme: dark, state: state})
	d.edits(`:`)
	before, err := os.Stat(filepath.Join(d.dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	d.press("j", "e")
	d.sees("No changes")
	d.edits(`exit 3`)
	d.press("e")
	d.sees("Not saved: the editor ended with exit status 3")
	after, err := os.Stat(filepath.Join(d.dir, "a.md"))
	if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("the file was touched: %v, %v", after, err)
	}
	t.Setenv("EDITOR", filepath.Join(t.TempDir(), "no-such-editor"))
	d.press("e")
	d.sees("can't be started; set VISUAL or EDITOR")
	t.Setenv("EDITOR", "")
	t.Setenv("PATH", t.TempDir())
	d.press("e")
	d.sees("No editor set. Set VISUAL or EDITOR")
	nothingLeft(t, state)
}

// meanwhile makes the agent write while the editor is open; the result ends that.
func (d *driver) meanwhile(c memstore.Command) (end func()) {
	inner := d.m.editor.Exec
	d.m.editor.Exec = func(run *exec.Cmd, then tea.ExecCallback) tea.Cmd {
		d.does(c)
		return inner(run, then)
	}
	return func() { d.m.editor.Exec = inner }
}

// The agent writes other lines while the file is in the editor: both edits are in the file, one of them undoable.
func TestEditIsMergedWithOtherLines(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": numbered(9)}), w: 80, h: 24, theme: dark, state: state, journal: t.TempDir()})
	d.edits(`for f; do :; done; sed -i.bak '3s/.*/of the curator/' "$f"`)
	d.meanwhile(memstore.Command{Name: "insert", Path: "/memories/a.md", InsertLine: 9, InsertText: "of the agent"})
	d.press("j", "e")
	d.sees("Saved a.md, +1 −1, later edits kept. u undoes")
	lines := strings.SplitAfter(numbered(9), "\n")
	agents := numbered(9) + "of the agent\n"
	d.holds("a.md", strings.Replace(agents, lines[2], "of the curator\n", 1))
	nothingLeft(t, state)
	d.press("u")
	d.holds("a.md", agents)
}

// Both change the same line: the save asks, and nothing is lost on either side.
func TestEditConflictKeepsBothTexts(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: 120, h: 35, theme: dark, state: state})
	d.edits(`for f; do :; done; sed -i.bak 's/two/of the curator/' "$f"`)
	end := d.meanwhile(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "two", NewStr: "of the agent"})
	d.press("j", "e")
	d.sees("Changed while you edited: 1 conflict in a.md")
	d.sees("-of the agent")
	d.sees("+of the curator")
	d.unread(1) // the watcher may come later than the conflict
	d.golden("edit-conflict-120x35")
	d.resize(80, 24)
	d.sees("- keep all - lines  + use all + lines  e edit both  esc leave")
	d.resize(120, 35)
	d.press("esc")
	d.sees("Not saved: the conflict is undecided. Your text stays in")
	d.holds("a.md", "one\nof the agent\n")
	kept, err := filepath.Glob(filepath.Join(state, "edit-*", "a.md"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("%v, %v", kept, err)
	}
	if data, err := os.ReadFile(kept[0]); err != nil || string(data) != "one\nof the curator\n" {
		t.Errorf("the text is %q, %v", data, err)
	}

	// The markers of an unresolved text are not written, whatever else was edited.
	end()
	d.edits(`for f; do :; done; cp "$f" "$0.seen"; grep -q '<<<' "$f" && echo more >> "$f" || sed -i.bak 's/of the agent/of both/' "$f"`)
	end = d.meanwhile(edit("/memories/a.md", "of the agent", "of it again"))
	d.press("e")
	d.sees("+of both")
	end()
	d.press("e")
	d.sees("Not saved: conflict marks remain, <<<<<<< or >>>>>>>. Your text stays in")
	d.holds("a.md", "one\nof it again\n")
	seen, err := os.ReadFile(os.Getenv("EDITOR") + ".seen")
	if want := "one\n<<<<<<< current\nof it again\n=======\nof both\n>>>>>>> your text\n"; err != nil || string(seen) != want {
		t.Errorf("the editor got %q, %v", seen, err)
	}
}

// A file that went away while it was in the editor is made again.
func TestEditOfAFileThatIsGone(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n", "b.md": "b\n"}), w: 140, h: 30, theme: dark, state: state})
	d.edits(`for f; do :; done; echo "mine" > "$f"`)
	inner := d.m.editor.Exec
	d.m.editor.Exec = func(c *exec.Cmd, then tea.ExecCallback) tea.Cmd {
		if r := d.agent.Do(context.Background(), memstore.Command{Name: "delete", Path: "/memories/a.md"}); r.IsError {
			t.Error(r.Content)
		}
		return inner(c, then)
	}
	d.press("j", "e")
	d.sees("Saved a.md, which was deleted meanwhile")
	d.holds("a.md", "mine\n")
	nothingLeft(t, state)
}

func TestEditConflictCanBeDecidedOrDropped(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n", "b.md": "b\n"}), w: 120, h: 35, theme: dark, state: state})
	d.edits(`for f; do :; done; echo "mine" > "$f"`)
	end := d.meanwhile(edit("/memories/a.md", "one", "theirs"))
	d.press("j", "e")
	d.sees("Changed while you edited")
	d.press("+")
	d.sees("Saved a.md")
	d.holds("a.md", "mine\n")
	end()
	d.meanwhile(edit("/memories/b.md", "b", "theirs"))
	d.press("j", "e")
	d.sees("Changed while you edited")
	d.press("-")
	d.sees("Kept the text there was. Your text stays in")
	d.rest()
	d.holds("b.md", "theirs\n")
	if kept, _ := filepath.Glob(filepath.Join(state, "edit-*", "b.md")); len(kept) != 1 {
		t.Errorf("the user's text is in %q", kept)
	}
}

func TestANewFileIsWrittenInTheEditor(t *testing.T) {
	state := t.TempDir()
	d := start(t, setup{dir: files(t, map[string]string{"my notes/a.md": "a\n"}), w: 80, h: 24, theme: dark, state: state})
	d.edits(`printf '# Berths\n\n12 places\n' > "$1"`)
	d.press("j", "c")
	d.sees(`:new-file "/memories/my notes/`)
	d.types(`berths.md"`)
	d.press("enter")
	d.sees("Saved my notes/berths.md")
	d.until("the tree goes to the new file", func() bool {
		path, _ := d.browse().Tree.Selected()
		return path == "/memories/my notes/berths.md"
	})
	if got := d.read("my notes/berths.md"); got != "# Berths\n\n12 places\n" {
		t.Errorf("written: %q", got)
	}
	nothingLeft(t, state)
	d.edits(`true`)
	d.command("new-file /memories/empty.md")
	d.sees("No changes")
	d.command(`new-file "/memories/my notes/a.md"`)
	d.sees("my notes/a.md exists already")
	d.press("esc")
	d.edits(`echo text > "$1"`)
	d.command("new-file " + strings.Repeat("x", 300))
	d.sees("A name may have 255 bytes")
	d.press("esc")
	d.command("new-file /memories/memcurator.agestore")
	d.lacks("Saved")
	nothingLeft(t, state)
}
