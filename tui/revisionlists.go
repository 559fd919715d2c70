package tui

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/tui/browse"
	"memcurator/tui/changes"
	"memcurator/tui/feed"
	"memcurator/tui/timeline"
)

// revisionLists are the lists of revisions on all screens.
type revisionLists struct {
	travel  *browse.Travel
	screens []*changes.Screen // empty without a journal
	secrets map[string]int    // in the files now, by their paths
}

// secretsIn counts the secrets in a file now.
func (l *revisionLists) secretsIn(path string) int { return l.secrets[path] }

// setSecrets marks the files with secrets.
func (l *revisionLists) setSecrets(places map[string]int) {
	l.secrets = places
	l.travel.Present().Tree.SetFindings(places)
}

// open are the lists that the user has opened.
func (l *revisionLists) open() []*timeline.Pane {
	var out []*timeline.Pane
	for _, s := range l.travel.Screens() {
		if list := s.OpenHistory(); list != nil {
			out = append(out, list)
		}
	}
	for _, s := range l.screens {
		if s.Visited() {
			out = append(out, s.Revisions())
		}
	}
	return out
}

// marked are open as what shows marks.
func (l *revisionLists) marked() []feed.List {
	var out []feed.List
	for _, list := range l.open() {
		out = append(out, list)
	}
	return out
}

// reread reads the open lists again.
func (l *revisionLists) reread() tea.Cmd {
	var cmds []tea.Cmd
	for _, list := range l.open() {
		cmds = append(cmds, list.Reread())
	}
	return tea.Batch(cmds...)
}
