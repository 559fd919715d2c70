package tree

import (
	"maps"
	"slices"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/tui/ui"
)

// span is a range that is being chosen: from the anchor to the cursor.
type span struct {
	on     bool
	anchor string // agent path of the row where it began
	at     int    // its row now
}

// bounds are the first and the last row of the range, with the cursor on a row.
func (s *span) bounds(cursor int) (from, to int) { return min(s.at, cursor), max(s.at, cursor) }

// find finds the beginning of the range among new rows; where it is gone, the range is dropped.
func (s *span) find(r rows) {
	if s.on {
		s.at, s.on = r.find(s.anchor)
	}
}

// Marked lists the marked agent paths, sorted; a range counts while it is being chosen.
// Folders may be among them.
func (p *Pane) Marked() []string {
	out := slices.Collect(maps.Keys(p.marked.sizes))
	p.eachInRange(func(i int) {
		if path := p.rows.path(i); !p.marked.has(path) {
			out = append(out, path)
		}
	})
	slices.Sort(out)
	return out
}

// Marks counts the marked paths and the bytes they hold, as [Pane.Marked] lists them.
func (p *Pane) Marks() (count int, bytes int64) {
	if p.span.on {
		with := marks{sizes: maps.Clone(p.marked.sizes), folders: p.marked.folders}
		p.eachInRange(func(i int) { with.add(p.rows.path(i), p.rows[i].node) })
		return len(with.sizes), with.bytes()
	}
	return len(p.marked.sizes), p.marked.bytes()
}

// Ranging reports whether a range is being chosen.
func (p *Pane) Ranging() bool { return p.span.on }

// markBindings are the actions that change marks.
func (p *Pane) markBindings() []ui.Action {
	return []ui.Action{
		{ID: keymap.Mark, Run: func() tea.Cmd {
			p.mark()
			return p.remarked()
		}},
		{ID: keymap.MarkRange, Run: func() tea.Cmd {
			if p.span.on {
				p.setRange()
			} else {
				p.span = span{on: true, anchor: p.selected, at: p.cursor()}
			}
			return p.remarked()
		}},
		{ID: keymap.MarkInvert, Run: func() tea.Cmd {
			p.span.on = false
			p.rows.eachMarkable(0, len(p.rows)-1, func(i int) { p.marked.toggle(p.rows.path(i), p.rows[i].node) })
			return p.remarked()
		}},
		{ID: keymap.MarkAll, Run: func() tea.Cmd {
			p.span.on = false
			p.markAll()
			return p.remarked()
		}},
		{ID: keymap.MarkNone, Run: func() tea.Cmd {
			p.span.on, p.marked = false, marks{}
			return p.remarked()
		}},
	}
}

// remarked shows what the marks changed.
func (p *Pane) remarked() tea.Cmd {
	if !p.filter.marks {
		return nil
	}
	return p.refresh()
}

// markAll selects every row, or clears those that are all selected.
func (p *Pane) markAll() {
	all := true
	p.rows.eachMarkable(0, len(p.rows)-1, func(i int) {
		all = all && p.marked.has(p.rows.path(i))
		p.marked.add(p.rows.path(i), p.rows[i].node)
	})
	if all {
		p.marked = marks{}
	}
}

// mark marks or unmarks the row under the cursor and goes down, or sets a range.
func (p *Pane) mark() {
	if p.span.on {
		p.setRange()
		return
	}
	path, n := p.Selected()
	if n == nil {
		return
	}
	if path == memstore.Root {
		p.env.Emit(ui.Say{Text: "Can't select /memories itself. Select what it holds"})
	}
	p.marked.toggle(path, n)
	p.moveTo(p.cursor() + 1)
	p.env.Emit(ui.Select{Path: p.selected})
}

// Peel takes the innermost layer off: the range, then the marks, then the filter.
func (p *Pane) Peel() (tea.Cmd, bool) {
	switch {
	case p.span.on:
		p.span.on = false
	case len(p.marked.sizes) > 0:
		p.env.Emit(ui.Say{Text: "Cleared the selection of " + ui.Count(len(p.marked.sizes), "row")})
		p.marked = marks{}
		return p.remarked(), true
	case p.filter.text != "":
		return p.SetFilter(""), true
	default:
		return nil, false
	}
	return nil, true
}

// ClickMark marks or unmarks the row that was clicked, or, to extend, marks all from the
// cursor's row to it. Rows count from the top of the pane.
func (p *Pane) ClickMark(row int, extend bool) tea.Cmd {
	at := p.list.Top() + row
	if at >= len(p.rows) {
		return nil
	}
	from := p.cursor()
	p.moveTo(at)
	if extend {
		p.rows.eachMarkable(min(from, at), max(from, at), func(i int) { p.marked.add(p.rows.path(i), p.rows[i].node) })
	} else {
		p.marked.toggle(p.selected, p.rows[at].node)
	}
	p.env.Emit(ui.Select{Path: p.selected})
	return p.remarked()
}

func (p *Pane) setRange() {
	p.eachInRange(func(i int) { p.marked.add(p.rows.path(i), p.rows[i].node) })
	p.span.on = false
}

func (p *Pane) eachInRange(visit func(i int)) {
	if p.span.on {
		from, to := p.span.bounds(p.cursor())
		p.rows.eachMarkable(from, to, visit)
	}
}

// markGlyph is the sign in front of a marked row, or of one in the range.
func (p *Pane) markGlyph(i int, path string) string {
	g := p.env.Styles.Glyphs
	if p.marked.has(path) {
		return g.Mark
	}
	glyph := ""
	if from, to := p.span.bounds(p.cursor()); p.span.on && from <= i && i <= to {
		p.rows.eachMarkable(i, i, func(int) { glyph = g.Range })
	}
	return glyph
}
