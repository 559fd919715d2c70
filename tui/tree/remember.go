package tree

import (
	"slices"
	"strings"

	"memcurator/memstore"
)

// Memory is what of a tree outlives the program.
type Memory struct {
	Unfolded []string // agent paths, sorted; nil: no one folded anything, small trees unfold
	Selected string   // agent path
}

// Memory returns what to remember.
func (p *Pane) Memory() Memory {
	m := Memory{Selected: p.view.path}
	if p.wish != "" {
		m.Selected = p.wish
	}
	if !p.touched {
		return m
	}
	for path := range p.shape.expanded {
		if p.snapshot == nil || !p.snapshot.Complete || p.snapshot.Find(path) != nil {
			m.Unfolded = append(m.Unfolded, path)
		}
	}
	slices.Sort(m.Unfolded)
	return m
}

// Restore takes what [Pane.Memory] returned in an earlier run. Call it before the first
// snapshot; the cursor goes to its path as soon as that is known.
func (p *Pane) Restore(m Memory) {
	if m.Unfolded != nil {
		p.touched = true
		p.shape.expanded = map[string]bool{}
		for _, path := range m.Unfolded {
			p.shape.expanded[path] = true
		}
	}
	if strings.HasPrefix(m.Selected, memstore.Root+"/") {
		p.wish = m.Selected
	}
}

// grantWish moves the cursor to the remembered path when the scan has found it. A path that is
// gone selects its folder, or the deepest folder left on its path.
func (p *Pane) grantWish() {
	if p.wish == "" {
		return
	}
	path := p.wish
	if p.snapshot.Complete {
		p.wish = ""
		for p.snapshot.Find(path) == nil && path != "" {
			path = parentOf(path)
		}
	}
	if n := p.snapshot.Find(path); n == nil || n.Hidden && !p.shape.hidden {
		return
	}
	p.Select(path)
}
