package text

import (
	"path/filepath"
	"strings"
)

// FitPath shortens a clean path to at most width cells: it replaces folders in the middle by an ellipsis, then all folders, and only then
// cuts the name.
func FitPath(path string, width int, ellipsis string) string {
	if Width(path) <= width {
		return path
	}
	parts := strings.Split(path, "/")
	name := parts[len(parts)-1]
	if name == "" && len(parts) > 1 { // a folder's path ends in a slash
		name = parts[len(parts)-2] + "/"
		parts = append(parts[:len(parts)-2], name)
	}
	folders := parts[:len(parts)-1]
	for kept := len(folders) - 1; kept >= 0; kept-- {
		first := (kept + 1) / 2
		short := append(append(append([]string{}, folders[:first]...), ellipsis), folders[len(folders)-(kept-first):]...)
		if fit := strings.Join(append(short, name), "/"); Width(fit) <= width {
			return fit
		}
	}
	return Truncate(name, width, ellipsis)
}

// Tilde writes a path of this machine as people do, with a tilde for the home folder; home is empty if that is unknown.
func Tilde(path, home string) string {
	rest, below := strings.CutPrefix(path, filepath.Clean(home))
	if home == "" || !below || !beginsName(rest) {
		return path
	}
	return "~" + rest
}

// CutTilde returns what follows the tilde of a path that is, or is below, the home folder.
func CutTilde(path string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(path, "~")
	return rest, ok && beginsName(rest)
}

// beginsName reports whether what follows the path of a folder is that of something in it.
func beginsName(rest string) bool {
	return rest == "" || rest[0] == '/' || rest[0] == filepath.Separator
}
