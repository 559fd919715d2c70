package tree

import (
	"path"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/ui"
)

// Marked lists the selected agent paths, sorted; a range counts while it is being chosen.
// Folders may be among them.
func (p *Pane) Marked() []string { return p.selection.paths(p.rows, p.cursor()) }

// Marks counts the selected paths and the bytes they hold, as [Pane.Marked] lists them.
func (p *Pane) Marks() (count int, bytes int64) { return p.selection.count(p.rows, p.cursor()) }

// Chosen lists what a key is about: the selected paths, without those that are below another one, or the path under the cursor.
func (p *Pane) Chosen() []string {
	selected := p.Marked()
	if len(selected) == 0 {
		at, n := p.Selected()
		if n == nil {
			return nil
		}
		selected = []string{at}
	}
	var out []string
	for _, path := range selected { // sorted: a folder comes before what is below it
		if path == memstore.Root {
			p.env.Emit(ui.Say{Text: "/memories itself stays; delete or move its contents"})
			return nil
		}
		if !slices.ContainsFunc(out, func(top string) bool { return strings.HasPrefix(path, top+"/") }) {
			out = append(out, path)
		}
	}
	return out
}

// Folder is the agent folder under the cursor, with its final slash.
func (p *Pane) Folder() string {
	at, n := p.Selected()
	if n == nil || n.Kind != memstore.KindDir {
		at = path.Dir(at)
	}
	if _, err := memstore.ParsePath(at); err != nil {
		at = memstore.Root
	}
	return at + "/"
}

// Ranging reports whether a range is being chosen.
func (p *Pane) Ranging() bool { return p.selection.span.on }

// markBindings are the actions that change the selection.
func (p *Pane) markBindings() []ui.Action {
	then := func(run func(s *selection)) func() tea.Cmd {
		return func() tea.Cmd {
			run(&p.selection)
			return p.remarked()
		}
	}
	return []ui.Action{
		{ID: keymap.Mark, Run: then(func(*selection) { p.mark() })},
		{ID: keymap.MarkRange, Run: then(func(s *selection) {
			if s.span.on {
				s.addRange(p.rows, p.cursor())
			} else {
				s.span = span{on: true, anchor: p.selected, at: p.cursor()}
			}
		})},
		{ID: keymap.MarkInvert, Run: then(func(s *selection) { s.invert(p.rows) })},
		{ID: keymap.MarkAll, Run: then(func(s *selection) { s.all(p.rows) })},
		{ID: keymap.MarkNone, Run: then(func(s *selection) { *s = selection{} })},
	}
}

// remarked shows what the selection changed.
func (p *Pane) remarked() tea.Cmd {
	if !p.filter.marks {
		return nil
	}
	return p.refresh()
}

// mark selects the row under the cursor, or no longer, and goes down, or ends a range.
func (p *Pane) mark() {
	if p.selection.span.on {
		p.selection.addRange(p.rows, p.cursor())
		return
	}
	path, n := p.Selected()
	if n == nil {
		return
	}
	if path == memstore.Root {
		p.env.Emit(ui.Say{Text: "Can't select /memories itself. Select what it holds"})
	}
	p.selection.marks.toggle(path, n)
	p.moveTo(p.cursor() + 1)
	p.env.Emit(ui.Select{Path: p.selected})
}

// Peel clears the innermost layer: the range, then the selection, then the filter.
func (p *Pane) Peel() (tea.Cmd, bool) {
	s := &p.selection
	switch {
	case s.span.on:
		s.span.on = false
	case len(s.marks.sizes) > 0:
		p.env.Emit(ui.Say{Text: "Cleared the selection of " + ui.Count(len(s.marks.sizes), "row")})
		s.marks = marks{}
		return p.remarked(), true
	case p.filter.text != "":
		cmd, _ := p.SetFilter("")
		return cmd, true
	default:
		return nil, false
	}
	return nil, true
}

// ClickMark selects the row that was clicked, or no longer, or, to extend, selects all from the
// cursor's row to it. Rows count from the top of the pane.
func (p *Pane) ClickMark(row int, extend bool) tea.Cmd {
	at, marks := p.list.Top()+row, &p.selection.marks
	if at >= len(p.rows) {
		return nil
	}
	from := p.cursor()
	p.moveTo(at)
	if extend {
		p.rows.eachMarkable(min(from, at), max(from, at), func(i int) { marks.add(p.rows.path(i), p.rows[i].node) })
	} else {
		marks.toggle(p.selected, p.rows[at].node)
	}
	p.env.Emit(ui.Select{Path: p.selected})
	return p.remarked()
}
