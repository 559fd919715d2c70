package tui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// waits is a screen where something waits.
type waits struct {
	ui.Screen
	count int
}

func (w waits) Waiting() int { return w.count }

// Names get shorter one by one, from the right and first where nothing waits. The current one stays whole, and counts stay.
func TestTabsGetShorterStepByStep(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 80, h: 24})
	bar := tabBar{env: d.m.env, stage: &stage{at: 2, screens: []screenTab{
		{keymap.ScreenBrowse, "Browse", waits{}},
		{keymap.ScreenChanges, "Changes", waits{count: 17}},
		{keymap.ScreenCurate, "Curate", waits{count: 240}},
		{keymap.ScreenReplay, "Replay", waits{}},
		{keymap.ScreenTrash, "Trash", waits{}},
		{keymap.ScreenFindings, "Secrets", waits{count: 3}},
	}}}
	for width, want := range map[int]string{
		120: "  1 Browse   2 Changes 17  [3 Curate 99+]  4 Replay   5 Trash   6 Secrets 3 ",
		80:  " 1 Browse  2 Changes 17  [3 Curate 99+]  4 Replay  5 Trash  6 Secrets 3",
		70:  " 1Browse 2Changes 17 [3Curate 99+] 4Replay 5Trash 6Secrets 3",
		60:  " 1Browse 2Changes 17 [3Curate 99+] 4Replay 5Trash 6Secrets 3",
		59:  " 1Browse 2Changes 17 [3Curate 99+] 4Replay 5Tra 6Secrets 3",
		57:  " 1Browse 2Changes 17 [3Curate 99+] 4Rep 5Tra 6Secrets 3",
		52:  " 1Bro 2Changes 17 [3Curate 99+] 4Rep 5Tra 6Secrets 3",
		50:  " 1Bro 2Changes 17 [3Curate 99+] 4Rep 5Tra 6Sec 3",
		45:  " 1Bro 2Cha 17 [3Curate 99+] 4Rep 5Tra 6Sec 3",
		40:  " 1Bro 2Cha 17 [3Curate 99+] 4 5 6Sec 3",
		35:  " 1 2Cha 17 [3Curate 99+] 4 5 6Sec 3",
		30:  " 1 2:17 [3Curate 99+] 4 5 6:3",
		20:  " 1 [3Curate 99+]",
	} {
		row := ansi.Strip(bar.draw(width))
		if got := strings.TrimRight(row, " "); got != strings.TrimRight(want, " ") || text.Width(row) != max(width, text.Width(got)) {
			t.Errorf("at %d columns:\n%q, want\n%q", width, got, want)
		}
		if x := strings.Index(row, "2"); x >= 0 && width > 20 {
			if id, _ := bar.under(x, width); id != keymap.ScreenChanges {
				t.Errorf("at %d columns a click on column %d opens %q", width, x, id)
			}
		}
	}
}
