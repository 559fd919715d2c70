package browse

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/act"
	"memcurator/tui/diffpane"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
)

// compareLimit bounds each of two files that are compared, in bytes: both are held in memory.
const compareLimit = 64 << 20

// filePair is what the diff tab compares until another file or change is chosen.
type filePair struct{ sides [2]side }

// side is the current file, or the file after a revision.
type side struct {
	path  string
	rev   int64 // the file after this revision; 0: the current one
	bytes past.Side
}

func sideOf(r past.Revision) side { return side{path: r.Path, rev: r.Rev, bytes: r.After} }

// compareMarked compares the two marked files, or the marked one with the one under the cursor.
func (t *DiffTab) compareMarked() tea.Cmd {
	if t.screen.shell.OnDetail() && t.screen.Tabs.at == History {
		return t.compareRevisions()
	}
	marked := t.screen.Tree.Keys()
	if selected, _ := t.screen.Tree.Selected(); len(marked) == 1 && selected != marked[0] {
		marked = append(marked, selected)
	}
	switch len(marked) {
	case 2:
		return t.compare(side{path: marked[0]}, side{path: marked[1]})
	case 0, 1:
		t.screen.shell.Tell(kit.Info, t.env.Keyed("Select two files with {list/mark}, then {tree/compare}; or :compare A B"))
	default:
		t.screen.shell.Tell(kit.Info, fmt.Sprintf("Can't compare %d files, only two", len(marked)))
	}
	return nil
}

// compareRevisions compares the two selected revisions of the history, or the selected one with the one under the cursor.
func (t *DiffTab) compareRevisions() tea.Cmd {
	a, b, ok := t.screen.history.ChooseTwo()
	if ok && a.Kind != memstore.KindDir && b.Kind != memstore.KindDir && t.screen.history.path == b.Path {
		return t.compare(sideOf(a), sideOf(b))
	}
	t.screen.shell.Tell(kit.Info, t.env.Keyed("Select one or two revisions of the file with {list/mark}, then {history/compare}"))
	return nil
}

// compareTyped compares the files whose paths were typed: a single one is compared with the file under the cursor.
func (t *DiffTab) compareTyped(typed string) (tea.Cmd, error) {
	names, err := prompt.Words(typed)
	if err != nil || len(names) > 2 {
		return nil, cmp.Or(err, kit.ErrArg)
	}
	var sides []side
	for _, name := range names {
		sides = append(sides, side{path: agentPath(name)})
	}
	if len(sides) == 1 {
		path, _ := t.screen.Tree.Selected()
		sides = append(sides, side{path: path})
	}
	return t.compare(sides[0], sides[1]), nil
}

// agentPath is the agent path for a typed one; an invalid one stays unchanged.
func agentPath(path string) string {
	if name, err := memstore.ParsePath(path); err == nil {
		return memstore.AgentPath(name)
	}
	return path
}

// compare compares two files and stays with them.
func (t *DiffTab) compare(a, b side) tea.Cmd {
	if a == b {
		t.screen.shell.Tell(kit.Info, "Both are the same file")
		return nil
	}
	t.screen.Following.Stop()
	t.screen.Tabs.at = Diff
	t.pinned = pinned{pair: &filePair{sides: [2]side{a, b}}}
	return tea.Batch(t.showPair(), t.screen.shell.FocusDetail())
}

// refreshPair compares again after a change of one of the files.
func (t *DiffTab) refreshPair(list []past.Revision) tea.Cmd {
	for _, s := range t.pinned.pair.sides {
		if s.rev == 0 && slices.ContainsFunc(list, func(r past.Revision) bool { return r.Touches(s.path) }) {
			return t.showPair()
		}
	}
	return nil
}

// showPair compares the two files as they are now.
func (t *DiffTab) showPair() tea.Cmd {
	names, load := [2]string{}, [2]func() ([]byte, string){}
	for i, side := range t.pinned.pair.sides {
		names[i], load[i] = side.path, t.loadFile(side.path)
		if side.rev != 0 {
			names[i] = fmt.Sprintf("%s after #%d", side.path, side.rev)
			load[i] = diffpane.OfSide(t.screen.Journal, past.Revision{Kind: memstore.KindFile}, side.bytes)
		}
	}
	title := names[0] + " " + t.env.Styles.Glyphs.Arrow + " " + names[1]
	t.compares++
	return t.pane.Show(diffpane.Comparison{
		Key: fmt.Sprintf("%s turn %d", title, t.compares), Subject: title, Title: title, Path: t.pinned.pair.sides[0].path,
		Before: load[0], After: load[1],
	})
}

// loadFile reads the current file for the diff tab.
func (t *DiffTab) loadFile(path string) func() ([]byte, string) {
	why := func(reason string) func() ([]byte, string) {
		return func() ([]byte, string) { return nil, path + ": " + reason }
	}
	name, err := memstore.ParsePath(path)
	if err != nil {
		return why(act.TextBadPath)
	}
	if n := t.screen.Files.Node(path); n != nil && n.Kind == memstore.KindDir {
		return why("a folder has no text to compare")
	}
	store := t.screen.Store
	return func() ([]byte, string) {
		data, reason := readFile(store, name)
		if reason != "" {
			return nil, path + ": " + reason
		}
		return data, ""
	}
}

// readFile reads a file of at most compareLimit bytes without leaving a trace.
func readFile(store *memstore.Store, name string) ([]byte, string) {
	data, err := memstore.ReadFile(store.Backend(), name, memstore.Look, compareLimit)
	var large *memstore.SizeLimitError
	switch d := store.Dialect(); {
	case errors.As(err, &large):
		return nil, fmt.Sprintf("%s is too large to compare; the limit is %s per file",
			memstore.FormatSize(d, large.Size), memstore.FormatSize(d, compareLimit))
	case err != nil:
		return nil, kit.TextFileGone
	}
	return slices.Clip(data), ""
}
