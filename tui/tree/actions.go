package tree

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/prompt"
	"memcurator/tui/ui"
)

// Actions implements [ui.Pane].
func (p *Pane) Actions() *ui.Actions { return p.actions }

// arrived ends the wait for a path that was to be selected: the user has chosen where to be.
func (p *Pane) arrived(keymap.ID) { p.wish = "" }

func (p *Pane) bindings() []ui.Action {
	return append(ui.BindMotions(p.view.move),
		ui.Action{ID: keymap.Open, Run: p.open, Arg: &ui.Arg{Takes: "a path: open notes/a.md", Run: ui.AnyArg(p.openTyped)}},
		ui.On(keymap.Left, func() {
			p.foldOrParent()
			p.view.announce()
		}),
		ui.On(keymap.Right, p.right),
		ui.Action{ID: keymap.ExpandAll, Run: p.expandAll},
		ui.Action{ID: keymap.CollapseAll, Run: p.collapseAll},
		ui.Action{ID: keymap.Sort, Run: p.nextOrder},
		ui.Action{ID: keymap.ShowHidden, Run: p.toggleHidden},
	)
}

// Search implements [ui.searchable].
func (p *Pane) Search() ui.Searcher { return p.search }

func (p *Pane) collapseAll() tea.Cmd {
	p.touched = true
	p.shape.expanded = map[string]bool{memstore.Root: true}
	cmd := p.refresh()
	p.view.announce()
	return cmd
}

func (p *Pane) nextOrder() tea.Cmd {
	by := (p.shape.sorter.by + 1) % orderCount
	p.shape.sorter = p.shape.sorter.ordered(by)
	p.env.Emit(ui.Say{Text: "Sorted by " + by.String()})
	return p.refresh()
}

func (p *Pane) toggleHidden() tea.Cmd {
	p.shape.hidden = !p.shape.hidden
	p.env.Emit(ui.Say{Text: p.env.Keyed(hiddenText(p.shape.hidden))})
	cmd := p.refresh()
	p.view.announce()
	return cmd
}

// hiddenText describes what the tree shows now.
func hiddenText(shown bool) string {
	if shown {
		return "Dot names and node_modules are shown, dimmed"
	}
	return "Hid dot names and node_modules. {tree/show-hidden} shows them"
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
	case len(s.marks.sizes) > 0:
		p.env.Emit(ui.Say{Text: "Cleared the selection of " + ui.Count(len(s.marks.sizes), "row")})
		s.marks = marks{}
		return p.reselected(), true
	case p.filter != "":
		cmd, _ := p.SetFilter("")
		return cmd, true
	default:
		return nil, false
	}
	return nil, true
}

// reselected shows the rows that a filter lets through since other paths are selected.
func (p *Pane) reselected() tea.Cmd {
	if !p.filtering() {
		return nil
	}
	return p.refresh()
}

// openTyped shows the note at a typed path.
func (p *Pane) openTyped(path string) tea.Cmd {
	if name, err := memstore.ParsePath(prompt.Word(path)); err == nil {
		path = memstore.AgentPath(name)
	}
	p.env.Emit(ui.Select{Path: path, Reveal: true})
	return nil
}

// open unfolds or folds a folder; a file is shown, with the focus on it.
func (p *Pane) open() tea.Cmd {
	path, n := p.Selected()
	if n == nil {
		return nil
	}
	if n.Kind != memstore.KindDir {
		p.env.Emit(ui.OpenFile{Path: path})
		return nil
	}
	p.touched = true
	if p.shape.expanded[path] {
		delete(p.shape.expanded, path)
	} else {
		p.shape.expanded[path] = true
	}
	return p.refresh()
}

// right unfolds the folder under the cursor; from a file or an unfolded folder it goes to the pane beside.
func (p *Pane) right() {
	path, n := p.Selected()
	switch {
	case n == nil:
	case n.Kind != memstore.KindDir:
		p.env.Emit(ui.Select{Path: path})
		p.env.Emit(ui.FocusView{})
	case p.shape.expanded[path] || p.filtering():
		p.env.Emit(ui.FocusView{})
	default:
		p.touched = true
		p.shape.expanded[path] = true
		p.flatten()
		p.place()
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
		p.flatten()
		p.place()
		return
	}
	if parent := p.view.rows[p.view.cursor()].parent; parent >= 0 {
		p.view.moveTo(int(parent))
	}
}

func (p *Pane) expandAll() tea.Cmd {
	if p.snapshot == nil {
		return nil
	}
	p.touched = true
	p.shape.expanded[memstore.Root] = true
	p.snapshot.Walk(func(path string, n *memstore.Node) bool {
		if n.Kind == memstore.KindDir {
			p.shape.expanded[path] = true
		}
		return n.Kind == memstore.KindDir && (!n.Hidden || p.shape.hidden)
	})
	return p.refresh()
}

// filtered is the outcome of the filter job.
type filtered struct {
	shape shape
	rows  rows
}

const labelFilter = "filtering"

func (p *Pane) filterJob() tea.Cmd {
	s, sh := p.snapshot, p.shape
	sh.sorter = sh.sorter.ordered(sh.sorter.by) // the pane's own is not safe for the job
	sh.match = p.matcher()
	return p.env.Jobs.Start(Owner, labelFilter, func(context.Context, *ui.Progress) (any, error) {
		// expanded is not read while a filter is set, so the map need not be copied.
		return filtered{sh, flatten(s, sh)}, nil
	})
}

// Receive implements [ui.Pane].
func (p *Pane) Receive(done ui.Done) tea.Cmd {
	switch v := done.Value.(type) {
	case filtered:
		if v.shape.match.line != p.filter {
			return nil
		}
		p.shape.match, p.view.rows = v.shape.match, v.rows
		p.place()
		p.view.announce()
		return nil
	}
	return nil
}
