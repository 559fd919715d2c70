package kit

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Rect is an area of the screen in cells. Zero width or height: not shown.
type Rect struct{ X, Y, W, H int }

// Empty reports whether r is not shown.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Holds reports whether a cell is in r.
func (r Rect) Holds(x, y int) bool { return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H }

// Point is a cell inside a pane.
type Point struct{ X, Y int }

// Pane is one part of the screen. Call all methods on the Bubble Tea
// goroutine; none does I/O, which is for [Jobs].
type Pane interface {
	// Actions returns the pane's actions, always the same ones.
	Actions() *Actions
	// Resize sets the inner size in cells.
	Resize(w, h int)
	// Rows draws exactly as many rows as the pane is high, each exactly as wide.
	Rows(focused bool) []string
	// Scopes lists the key scopes of the pane, innermost first, without Motion and Global.
	Scopes() []keymap.Scope
	// Cursor is the position of the terminal's cursor, for screen readers; false: none.
	Cursor() (Point, bool)
}

// Clickable is a pane whose rows can be clicked.
type Clickable interface {
	// Click moves the cursor to a row of the pane, counted from its top. again means that the cursor was already there, so the click
	// opens the row.
	Click(row int) (again bool)
}

// Env is what the root provides to its panes. The root owns it and swaps Styles when the theme changes; panes keep the pointer and read
// it on each draw.
type Env struct {
	Styles *theme.Styles
	Keys   *keymap.Map
	// Declared collects the rows of the key table while Keys is nil.
	Declared []keymap.Action
	Jobs     *Jobs
	ASCII    bool
	// Clusters: the terminal counts the cells of grapheme clusters. The root sets it when the terminal reports it.
	Clusters bool
	// Mask hides secrets in the lines of texts; nil: nothing is hidden.
	Mask Masker
	// Now is the clock.
	Now func() time.Time
	// Debounce is how long the user must stay at a path before expensive or invisible work on it begins, see [Debounce].
	Debounce time.Duration
	// After delivers a message after a time. Tests decide when that has passed.
	After func(time.Duration, tea.Msg) tea.Cmd

	intents []any
}

// CopyLook copies the theme, the keys and the terminal's properties from another environment.
func (e *Env) CopyLook(other *Env) {
	e.Styles, e.Keys, e.ASCII, e.Clusters, e.Mask = other.Styles, other.Keys, other.ASCII, other.Clusters, other.Mask
}

// Text returns the layout of a line that starts in column startCol.
func (e *Env) Text(startCol int) text.Options {
	return text.Options{StartCol: startCol, ASCII: e.ASCII, Clusters: e.Clusters}
}

// Masker hides secrets before a line becomes rows, since a row may hold only a part of one, which nothing would find.
type Masker interface {
	// Line returns a line of a text with its secrets hidden, see [text.Hide], and whether there are any. The line it is given stays as
	// it is.
	Line(line []byte, o text.Options) (masked []byte, hidden bool)
	// Version is another number whenever it hides something else.
	Version() int
}

// Masked returns a line with its secrets hidden, and whether there are any: it has the same bytes and cells, and is only to be drawn,
// with [text.Options].Hidden.
func (e *Env) Masked(line []byte) (masked []byte, hidden bool) {
	if e.Mask == nil || len(line) == 0 {
		return line, false
	}
	return e.Mask.Line(line, e.Text(0))
}

// MaskedText is [Env.Masked] for a text that is drawn as it is returned.
func (e *Env) MaskedText(s string) string {
	if e.Mask == nil {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		if masked, hidden := e.Masked([]byte(line)); hidden {
			lines[i] = text.Dots(string(masked), e.Text(0))
		}
	}
	return strings.Join(lines, "")
}

// Keyed replaces keys in a text: {list/show-hidden} becomes the current key
// of that action in that scope. Never use it for texts with file names.
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

// Emit asks the root for something beyond a pane: one of the intent types
// below. The root carries intents out after the current message.
func (e *Env) Emit(intent any) { e.intents = append(e.intents, intent) }

// Drain returns the pending intents and clears them.
func (e *Env) Drain() []any {
	out := e.intents
	e.intents = nil
	return out
}

// FocusList is the intent to move the focus to the list: a pane can't go further to the left.
type FocusList struct{}

// Say is the intent to show the user a message.
type Say struct {
	Level Level
	Text  string
}

// Level is the severity of a message; errors stay longer.
type Level uint8

// Levels of messages.
const (
	Info Level = iota
	Warn
	Fail
)
