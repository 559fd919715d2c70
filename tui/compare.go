package tui

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/watch"
	"memcurator/render/text"
	"memcurator/tui/diffpane"
	"memcurator/tui/edits"
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

// comparedSide is a file as it is now or, with a change, as it was after that.
type comparedSide struct {
	path   string
	change *watch.Change
	rev    int64 // instead of change: as it was after this revision, which has left bytes
	bytes  past.Side
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
	if m.options.Journal != nil && slices.ContainsFunc(names, func(name string) bool { return strings.HasPrefix(name, "#") }) {
		return m.compareRevisionsNamed(names)
	}
	var sides []comparedSide
	for _, name := range names {
		side, ok := m.side(name)
		if !ok {
			m.tell(ui.Warn, noSuchChangeText(m.env, text.Clean(name)))
			return nil
		}
		sides = append(sides, side)
	}
	return m.compareSides(sides)
}

// noSuchChangeText says that no change has that number.
func noSuchChangeText(e *ui.Env, name string) string {
	return name + e.Keyed(" is no change since memcurator was started; {global/live} shows them")
}

// compareSides compares two sides, or one with the file under the cursor.
func (m *Model) compareSides(sides []comparedSide) tea.Cmd {
	if len(sides) == 1 {
		path, _ := m.tree.Selected()
		sides = append(sides, comparedSide{path: path})
	}
	return m.comparePair(sides[0], sides[1])
}

// side reads the name of a side: an agent path, or # and the number of a change where there is no journal.
func (m *Model) side(name string) (comparedSide, bool) {
	number, isChange := strings.CutPrefix(name, "#")
	if !isChange {
		return comparedSide{path: backendPath(name)}, true
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		return comparedSide{}, false
	}
	c := m.live.bySeq(n)
	if c == nil {
		return comparedSide{}, false
	}
	return comparedSide{path: c.Path, change: c}, true
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
	m.held = held{pair: &filePair{sides: [2]comparedSide{a, b}, id: m.compares}}
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
	case m.held.pair != nil:
		side := m.held.pair.sides[1]
		if before {
			side = m.held.pair.sides[0]
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
func (m *Model) refreshPair(changes []*watch.Change) tea.Cmd {
	touched := false
	for i := range m.held.pair.sides {
		s := &m.held.pair.sides[i]
		if s.change != nil || s.rev != 0 {
			continue
		}
		for _, c := range changes {
			if moved, ok := movedTo(c, s.path); ok {
				s.path, touched = moved, true
			}
			touched = touched || touches(c, s.path)
		}
	}
	if !touched {
		return nil
	}
	m.held.pair.turn++
	return m.diff.Show(m.pairComparison())
}

func (m *Model) pairComparison() diffpane.Comparison {
	p := m.held.pair
	names, load := [2]string{}, [2]func() ([]byte, string){}
	for i, s := range p.sides {
		names[i], load[i] = s.path, m.loadFile(s.path)
		if s.change != nil {
			names[i] = fmt.Sprintf("%s #%d", s.path, s.change.Seq)
			load[i] = loadVersion(s.change.After)
		}
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
	f, err := store.Backend().Open(name, memstore.Look)
	if err != nil {
		return nil, ui.TextFileGone
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil {
		return nil, ui.TextFileGone
	}
	if info.Size > compareUpTo {
		d := store.Dialect()
		return nil, compareLimitText(memstore.FormatSize(d, info.Size), memstore.FormatSize(d, compareUpTo))
	}
	data := make([]byte, info.Size)
	n, err := f.ReadAt(data, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, ui.TextFileGone
	}
	return slices.Clip(data[:n]), ""
}

// compareLimitText says that a file is too large to be compared.
func compareLimitText(size, limit string) string {
	return fmt.Sprintf("%s is too large to be compared; the limit is %s a file", size, limit)
}
