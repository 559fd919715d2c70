package tui

import "testing"

// A line that can't be run stays open and says why.
func TestALineThatCannotBeRunSaysWhy(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	for _, c := range []struct{ line, want string }{
		{"quti", `No such action: "quti". Did you mean quit?`},
		{"xyzzyplugh", `No such action: "xyzzyplugh". tab lists them`},
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

// The name of a new note may have spaces.
func TestANewNoteMayHaveSpaces(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"b c.md": "text"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.command(`new-file /memories/b c.md`)
	d.sees("b c.md exists already")
	d.command("at yest")
	d.sees(":at yest") // what can't be read stays
}
