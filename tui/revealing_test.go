package tui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// releases makes the terminal report key releases.
func releases(d *driver) {
	d.take(tea.KeyboardEnhancementsMsg{Flags: 1 | (ansi.KittyReportEventTypes | ansi.KittyReportAllKeysAsEscapeCodes | ansi.KittyReportAssociatedKeys)})
}

// Where keys only repeat, a value is in sight as long as they do.
func TestAValueIsShownWhileItsKeyRepeats(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("*")
	d.sees(hiddenToken)
	d.passes(700 * time.Millisecond) // the keyboard does not repeat yet
	d.sees(hiddenToken)
	d.press("*", "*")
	d.passes(100 * time.Millisecond)
	d.sees(hiddenToken)
	d.passes(300 * time.Millisecond)
	d.lacks(hiddenToken)
	if d.passes(time.Minute); len(d.waiting) != 0 {
		t.Error("something is still waited for")
	}
	d.press("*")
	d.sees(hiddenToken)
	d.passes(time.Second)
	d.lacks(hiddenToken)
}

func TestAValueIsShownUntilItsKeyIsLetGo(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	releases(d)
	if k := d.m.View().KeyboardEnhancements; !k.ReportEventTypes || !k.ReportAllKeysAsEscapeCodes || !k.ReportAssociatedText || !d.m.View().ReportFocus {
		t.Errorf("the terminal is asked for %+v", k)
	}
	d.press("*")
	d.passes(2 * time.Second)
	d.sees(hiddenToken)
	d.take(tea.KeyPressMsg{Code: tea.KeyLeftShift}) // changes others and is none itself
	d.take(tea.KeyPressMsg{Code: '*', Text: "*", IsRepeat: true})
	d.take(tea.KeyReleaseMsg{Code: tea.KeyLeftShift})
	d.sees(hiddenToken)
	d.take(tea.KeyReleaseMsg{Code: '*', Text: "*"})
	d.lacks(hiddenToken)
	d.press("*")
	d.sees(hiddenToken)
	d.passes(time.Minute) // the release was lost
	d.lacks(hiddenToken)
	d.press("1")
	if k := d.m.View().KeyboardEnhancements; k.ReportEventTypes || d.m.View().ReportFocus {
		t.Errorf("the terminal is still asked for %+v", k)
	}
}

// A value is masked by all that is not its key.
func TestAValueIsMaskedByWhateverElseHappens(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	releases(d)
	other := map[string]func(){
		"another row":    func() { d.press("j", "k") },
		"another place":  func() { d.press("l", "j", "g") },
		"no key of ours": func() { d.press("ctrl+y") },
		"a decision":     func() { d.press("space", "k", "space", "k") },
		"the wheel":      func() { d.take(tea.MouseWheelMsg{Button: tea.MouseWheelUp}) },
		"a click":        func() { d.take(tea.MouseClickMsg{Button: tea.MouseLeft}) },
		"another window": func() { d.take(tea.BlurMsg{}) },
		"a question":     func() { d.press("a", "esc") },
		"the help":       func() { d.press("?", "esc") },
		"another screen": func() { d.press("1", "6") },
	}
	for what, act := range other {
		d.press("g", "*")
		d.sees(hiddenToken)
		act()
		if d.m.secrets.Reveal.Revealed() {
			t.Errorf("%s leaves the value in sight", what)
		}
		d.lacks(hiddenToken)
		d.lacks(hiddenPassword)
	}
}

// A terminal that reports keys without their text is not asked again: "?" would be "/".
func TestATerminalThatLosesTheTextOfKeysIsNotAsked(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.take(tea.KeyboardEnhancementsMsg{Flags: 1 | 2 | 8})
	if k := d.m.View().KeyboardEnhancements; k.ReportAllKeysAsEscapeCodes {
		t.Error("it is asked")
	}
}
