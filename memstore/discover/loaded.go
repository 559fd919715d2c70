package discover

import (
	"context"
	"path/filepath"
	"slices"

	"memcurator/memstore/load"
)

// LoadOf returns the load rule of the store in a directory, by its place in the table; the zero rule if that is unknown.
func (m Machine) LoadOf(dir string) load.Rule { return m.rowAt(dir).Load }

// DialectOf is the dialect in which an agent's tool answers about the store in a directory, by its place in the table; "" if that is
// unknown. It reads no more than settings that name a place.
func (m Machine) DialectOf(dir string) string {
	a, _, _, _ := m.placeOf(dir)
	return a.dialect
}

// Of returns what the place of one store reveals: all that [Machine.Each] reports except counts. If no row of the table has such a place,
// only the path is known.
func (m Machine) Of(ctx context.Context, dir string) Found {
	r := m.rowAt(dir)
	if !r.Kind.OfProgram() { // one is of no project, wherever it is
		r.of(r.place.ownerOf(ctx, r.look))
	}
	return r.Found
}

// rowAt is the row of a store by its path, whether it is there or not.
func (m Machine) rowAt(dir string) row {
	if !m.isDir(dir) {
		if c := m.open(dir); c != nil {
			defer func() { _ = c.Close() }() // it was only read
			root := c.Project()
			if m.ofUser(c.Agent(), c.File()) {
				root = ""
			}
			return m.instructionRow(c.Agent(), dir, root)
		}
	}
	a, p, l, ok := m.placeOf(dir)
	if !ok {
		if r, ok := m.namedProgram(dir); ok {
			return r
		}
	}
	return rowOf(a, p, l, dir)
}

// placeOf is the row and the place of a directory of files, or of a file of another program.
func (m Machine) placeOf(dir string) (agent, place, look, bool) {
	if dir == "" {
		return agent{}, place{}, look{}, false
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	var bestAgent agent
	var best place
	var found look
	for _, at := range []string{dir, resolve(dir)} {
		for _, a := range agents {
			for _, p := range a.places {
				if p.kind == KindInstructions || p.kind.OfProgram() != m.isFile(at) || found.dir != "" && p.rank() <= best.rank() {
					continue
				}
				if l, ok := m.lookAt(p, at); ok {
					bestAgent, best, found = a, p, l
				}
			}
		}
	}
	return bestAgent, best, found, found.dir != ""
}

// lookAt reports whether a path is one of a place.
func (m Machine) lookAt(p place, dir string) (look, bool) {
	l := look{Machine: m, dir: dir, root: dir}
	for _, want := range slices.Backward(p.names) {
		if want == anyFolder {
			l.folder = l.root
		}
		var name string
		if l.root, name = split(l.root); name == "" || want != anyFolder && !same(want, name) {
			return look{}, false
		}
	}
	if p.inProjects() {
		return l, l.root != ""
	}
	for _, root := range p.roots(m) {
		if root = m.absolute(root); root == "" {
			continue
		}
		for _, at := range []string{root, resolve(root)} {
			if samePath(at, l.root) {
				return l, true
			}
		}
	}
	return look{}, false
}
