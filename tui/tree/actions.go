package tree

import (
	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/kit"
	"memcurator/tui/prompt"
)

// Actions implements [kit.Pane].
func (p *Pane) Actions() *kit.Actions { return p.actions }

// arrived ends the wait for a path that was to be selected: the user has chosen where to be.
func (p *Pane) arrived(keymap.ID) { p.wish = "" }

func (p *Pane) bindings() []kit.Action {
	return append(kit.BindMotions(p.view.move),
		kit.Action{ID: keymap.Open, Run: p.open, Arg: &kit.Arg{Takes: "a path: open notes/a.md", Run: kit.AnyArg(p.openTyped)}},
		kit.On(keymap.Left, func() {
			p.foldOrParent()
			p.view.announce()
		}),
		kit.On(keymap.Right, p.right),
		kit.On(keymap.ExpandAll, p.expandAll),
		kit.On(keymap.CollapseAll, p.collapseAll),
		kit.On(keymap.Sort, p.nextOrder),
		kit.On(keymap.ShowHidden, p.toggleHidden),
	)
}

// Search implements [kit.searchable].
func (p *Pane) Search() kit.Searcher { return p.search }

func (p *Pane) collapseAll() {
	p.touched = true
	p.shape.expanded = map[string]bool{memstore.Root: true}
	p.refresh()
	p.view.announce()
}

func (p *Pane) nextOrder() {
	p.shape.sorter.by = (p.shape.sorter.by + 1) % orderCount
	p.env.Emit(kit.Say{Text: "Sorted by " + p.shape.sorter.by.String()})
	p.refresh()
}

func (p *Pane) toggleHidden() {
	p.shape.hidden = !p.shape.hidden
	p.env.Emit(kit.Say{Text: p.env.Keyed(hiddenText(p.shape.hidden))})
	p.refresh()
	p.view.announce()
}

// hiddenText describes what the tree shows now.
func hiddenText(shown bool) string {
	if shown {
		return "Dot names and node_modules are shown, dimmed"
	}
	return "Hid dot names and node_modules. {list/show-hidden} shows them"
}

// Click moves the cursor to a row of the pane and reports whether it was there.
func (p *Pane) Click(row int) (again bool) {
	p.wish = ""
	return p.view.click(row)
}

// Peel clears the innermost layer: the range, then the selection, then the filter.
func (p *Pane) Peel() (tea.Cmd, bool) {
	s := &p.Selection
	switch {
	case s.span.on:
		s.span.on = false
	case len(s.marks) > 0:
		p.env.Emit(kit.Say{Text: "Cleared the selection of " + kit.Count(len(s.marks), "row")})
		s.clear()
		p.reselected()
	case p.filter != "":
		p.SetFilter("")
	default:
		return nil, false
	}
	return nil, true
}

// reselected shows the rows that a filter lets through since other paths are selected.
func (p *Pane) reselected() {
	if p.filtering() {
		p.refresh()
	}
}

// openTyped shows the note at a typed path.
func (p *Pane) openTyped(path string) tea.Cmd {
	if name, err := memstore.ParsePath(prompt.Word(path)); err == nil {
		path = memstore.AgentPath(name)
	}
	p.env.Emit(kit.Select{Path: path, Reveal: true})
	return nil
}

// open unfolds or folds a folder; a file is shown, with the focus on it.
func (p *Pane) open() tea.Cmd {
	path, n := p.Selected()
	if n == nil {
		return nil
	}
	if n.Kind != memstore.KindDir {
		p.env.Emit(kit.OpenFile{Path: path})
		return nil
	}
	p.touched = true
	if p.shape.expanded[path] {
		delete(p.shape.expanded, path)
	} else {
		p.shape.expanded[path] = true
	}
	p.refresh()
	return nil
}

// right unfolds the folder under the cursor; from a file or an unfolded folder it goes to the pane beside.
func (p *Pane) right() {
	path, n := p.Selected()
	switch {
	case n == nil:
	case n.Kind != memstore.KindDir:
		p.env.Emit(kit.Select{Path: path})
		p.env.Emit(kit.FocusView{})
	case p.shape.expanded[path] || p.filtering():
		p.env.Emit(kit.FocusView{})
	default:
		p.touched = true
		p.shape.expanded[path] = true
		p.refresh()
	}
}

func (p *Pane) foldOrParent() {
	path, n := p.Selected()
	if n == nil {
		return
	}
	p.touched = true
	if n.Kind == memstore.KindDir && p.shape.expanded[path] && !p.filtering() && p.view.cursor() > 0 {
		delete(p.shape.expanded, path)
		p.refresh()
		return
	}
	if parent := p.view.rows[p.view.cursor()].parent; parent >= 0 {
		p.view.moveTo(int(parent))
	}
}

func (p *Pane) expandAll() {
	if p.snapshot == nil {
		return
	}
	p.touched = true
	p.shape.expanded[memstore.Root] = true
	p.snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindDir {
			p.shape.expanded[path] = true
		}
		return n.Kind == memstore.KindDir && (!n.Hidden || p.shape.hidden)
	})
	p.refresh()
}
