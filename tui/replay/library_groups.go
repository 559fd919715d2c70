package replay

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/discover"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// item is a row of the list: a transcript, or the heading of a project.
type item struct {
	*entry         // nil: it is a heading
	project string // key of the project
}

// The orders of the list.
const (
	byProject = "project"
	byTime    = "newest first"
	byCalls   = "calls"
	bySize    = "size"
)

var orders = []string{byProject, byTime, byCalls, bySize}

// located are transcripts with the folders that their agents worked in. roots has those of the agents' own folders: one transcript
// speaks for all.
func (p Places) located(ctx context.Context, roots map[string]string, found []discover.Transcript) (list []*entry) {
	for _, t := range found {
		root, known := roots[t.Folder]
		if t.Folder == "" || !known {
			root, _ = p.Machine.Project(ctx, t.File) // "": its own agent's name of the project stands for it
			roots[t.Folder] = root
		}
		list = append(list, &entry{Transcript: t, root: root})
	}
	return list
}

// key is that of the project.
func (e *entry) key() string { return cmp.Or(e.root, e.Folder, e.Project) }

// group is what is known of a project.
type group struct {
	own                bool
	newest             time.Time
	name               string
	transcripts, calls int
	differ             int
}

// groups sums up the transcripts of each project.
func (l *library) groups(list []*entry) map[string]*group {
	groups := map[string]*group{}
	for _, e := range list {
		g := groups[e.key()]
		if g == nil {
			g = &group{name: cmp.Or(e.root, e.Project)}
			groups[e.key()] = g
		}
		g.transcripts++
		g.own = g.own || e.Own
		if when := e.when(); when.After(g.newest) {
			g.newest = when
		}
		if e.survey != nil {
			g.calls, g.differ = g.calls+e.survey.calls, g.differ+e.survey.differ
		}
	}
	return groups
}

// sort orders the list. By project, the one of the store comes first, then the one with the newest calls.
func (l *library) sort() {
	groups := l.groups(l.entries)
	slices.SortFunc(l.entries, func(a, b *entry) int {
		by := 0
		switch l.order {
		case byProject:
			g, h := groups[a.key()], groups[b.key()]
			by = cmp.Or(first(g.own, h.own), h.newest.Compare(g.newest), strings.Compare(a.key(), b.key()))
		case byCalls:
			by = cmp.Compare(b.survey.known(), a.survey.known())
		case bySize:
			by = cmp.Compare(b.Size, a.Size)
		}
		if by != 0 {
			return by
		}
		switch before, after := a.dated(), b.dated(); {
		case before.Before(after):
			return -1
		case after.Before(before):
			return 1
		}
		return 0
	})
	l.narrow()
}

func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// known is how many calls a survey counted.
func (s *survey) known() int {
	if s == nil {
		return 0
	}
	return s.calls
}

// grouped reports whether the projects have headings.
func (l *library) grouped() bool { return l.order == byProject }

// narrow lists what the filter leaves; the cursor stays on its row.
func (l *library) narrow() {
	was, _ := l.current()
	l.narrowTo(was)
}

// narrowTo is narrow with the cursor on a row, or on the heading of its project where that is folded. A filter also lists what is folded.
func (l *library) narrowTo(was item) {
	l.shown, l.fit = l.shown[:0], l.fit[:0]
	at, heading := -1, -1
	for _, e := range l.entries {
		if e.Side && !l.side || !ui.HoldsAll(e.line(), l.words) {
			continue
		}
		l.fit = append(l.fit, e)
		key := e.key()
		if n := len(l.shown); l.grouped() && (n == 0 || l.shown[n-1].project != key) {
			if key == was.project {
				heading = n
			}
			l.shown = append(l.shown, item{nil, key})
		}
		if l.grouped() && l.folded[key] && len(l.words) == 0 {
			continue
		}
		if e == was.entry {
			at = len(l.shown)
		}
		l.shown = append(l.shown, item{e, key})
	}
	l.list.SetCount(len(l.shown))
	switch {
	case !l.walked && len(l.shown) > 1 && l.shown[0].entry == nil:
		l.list.MoveTo(1)
	case !l.walked:
		l.list.MoveTo(0)
	case at >= 0:
		l.list.MoveTo(at)
	default:
		l.list.MoveTo(max(0, heading))
	}
	l.preview.refresh()
}

// nextOrder takes the next order.
func (l *library) nextOrder() tea.Cmd {
	l.order = orders[(slices.Index(orders, l.order)+1)%len(orders)]
	l.sort()
	l.env.Emit(ui.Say{Text: "Order: " + l.order})
	return l.read()
}

// foldAll folds the projects, or unfolds them.
func (l *library) foldAll(fold bool) tea.Cmd {
	l.order = byProject
	clear(l.folded)
	for _, e := range l.entries {
		if fold {
			l.folded[e.key()] = true
		}
	}
	l.walked = true
	l.sort()
	return l.read()
}

// fold folds the project of the row under the cursor, or unfolds it.
func (l *library) fold(fold bool) tea.Cmd {
	it, ok := l.current()
	if !ok || !l.grouped() || l.folded[it.project] == fold {
		return nil
	}
	l.folded[it.project], l.walked = fold, true
	l.narrowTo(item{nil, it.project})
	return l.read()
}

// jump goes to the next project, or to the previous one.
func (l *library) jump(by int) tea.Cmd {
	at, ok := l.list.At()
	if !ok {
		return nil
	}
	for i := at + by; i >= 0 && i < len(l.shown); i += by {
		if begins := i == 0 || l.shown[i-1].project != l.shown[i].project; begins {
			l.list.JumpTo(i)
			return l.moved()
		}
	}
	l.env.Emit(ui.Say{Text: "No more projects in this direction"})
	return nil
}

// lineOf is what a search looks for words in.
func (l *library) lineOf(it item) string {
	if it.entry == nil {
		return l.heading(it.project)
	}
	return it.line()
}

// heading sums up a project.
func (l *library) heading(key string) string {
	g := l.groups(l.fit)[key]
	if g == nil {
		return ""
	}
	sign := l.env.Styles.Glyphs.Expanded
	if l.folded[key] && len(l.words) == 0 {
		sign = l.env.Styles.Glyphs.Collapsed
	}
	name := text.Clean(l.tilde(g.name))
	if name == "" {
		name = "unknown project"
	}
	parts := []string{ui.Count(g.transcripts, "transcript")}
	if g.calls > 0 {
		parts = append(parts, ui.Count(g.calls, "call"))
	}
	if g.differ > 0 {
		parts = append(parts, text.Count(g.differ, "differs", "differ"))
	}
	return sign + " " + name + "  " + strings.Join(parts, ", ")
}
