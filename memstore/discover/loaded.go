package discover

import (
	"strings"

	"memcurator/memstore/load"
)

// LoadOf is what an agent loads of the store in a directory, by its place in the table; the zero rule if that is unknown. It reads no
// more than settings that name a place.
func (m Machine) LoadOf(dir string) load.Rule {
	if dir == "" {
		return load.Rule{}
	}
	if rule, ok := m.chainLoad(dir); ok {
		return rule
	}
	for _, at := range []string{dir, m.resolved(dir)} {
		parts := m.parts(at)
		for _, a := range agents {
			for _, p := range a.places {
				if p.kindOf() == KindDir && !p.rule.OnDemand() && m.places(p, parts) {
					return p.rule
				}
			}
		}
	}
	return load.Rule{}
}

// places reports whether a path is one of a place.
func (m Machine) places(p place, path []string) bool {
	cut := len(path) - len(p.names)
	if cut < 0 {
		return false
	}
	for i, name := range p.names {
		if name != anyFolder && !m.same(name, path[cut+i]) {
			return false
		}
	}
	if p.inProjects() {
		return cut > 0
	}
	for _, root := range p.roots(m) {
		if root == "" {
			continue
		}
		for _, at := range []string{root, m.resolved(root)} {
			if m.samePath(m.parts(at), path[:cut]) {
				return true
			}
		}
	}
	return false
}

func (m Machine) parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(m.separators(), r) })
}

func (m Machine) samePath(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !m.same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// same reports whether two names are one where the disk has them.
func (m Machine) same(a, b string) bool {
	return a == b || m.System == "windows" && strings.EqualFold(a, b)
}
