package ui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Screen is one of the screens on the number keys: a list, and beside it what is shown of the row under its cursor. The shell
// gives it a place, keys and outcomes of jobs. All methods run on the Bubble Tea goroutine.
type Screen interface {
	List() Pane
	Detail() Tab
	// Actions are those beside the ones of its panes.
	Actions() *Actions
	// Receive does what a pane of the screen asked for by [Env.Emit]; false: it is another's.
	Receive(intent any) (cmd tea.Cmd, mine bool)
	// Enter is called when the screen comes into sight.
	Enter() tea.Cmd
	// Resize sets the inner places of the two panes; an empty one is out of sight.
	Resize(list, detail Rect) tea.Cmd
	// ListTitle and DetailTitle are painted and at most width cells wide.
	ListTitle(width int) string
	DetailTitle(width int) string
	// Status is what the status line says while nothing else is to be told.
	Status() (string, theme.Paint)
	// SetFilter narrows the list while the user types; problem explains what is wrong with the line.
	SetFilter(line string) (cmd tea.Cmd, problem string)
	CompleteFilter(line string) []string
	// Matches is how much the filter leaves; "" where that is not counted.
	Matches() string
}

// Peeler is a screen or a pane with something that esc takes away before it leaves.
type Peeler interface {
	// Peel takes the innermost layer away; false: there is none.
	Peel() (cmd tea.Cmd, peeled bool)
}

// Reviewed is a screen that shows diffs of revisions.
type Reviewed interface {
	// DiffInSight returns the revision whose diff is in sight, 0 for none.
	DiffInSight() int64
}

// Returner is a screen whose own key, pressed while it is in sight, goes back to its list.
type Returner interface {
	Again() tea.Cmd
}

// ListTitle is the title of a list: its name, the filter, the place.
func ListTitle(st *theme.Styles, title, filter, place string, width int) string {
	title = " " + title + " "
	if filter != "" {
		title += "/" + text.Clean(filter) + " "
	}
	title = text.Truncate(title, max(0, width), st.Glyphs.Ellipsis)
	if text.Width(title)+text.Width(place)+1 > width {
		place = ""
	}
	return st.Title.Apply(title) + st.Dim.Apply(place+" ")
}

// DetailTitle is the title of what is shown of a row: title, path, place.
func DetailTitle(st *theme.Styles, title, path, place string, width int) string {
	title = " " + title + " "
	room := width - text.Width(title) - text.Width(place) - 3
	if room <= 0 {
		return st.Title.Apply(text.Truncate(title, max(0, width), ""))
	}
	path = text.TruncateLeft(text.Clean(path), room, st.Glyphs.Ellipsis)
	return st.Title.Apply(title) + st.Path.Apply(path) + " " + st.Dim.Apply(place) + " "
}

// Striped is a screen with a third pane, below the others.
type Striped interface {
	StripPane() Strip
}

// Strip is a pane that follows what is newest until the user moves in it.
type Strip interface {
	Pane
	// Newest goes back to what is newest.
	Newest()
}
