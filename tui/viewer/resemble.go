package viewer

import tea "charm.land/bubbletea/v2"

// Resemble takes over how another view shows texts, where the user was in them, and what is searched for.
func (p *Pane) Resemble(o *Pane) tea.Cmd {
	p.layout.wrap = o.layout.wrap
	p.SetSpots(o.Spots())
	return p.Finder.SetQuery(o.Finder.Query())
}
