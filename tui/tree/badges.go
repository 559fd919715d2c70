package tree

import (
	"strings"

	"memcurator/memstore"
	"memcurator/render/theme"
)

// badges are what other parts of the program know about agent paths and the tree shows beside the names.
type badges struct {
	secrets       map[string]int  // files with sensitive values, and how many places there are
	secretFolders map[string]bool // folders with such files below
	unread        map[string]int  // how many changes of a path
	unreadFolders map[string]bool // folders with unread files below
	due           map[string]bool // paths that something is proposed for
	pinned        map[string]bool // paths that nothing is proposed for
}

// signs are two signs at most: what a name is or that it has changed, and that sensitive values were found in it. A folded
// folder is marked for what is in it.
func (b *badges) signs(path string, n *memstore.Node, unfolded bool, g theme.Glyphs) string {
	sign := ""
	switch {
	case n.Problem != nil:
		sign = g.Denied
	case b.unread[path] > 0, n.Kind == memstore.KindDir && b.unreadFolders[path] && !unfolded:
		sign = g.Unread
	case b.due[path]:
		sign = g.Due
	case b.pinned[path]:
		sign = g.Pinned
	case n.Hidden:
		sign = g.HiddenMark
	}
	if b.secrets[path] > 0 || b.secretFolders[path] && !unfolded {
		sign += g.Sensitive
	}
	return sign
}

// foldersOf are the folders that some paths are in, at any depth.
func foldersOf[V any](paths map[string]V) map[string]bool {
	out := map[string]bool{}
	for path := range paths {
		for {
			cut := strings.LastIndexByte(path, '/')
			if cut <= 0 || out[path[:cut]] {
				break
			}
			path = path[:cut]
			out[path] = true
		}
	}
	return out
}
