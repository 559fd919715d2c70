package tui

import (
	"context"
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/tui/session"
	"memcurator/tui/tree"
	"memcurator/tui/ui"
	"memcurator/tui/viewer"
)

// rememberAfter is how long after a key or a click the layout is written.
const rememberAfter = 3 * time.Second

// ownerRemember names the job that writes the layout.
const ownerRemember = "remember"

// memory is what the root knows of the remembered layout; without a keeper nothing is remembered.
type memory struct {
	keeper *session.Keeper
	last   session.State // what was handed to the keeper last
	due    bool          // a rememberMsg is under way
	theme  session.State // the theme chosen by key, if any; its other fields are empty
}

// rememberMsg says that the layout may have settled.
type rememberMsg struct{}

// restore takes up the layout of the run before. It reads one small file, before the first
// screen, and must not fail the program.
func (m *Model) restore() {
	if m.options.StateDir == "" {
		return
	}
	m.memory.keeper = session.NewKeeper(m.options.StateDir)
	s, err := session.Load(m.options.StateDir)
	if err != nil {
		m.options.Log.Warn("the remembered layout is left aside", "error", err)
	}
	if s.Version == 0 {
		return
	}
	if s.ScreenOver != m.preferred.screen() {
		// Somebody wrote into the configuration meanwhile: that is newer.
		s.Sort, s.HideHidden, s.CutLines, s.MouseOff = m.preferred.Sort, m.preferred.HideHidden, m.preferred.NoWrap, m.preferred.MouseOff
	}
	m.treeWidth, m.zoom, m.mouseOff = s.TreeWidth, s.Zoom, s.MouseOff
	m.tree.Restore(tree.Memory{Order: s.Sort, Hidden: !s.HideHidden, Unfolded: s.Unfolded, Selected: s.Selected})
	m.viewer.SetWrap(!s.CutLines)
	spots := make([]viewer.Spot, len(s.Places))
	for i, p := range s.Places {
		spots[i] = viewer.Spot{Path: p.Path, Top: p.Top, Line: p.Line}
	}
	m.viewer.SetSpots(spots)
	m.line.SetHistory(s.History)
	for i, t := range m.tabs {
		if t.Title() == s.Tab && available(t) {
			m.tab = tab(i)
		}
	}
	if s.Theme != "" && s.ThemeOver == string(m.preferred.Theme) {
		m.memory.theme.Theme, m.memory.theme.ThemeOver = s.Theme, s.ThemeOver
		m.useTheme(s.Theme)
	}
	m.memory.last = m.state()
}

// state is what would be remembered now. A filter is not: it hides things.
func (m *Model) state() session.State {
	t := m.tree.Memory()
	s := session.State{
		Version: 1, TreeWidth: m.treeWidth, Zoom: m.zoom, MouseOff: m.mouseOff,
		Sort: t.Order, HideHidden: !t.Hidden, Unfolded: t.Unfolded, Selected: t.Selected,
		Tab: m.mainTab().Title(), CutLines: !m.viewer.Wrapped(), History: m.line.History(),
		Theme: m.memory.theme.Theme, ThemeOver: m.memory.theme.ThemeOver, ScreenOver: m.preferred.screen(),
	}
	for _, p := range m.viewer.Spots() {
		s.Places = append(s.Places, session.Place{Path: p.Path, Top: p.Top, Line: p.Line})
	}
	return s
}

// themeChosen notes that the user chose a theme, over that of flags and configuration.
func (m *Model) themeChosen() {
	m.memory.theme.Theme, m.memory.theme.ThemeOver = string(m.theme.Name), string(m.preferred.Theme)
}

// remember arranges for a write after the user did something; nothing is timed while
// nobody does.
func (m *Model) remember(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.MouseMsg:
	default:
		return nil
	}
	if m.memory.keeper == nil || m.memory.due {
		return nil
	}
	m.memory.due = true
	return tea.Tick(rememberAfter, func(time.Time) tea.Msg { return rememberMsg{} })
}

// writeLayout writes what changed, in a job.
func (m *Model) writeLayout() tea.Cmd {
	m.memory.due = false
	s := m.state()
	if reflect.DeepEqual(s, m.memory.last) {
		return nil
	}
	m.memory.last = s
	keeper, log := m.memory.keeper, m.options.Log
	return m.env.Jobs.Start(ownerRemember, labelRemember, func(context.Context, *ui.Progress) (any, error) {
		if err := keeper.Save(s); err != nil {
			log.Warn("the layout cannot be remembered", "error", err)
		}
		return nil, nil
	})
}

// leave writes the layout at the end of the program, when no message is handled any more.
func (m *Model) leave() {
	if m.memory.keeper == nil {
		return
	}
	if err := m.memory.keeper.Save(m.state()); err != nil {
		m.options.Log.Warn("the layout cannot be remembered", "error", err)
	}
}
