package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore"
)

func TestPromptRunsMemoryCommandsAsTheAgentWould(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.command("view /memories/a.md [2,2]")
	d.sees("Here's the content of /memories/a.md with line numbers:")
	d.sees("     2  two")
	d.golden("prompt-result")
	d.press("esc")
	d.command(`{"command":"insert","path":"/memories/a.md","insert_line":1,"insert_text":"between\n"}`)
	d.sees("The file /memories/a.md has been edited.")
	d.press("esc")
	d.sees("     2  between")
	d.sees("curator   insert       a.md")
	d.unread(0)
	d.command("view /memories/none.md")
	d.sees("The path /memories/none.md does not exist. Please provide a valid path.")
}

func TestDeleteAsksFirstAndNamesWhatGoes(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"d/a.md": "12345\n", "d/b.md": "1234567890\n", "keep.md": "k\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.command("delete /memories/d")
	d.sees("the folder with 2 files, 17B")
	d.press("enter")
	if _, err := os.Stat(filepath.Join(dir, "d")); err != nil {
		t.Fatal("enter, the default, deleted")
	}
	d.command("delete /memories/d")
	d.press("y")
	d.sees("Deleted d")
	if _, err := os.Stat(filepath.Join(dir, "d")); err == nil {
		t.Fatal("yes did not delete")
	}
}

func TestReadOnlyRefusesEveryWrite(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "x\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark, readOnly: true})
	d.sees("READ-ONLY")
	for _, line := range []string{
		`create /memories/b.md "text"`, `str_replace /memories/a.md x y`, `insert /memories/a.md 0 y`,
		`delete /memories/a.md`, `rename /memories/a.md /memories/c.md`,
	} {
		d.command(line)
		d.sees("error")
		d.press("esc")
	}
	data, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if entries, _ := os.ReadDir(dir); err != nil || string(data) != "x\n" || len(entries) != 1 {
		t.Errorf("the store changed: %q, %d entries, %v", data, len(entries), err)
	}
}

func TestCopyMenu(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\ntwo\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.press("j", "y")
	d.golden("copy-menu")
	d.press("p")
	if d.clip != "/memories/a.md" {
		t.Errorf("the path came out as %q", d.clip)
	}
	d.press("enter", "j", "j", "y", "l")
	if d.clip != "two" {
		t.Errorf("the line came out as %q", d.clip)
	}
	d.press("y", "o")
	want := d.browse().Store.Do(t.Context(), memstore.Command{Name: "view", Path: "/memories/a.md"}).Content
	if d.clip != want {
		t.Errorf("the output came out as %q, want %q", d.clip, want)
	}
	d.does(memstore.Command{Name: "str_replace", Path: "/memories/a.md", OldStr: "one", NewStr: "1"})
	d.arrived(1)
	d.press("]", "y", "d")
	if !strings.Contains(d.clip, "-one\n+1\n") {
		t.Errorf("the diff came out as %q", d.clip)
	}
}

func TestHelpIsGeneratedAndFilterable(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("?")
	d.golden("help-80x24")
	d.press("/")
	d.types("theme")
	d.sees("switch the theme")
	d.lacks("half a page")
	d.press("esc")
	d.lacks("Keys")
}
