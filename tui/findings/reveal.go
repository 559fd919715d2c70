package findings

import (
	"time"
)

// How long a value stays in sight after a press of its key. Keyboards begin to repeat a key after up to 660 ms (the
// default of X11) and go on at least every 40 ms; the difference allows for slow lines and busy machines.
const (
	shownAtFirst  = 750 * time.Millisecond
	shownByRepeat = 300 * time.Millisecond
	// shownAtMost bounds it where the terminal tells that the key was let go: that can be lost with the connection.
	shownAtMost = 30 * time.Second
)

// Shown says that a value is shown. The root calls [Box.MaskAfter] with Turn when For has passed.
type Shown struct {
	Turn int
	For  time.Duration
}

// reveal is whether the value under the cursor is shown: as long as its key is held.
type reveal struct {
	on   bool
	turn int  // counts what ends an older wait
	told bool // the terminal tells when a key is let go; else repeats say that it is held
}

// SetReleases notes whether the terminal tells when a key is let go.
func (b *Box) SetReleases(told bool) { b.shown.told = told }

// show shows the value under the cursor, or notes that its key is still held.
func (b *Box) show() {
	s := &b.shown
	wait := shownAtFirst
	switch {
	case s.on && s.told:
		return
	case s.told:
		wait = shownAtMost
	case s.on:
		wait = shownByRepeat
	}
	s.on = true
	s.turn++
	b.env.Emit(Shown{s.turn, wait})
}

// Mask hides the value: its key was let go, or the user does something else.
func (b *Box) Mask() {
	b.shown.on = false
	b.shown.turn++
}

// MaskAfter hides the value unless its key was pressed again since turn.
func (b *Box) MaskAfter(turn int) {
	if turn == b.shown.turn {
		b.Mask()
	}
}

// Revealed reports whether a value is shown.
func (b *Box) Revealed() bool { return b.shown.on }

// holdHint says how the value is shown on this terminal.
func (b *Box) holdHint() string {
	if b.shown.told {
		return b.env.Keyed("hold {findings/reveal}: shown until you let go")
	}
	return b.env.Keyed("hold {findings/reveal}: shown while the key repeats")
}
