package tui

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/browse"
)

// Values are hidden in the text before it is wrapped: wherever a row ends, no part of a value is on the screen. The notes have a short
// one and a long one at every distance from the beginning of a line.
func TestNoPartOfASecretIsShownWhereALineWraps(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("draws every width")
	}
	short, long := "Zq7"+"Wx2Kp9", maskedToken
	var text strings.Builder
	fmt.Fprintf(&text, "# Ops\n\npassword: %s\n\nGitHub token: %s\n\n", short, long)
	for i := range 62 {
		pad := strings.Repeat("ab ", i/3) + strings.Repeat("c", i%3)
		fmt.Fprintf(&text, "- %s %s, and then %s\n", pad, short, long)
	}
	text.WriteString("\n| what | how |\n| --- | --- |\n")
	fmt.Fprintf(&text, "| the password of the pier office | it is %s for now |\n| token | %s |\n", short, long)
	state := t.TempDir()
	dir := files(t, map[string]string{"ops.md": "# Ops\n"})
	d := start(t, setup{
		dir: dir, w: 60, h: 400, theme: dark, journal: state, state: state, scrub: scrubbingIn(t, state, dir),
	})
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/ops.md", OldStr: "# Ops\n", NewStr: text.String()})
	d.arrived(1)
	d.press("6")
	d.sees("2 values")
	d.press("esc", "esc", "1")
	d.browse().Tree.Select("/memories/ops.md")
	d.run(d.browse().Select("/memories/ops.md", true))
	d.rest()
	const part = 3
	var parts, inHex []string // of the values, as text and as the hex dump has them
	for value, shown := range map[string]int{short: 0, long: 4} {
		for i := shown; i+part <= len(value); i++ {
			parts = append(parts, value[i:i+part])
			inHex = append(inHex, fmt.Sprintf("% x", value[i:i+part]))
		}
	}
	hidden := func(where string, width int) bool {
		t.Helper()
		screen := d.screen()
		for i, shown := range parts {
			if strings.Contains(screen, shown) || strings.Contains(screen, inHex[i]) {
				t.Errorf("%s at %d columns shows %q:\n%s", where, width, shown, screen)
				return false
			}
		}
		return true
	}
	everyWidth := func(where, sees string) {
		t.Helper()
		for width := 60; width >= 20; width-- {
			d.resize(width, 400)
			if width == 60 {
				d.sees(sees)
			}
			if !hidden(where, width) {
				return
			}
		}
		d.resize(60, 400)
	}
	for _, tab := range []browse.TabName{browse.View, browse.Diff, browse.Rendered, browse.Blame} {
		showTab(tab)(d)
		d.rest()
		everyWidth(fmt.Sprint("tab ", tab), "••••")
	}
	d.finds("then")
	everyWidth("the search", "••••")
	for _, screen := range []keymap.ID{keymap.ScreenChanges, keymap.ScreenSecrets} {
		d.press(d.m.env.Keys.KeyFor(keymap.Global, screen))
		d.rest()
		everyWidth(string(screen), "••••")
	}
}
