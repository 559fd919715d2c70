package tui

import (
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/render/theme"
)

func remapped(t *testing.T, bindings ...keymap.Binding) *keymap.Map {
	t.Helper()
	m, problems := Keys().Remap(bindings)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return m
}

func TestPreferences(t *testing.T) {
	t.Parallel()
	keys := remapped(t, keymap.Binding{Action: "quit", Keys: []string{"Q"}}, keymap.Binding{Action: "help", Keys: []string{"f1"}})
	d := start(t, setup{
		dir: files(t, map[string]string{"b.md": strings.Repeat("long ", 60) + "\n", "a.md": "a\n", ".hidden": "h\n", "big.md": strings.Repeat("x\n", 500)}),
		w:   100, h: 24, theme: theme.Options{Name: theme.Dark},
		prefer: Preferences{Keys: keys, Sort: "size", HideHidden: true, NoWrap: true},
	})
	d.sees("big.md")
	d.lacks(".hidden")
	if s := d.screen(); strings.Index(s, "big.md") > strings.Index(s, "a.md") {
		t.Errorf("not sorted by size:\n%s", s)
	}
	d.press("q")
	if d.quit {
		t.Error("q still leaves")
	}
	d.press("f1", "/")
	d.types("quit mem")
	d.sees("quit memcurator")
	if !strings.Contains(d.screen(), "Q ") {
		t.Errorf("the help does not name the new key:\n%s", d.screen())
	}
	d.press("esc", "Q")
	if !d.quit {
		t.Error("Q does not leave")
	}
}
