package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
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

// board is a screen of revisions: a list, and the diff of the one under its cursor. The
// list takes the place of the tree in focus and layout, the diff that of the tabs.
type board struct {
	list    *timeline.Pane
	detail  *diffpane.Pane
	focus   focus // to come back to
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
	m.addBoard(onChanges, timeline.New(m.env, ownerChanges, j, keymap.Inbox, timeline.Texts{
		Title: "changes", Empty: textNoRevision, NoMatch: textNoRevisionFits,
	}), ownerChanges, ownerChangesDiff)
	m.addBoard(onTrash, timeline.New(m.env, ownerTrash, j, keymap.Trash, timeline.Texts{
		Title: "trash", Empty: "nothing was deleted since the journal began", NoMatch: textNoRevisionFits,
	}), ownerTrash, ownerTrashDiff)
}

// addBoard puts a diff beside a list and sends the outcomes of their jobs to both.
func (m *Model) addBoard(s screen, list *timeline.Pane, owner, ownerDiff string) {
	detail := diffpane.New(m.env, ownerDiff)
	m.boards[s] = &board{list: list, detail: detail}
	m.listen(list.Receive, owner)
	m.listenDiff(detail, ownerDiff)
}

// listenDiff sends the outcomes of a diff's jobs to it, failures too.
func (m *Model) listenDiff(d *diffpane.Pane, owner string) {
	m.listen(d.Receive, diffpane.Owners(owner)...)
	m.listeners[owner] = listener{d.Receive, d.Failed}
}

// board is the screen that is shown, nil for Browse.
func (m *Model) board() *board { return m.boards[m.screen] }

// goTo shows a screen; the focus in the one that is left is kept.
func (m *Model) goTo(s screen) tea.Cmd {
	if s != onBrowse && s != onReplay && s != onCurate && m.boards[s] == nil {
		m.tell(ui.Info, noJournalText(m.options.NoJournal))
		return nil
	}
	if s == m.screen {
		if s == onChanges && m.between != nil {
			return m.leaveBetween()
		}
		return nil
	}
	switch b := m.board(); {
	case b != nil:
		b.focus = m.focus
	case m.onReplayScreen():
		m.replay.focus = m.focus
	case m.curating():
		m.curate.focus = m.focus
	default:
		m.browseFocus = m.focus
	}
	m.screen, m.focus = s, m.browseFocus
	if m.onReplayScreen() {
		m.focus = m.replay.focus
		if len(m.replay.list.Files()) == 0 {
			return tea.Batch(m.relayout(), m.openFound())
		}
		return m.relayout()
	}
	if m.curating() {
		return m.goToCurate()
	}
	b := m.board()
	if b == nil {
		return m.relayout()
	}
	m.focus = b.focus
	cmd := b.list.Refresh
	if !b.visited {
		b.visited = true
		cmd = func() tea.Cmd { return b.list.SetBase(past.Filter{Removed: s == onTrash}) }
	}
	return tea.Batch(m.relayout(), cmd(), m.prepareTravel())
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

// resize tells the panes of a board their inner sizes.
func (b *board) resize(list, detail ui.Rect) tea.Cmd {
	b.list.Resize(list.W, list.H)
	b.detail.Resize(detail.W, detail.H)
	return b.detail.Settle()
}

// screenNamesWidth is the width from which on the top bar names the screens.
const screenNamesWidth = 110

// screenNames lists the screens with their keys, for the top bar.
func (m *Model) screenNames() string {
	if len(m.boards) == 0 && len(m.replay.list.Files()) == 0 {
		return ""
	}
	st := m.env.Styles
	out := ""
	for _, s := range []struct {
		screen screen
		id     keymap.ID
	}{{onBrowse, keymap.ScreenBrowse}, {onChanges, keymap.ScreenChanges}, {onCurate, keymap.ScreenCurate}, {onReplay, keymap.ScreenReplay}, {onTrash, keymap.ScreenTrash}} {
		paint := st.TabInactive
		if s.screen == m.screen {
			paint = st.TabActive
		}
		a, _ := m.env.Keys.ByID(s.id)
		out += st.TopBar.Apply(" ") + paint.Apply(a.KeyText(m.env.ASCII)+" "+screenName(int(s.screen)))
	}
	return out + st.TopBar.Apply(" ")
}

// screenName is the name of a screen in the top bar, by its place in the root's list.
func screenName(i int) string {
	return [...]string{"Browse", "Changes", "Trash", "Replay", "Curate"}[i]
}

// listTitle is the title of a list of revisions: name, filter, place.
func (m *Model) listTitle(b *board, width int) string {
	st := m.env.Styles
	title := " " + b.list.Title() + " "
	if m.between != nil && m.screen == onChanges {
		title = " " + m.between.title(st.Glyphs.Arrow) + " "
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

// detailTitle is the title of the diff of a revision.
func (m *Model) detailTitle(b *board, width int) string {
	st := m.env.Styles
	title, place := " "+b.detail.Title()+" ", b.detail.Place()
	room := width - text.Width(title) - text.Width(place) - 3
	if room <= 0 {
		return st.Title.Apply(text.Truncate(title, max(0, width), ""))
	}
	path := text.TruncateLeft(text.Clean(b.detail.Path()), room, st.Glyphs.Ellipsis)
	return st.Title.Apply(title) + st.Path.Apply(path) + " " + st.Dim.Apply(place) + " "
}
