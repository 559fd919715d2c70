package tui

import (
	"reflect"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
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

// A saved configuration takes effect immediately; other settings stay as the user left them.
func TestAReloadTakesEffectImmediately(t *testing.T) {
	t.Parallel()
	reloads := make(chan Reload)
	dir := files(t, map[string]string{"b.md": strings.Repeat("long ", 60) + "\n", "a.md": "a\n", ".hidden": "h\n", "big.md": strings.Repeat("x\n", 500)})
	d := start(t, setup{dir: dir, w: 100, h: 24, theme: theme.Options{Name: theme.Dark}, reloads: reloads})
	next := d.m.preferences
	next.Keys = remapped(t, keymap.Binding{Action: "quit", Keys: []string{"Q"}}, keymap.Binding{Action: "help", Keys: []string{"f1"}})
	next.ASCII, next.Dialect, next.Sort, next.HideHidden = true, memstore.Python, "size", true
	reloads <- Reload{Preferences: next}
	d.sees("python")
	d.lacks("─")
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
	d.press("esc", "w")
	next.MouseOff = true
	reloads <- Reload{Preferences: next}
	d.until("the mouse is off", func() bool { return d.m.preferences.MouseOff })
	d.press("Q")
	if !d.quit {
		t.Error("Q does not leave")
	}
}

// A broken edit keeps the last good configuration and says where the mistake is.
func TestABrokenReloadChangesNothing(t *testing.T) {
	t.Parallel()
	reloads := make(chan Reload)
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 24, reloads: reloads})
	before := d.m.preferences
	reloads <- Reload{Broken: `config.toml:3:1: unknown key "themme"; did you mean theme?`}
	d.sees(`config.toml not loaded, the last valid settings apply: config.toml:3:1: unknown key "themme"; did you mean theme?`)
	if !reflect.DeepEqual(d.m.preferences, before) {
		t.Error("a broken configuration was taken")
	}
	close(reloads)
	d.rest()
}
