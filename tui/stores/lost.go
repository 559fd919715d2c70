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
	old := text.Clean(s.Title(r.Path))
	title, body := fmt.Sprintf("Restore the files of %s?", old),
		"Its folder is gone, but the journal has its files. This creates the folder again and restores them; "+
			"{global/undo} in the store undoes.\n\n"+
			"If the folder moved, cancel and run:\n  memcurator doctor --relink "+old+" NEW-DIR\n\n"+
			"To leave the store out of the list, cancel and press {stores/forget-store}."
	if r.Lost.Now != "" {
		now := text.Clean(s.Title(r.Lost.Now))
		title, body = fmt.Sprintf("Take over the journal of %s?", old),
			"The folder is at "+now+" now. That store takes over the journal, with all its changes. The command for it is:\n"+
				"  memcurator doctor --relink "+old+" "+now
	}
	s.shell.Ask(title, s.env.Keyed(body), func() tea.Cmd {
		recover := s.Source.Recover
		return kit.Start(s.env.Jobs, kit.Job[string]{
			Owner: ownerLost, Label: "restoring a store",
			Work: func(ctx context.Context, _ *kit.Progress) (string, error) { return recover(ctx, r) },
			Done: func(path string) tea.Cmd { return tea.Batch(s.Reread(path), s.Open(Choice{Path: path})) },
		})
	})
	return nil
}

// forget leaves the store under the cursor out of the list, after a yes. Its journal stays.
func (s *Screen) forget() tea.Cmd {
	r, ok := s.row()
	if !ok || r.Lost == nil {
		return nil
	}
	name := text.Clean(s.Title(r.Path))
	restore := "memcurator restore " + name + " /memories"
	body := "It will no longer be listed. The journal stays; to restore the files later, run:\n  " + restore
	s.shell.Ask("Forget "+name+"?", body, func() tea.Cmd {
		forget := s.Source.Forget
		return kit.Start(s.env.Jobs, kit.Job[struct{}]{
			Owner: ownerLost, Label: "forgetting a store",
			Work: func(context.Context, *kit.Progress) (struct{}, error) { return struct{}{}, forget(r) },
			Done: func(struct{}) tea.Cmd {
				s.shell.Tell(kit.Info, "Forgot "+name+". Its journal stays")
				s.list.keep(func(row Row) bool { return row.Path != r.Path })
				return s.detail.refresh()
			},
		})
	})
	return nil
}
