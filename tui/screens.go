package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// screen is one of the screens on the number keys. Browse is the root's own; the others are boards.
type screen uint8

const (
	onBrowse screen = iota
	onChanges
	onTrash
	onReplay
	onCurate
)

// board is a screen of revisions: a list, and the diff of the one under its cursor.
type board struct {
	m       *Model
	list    *timeline.Pane
	detail  *diffpane.Pane
	actions *ui.Actions
	base    past.Filter // what the list is made of
	visited bool
}

// The owners of the boards' jobs.
const (
	ownerChanges     = "changes"
	ownerChangesDiff = "changes.diff"
	ownerTrash       = "trash"
	ownerTrashDiff   = "trash.diff"
)

const textNoRevisionFits = "no change fits the filter; {global/back} clears it"

// addBoards makes the screens that need a journal.
func (m *Model) addBoards(j *journal.Journal) {
	m.boards = map[screen]*board{}
	m.addBoard(onChanges, past.Filter{}, timeline.New(m.env, ownerChanges, j, keymap.Inbox, timeline.Texts{
		Title: "changes", Empty: textNoRevision, NoMatch: textNoRevisionFits,
	}), ownerChanges, ownerChangesDiff)
	m.addBoard(onTrash, past.Filter{Removed: true}, timeline.New(m.env, ownerTrash, j, keymap.Trash, timeline.Texts{
		Title: "trash", Empty: "nothing was deleted since the journal began", NoMatch: textNoRevisionFits,
	}), ownerTrash, ownerTrashDiff)
}

// addBoard puts a diff beside a list and sends the outcomes of their jobs to both.
func (m *Model) addBoard(s screen, base past.Filter, list *timeline.Pane, owner, ownerDiff string) {
	detail := diffpane.New(m.env, ownerDiff)
	b := &board{m: m, list: list, detail: detail, base: base}
	m.boards[s], m.screens[s] = b, b
	m.listen(list.Receive, owner)
	m.listenDiff(detail, ownerDiff)
}

// listenDiff sends the outcomes of a diff's jobs to it, failures too.
func (m *Model) listenDiff(d *diffpane.Pane, owner string) {
	m.listen(d.Receive, diffpane.Owners(owner)...)
	m.listeners[owner] = listener{d.Receive, d.Failed}
}

// board is the screen of revisions that is shown, nil for another one.
func (m *Model) board() *board { return m.boards[m.screen] }

// screenRow is where the top bar and a key show a screen, whether it can be opened or not.
type screenRow struct {
	screen screen
	id     keymap.ID
	name   string
}

// screenRows are the screens in the order of their keys.
var screenRows = []screenRow{
	{onBrowse, keymap.ScreenBrowse, "Browse"},
	{onChanges, keymap.ScreenChanges, "Changes"},
	{onCurate, keymap.ScreenCurate, "Curate"},
	{onReplay, keymap.ScreenReplay, "Replay"},
	{onTrash, keymap.ScreenTrash, "Trash"},
}

// focusOn moves the focus.
func (m *Model) focusOn(f focus) tea.Cmd {
	m.focus = f
	return m.relayout()
}

// otherPane moves the focus between the two panes of a screen.
func (m *Model) otherPane() tea.Cmd { return m.focusOn(onTree + onMain - m.focus) }

// shownScreen is the screen that is shown.
func (m *Model) shownScreen() ui.Screen { return m.screens[m.screen] }

// show shows the screen that an action is for.
func (m *Model) show(id keymap.ID) tea.Cmd {
	at := slices.IndexFunc(screenRows, func(row screenRow) bool { return row.id == id })
	return m.goTo(screenRows[at].screen)
}

// goTo shows a screen; the focus in the one that is left is kept.
func (m *Model) goTo(s screen) tea.Cmd {
	switch {
	case m.screens[s] == nil:
		m.tell(ui.Info, edits.NoJournalText(m.options.NoJournal))
		return nil
	case s == m.screen && s == onChanges && m.between != nil:
		return m.leaveBetween()
	case s == m.screen:
		return nil
	}
	m.resume[m.screen] = m.focus
	m.screen, m.focus = s, m.resume[s]
	return tea.Batch(m.relayout(), m.shownScreen().Enter())
}

