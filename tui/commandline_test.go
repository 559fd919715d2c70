package tui

import "testing"

// A line that can't be run stays open and says why.
func TestALineThatCannotBeRunSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	for _, c := range []struct{ line, want string }{
		{"quti", `No such action: "quti". Did you mean quit?`},
		{"xyzzyplugh", `No such action: "xyzzyplugh"`},
		{"quit now", "quit takes no argument"},
		{"line x", "line takes a line number"},
		{"0", "line takes a line number"},
	} {
		d.command(c.line)
		d.sees(c.want)
		d.sees(":" + c.line)
		d.press("esc")
	}
	d.command("120")
	d.lacks("takes")
}

// The name of a new note may have spaces. A line with a path that can't be used stays, and says why.
func TestANewNoteMayHaveSpaces(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"b c.md": "text"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.command(`new-file /memories/b c.md`)
	d.sees("b c.md exists already")
	d.sees(":new-file /memories/b c.md")
	for _, c := range []struct{ typed, want string }{
		{"new-file ../x", "Can't use this path"}, {"new-file b c.md/x", "b c.md is a file, not a folder"}, {"move ../x", "Can't use this path"},
	} {
		d.press("esc", "G")
		d.command(c.typed)
		d.sees(c.want)
		d.sees(":" + c.typed)
	}
	d.press("esc")
	d.command("at yest")
	d.sees(":at yest") // what can't be read stays
}
