package browse

import (
	"memcurator/memstore"
	"memcurator/tui/kit"
)

// terms are those of a filter of the tree: what its signs say, too.
func (t *Tree) terms() []kit.Term[entry] {
	return []kit.Term[entry]{
		{Key: "is", Values: []string{"due", "file", "folder", "hidden", "link", "pinned", "problem", "secret", "selected", "unread"}, Fits: t.is},
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
	case "due":
		return t.due[e.path()]
	case "pinned":
		return t.pinned[e.path()]
	case "secret":
		return t.secrets[e.path()] > 0
	case "unread":
		return t.unread[e.path()] > 0
	}
	return t.Table.Selected(e)
}
