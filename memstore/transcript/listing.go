package transcript

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// toolListing is what a view of a folder shows, in whatever words.
type toolListing struct {
	of      string            // the folder, as the agent named it
	Deep    int               // how many levels are shown
	Entries map[string]string // sizes by path below the folder; "" where none is given, or of a folder
	folders map[string]bool   // of the entries, those that are said to be folders
}

// readListing reads a text that is known to be a listing.
func readListing(text string) *toolListing {
	header, body, _ := strings.Cut(text, "\n")
	l := &toolListing{Deep: 1, Entries: map[string]string{}, folders: map[string]bool{}}
	rest := strings.TrimSuffix(header, ":")
	switch at := strings.Index(rest, " levels deep in "); {
	case at >= 0:
		l.Deep = 2
		rest, _, _ = strings.Cut(rest[at+len(" levels deep in "):], ", excluding ")
	default:
		if at := strings.LastIndex(rest, " /"); at >= 0 {
			rest = rest[at+1:]
		}
	}
	if strings.HasPrefix(rest, "/") {
		l.of = path.Clean(rest)
	}
	for line := range strings.SplitSeq(body, "\n") {
		l.entry(strings.TrimSuffix(line, "\r"))
	}
	return l
}

// entry takes a row: a size and a path, or a path, that is the whole one or the one below the folder.
func (l *toolListing) entry(line string) {
	size, name, tabbed := strings.Cut(line, "\t")
	if !tabbed {
		size, name = "", strings.TrimPrefix(line, "- ")
	}
	dir := strings.HasSuffix(name, "/") || size == "DIR"
	name = strings.TrimSuffix(strings.ReplaceAll(name, "//", "/"), "/")
	if strings.HasPrefix(name, "/") {
		below, ok := strings.CutPrefix(name, l.of+"/")
		if !ok {
			return
		}
		name = below
	}
	if name == "" || isHiddenName(name) {
		return
	}
	if dir {
		size = "" // sizes of directories are those of the file system
		l.folders[name] = true
	}
	l.Entries[name] = size
}

// IsFolder reports whether an entry is shown as a folder, or has others below it.
func (l *toolListing) IsFolder(rel string) bool {
	if l.folders[rel] {
		return true
	}
	for other := range l.Entries {
		if strings.HasPrefix(other, rel+"/") {
			return true
		}
	}
	return false
}

// isHiddenName reports whether only some handlers list a path.
func isHiddenName(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") || part == "node_modules"
	})
}

// Differences are the paths that only l has, only other has, and that have another size, as far down as
// both go.
func (l *toolListing) Differences(other *toolListing) (only, others, changed []string) {
	deep := min(l.Deep, other.Deep)
	for name, size := range l.Entries {
		if strings.Count(name, "/") >= deep {
			continue
		}
		theirs, ok := other.Entries[name]
		switch {
		case !ok:
			only = append(only, name)
		case size != "" && theirs != "" && !l.folders[name] && !other.folders[name] && !sameSize(size, theirs):
			changed = append(changed, name)
		}
	}
	for name := range other.Entries {
		if _, ok := l.Entries[name]; !ok && strings.Count(name, "/") < deep {
			others = append(others, name)
		}
	}
	return only, others, changed
}

// sameSize compares two sizes as listings write them: exact, or rounded to tenths of a unit in either
// direction.
func sameSize(a, b string) bool {
	x, roundedX, okX := parseSize(a)
	y, roundedY, okY := parseSize(b)
	if !okX || !okY {
		return a == b
	}
	const half = 0.051 // of a tenth, and what a tie may go wrong
	return math.Abs(x-y) <= half*(roundedX+roundedY)
}

// parseSize reads a size. rounded is the unit that it is rounded to tenths of, in bytes; 0: it is exact.
func parseSize(s string) (n, rounded float64, ok bool) {
	at := strings.IndexFunc(s, func(r rune) bool { return r != '.' && (r < '0' || r > '9') })
	if at < 0 {
		at = len(s)
	}
	n, err := strconv.ParseFloat(s[:at], 64)
	unit, known := units[s[at:]]
	if err != nil || !known {
		return 0, 0, false
	}
	if unit > 1 {
		rounded = unit
	}
	return n * unit, rounded, true
}

// units are those of sizes, in bytes; small letters are those of the handlers that count in thousands.
var units = map[string]float64{
	"": 1, "B": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40, "KB": 1 << 10, "MB": 1 << 20, "GB": 1 << 30, "k": 1e3,
	"m": 1e6, "g": 1e9,
}
