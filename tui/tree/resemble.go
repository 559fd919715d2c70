package tree

import "maps"

// Resemble takes over what the user has made of another tree: order, folding, filter and selection. What is unread, due or secret is
// true of the other tree only.
func (p *Pane) Resemble(o *Pane) {
	p.shape = o.shape
	p.shape.expanded, p.shape.match = maps.Clone(o.shape.expanded), nil
	p.filter, p.touched, p.view.path = o.filter, o.touched, o.view.path
	p.Selection.marks = maps.Clone(o.Selection.marks)
}
