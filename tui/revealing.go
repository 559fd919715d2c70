package tui

import (
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	findingsbox "memcurator/tui/findings"
)

// revealMsg ends the time that a value is shown, unless its key was pressed again.
type revealMsg struct{ turn int }

// heldFlags are what a terminal must report so that the end of a key that types a letter is known and the letter
// too: the kind of event, every key as a sequence, and the text of the key.
const heldFlags = ansi.KittyReportEventTypes | ansi.KittyReportAllKeysAsEscapeCodes | ansi.KittyReportAssociatedKeys

// wantReleases asks the terminal, while the box of sensitive values is on top and nothing is typed, to tell when keys are let go and
// when another window is in front.
func (m *Model) wantReleases(v *tea.View) {
	if m.line.Active() || !m.boxes.OnTop(m.sensitive.box) {
		return
	}
	v.ReportFocus = true
	if m.sensitive.unfit {
		return
	}
	v.KeyboardEnhancements = tea.KeyboardEnhancements{ReportEventTypes: true, ReportAllKeysAsEscapeCodes: true, ReportAssociatedText: true}
}

// keyboard takes the terminal's answer. One that reports every key and not its text would make "?" of no use: it is not
// asked again.
func (m *Model) keyboard(flags int) {
	m.sensitive.box.SetReleases(flags&heldFlags == heldFlags)
	if flags&ansi.KittyReportAllKeysAsEscapeCodes != 0 && flags&ansi.KittyReportAssociatedKeys == 0 {
		m.sensitive.unfit = true
	}
}

// released masks the value as its key is let go. A console of Windows tells so without being asked.
func (m *Model) released(msg tea.KeyReleaseMsg) {
	if unicode.IsPrint(msg.Code) {
		m.sensitive.box.SetReleases(true)
	}
	if msg.Code == m.sensitive.pressed {
		m.sensitive.box.Mask()
	}
}

// loneModifier reports whether a key is one that only changes others: terminals that report every key report these too.
func loneModifier(k tea.KeyPressMsg) bool {
	return k.Code >= tea.KeyLeftShift && k.Code <= tea.KeyIsoLevel5Shift || k.Code == tea.KeyCapsLock || k.Code == tea.KeyNumLock || k.Code == tea.KeyScrollLock
}

// maskOthers masks the value at every key but the one that shows it.
func (m *Model) maskOthers(a keymap.Action, k tea.KeyPressMsg) {
	if a.ID == keymap.FindingReveal {
		m.sensitive.pressed = k.Code
		return
	}
	m.sensitive.box.Mask()
}

// maskLater masks the value when its time has passed.
func (m *Model) maskLater(v findingsbox.Shown) tea.Cmd {
	return m.options.After(v.For, revealMsg{v.Turn})
}
