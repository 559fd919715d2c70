package viewer

import tea "charm.land/bubbletea/v2"

// Lines implements [ui.Lined].
func (p *Pane) Lines() (top, cursor int, ok bool) {
	if p.doc == nil || p.doc.path != p.opening.Target || p.doc.file == nil {
		return 0, 0, false
	}
	head := p.doc.headRows()
	return max(0, p.pos.top-head), max(0, p.pos.line-head), true
}

// ShowLines implements [ui.Lined].
func (p *Pane) ShowLines(top, cursor int) tea.Cmd {
	nowTop, nowCursor, ok := p.Lines()
	if !ok || nowTop == top && nowCursor == cursor {
		return nil
	}
	head := p.doc.headRows()
	if top > 0 || cursor > 0 {
		p.pos.top, p.pos.sub = head+top, 0
	} else {
		p.pos.top, p.pos.sub = 0, 0
	}
	p.goTo(head + max(top, cursor))
	return p.ensure()
}
