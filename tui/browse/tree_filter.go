package browse

import (
	"fmt"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/tui/kit"
)

// terms are those of a filter of the tree.
func (t *Tree) terms() []kit.Term[entry] {
	return []kit.Term[entry]{
		{Key: "is", Values: []string{"file", "folder", "hidden", "link", "problem", "selected", "unread"}, Fits: t.is},
		{Key: "ext", Fits: func(e entry, ext string) bool {
			return !e.isFolder() && ext != "" && strings.EqualFold(strings.TrimPrefix(path.Ext(e.Name), "."), strings.TrimPrefix(ext, "."))
		}},
		{Key: "size", Parse: bound(config.ParseSize, true, entry.weight)},
		{Key: "changed", Parse: bound(func(s string) (int64, bool) {
			d, ok := config.ParseDuration(s)
			return int64(d), ok
		}, false, func(e entry) int64 { return int64(t.env.Now().Sub(e.ModTime)) })},
	}
}

func (t *Tree) is(e entry, kind string) bool {
	switch kind {
	case "file":
		return e.Kind == memstore.KindFile
	case "folder":
		return e.isFolder()
	case "link":
		return e.Kind == memstore.KindLink
	case "hidden":
		return e.Hidden
	case "problem":
		return e.Problem != nil
	case "unread":
		return t.unread[e.path()] > 0
	}
	return t.Table.Selected(e)
}

// bound reads a condition on a number of a file: >n is at least that, <n at most; of n alone, least says which of them it is.
func bound(parse func(string) (int64, bool), least bool, of func(entry) int64) func(string) (func(entry) bool, error) {
	return func(value string) (func(entry) bool, error) {
		n, ok := parse(strings.TrimLeft(value, "<>="))
		if !ok {
			return nil, fmt.Errorf("%s cannot be read; like size:>10k, changed:<1d", value)
		}
		least := strings.HasPrefix(value, ">") || least && !strings.HasPrefix(value, "<")
		return func(e entry) bool { return !e.isFolder() && (of(e) == n || (of(e) > n) == least) }, nil
	}
}