// List implements [ui.Screen].
func (b *board) List() ui.Pane { return b.list }

// Detail implements [ui.Screen].
func (b *board) Detail() ui.Tab { return b.detail }

// Actions implements [ui.Screen].
func (b *board) Actions() *ui.Actions { return b.actions }

// Receive implements [ui.Screen].
func (b *board) Receive(any) (cmd tea.Cmd, mine bool) { return nil, false }

// Enter implements [ui.Screen].
func (b *board) Enter() tea.Cmd {
	if b.visited {
		return tea.Batch(b.list.Refresh(), b.m.prepareTravel())
	}
	b.visited = true
	return tea.Batch(b.list.SetBase(b.base), b.m.prepareTravel())
}

// rereadLists reads the lists of revisions again that were opened.
func (m *Model) rereadLists() tea.Cmd {
	var cmds []tea.Cmd
	for _, list := range m.openLists() {
		cmds = append(cmds, list.Reread())
	}
	return tea.Batch(cmds...)
}

// openLists returns the lists of revisions that were opened.
func (m *Model) openLists() []*timeline.Pane {
	var out []*timeline.Pane
	if m.history.path != "" {
		out = append(out, m.history.Pane)
	}
	for _, b := range m.boards {
		if b.visited {
			out = append(out, b.list)
		}
	}
	return out
}

// Resize implements [ui.Screen].
func (b *board) Resize(list, detail ui.Rect) tea.Cmd {
	b.list.Resize(list.W, list.H)
	b.detail.Resize(detail.W, detail.H)
	return b.detail.Settle()
}

// screenNamesWidth is the width from which on the top bar names the screens.
const screenNamesWidth = 110

// screenNames lists the screens with their keys, for the top bar.
func (m *Model) screenNames() string {
	if len(m.boards) == 0 && m.replay.IsEmpty() {
		return ""
	}
	st := m.env.Styles
	out := ""
	for _, s := range screenRows {
		paint := st.TabInactive
		if s.screen == m.screen {
			paint = st.TabActive
		}
		a, _ := m.env.Keys.ByID(s.id)
		out += st.TopBar.Apply(" ") + paint.Apply(a.KeyText(m.env.ASCII)+" "+s.name)
	}
	return out + st.TopBar.Apply(" ")
}

// ListTitle is the title of a list of revisions: name, filter, place.
func (b *board) ListTitle(width int) string {
	st := b.m.env.Styles
	title := " " + b.list.Title() + " "
	if b.m.between != nil && b == b.m.boards[onChanges] {
		title = " " + b.m.between.title(st.Glyphs.Arrow) + " "
	}
	if f := b.list.Filter().Text(); f != "" {
		title += "/" + text.Clean(f) + " "
	}
	title = text.Truncate(title, max(0, width), st.Glyphs.Ellipsis)
	place := b.list.Place()
	if text.Width(title)+text.Width(place)+1 > width {
		place = ""
	}
	return st.Title.Apply(title) + st.Dim.Apply(place+" ")
}

// DetailTitle implements [ui.Screen].
func (b *board) DetailTitle(width int) string {
	return ui.DetailTitle(b.m.env.Styles, b.detail.Title(), b.detail.Path(), b.detail.Place(), width)
}

// Status implements [ui.Screen].
func (b *board) Status() (string, theme.Paint) {
	return text.Clean(b.list.Path()), b.m.env.Styles.StatusBar
}

// SetFilter implements [ui.Screen].
func (b *board) SetFilter(line string) (cmd tea.Cmd, problem string) {
	f, err := timeline.ParseFilter(line, b.m.env.Now())
	if err != nil {
		return nil, err.Error()
	}
	return b.list.SetFilter(f), ""
}

// CompleteFilter implements [ui.Screen].
func (b *board) CompleteFilter(line string) []string { return timeline.CompleteFilter(line) }

// Matches implements [ui.Screen].
func (b *board) Matches() string { return "" }
