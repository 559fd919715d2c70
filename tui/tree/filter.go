package tree

import (
	"fmt"
	"path"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/tui/kit"
	"memcurator/tui/ui"
)

// name is a name of the store, as a filter sees it.
type name struct {
	path string // agent path
	node *memstore.Node
}

// words are what words of a filter are looked for in: the path, so that those of a folder hold for what is below it, too.
func (n name) words() string { return strings.ToLower(strings.TrimPrefix(n.path, memstore.Root)) }

// terms are those of a filter. They hold what the pane may change while a job uses them.
func terms(marked map[string]int64, unread map[string]int, now time.Time) []kit.Term[name] {
	bounds := func(parse func(string) (int64, bool), upTo bool, of func(*memstore.Node) int64) func(string) (func(name) bool, error) {
		return func(value string) (func(name) bool, error) {
			low, high, ok := parseBounds(value, parse, upTo)
			if !ok {
				return nil, fmt.Errorf("%s cannot be read; like size:>10k, size:1k..2m, changed:<1d", value)
			}
			return func(n name) bool {
				return n.node.Kind != memstore.KindDir && low <= of(n.node) && of(n.node) <= high
			}, nil
		}
	}
	age := bounds(parseAge, true, func(n *memstore.Node) int64 { return now.Sub(n.ModTime).Nanoseconds() })
	return []kit.Term[name]{
		{
			Key: "is", Values: []string{"file", "folder", "hidden", "link", "problem", "selected", "unread"},
			Fits: func(n name, kind string) bool {
				switch kind {
				case "file":
					return n.node.Kind == memstore.KindFile
				case "folder":
					return n.node.Kind == memstore.KindDir
				case "link":
					return n.node.Kind == memstore.KindLink
				case "hidden":
					return n.node.Hidden
				case "problem":
					return n.node.Problem != nil
				case "unread":
					return unread[n.path] > 0
				}
				_, selected := marked[n.path]
				return selected
			},
		},
		{Key: "ext", Fits: func(n name, ext string) bool {
			return n.node.Kind != memstore.KindDir && ext != "" &&
				strings.EqualFold(strings.TrimPrefix(path.Ext(n.path), "."), strings.TrimPrefix(ext, "."))
		}},
		{Key: "size", Parse: bounds(parseBytes, false, weight)},
		{Key: "changed", Parse: age},
		{Key: "age", Parse: age},
	}
}

// filter is a parsed filter line: words that all must be in the path, in any case, and terms such as is:selected, ext:md, size:>10k,
// changed:<1d, see [kit.Filter].
type filter struct {
	kit.Filter[name]
	line           string // as it was typed
	hidden         bool   // hidden names are looked at, whatever the tree shows
	matched, total int    // names that match, names examined
}

// match reports whether a name goes through.
func (f *filter) match(n name) bool {
	f.total++
	if !f.Fits(n, name.words) {
		return false
	}
	f.matched++
	return true
}

// matcher parses what was typed for the tree as it is now.
func (p *Pane) matcher() *filter {
	marked := make(map[string]int64, len(p.Selection.marks.sizes))
	for at, size := range p.Selection.marks.sizes {
		marked[at] = size
	}
	return &filter{
		Filter: kit.ParseFilter(p.filter, terms(marked, p.Badges.unread, p.now())),
		line:   p.filter,
		hidden: strings.Contains(" "+p.filter, " is:hidden"),
	}
}

// parseBounds reads >n, >=n, <n, <=n, n..m and n. A lone n is a least size, but the most of an age.
func parseBounds(s string, parse func(string) (int64, bool), upTo bool) (low, high int64, ok bool) {
	const most = int64(1<<63 - 1)
	low, high = -most, most
	if from, to, found := strings.Cut(s, ".."); found {
		a, okA := parse(from)
		b, okB := parse(to)
		return min(a, b), max(a, b), okA && okB
	}
	number := strings.TrimLeft(s, "<>=")
	operator := s[:len(s)-len(number)]
	n, ok := parse(number)
	switch operator {
	case ">":
		low = n + 1
	case ">=":
		low = n
	case "<":
		high = n - 1
	case "<=":
		high = n
	case "=":
		low, high = n, n
	case "":
		if upTo {
			high = n
		} else {
			low = n
		}
	default:
		ok = false
	}
	return low, high, ok
}

// parseUnit reads a decimal number and its unit; without a unit it counts units[""].
func parseUnit(s string, units map[string]int64) (int64, bool) {
	cut := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	digits, unit := s, ""
	if cut >= 0 {
		digits, unit = s[:cut], s[cut:]
	}
	by, known := units[unit]
	if !known || digits == "" || len(digits) > 9 {
		return 0, false
	}
	var n int64
	for _, d := range digits {
		n = n*10 + int64(d-'0')
	}
	if n > (1<<62)/by {
		return 0, false
	}
	return n * by, true
}

// parseBytes reads sizes as the tree writes them: K is 1024.
func parseBytes(s string) (int64, bool) {
	units := map[string]int64{"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
	return parseUnit(strings.TrimSuffix(strings.TrimSuffix(s, "b"), "i"), units)
}

// parseAge reads a time span: 30m, 24h, 60d, 8w; a bare number is days.
func parseAge(s string) (int64, bool) {
	const day = int64(24 * time.Hour)
	second, minute, hour := int64(time.Second), int64(time.Minute), int64(time.Hour)
	return parseUnit(s, map[string]int64{"": day, "s": second, "m": minute, "h": hour, "d": day, "w": 7 * day})
}

// completeFilter lists the lines that could follow a filter line.
func completeFilter(line string) []string {
	return ui.CompleteWord(line, kit.Completions(terms(nil, nil, time.Time{})))
}
