package tree

import "maps"

// Resemble takes over what the user has made of another tree: order, folding, filter and marks.
func (p *Pane) Resemble(o *Pane) {
	p.shape = o.shape
	p.shape.expanded, p.shape.match = maps.Clone(o.shape.expanded), nil
	p.before, p.filter, p.touched, p.selected = maps.Clone(o.before), o.filter, o.touched, o.selected
	p.marked.sizes, p.marked.folders = maps.Clone(o.marked.sizes), o.marked.folders
	p.badges = o.badges
}
