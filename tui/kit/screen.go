package kit

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Screen is one of the screens on the number keys: a list, and next to it a view of the row under its cursor. The shell gives it an area,
// keys and outcomes of jobs. Further abilities are the interfaces below, and feed.Watcher. Call all methods on the Bubble Tea goroutine.
type Screen interface {
	List() Pane
	Detail() Tab
	// Actions returns the screen's actions other than those of its panes.
	Actions() *Actions
	// Resize sets the inner areas of the two panes; an empty one is hidden.
	Resize(list, detail Rect) tea.Cmd
	// ListTitle fits into width cells.
	ListTitle(width int) Title
}

// Enterer is a screen that acts whenever it appears.
type Enterer interface{ Enter() tea.Cmd }

// Filtered is a list that can be filtered by a typed line, as every [Table]. Its screen declares the key: [keymap.Filter] without a Run.
type Filtered interface {
	Filter() string
	// SetFilter filters the list while the user types; problem explains a mistake in the line.
	SetFilter(line string) (cmd tea.Cmd, problem string)
	CompleteFilter(line string) []string
	// Matches describes how many rows match; "" if they aren't counted now.
	Matches() string
}

// DetailTitler is a screen whose detail pane has a title other than that of its [Tab].
type DetailTitler interface {
	// DetailTitle fits into width cells.
	DetailTitle(width int) Title
}

// TreeWatcher is a screen that shows the watched tree of the store.
type TreeWatcher interface {
	// TreeChanged is called after every update by the watcher, even if the screen is hidden.
	TreeChanged(TreeChange) tea.Cmd
}

// TreeChange describes an update by the watcher.
type TreeChange struct {
	Tree    bool // the tree differs
	Loading bool // it is still incomplete
	Back    bool // the store was unavailable until now
}

// Forgetter is a screen that keeps texts of the store or its journal.
type Forgetter interface {
	// Forget discards them after a purge, and rereads what is visible.
	Forget() tea.Cmd
}

// Wide is a screen whose list has many columns. Beside its preview, the list gets the width for them as far as the preview keeps enough.
type Wide interface{ ListWidth() int }

// Title is the painted text in the rule above a pane: the content on the left, and on the right the position, which is cut first.
type Title struct{ Left, Right string }

// Counted is a screen where items may wait for the user. Its tab shows the number.
type Counted interface {
	// Waiting is the number of waiting items; it is called for each frame.
	Waiting() int
}

// Peeler is a screen or a pane with layers that esc removes before it leaves.
type Peeler interface {
	// Peel removes the innermost layer; false: none.
	Peel() (cmd tea.Cmd, peeled bool)
}

// Ranged is a list with ranges. An action is about the rows of a range that is being made, so they are selected before it.
type Ranged interface{ EndRange() }

// Reviewed is a screen that shows diffs of revisions.
type Reviewed interface {
	// DiffInSight returns the revision whose diff is visible, 0 for none.
	DiffInSight() int64
}

// ListTitle is the title of a list: its name and filter, and the position.
func ListTitle(st *theme.Styles, title, filter, place string, width int) Title {
	if filter != "" {
		title += "  " + FilterText(filter)
	}
	return Title{Left: st.Title.Apply(text.Truncate(title, max(0, width), st.Glyphs.Ellipsis)), Right: st.Dim.Apply(place)}
}

// FilterText is a filter in the title of a list, as the line reads in which it is typed.
func FilterText(filter string) string { return "filter: " + text.Clean(filter) }

// TitleOf is the title of a screen's detail pane, in width cells.
func TitleOf(s Screen, st *theme.Styles, width int) Title {
	if titled, ok := s.(DetailTitler); ok {
		return titled.DetailTitle(width)
	}
	d := s.Detail()
	return DetailTitle(st, d.Title(), d.Path(), d.Place(), width)
}

// DetailTitle is the title of a detail pane: title and path, and the position.
func DetailTitle(st *theme.Styles, title, path, place string, width int) Title {
	left := st.Title.Apply(text.Truncate(title, max(0, width), st.Glyphs.Ellipsis))
	if room := width - text.Width(title) - text.Width(place) - 4; room > 0 && path != "" {
		left += " " + st.Path.Apply(FitPath(path, room, st))
	}
	return Title{Left: left, Right: st.Dim.Apply(place)}
}

// FitPath formats an agent path like [PathText], in at most room cells.
func FitPath(path string, room int, st *theme.Styles) string {
	return text.FitPath(PathText(path), room, st.Glyphs.Ellipsis)
}
