package browse

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
)

// compareRevisions compares the files after the two selected revisions of the history, or after the selected one and the one under the
// cursor, and stays with them.
func (t *DiffTab) compareRevisions() tea.Cmd {
	a, b, ok := t.screen.history.ChooseTwo()
	if !ok || a.Kind == memstore.KindDir || b.Kind == memstore.KindDir || t.screen.history.path != b.Path {
		t.screen.shell.Tell(kit.Info, t.env.Keyed("Select one or two revisions of the file with {list/mark}, then {history/compare}"))
		return nil
	}
	t.screen.Following.Stop()
	t.screen.Tabs.at = Diff
	t.pinned = pinned{compares: [2]int64{a.Rev, b.Rev}}
	journal := t.screen.Journal
	title := fmt.Sprintf("%s after #%d %s after #%d", kit.PathText(b.Path), a.Rev, t.env.Styles.Glyphs.Arrow, b.Rev)
	shown := t.pane.Show(diffpane.Comparison{
		Key: title, Title: title, Path: b.Path,
		Read: func(ctx context.Context) diffpane.Sides { return diffpane.ReadSides(ctx, journal, a.After, b.After) },
	})
	return tea.Batch(shown, t.screen.shell.FocusDetail())
}
