package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Where keys only repeat, a value is in sight as long as they do.
func TestAValueIsShownWhileItsKeyRepeats(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("*")
	d.sees(hiddenToken)
	d.passes(700 * time.Millisecond) // the keyboard does not repeat yet
	d.sees(hiddenToken)
	d.press("*", "*")
	d.passes(700 * time.Millisecond)
	d.sees(hiddenToken)
	d.passes(750 * time.Millisecond)
	d.lacks(hiddenToken)
	if d.passes(time.Minute); len(d.waiting) != 0 {
		t.Error("something is still waited for")
	}
	d.press("*")
	d.sees(hiddenToken)
	d.passes(time.Second)
	d.lacks(hiddenToken)
}

// A value is masked by all that is not its key.
func TestAValueIsMaskedByWhateverElseHappens(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	other := map[string]func(){
		"another row":    func() { d.press("j", "k") },
		"another place":  func() { d.press("l", "j", "g") },
		"no key of ours": func() { d.press("ctrl+y") },
		"a decision":     func() { d.press("space", "k", "space", "k") },
		"the wheel":      func() { d.take(tea.MouseWheelMsg{Button: tea.MouseWheelUp}) },
		"a click":        func() { d.take(tea.MouseClickMsg{Button: tea.MouseLeft}) },
		"a question":     func() { d.press("a", "esc") },
		"the help":       func() { d.press("?", "esc") },
		"another screen": func() { d.press("1", "6") },
	}
	for what, act := range other {
		d.press("g", "*")
		d.sees(hiddenToken)
		act()
		if strings.Contains(d.screen(), hiddenToken) {
			t.Errorf("%s leaves the value in sight", what)
		}
		d.lacks(hiddenPassword)
	}
}

// A revealed value stands where its mask was, and what is beside it stays.
func TestARevealedValueTakesThePlaceOfItsMask(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("j", "*")
	d.sees("critical  password      " + hiddenPassword + "  ops.md:4, 2 places")
	d.sees("critical  GitHub token  ghp_••••  ops.md:3, 2 places")
}
