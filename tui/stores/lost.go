package stores

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/render/text"
	"memcurator/tui/kit"
)

// ownerLost is the owner of the job that brings a store back, or forgets it.
const ownerLost = "stores.lost"

// isLost reports whether only the journal is left of the store under the cursor.
func (s *Screen) isLost() bool {
	r, ok := s.row()
	return ok && r.Lost != nil
}

// recover offers what works for a store of which only the journal remains: to restore its files, or to give its journal to the store that
// its folder has become.
func (s *Screen) recover(r Row) tea.Cmd {
	old := text.Clean(s.source.Title(r.Path))
	title, body := fmt.Sprintf("Restore the files of %s?", old),
		"Its folder is gone, but the journal has its files. This creates the folder again and restores them; {global/undo} in the store undoes. "+
			"If the folder moved, cancel and run:\n  memcurator doctor --relink "+old+" NEW-DIR"
	if r.Lost.Now != "" {
		title, body = fmt.Sprintf("Take over the journal of %s?", old),
			"The folder is at "+text.Clean(s.source.Title(r.Lost.Now))+" now. That store takes over the journal, with all its changes."
	}
	source := s.source
	s.shell.Ask(title, s.env.Keyed(body), func() tea.Cmd {
		return kit.Start(s.env.Jobs, kit.Job[string]{
			Owner: ownerLost, Label: "restoring a store",
			Work: func(ctx context.Context, _ *kit.Progress) (string, error) { return source.Recover(ctx, r) },
			Done: func(path string) tea.Cmd { return tea.Batch(s.Reread(path), s.opener.Choose(Choice{Path: path})) },
		})
	})
	return nil
}

// forget leaves the store under the cursor out of the list, after a yes. Its journal stays.
func (s *Screen) forget() tea.Cmd {
	r, _ := s.row()
	name, source := text.Clean(s.source.Title(r.Path)), s.source
	body := "It will no longer be listed. The journal stays; to restore the files later, run:\n  memcurator restore " + name + " /memories"
	s.shell.Ask("Forget "+name+"?", body, func() tea.Cmd {
		return kit.Start(s.env.Jobs, kit.Job[struct{}]{
			Owner: ownerLost, Label: "forgetting a store",
			Work: func(context.Context, *kit.Progress) (struct{}, error) { return struct{}{}, source.Forget(r) },
			Done: func(struct{}) tea.Cmd {
				s.shell.Tell(kit.Info, "Forgot "+name+". Its journal stays")
				return s.Reread("")
			},
		})
	})
	return nil
}
