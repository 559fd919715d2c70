package kit

import (
	"errors"

	tea "charm.land/bubbletea/v2"
)

// Tab is a pane for the details of a list. Of the tabs of Browse, which share one place, the screen shows one at a time and calls the others
// only to resize them and to deliver outcomes of their jobs, so that a hidden tab costs nothing. Further abilities are the interfaces below.
type Tab interface {
	Pane
	// Title is the tab's name in the frame, one short word.
	Title() string
	// Path is the agent path whose content the tab shows or is about to show; "" for none.
	Path() string
	// Place is a short description of the position in the tab, for the frame; "" for none.
	Place() string
	// LineReader returns a function that reads the unpainted text of the line under the cursor, or nil if there is none. The function may
	// do I/O. Its error is a sentence, and a line longer than limit bytes is an error.
	LineReader(limit int) func() (string, error)
}

// FileTab is a tab with its own view of the file under the tree's cursor.
type FileTab interface {
	Tab
	// Show opens path, unless it is already open; the old content stays until the new one is ready.
	Show(path string) tea.Cmd
	// ShowMoved follows a rename of the open file; the position stays.
	ShowMoved(path string) tea.Cmd
	// Reload reads the open path again after a change; the position stays.
	Reload() tea.Cmd
}

// SearchOf returns the search of a tab; nil: it has none.
func SearchOf(p Pane) *Search {
	if searchable, ok := p.(interface{ Search() *Search }); ok {
		return searchable.Search()
	}
	return nil
}

// Optional is a tab that is not always available, such as search results.
type Optional interface {
	// Available reports whether the tab can be chosen now.
	Available() bool
}

// textLineTooLong explains why a line can't be copied.
const textLineTooLong = "Can't copy the line: longer than 1 MiB"

// LineOf is the reader of a line in memory, see [Tab].
func LineOf[T string | []byte](line T, limit int) func() (string, error) {
	return func() (string, error) {
		if len(line) > limit {
			return "", errors.New(textLineTooLong)
		}
		return string(line), nil
	}
}
