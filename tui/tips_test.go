package tui

import "testing"

// A tip stays until its key is pressed, which does what it always does; after the last one its row is free again.
func TestTips(t *testing.T) {
	t.Parallel()
	tips := []Tip{{Key: "2", Text: "Press 2 for 運航メモ"}, {Key: "3", Text: "Press 3"}, {Key: "1", Text: "Press 1"}}
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir(), tips: tips})
	d.sees("try │ Press 2 for 運航メモ")
	d.press("j")
	d.sees("try │ Press 2")
	d.press("3") // out of turn: its tip is not shown any more
	d.press("2")
	d.sees("[2 Changes")
	d.sees("try │ Press 1")
	d.press("1")
	d.sees("[1 Browse")
	d.lacks("try │")
}
