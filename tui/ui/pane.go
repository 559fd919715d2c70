// Package ui holds what the parts of the screen share: the pane interface,
// rectangles, intents, background jobs, lists, texts that scroll and the sentences that several
// of them show; all other texts are next to their use. Every package below tui imports
// it, it imports none of them.
package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Rect is a place on the screen in cells. Zero width or height: not shown.
type Rect struct{ X, Y, W, H int }

// Empty reports whether nothing of r is on the screen.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Holds reports whether a cell of the frame is in r.
func (r Rect) Holds(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// Point is a cell inside a pane.
type Point struct{ X, Y int }

// Pane is one part of the screen. All methods run on the Bubble Tea goroutine;
// none of them does I/O: that is what [Jobs] are for.
type Pane interface {
	// Actions are those that the pane performs, the same ones as long as it lives.
	Actions() *Actions
	// Receive takes the outcome of a job that the pane started.
	Receive(done Done) tea.Cmd
	// Resize sets the inner size in cells.
	Resize(w, h int)
	// Rows draws exactly as many rows as the pane is high, each exactly as wide.
	Rows(focused bool) []string
	// Scopes lists the key scopes of the pane, innermost first, without Motion and Global.
	Scopes() []keymap.Scope
	// Cursor is where the terminal's own cursor belongs, for screen readers; false: nowhere.
	Cursor() (Point, bool)
}

// Clickable is a pane whose rows can be chosen with the mouse.
type Clickable interface {
	// Click moves the cursor to a row of the pane, counted from its top. It reports whether the cursor was there already:
	// then the click opens the row.
	Click(row int) (again bool)
}

// Env is what the root lends to its panes. The root owns it and swaps Styles when the
// theme changes; panes keep the pointer and read it on each draw.
type Env struct {
	Styles *theme.Styles
	Keys   *keymap.Map
	Jobs   *Jobs
	ASCII  bool
	// Measure is how the terminal counts the cells of composed characters; the root
	// sets it when the terminal says so.
	Measure text.Measure
	// Now is the clock.
	Now func() time.Time
	// Debounce is how long the user must stay at a path before work on it begins that is expensive or
	// out of sight, see [Debounce].
	Debounce time.Duration

	intents []any
}

// Apart returns an environment whose intents and jobs are its own, for a screen that another of its kind stands beside.
// [Env.Resemble] keeps the rest the same.
func (e *Env) Apart(name string) *Env {
	apart := *e
	apart.Jobs, apart.intents = e.Jobs.Scope(name), nil
	return &apart
}

// Resemble takes over the theme, the keys and the terminal's properties of another environment.
func (e *Env) Resemble(other *Env) {
	e.Styles, e.Keys, e.ASCII, e.Measure = other.Styles, other.Keys, other.ASCII, other.Measure
}

// Text returns how a line is laid out that starts in column startCol.
func (e *Env) Text(startCol int) text.Options {
	return text.Options{StartCol: startCol, ASCII: e.ASCII, Measure: e.Measure}
}

// Keyed names the keys in a text: {tree/show-hidden} is the key that the
// action has in that scope now. Never for texts that hold names of files.
func (e *Env) Keyed(text string) string {
	var b strings.Builder
	rest := text
	for {
		before, inner, ok := strings.Cut(rest, "{")
		b.WriteString(before)
		name, after, closed := strings.Cut(inner, "}")
		if !ok || !closed {
			return b.String()
		}
		scope, id, _ := strings.Cut(name, "/")
		b.WriteString(e.Keys.KeyFor(keymap.Scope(scope), keymap.ID(id)))
		rest = after
	}
}

// Emit asks the root for something that is beyond a pane: one of the intent
// types below. The root carries intents out after the current message.
func (e *Env) Emit(intent any) { e.intents = append(e.intents, intent) }

// Drain hands the waiting intents to the root and forgets them.
func (e *Env) Drain() []any {
	out := e.intents
	e.intents = nil
	return out
}

// Select is the intent to show an agent path: the tree's cursor goes there too when Reveal is set.
type Select struct {
	Path   string
	Reveal bool
}

// FocusView is the intent to move the focus into the right-hand pane.
type FocusView struct{}

// PinFiles is the intent to keep proposals away from files and folders, or to end that where all of them are pinned.
type PinFiles struct{ Paths []string }

// OpenFile is the intent to show the current file, with the focus on it.
type OpenFile struct{ Path string }

// ShowChange is the intent to show the diff of the revision with this number, which came since the start.
type ShowChange struct{ Rev int64 }

// OpenMatch is the intent to show a match that the search of the store found.
type OpenMatch struct {
	Path       string
	Start, End int64  // bytes of the file
	Text       []byte // of the line, around the match
	Last       bool   // the last match in the file is meant, whatever Start says
	Name       bool   // only the name matches: the file is shown from its start
}

// PastMatches says that the matches of a file were gone through, to the end or backward to the start.
type PastMatches struct {
	Path     string
	Backward bool
}

// Say is the intent to tell the user something.
type Say struct {
	Level Level
	Text  string
}

// Level is how serious a message is; errors stay longer.
type Level uint8

// The levels.
const (
	Info Level = iota
	Warn
	Fail
)
