package browse

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/load"
	"memcurator/tui/loaded"
)

// ownerStart begins the names of the jobs of the load tab.
const ownerStart = "load"

// start shows what a session starts with: the load tab, and the line of the summary.
type start struct {
	screen *Screen
	pane   *loaded.Pane
	stale  bool // the store has changed since it was read
}

func newStart(s *Screen) *start {
	return &start{screen: s, stale: true, pane: loaded.New(s.Env, loaded.Options{Owner: ownerStart, Open: s.OpenLine})}
}

// wake reads it again if the store has changed and it is in sight, or if nothing is known yet.
func (t *start) wake() tea.Cmd {
	s := t.screen
	inSight := s.isShown() && (s.Summary.shown || s.Tabs.at == Load && !s.detail.Empty())
	if !t.stale || s.Files.snapshot == nil || t.pane.Start() != nil && !inSight {
		return nil
	}
	t.stale = false
	source, files, store := s.Edits.Load, s.Files.snapshot, s.Store
	return t.pane.Show(memstore.Root, func(ctx context.Context) (*load.Start, error) {
		return source.Of(files).Read(ctx, store.Backend())
	})
}

// show shows what a session starts with; where that is shown already, or the agent reads on demand, the listing, which is what it asks
// for first.
func (t *start) show() tea.Cmd {
	s := t.screen
	if t.pane.Available() && (s.Tabs.at != Load || s.Summary.shown) {
		s.Summary.leave()
		return s.Open(Load)
	}
	return tea.Batch(s.Select(memstore.Root, true), s.shell.Relayout())
}
