package browse

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/adapt"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

const ownerLifetimes = "browse.lifetimes"

// Lifetimes shows in the tree how long notes have left.
type Lifetimes struct {
	screen *Screen
}

// SetPlanned shows what the rules plan for the notes.
func (s *Screen) SetPlanned(p act.Planned) {
	s.Tree.now.due, s.Tree.now.pinned = p.Due, p.Pinned
	s.Tree.SetPast(s.Tree.past)
}

// read asks the program whose memory it is when its records expire.
func (l *Lifetimes) read() tea.Cmd {
	records, ok := l.screen.Store.Backend().(*adapt.Store)
	if !ok {
		return nil
	}
	return kit.Start(l.screen.Env.Jobs, kit.Job[map[string]time.Time]{
		Owner: ownerLifetimes, Label: "Looking for what expires",
		Work: func(context.Context, *kit.Progress) (map[string]time.Time, error) {
			all := map[string]time.Time{}
			for name, at := range records.Expiring() {
				all[memstore.AgentPath(name)] = at
			}
			return all, nil
		},
		Done: func(all map[string]time.Time) tea.Cmd {
			l.screen.Tree.now.expiring = all
			l.screen.Tree.SetPast(l.screen.Tree.past)
			return nil
		},
	})
}
