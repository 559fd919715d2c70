package diffpane

// Resemble takes over how another pane shows its diff.
func (p *Pane) Resemble(o *Pane) {
	p.context, p.page.columns.wrap, p.split, p.ignore = o.context, o.page.columns.wrap, o.split, o.ignore
}
