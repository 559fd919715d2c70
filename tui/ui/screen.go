package ui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/render/theme"
)

// Screen is one of the screens on the number keys: a list, and beside it what is shown of the row under its cursor. The shell
// passes it a place, keys and outcomes of jobs. What a screen can do beyond this it says by the interfaces below, and by
// feed.Watcher. All methods run on the Bubble Tea goroutine.
type Screen interface {
	List() Pane
	Detail() Tab
	// Actions are those beside the ones of its panes.
	Actions() *Actions
	// Resize sets the inner places of the two panes; an empty one is out of sight.
	Resize(list, detail Rect) tea.Cmd
	// ListTitle fits into width cells.
	ListTitle(width int) Title
}

// Enterer is a screen that does something whenever it comes into sight.
type Enterer interface{ Enter() tea.Cmd }

// Receiver is a screen whose panes ask for more than they can do themselves, by [Env.Emit].
type Receiver interface {
	// Receive does what a pane of the screen asked for; false: it is another's.
	Receive(intent any) (cmd tea.Cmd, mine bool)
}

// Filtered is a screen whose list is narrowed by a typed line.
type Filtered interface {
	// SetFilter narrows the list while the user types; problem explains what is wrong with the line.
	SetFilter(line string) (cmd tea.Cmd, problem string)
	CompleteFilter(line string) []string
}

// FilterCounter is a screen that counts what its filter leaves.
type FilterCounter interface {
	// Matches is how much the filter leaves; "" if that is not counted now.
	Matches() string
}

// DetailTitler is a screen that names what is shown of a row otherwise than its [Tab] does.
type DetailTitler interface {
	// DetailTitle fits into width cells.
	DetailTitle(width int) Title
}

// TreeWatcher is a screen that shows what the watch reads of the store.
type TreeWatcher interface {
	// TreeChanged is called after every update of the watch, in sight or not.
	TreeChanged(TreeChange) tea.Cmd
}

// TreeChange is what an update of the watch changed.
type TreeChange struct {
	Tree    bool // it is another one
	Loading bool // it is not complete yet
	Live    bool // it follows the disk immediately
	Back    bool // the store was unavailable until now
}

// Forgetter is a screen that keeps texts of the store or of its journal.
type Forgetter interface {
	// Forget discards them after a purge, and reads again what is in sight.
	Forget() tea.Cmd
}

// Explained is a screen that knows more of the row under its cursor than its preview shows. On a wide terminal that has a column of its
// own.
type Explained interface {
	// Explains reports whether there are facts of the rows that are listed now.
	Explains() bool
	// Facts are what is known of the row, in lines; "" for nothing. They are looked up for each frame.
	Facts() string
	// SetApart says whether the facts have their column now.
	SetApart(apart bool)
}

// Title is what the rule above a pane says, painted: at the left what the pane shows, at the right the place in it, which is cut first.
type Title struct{ Left, Right string }

// Counted is a screen where something can wait for the user. Its tab has the number.
type Counted interface {
	// Waiting is how much waits; it is looked up for each frame.
	Waiting() int
}

// Peeler is a screen or a pane with something that esc takes away before it leaves.
type Peeler interface {
	// Peel removes the innermost layer; false: none.
	Peel() (cmd tea.Cmd, peeled bool)
}

// Reviewed is a screen that shows diffs of revisions.
type Reviewed interface {
	// DiffInSight returns the revision whose diff is in sight, 0 for none, and whether its end is.
	DiffInSight() (rev int64, end bool)
}

// Returner is a screen whose own key, pressed while it is in sight, goes back to its list.
type Returner interface {
	Again() tea.Cmd
}

// ListTitle is the title of a list: its name and the filter, and the place.
func ListTitle(st *theme.Styles, title, filter, place string, width int) Title {
	if filter != "" {
		title += " /" + text.Clean(filter)
	}
	return Title{Left: st.Title.Apply(text.Truncate(title, max(0, width), st.Glyphs.Ellipsis)), Right: st.Dim.Apply(place)}
}

// TitleOf is the title of what a screen shows of a row, in width cells.
func TitleOf(s Screen, st *theme.Styles, width int) Title {
	if titled, ok := s.(DetailTitler); ok {
		return titled.DetailTitle(width)
	}
	d := s.Detail()
	return DetailTitle(st, d.Title(), d.Path(), d.Place(), width)
}

// DetailTitle is the title of what is shown of a row: title and path, and the place.
func DetailTitle(st *theme.Styles, title, path, place string, width int) Title {
	left := st.Title.Apply(text.Truncate(title, max(0, width), ""))
	if room := width - text.Width(title) - text.Width(place) - 4; room > 0 && path != "" {
		left += " " + st.Path.Apply(FitPath(path, room, st))
	}
	return Title{Left: left, Right: st.Dim.Apply(place)}
}

// FitPath is an agent path as [PathText] writes it, in at most room cells.
func FitPath(path string, room int, st *theme.Styles) string {
	return text.FitPath(text.Clean(PathText(path)), room, st.Glyphs.Ellipsis)
}

// Striped is a screen with a third pane, below the others.
type Striped interface {
	StripPane() Strip
}

// Strip is a pane that follows what is newest until the user moves in it.
type Strip interface {
	Pane
	// Title fits into width cells.
	Title(width int) Title
	// Newest goes back to what is newest.
	Newest()
}
