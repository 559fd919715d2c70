package tui

import (
	"testing"

	"memcurator/memstore"
	"memcurator/render/theme"

	"memcurator/tui/browse"
)

// blamed opens a store in which three edits were made to a file, with the blame tab on it.
func blamed(t *testing.T, o theme.Options) *driver {
	t.Helper()
	dir := files(t, map[string]string{"notes.md": "# Notes\n\n- tabs, never spaces\n- 日本語 and e\u0301, \u202etxt.exe\n- last line\n", "z.md": "z\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: o, journal: t.TempDir()})
	d.does(edit("/memories/notes.md", "- tabs, never spaces", "- spaces, never tabs\n- two of them\n- in every file"))
	d.does(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/notes.md", InsertLine: 0, InsertText: "---\n"})
	d.does(edit("/memories/notes.md", "two", "four"))
	d.arrived(3)
	d.run(d.browse().Select("/memories/notes.md", true))
	d.rest()
	showTab(browse.Blame)(d)
	d.m.stage.focus = onDetail
	d.m.say.forget()
	return d
}

// From a line to the revision that wrote it; the line stays under the cursor meanwhile.
func TestBlameLeadsToTheRevision(t *testing.T) {
	t.Parallel()
	d := blamed(t, dark)
	d.press("/")
	d.types("four")
	d.press("enter", "enter")
	d.sees("[diff]")
	d.sees("- two of them")
	d.sees("#3")
	showTab(browse.Blame)(d)
	d.write("notes.md", "above\n---\n# Notes\n\n- spaces, never tabs\n- four of them\n- in every file\n")
	d.sees("#4")
	d.sees("│ above")
	if line := string(d.tab(browse.Blame).Path()); line != "/memories/notes.md" {
		t.Errorf("it shows %q", line)
	}
	if read := d.tab(browse.Blame).LineReader(100); read == nil {
		t.Error("no line to copy")
	} else if line, err := read(); err != nil || line != "- four of them" {
		t.Errorf("the cursor is on %q, %v", line, err)
	}
}
