package tui

import "testing"

// What a file says is verified, and forgotten again, by one action.
func TestAFileIsVerifiedAndForgotten(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a", "notes/b.md": "b", "notes/c.md": "c"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.browse().Tree.Select("/memories/a.md")
	d.command("verify")
	d.sees("Verified a.md. :verify again forgets it")
	d.press("i")
	d.sees("verified")
	d.press("esc")
	d.browse().Tree.Select("/memories/notes")
	d.command("verify")
	d.sees("Verified 2 files. :verify again forgets it")
	d.press("f")
	d.types("is:verified notes")
	d.press("enter")
	d.sees("b.md")
	d.sees("c.md")
	d.press("f")
	d.types(" is:unverified")
	d.press("enter")
	d.sees("No names match")
	d.press("esc")
	d.browse().Tree.Select("/memories/notes")
	d.command("verify")
	d.sees("Forgot that 2 files were verified")
}
