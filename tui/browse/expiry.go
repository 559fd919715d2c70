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

const ownerExpiry = "browse.expiry"

// SetPlanned shows what the rules plan for the notes.
func (s *Screen) SetPlanned(p act.Planned) {
	s.Tree.now.due, s.Tree.now.pinned = p.Due, p.Pinned
	s.Tree.SetPast(s.Tree.past)
}

// readExpiry asks the program whose memory it is when its records expire.
func (s *Screen) readExpiry() tea.Cmd {
	records, ok := s.Store.Backend().(*adapt.Store)
	if !ok {
		return nil
	}
	return kit.Start(s.Env.Jobs, kit.Job[map[string]time.Time]{
		Owner: ownerExpiry, Label: "Looking for what expires",
		Work: func(context.Context, *kit.Progress) (map[string]time.Time, error) {
			all := map[string]time.Time{}
			for name, at := range records.Expiring() {
				all[memstore.AgentPath(name)] = at
			}
			return all, nil
		},
		Done: func(all map[string]time.Time) tea.Cmd {
			s.Tree.now.expiring = all
			s.Tree.SetPast(s.Tree.past)
			return nil
		},
	})
}
