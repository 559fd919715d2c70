package browse

import (
	"memcurator/memstore"
	"memcurator/tui/kit"
)

// terms are those of a filter of the tree.
func (t *Tree) terms() []kit.Term[entry] {
	return []kit.Term[entry]{
		{Key: "is", Values: []string{"file", "folder", "hidden", "link", "problem", "selected", "unread"}, Fits: t.is},
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
		return t.isUnreadable(e)
	case "unread":
		return t.unread[e.path()] > 0
	}
	return t.Table.Selected(e)
}
