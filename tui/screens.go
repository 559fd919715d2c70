package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore/journal"
	"memcurator/memstore/past"
	"memcurator/tui/changes"
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

const textNoRevisionFits = "no change fits the filter; {global/back} clears it"

// addBoards makes the screens that need a journal.
func (m *Model) addBoards(j *journal.Journal) {
	m.changes = m.newBoard(onChanges, changes.Options{
		ID: keymap.ScreenChanges, Owner: "changes", Scope: keymap.Inbox, Journal: j, Inbox: true,
		Texts: timeline.Texts{Title: "changes", Empty: textNoRevision, NoMatch: textNoRevisionFits},
	})
	m.newBoard(onTrash, changes.Options{
		ID: keymap.ScreenTrash, Owner: "trash", Scope: keymap.Trash, Journal: j, Base: past.Filter{Removed: true},
		Texts: timeline.Texts{Title: "trash", Empty: "nothing was deleted since the journal began", NoMatch: textNoRevisionFits},
	})
}

func (m *Model) newBoard(at screen, o changes.Options) *changes.Screen {
	o.Shown = func() bool { return m.screen == at }
	o.Comparison, o.Prepare, o.Compare, o.Like = m.revisionComparison, m.prepareTravel, m.compareRevisions, m.showLike
	o.Mark, o.MarkAll = m.markRevisions, m.readAllRevisions
	b := changes.New(m.env, m.shell, m.edits, o)
	m.boards[at], m.screens[at] = b, b
	return b
}

// listenDiff sends the outcomes of a diff's jobs to it, failures too.
func (m *Model) listenDiff(d *diffpane.Pane, owner string) {
	m.env.Jobs.Listen(d.Receive, nil, diffpane.Owners(owner)...)
	m.env.Jobs.Listen(d.Receive, d.Failed, owner)
}

// board is the screen of revisions that is shown, nil for another one.
func (m *Model) board() *changes.Screen { return m.boards[m.screen] }

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
	case s == m.screen && s == onChanges:
		return m.changes.ListRevisions()
	case s == m.screen:
		return nil
	}
	m.resume[m.screen] = m.focus
	m.screen, m.focus = s, m.resume[s]
	return tea.Batch(m.relayout(), m.shownScreen().Enter())
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
		if b.Visited() {
			out = append(out, b.Revisions())
		}
	}
	return out
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
