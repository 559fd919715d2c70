package discover

import (
	"slices"
	"strings"
)

// syntax is how a system writes paths; its value is what [runtime.GOOS] calls the system.
type syntax string

// syntax is how this machine writes paths.
func (m Machine) syntax() syntax { return syntax(m.System) }

// separators are the bytes that separate the names of a path, the one that is written first.
func (s syntax) separators() string {
	if s == "windows" {
		return `\/`
	}
	return "/"
}

func (s syntax) join(dir, name string) string {
	if dir == "" || strings.ContainsRune(s.separators(), rune(dir[len(dir)-1])) {
		return dir + name
	}
	return dir + s.separators()[:1] + name
}

// split cuts the last name off a path.
func (s syntax) split(path string) (dir, name string) {
	path = strings.TrimRight(path, s.separators())
	at := strings.LastIndexAny(path, s.separators())
	if at < 0 {
		return "", path
	}
	return path[:at], path[at+1:]
}

// below is a path below a folder; "" without a folder.
func (s syntax) below(dir string, names ...string) string {
	if dir == "" {
		return ""
	}
	for _, name := range names {
		dir = s.join(dir, name)
	}
	return dir
}

// isAbs reports whether a path begins at a root.
func (s syntax) isAbs(path string) bool {
	if s == "windows" {
		return len(path) > 2 && path[1] == ':' && strings.ContainsRune(s.separators(), rune(path[2])) || strings.HasPrefix(path, `\\`)
	}
	return strings.HasPrefix(path, "/")
}

// native is a path with the separators of the system.
func (s syntax) native(path string) string {
	if s == "windows" {
		return strings.ReplaceAll(path, "/", `\`)
	}
	return path
}

func (s syntax) parts(path string) []string {
	return strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(s.separators(), r) })
}

func (s syntax) samePath(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !s.same(a[i], b[i]) {
			return false
		}
	}
	return true
}

// same reports whether two names are one where the disk has them.
func (s syntax) same(a, b string) bool {
	return a == b || s == "windows" && strings.EqualFold(a, b)
}

// pattern cuts a path before its first [anyFolder]; without one, it returns no names.
func (s syntax) pattern(path string) (root string, names []string) {
	parts := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(s.separators(), r) })
	at := slices.Index(parts, anyFolder)
	if at < 0 {
		return path, nil
	}
	for i := len(parts); i > at; i-- {
		path, _ = s.split(path)
	}
	return s.join(path, ""), parts[at:]
}
