package secrets

import (
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	findingsbox "memcurator/tui/findings"
	"memcurator/tui/ui"
)

// heldFlags are what a terminal must report so that the end of a key that types a letter is known and the letter
// too: the kind of event, every key as a sequence, and the text of the key.
const heldFlags = ansi.KittyReportEventTypes | ansi.KittyReportAllKeysAsEscapeCodes | ansi.KittyReportAssociatedKeys

// WantReleases asks the terminal, while the box of sensitive values is on top and nothing is typed, to tell when keys are let go and
// when another window is in front.
func (r *Review) WantReleases(v *tea.View) {
	if r.Typing() || !r.Boxes.OnTop(r.box) {
		return
	}
	v.ReportFocus = true
	if r.unfit {
		return
	}
	v.KeyboardEnhancements = tea.KeyboardEnhancements{ReportEventTypes: true, ReportAllKeysAsEscapeCodes: true, ReportAssociatedText: true}
}

// TakeReleases takes the terminal's answer. One that reports every key and not its text would make "?" of no use: it is not
// asked again.
func (r *Review) TakeReleases(flags int) {
	r.box.SetReleases(flags&heldFlags == heldFlags)
	if flags&ansi.KittyReportAllKeysAsEscapeCodes != 0 && flags&ansi.KittyReportAssociatedKeys == 0 {
		r.unfit = true
	}
}

// Released masks the value as its key is let go. A console of Windows tells so without being asked.
func (r *Review) Released(msg tea.KeyReleaseMsg) {
	if unicode.IsPrint(msg.Code) {
		r.box.SetReleases(true)
	}
	if msg.Code == r.pressed {
		r.box.Mask()
	}
}

// MaskOthers masks the value at every key but the one that shows it.
func (r *Review) MaskOthers(a keymap.Action, k tea.KeyPressMsg) {
	if a.ID == keymap.FindingReveal {
		r.pressed = k.Code
		return
	}
	r.box.Mask()
}

// maskLater masks the value when its time has passed.
func (r *Review) maskLater(v findingsbox.Shown) tea.Cmd {
	return r.After(v.For, ui.Call(func() tea.Cmd {
		r.box.MaskAfter(v.Turn)
		return nil
	}))
}
