package tui

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/browse"
)

// maskedToken is the value that these tests look for, a token without a period in it.
var maskedToken = "gh" + "p_" + "Q7wE2rT9yU4iO1pA6sD3fG8hJ5kL0zX7cV2b"

// No pane and no copy shows a value in full, unless the key that reveals is held.
func TestSecretsAreMaskedInEveryPane(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"ops.md": "# Ops\n\nnothing yet\n", "gone.md": "GitHub token: " + maskedToken + "\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, state: state, scrub: scrubbingIn(t, state, dir)})
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/ops.md", OldStr: "nothing yet", NewStr: "GitHub token: " + maskedToken})
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/" + maskedToken + ".md", FileText: "named\n"})
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/gone.md"})
	d.arrived(3)
	d.press("6")
	d.sees("1 value")
	d.press("esc", "esc", "1")
	hidden := func(where string) {
		t.Helper()
		for _, form := range []string{maskedToken, maskedToken[:12], maskedToken[20:], fmt.Sprintf("% x", maskedToken[:8])} {
			if strings.Contains(d.screen(), form) {
				t.Errorf("%s shows the value:\n%s", where, d.screen())
			}
		}
	}
	d.browse().Tree.Select("/memories/ops.md")
	d.run(d.browse().Select("/memories/ops.md", true))
	d.rest()
	for _, tab := range []browse.TabName{browse.View, browse.Diff, browse.Rendered, browse.Blame, browse.History} {
		showTab(tab)(d)
		hidden("a tab of Browse")
		d.resize(50, 20)
		hidden("a narrow tab of Browse")
		d.resize(120, 35)
	}
	d.finds("GitHub token")
	hidden("the search")
	for _, screen := range []keymap.ID{keymap.ScreenChanges, keymap.ScreenCurate, keymap.ScreenReplay, keymap.ScreenTrash, keymap.ScreenSecrets} {
		d.press(d.m.env.Keys.KeyFor(keymap.Global, screen))
		hidden(string(screen))
		d.press("enter")
		hidden(string(screen))
		d.press("esc", "esc")
	}
	d.press("1", "esc", "esc")
	showTab(browse.View)(d)
	d.press("tab", "g", "j", "j", "j", "y", "l")
	d.sees("secrets masked in 1 line")
	if strings.Contains(d.clip, maskedToken) || !strings.Contains(d.clip, "GitHub token: ghp_") {
		t.Errorf("copied %q", d.clip)
	}
	d.press("*")
	d.sees(maskedToken)
	d.press("j")
	hidden("the view after its key")
	d.press("M")
	hidden("the messages")
}

// A value that is dismissed is none, and shown.
func TestADismissedValueIsShown(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("D")
	d.sees("Dismissed ghp_••••. H shows it; u undoes")
	d.press("1")
	d.run(d.browse().Select("/memories/ops.md", true))
	showTab(browse.View)(d)
	d.sees("GitHub token: ghp_")
	d.sees(hiddenToken)
}
