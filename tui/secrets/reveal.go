package secrets

import (
	"time"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// How long a value stays in sight after a press of its key. Keyboards begin to repeat a key after up to 660 ms (the
// default of X11) and continue at least every 40 ms; the difference allows for slow lines and busy machines.
const (
	shownAtFirst  = 750 * time.Millisecond
	shownByRepeat = 300 * time.Millisecond
	// shownAtMost bounds it where the terminal reports releases: a release can be lost with the connection.
	shownAtMost = 30 * time.Second
)

// reveal shows the value under the cursor, or on other screens those in sight, as long as its key is held.
type reveal struct {
	env   *kit.Env
	shell act.Shell
	o     *Options
	list  *valueList
	masks *masks

	on       bool
	of       string // the value, by its id
	turn     int    // counts what ends an older wait
	releases bool   // the terminal reports when a key is let go; else repeats show that it is held
	unfit    bool   // the terminal cannot be asked for releases
	pressed  rune   // the key that last showed a value
}

// heldFlags are what a terminal must report so that the end of a key that types a letter is known and the letter
// too: the kind of event, every key as a sequence, and the text of the key.
const heldFlags = ansi.KittyReportEventTypes | ansi.KittyReportAllKeysAsEscapeCodes | ansi.KittyReportAssociatedKeys

// possible reports whether something can be revealed.
func (r *reveal) possible() bool {
	return r.masks.hid || r.shell.Shows(keymap.ScreenFindings) && r.list.group() != nil
}

// Show shows the value, or notes that its key is still held.
func (r *reveal) Show() {
	wait := shownAtFirst
	switch {
	case !r.possible():
		r.shell.Tell(kit.Info, "No masked value in sight")
		return
	case r.on && r.releases:
		return
	case r.releases:
		wait = shownAtMost
	case r.on:
		wait = shownByRepeat
	}
	if r.on, r.list.revealed = true, true; r.list.group() != nil {
		r.of = r.list.group().ID
	}
	r.turn++
	turn := r.turn
	r.env.Emit(maskLater{wait, turn})
}

// maskLater is the intent to mask the value when its time has passed, unless its key was pressed again since.
type maskLater struct {
	after time.Duration
	turn  int
}

func (r *reveal) maskAfter(m maskLater) tea.Cmd {
	return r.env.After(m.after, kit.Call(func() tea.Cmd {
		if m.turn == r.turn {
			r.Mask()
		}
		return nil
	}))
}

// Mask hides the value: its key was let go, or the user does something else.
func (r *reveal) Mask() {
	r.on, r.list.revealed = false, false
	r.turn++
}

// keep masks the value unless it is still the one under the cursor: a scan that ends moves nothing.
func (r *reveal) keep() {
	if g := r.list.group(); r.on && (g == nil || g.ID != r.of) {
		r.Mask()
	}
}

// Revealed reports whether a value is shown.
func (r *reveal) Revealed() bool { return r.on }

// WantReleases asks the terminal, while a value can be revealed, to report when keys are let go and when another window is in front.
func (r *reveal) WantReleases(v *tea.View) {
	if r.shell.Typing() || r.o.Boxes.Len() > 0 || !r.possible() && !r.shell.Shows(keymap.ScreenFindings) {
		return
	}
	v.ReportFocus = true
	if r.unfit {
		return
	}
	v.KeyboardEnhancements = tea.KeyboardEnhancements{ReportEventTypes: true, ReportAllKeysAsEscapeCodes: true, ReportAssociatedText: true}
}

// TakeReleases takes the terminal's answer. One that reports every key without its text would make "?" useless: it is not
// asked again.
func (r *reveal) TakeReleases(flags int) {
	r.releases = flags&heldFlags == heldFlags
	if flags&ansi.KittyReportAllKeysAsEscapeCodes != 0 && flags&ansi.KittyReportAssociatedKeys == 0 {
		r.unfit = true
	}
}

// Released masks the value as its key is let go. A console of Windows reports releases without being asked.
func (r *reveal) Released(msg tea.KeyReleaseMsg) {
	if unicode.IsPrint(msg.Code) {
		r.releases = true
	}
	if msg.Code == r.pressed {
		r.Mask()
	}
}

// MaskOthers masks the value at every key but the one that shows it.
func (r *reveal) MaskOthers(a keymap.Action, k tea.KeyPressMsg) {
	if a.ID == keymap.FindingReveal {
		r.pressed = k.Code
		return
	}
	r.Mask()
}
