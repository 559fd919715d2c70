package viewer

import tea "charm.land/bubbletea/v2"

// Lines implements [ui.Lined].
func (p *Pane) Lines() (top, cursor int, ok bool) {
	if p.layout.doc == nil || p.layout.doc.path != p.opening.Target || p.layout.doc.file == nil {
		return 0, 0, false
	}
	head := p.layout.doc.headRows()
	return max(0, p.view.pos.top-head), max(0, p.view.pos.line-head), true
}

// ShowLines implements [ui.Lined].
func (p *Pane) ShowLines(top, cursor int) tea.Cmd {
	nowTop, nowCursor, ok := p.Lines()
	if !ok || nowTop == top && nowCursor == cursor {
		return nil
	}
	head := p.layout.doc.headRows()
	if top > 0 || cursor > 0 {
		p.view.pos.top, p.view.pos.sub = head+top, 0
	} else {
		p.view.pos.top, p.view.pos.sub = 0, 0
	}
	p.view.goTo(head + max(top, cursor))
	return p.view.ensure()
}
