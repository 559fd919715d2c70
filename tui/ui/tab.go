package ui

import (
	"errors"

	tea "charm.land/bubbletea/v2"
)

// Tab is one of the panes that share the main area. The root shows one at a time and
// calls the others only for their sizes and for outcomes of jobs they started, so that a tab
// out of sight costs nothing. What a tab can do beyond this it says by the interfaces below.
type Tab interface {
	Pane
	// Title is the tab's name in the frame, one short word.
	Title() string
	// Path is the agent path whose content is shown or about to be; "" for none.
	Path() string
	// Place is where the user is in it, short, for the frame; "" for nowhere.
	Place() string
	// LineReader returns a function that reads the text of the line under the cursor, without
	// paint; nil when the cursor is on no line. The function may do I/O; its error is a
	// sentence, and so is a line longer than limit bytes.
	LineReader(limit int) func() (string, error)
}

// FileTab is a tab that shows the file under the tree's cursor in its own way.
type FileTab interface {
	Tab
	// Show opens path, unless it is open already; what was shown stays until it is there.
	Show(path string) tea.Cmd
	// ShowMoved goes along when the open file got a new name; the place stays.
	ShowMoved(path string) tea.Cmd
	// Reload reads the open path again after a change; the place stays.
	Reload() tea.Cmd
}

// Searcher is a tab, or the rows of a list, in which "/" searches.
type Searcher interface {
	// Query is what is searched for; "" for nothing.
	Query() string
	// SetQuery searches while the user types; "" ends the search and its marks.
	SetQuery(query string) tea.Cmd
	// Jump goes to the first match from the cursor on, when the query was accepted.
	Jump() tea.Cmd
	// SearchState says in a few words how the search stands; "" without one.
	SearchState() string
}

// Settler is a pane that reads what a new size made visible.
type Settler interface {
	// Settle is called once after a layout, when the pane is on the screen.
	Settle() tea.Cmd
}

// Optional is a tab that is not always there, such as the results of a search.
type Optional interface {
	// Available reports whether the tab can be chosen now.
	Available() bool
}

// Lined is a tab whose rows come from lines of the file, so that another such tab can be
// shown at the same place.
type Lined interface {
	FileTab
	// Lines returns the lines of the file, from 0, at the top and under the cursor; not ok
	// while nothing is shown.
	Lines() (top, cursor int, ok bool)
	// ShowLines goes there, or will when the file is open. It moves nothing when Lines
	// returns the same.
	ShowLines(top, cursor int) tea.Cmd
}

// TextLineTooLong explains why a line is not copied.
const TextLineTooLong = "Can't copy the line: longer than 1 MiB"

// LineOf is the reader of a line in memory, see [Tab].
func LineOf[T string | []byte](line T, limit int) func() (string, error) {
	return func() (string, error) {
		if len(line) > limit {
			return "", errors.New(TextLineTooLong)
		}
		return string(line), nil
	}
}
