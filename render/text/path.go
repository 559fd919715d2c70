package text

import "strings"

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
