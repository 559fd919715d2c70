package tree

import (
	"fmt"
	"path"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/tui/kit"
)

// name is a name of the store, as a filter sees it.
type name struct {
	path string // agent path
	node *memstore.Node
}

// words are what words of a filter are looked for in: the path, so that those of a folder hold for what is below it, too.
func (n name) words() string { return strings.ToLower(strings.TrimPrefix(n.path, memstore.Root)) }

// terms are those of a filter.
func terms(selected marks, unread map[string]int, now time.Time) []kit.Term[name] {
	changed := func(s string) (int64, bool) {
		d, ok := config.ParseDuration(s)
		return int64(d), ok
	}
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
				return selected[n.path]
			},
		},
		{Key: "ext", Fits: func(n name, ext string) bool {
			return n.node.Kind != memstore.KindDir && ext != "" &&
				strings.EqualFold(strings.TrimPrefix(path.Ext(n.path), "."), strings.TrimPrefix(ext, "."))
		}},
		{Key: "size", Parse: bound(config.ParseSize, true, weight)},
		{Key: "changed", Parse: bound(changed, false, func(n *memstore.Node) int64 { return int64(now.Sub(n.ModTime)) })},
	}
}

// filter is a parsed filter line: words that all must be in the path, in any case, and terms such as is:selected, ext:md, size:>10k,
// changed:<1d, see [kit.Filter].
type filter struct {
	kit.Filter[name]
	hidden         bool // hidden names are looked at, whatever the tree shows
	matched, total int  // names that match, names examined
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
	return &filter{
		Filter: kit.ParseFilter(p.filter, terms(p.Selection.marks, p.Badges.unread, p.now())),
		hidden: strings.Contains(" "+p.filter, " is:hidden"),
	}
}

// bound reads a condition on a number of a file: >n is at least that, <n at most; of n alone, least says which of them it is.
func bound(parse func(string) (int64, bool), least bool, of func(*memstore.Node) int64) func(string) (func(name) bool, error) {
	return func(value string) (func(name) bool, error) {
		number := strings.TrimLeft(value, "<>=")
		n, ok := parse(number)
		if !ok {
			return nil, fmt.Errorf("%s cannot be read; like size:>10k, changed:<1d", value)
		}
		least := strings.HasPrefix(value, ">") || least && !strings.HasPrefix(value, "<")
		return func(one name) bool {
			return one.node.Kind != memstore.KindDir && (of(one.node) == n || (of(one.node) > n) == least)
		}, nil
	}
}

// completeFilter lists the lines that could follow a filter line.
func completeFilter(line string) []string {
	return kit.CompleteWord(line, kit.Completions(terms(nil, nil, time.Time{})))
}
