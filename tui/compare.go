package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
	"memcurator/tui/timeline"
	"memcurator/tui/ui"
)

// compareUpTo bounds each of two files that are compared, in bytes: both are held in memory.
const compareUpTo = 64 << 20

// filePair is what the diff tab compares until another file or change is chosen.
type filePair struct {
	sides [2]comparedSide
	id    int // of the pair
	turn  int // rises when one of them changed
}

// comparedSide is a file as it is now, or as it was after a revision.
type comparedSide struct {
	path  string
	rev   int64 // as it was after this revision, which has left bytes; 0: as it is now
	bytes past.Side
}

// compareMarked compares the two marked files, or the marked one with the one under the cursor.
func (m *Model) compareMarked() tea.Cmd {
	if m.focus == onMain && m.mainTab() == ui.Tab(m.history) {
		return m.compareRevisions(m.history.Pane)
	}
	marked := m.tree.Marked()
	if selected, _ := m.tree.Selected(); len(marked) == 1 && selected != marked[0] {
		marked = append(marked, selected)
	}
	switch len(marked) {
	case 2:
		return m.comparePair(comparedSide{path: marked[0]}, comparedSide{path: marked[1]})
	case 0, 1:
		m.tell(ui.Info, "mark two files with space, then D; or :compare A B")
	default:
		m.tell(ui.Info, compareTooManyText(len(marked)))
	}
	return nil
}

// compareTooManyText says that more than two files are marked.
func compareTooManyText(marked int) string {
	return fmt.Sprintf("two files can be compared, %d are marked", marked)
}

// compareNamed compares what was typed: one name means that and the file under the cursor.
func (m *Model) compareNamed(names []string) tea.Cmd {
	if slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "#") }) {
		return m.compareRevisionsNamed(names)
	}
	var sides []comparedSide
	for _, name := range names {
		sides = append(sides, comparedSide{path: backendPath(name)})
	}
	return m.compareSides(sides)
}

// ownerNamed names the job that reads revisions which are compared by their numbers.
const ownerNamed = "compare.named"

// namedRead is the outcome: the sides in the order in which they were named.
type namedRead struct {
	sides   []comparedSide
	missing string // a name that is no revision; empty: none
}

// compareRevisionsNamed compares what was typed where a name may be the number of a revision.
func (m *Model) compareRevisionsNamed(names []string) tea.Cmd {
	j := m.options.Journal
	return m.env.Jobs.Start(ownerNamed, timeline.LabelRevisions, func(ctx context.Context, _ *ui.Progress) (any, error) {
		var out namedRead
		for _, name := range names {
			number, isRevision := strings.CutPrefix(name, "#")
			if !isRevision {
				out.sides = append(out.sides, comparedSide{path: backendPath(name)})
				continue
			}
			rev, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return namedRead{missing: name}, nil
			}
			r, err := j.Revision(ctx, rev)
			if errors.Is(err, past.ErrNoRevision) {
				return namedRead{missing: name}, nil
			}
			if err != nil {
				return nil, err
			}
			out.sides = append(out.sides, comparedSide{path: r.Path, rev: r.Rev, bytes: r.After})
		}
		return out, nil
	})
}

func (m *Model) namedReceived(done ui.Done) tea.Cmd {
	v, ok := done.Value.(namedRead)
	switch {
	case !ok:
		return nil
	case v.missing != "" && m.kept() == nil:
		m.tell(ui.Warn, text.Clean(v.missing)+m.env.Keyed(" is no change since memcurator was started; {global/live} shows them"))
		return nil
	case v.missing != "":
		m.tell(ui.Warn, text.Clean(v.missing)+m.env.Keyed(" is no revision of the journal; {global/changes} lists them"))
		return nil
	}
	return m.compareSides(v.sides)
}

// compareSides compares two sides, or one with the file under the cursor.
func (m *Model) compareSides(sides []comparedSide) tea.Cmd {
	if len(sides) == 1 {
		path, _ := m.tree.Selected()
		sides = append(sides, comparedSide{path: path})
	}
	return m.comparePair(sides[0], sides[1])
}

const textCompareSelf = "these are the same file"

func (m *Model) comparePair(a, b comparedSide) tea.Cmd {
	if a == b {
		m.tell(ui.Info, textCompareSelf)
		return nil
	}
	if m.follow {
		m.stopFollowing()
	}
	m.compares++
	m.pinned = pinnedDiff{pair: &filePair{sides: [2]comparedSide{a, b}, id: m.compares}}
	m.tab, m.focus = tabDiff, onMain
	return tea.Batch(m.diff.Show(m.pairComparison()), m.relayout())
}

// openFromDiff opens the file that the diff tab is about in the view, at the line of the cursor.
func (m *Model) openFromDiff() tea.Cmd {
	line, before := m.diff.FileLine()
	path := m.viewer.Path()
	var cmds []tea.Cmd
	switch {
	case m.tab != tabDiff:
		line = 0
	case m.pinned.pair != nil:
		side := m.pinned.pair.sides[1]
		if before {
			side = m.pinned.pair.sides[0]
		}
		if side.path != path {
			path = side.path
			cmds = append(cmds, m.selectPath(path, true))
		}
	case before:
		line = m.diff.Became(line)
	}
	m.tab, m.focus = tabView, onMain
	cmds = append(cmds, m.relayout())
	if line > 0 && m.viewer.Path() == path && len(cmds) == 1 {
		cmds = append(cmds, m.viewer.GoTo(line))
	}
	return tea.Batch(cmds...)
}

