package pathname

import (
	"strings"
)

// Inside reports whether name is below the folder dir.
func Inside(name, dir string) bool {
	return dir == "." && name != "." || strings.HasPrefix(name, dir+"/")
}

// Moved is name after the folder or file from, which it is or is below, went to another name.
func Moved(name, from, to string) string { return to + name[len(from):] }

// Below are the bounds of all names below the folder dir, the second one
// excluded: "0" follows "/".
func Below(dir string) (from, to string) {
	if dir == "." {
		return "", "\xff\xff\xff\xff"
	}
	return dir + "/", dir + "0"
}

// Parents are the folders above name, the topmost first, without the root.
func Parents(name string) []string {
	var list []string
	for i, c := range name {
		if c == '/' {
			list = append(list, name[:i])
		}
	}
	return list
}
