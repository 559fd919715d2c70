package secrets

import (
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/tui/ui"
)

// How long a value stays in sight after a press of its key. Keyboards begin to repeat a key after up to 660 ms (the
// default of X11) and go on at least every 40 ms; the difference allows for slow lines and busy machines.
const (
	shownAtFirst  = 750 * time.Millisecond
	shownByRepeat = 300 * time.Millisecond
	// shownAtMost bounds it where the terminal reports releases: a release can be lost with the connection.
	shownAtMost = 30 * time.Second
)

// reveal is whether the value under the cursor is shown: as long as its key is held.
type reveal struct {
	on       bool
	turn     int  // counts what ends an older wait
	releases bool // the terminal reports when a key is let go; else repeats show that it is held
	unfit    bool // the terminal cannot be asked for releases
	pressed  rune // the key that shows a value, as it was pressed last
}

// heldFlags are what a terminal must report so that the end of a key that types a letter is known and the letter
// too: the kind of event, every key as a sequence, and the text of the key.
const heldFlags = ansi.KittyReportEventTypes | ansi.KittyReportAllKeysAsEscapeCodes | ansi.KittyReportAssociatedKeys

// reveal shows the value under the cursor, or notes that its key is still held.
func (s *Screen) reveal() {
	r := &s.shown
	wait := shownAtFirst
	switch {
	case s.list.group() == nil, r.on && r.releases:
		return
	case r.releases:
		wait = shownAtMost
	case r.on:
		wait = shownByRepeat
	}
	r.on, s.list.revealed = true, true
	r.turn++
	turn := r.turn
	s.env.Emit(maskLater{wait, turn})
}

// maskLater is the intent to mask the value when its time has passed, unless its key was pressed again since.
type maskLater struct {
	after time.Duration
	turn  int
}

func (s *Screen) maskAfter(m maskLater) tea.Cmd {
	return s.After(m.after, ui.Call(func() tea.Cmd {
		if m.turn == s.shown.turn {
			s.Mask()
		}
		return nil
	}))
}

// Mask hides the value: its key was let go, or the user does something else.
func (s *Screen) Mask() {
	s.shown.on, s.list.revealed = false, false
	s.shown.turn++
}

// Revealed reports whether a value is shown.
func (s *Screen) Revealed() bool { return s.shown.on }

// WantReleases asks the terminal, while the screen has the keys, to report when keys are let go and when another window is in front.
func (s *Screen) WantReleases(v *tea.View) {
	if s.Typing() || s.Boxes.Len() > 0 || !s.Visible() {
		return
	}
	v.ReportFocus = true
	if s.shown.unfit {
		return
	}
	v.KeyboardEnhancements = tea.KeyboardEnhancements{ReportEventTypes: true, ReportAllKeysAsEscapeCodes: true, ReportAssociatedText: true}
}

// TakeReleases takes the terminal's answer. One that reports every key without its text would make "?" useless: it is not
// asked again.
func (s *Screen) TakeReleases(flags int) {
	s.shown.releases = flags&heldFlags == heldFlags
	if flags&ansi.KittyReportAllKeysAsEscapeCodes != 0 && flags&ansi.KittyReportAssociatedKeys == 0 {
		s.shown.unfit = true
	}
}

// Released masks the value as its key is let go. A console of Windows reports releases without being asked.
func (s *Screen) Released(msg tea.KeyReleaseMsg) {
	if unicode.IsPrint(msg.Code) {
		s.shown.releases = true
	}
	if msg.Code == s.shown.pressed {
		s.Mask()
	}
}

// MaskOthers masks the value at every key but the one that shows it.
func (s *Screen) MaskOthers(a keymap.Action, k tea.KeyPressMsg) {
	if a.ID == keymap.FindingReveal {
		s.shown.pressed = k.Code
		return
	}
	s.Mask()
}