// refreshPair compares again after a change of one of the files, and goes along with a rename.
func (m *Model) refreshPair(list []past.Revision) tea.Cmd {
	touched := false
	for i := range m.pinned.pair.sides {
		s := &m.pinned.pair.sides[i]
		if s.rev != 0 {
			continue
		}
		for i := range list {
			if moved, ok := movedTo(&list[i], s.path); ok {
				s.path, touched = moved, true
			}
			touched = touched || touches(&list[i], s.path)
		}
	}
	if !touched {
		return nil
	}
	m.pinned.pair.turn++
	return m.diff.Show(m.pairComparison())
}

func (m *Model) pairComparison() diffpane.Comparison {
	p := m.pinned.pair
	names, load := [2]string{}, [2]func() ([]byte, string){}
	for i, s := range p.sides {
		names[i], load[i] = s.path, m.loadFile(s.path)
		if s.rev != 0 {
			names[i] = fmt.Sprintf("%s after #%d", s.path, s.rev)
			load[i] = m.loadSide(s.bytes)
		}
	}
	subject := fmt.Sprintf("pair %d", p.id)
	return diffpane.Comparison{
		Key: fmt.Sprintf("%s turn %d", subject, p.turn), Subject: subject,
		Title: names[0] + " " + m.env.Styles.Glyphs.Arrow + " " + names[1], Path: p.sides[0].path,
		Before: load[0], After: load[1],
	}
}

// loadFile reads a file as it is now for the diff tab.
func (m *Model) loadFile(path string) func() ([]byte, string) {
	why := func(reason string) func() ([]byte, string) {
		return func() ([]byte, string) { return nil, path + ": " + reason }
	}
	name, err := memstore.ParsePath(path)
	if err != nil {
		return why(edits.TextBadPath)
	}
	if n := m.node(path); n != nil && n.Kind == memstore.KindDir {
		return why(textFolderSide)
	}
	store := m.options.Store
	return func() ([]byte, string) {
		data, reason := readFile(store, name)
		if reason != "" {
			return nil, path + ": " + reason
		}
		return data, ""
	}
}

// readFile reads a file of at most compareUpTo bytes as a person's look that leaves no trace.
func readFile(store *memstore.Store, name string) ([]byte, string) {
	data, err := memstore.ReadFile(store.Backend(), name, memstore.Look, compareUpTo)
	var large *memstore.SizeLimitError
	switch d := store.Dialect(); {
	case errors.As(err, &large):
		return nil, compareLimitText(memstore.FormatSize(d, large.Size), memstore.FormatSize(d, compareUpTo))
	case err != nil:
		return nil, ui.TextFileGone
	}
	return slices.Clip(data), ""
}

// compareLimitText says that a file is too large to be compared.
func compareLimitText(size, limit string) string {
	return fmt.Sprintf("%s is too large to be compared; the limit is %s a file", size, limit)
}

// compareRevisions marks the revision under the cursor of a list, or compares it with the marked one: the
// file in the history of one, else the whole store.
func (m *Model) compareRevisions(list *timeline.Pane) tea.Cmd {
	r, ok := list.Selected()
	marked, was := list.Row(list.Marked())
	switch {
	case !ok:
		m.tell(ui.Info, "there is no revision here to compare")
		return nil
	case !was || list.Marked() == 0:
		list.Mark(r.Rev)
		m.tell(ui.Info, revisionMarkedText(r.Rev, m.env.Keys.KeyFor(list.Scopes()[0], keymap.Compare)))
		return nil
	case marked.Rev == r.Rev:
		list.Mark(0)
		return nil
	}
	list.Mark(0)
	if marked.Rev > r.Rev {
		marked, r = r, marked
	}
	if list == m.history.Pane && marked.Kind != memstore.KindDir && r.Kind != memstore.KindDir && m.history.path == r.Path {
		return m.comparePair(comparedSide{path: marked.Path, rev: marked.Rev, bytes: marked.After}, comparedSide{path: r.Path, rev: r.Rev, bytes: r.After})
	}
	return m.diffAt(strconv.FormatInt(marked.Rev, 10), strconv.FormatInt(r.Rev, 10))
}

// revisionMarkedText says that one of two revisions is chosen; compare is the key that chooses the other.
func revisionMarkedText(rev int64, compare string) string {
	return fmt.Sprintf("#%d is marked; %s on another revision compares the two, and on this one takes the mark off", rev, compare)
}

// loadSide reads one side of a revision of a file; a side that does not exist is empty.
func (m *Model) loadSide(s past.Side) func() ([]byte, string) {
	return m.sideLoader(past.Revision{Kind: memstore.KindFile}, s)
}

// diffAt lists what differs between two points in time.
func (m *Model) diffAt(from, to string) tea.Cmd {
	if m.changes == nil {
		m.tell(ui.Info, edits.NoJournalText(m.options.NoJournal))
		return nil
	}
	return m.changes.DiffAt(from, to)
}

const textFolderSide = "a folder has no text to compare"
