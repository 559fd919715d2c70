package tui

import (
	"testing"
)

// The menu lists what can be done here and nothing else; a key or enter runs a row.
func TestMenuListsWhatCanBeDone(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}), w: 120, h: 40, theme: dark, journal: t.TempDir()})
	d.press("j", "?")
	d.sees("Keys: a.md")
	d.sees("delete the selected files")
	d.press("/")
	d.types("hunk") // without a diff there is none
	d.sees("nothing matches")
	d.press("esc")
	d.press("d")
	d.sees("a.md")
	d.sees("y")
	d.press("y")
	d.sees("Deleted a.md")
	d.press("2", "?", "enter")
	d.lacks("Keys: ")
}

// A key never acts on what is out of sight.
func TestKeysActOnWhatIsInSight(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}), w: 120, h: 40, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/a.md", "a", "c"))
	for _, c := range []struct{ screen, key, says string }{
		{"3", "t", "t can't travel here. ? shows"}, {"5", "a", "a can't approve here"}, {"5", "]", "] can't switch here"}, {"2", "Q", "Q does nothing here. ? shows what does"},
	} {
		d.press(c.screen)
		d.m.say.forget()
		d.press(c.key)
		d.sees(c.says)
		if !d.m.stage.shows(d.m.stage.screens[int(c.screen[0]-'1')].id) {
			t.Errorf("%s leaves the screen", c.key)
		}
	}
}
