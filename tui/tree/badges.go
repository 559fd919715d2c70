package tree

import (
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/render/theme"
)

// Badges are what other parts of the program know about agent paths and the tree shows beside the names.
type Badges struct {
	secrets       map[string]int  // files with sensitive values, and how many places there are
	secretFolders map[string]bool // folders with such files below
	unread        map[string]int  // how many changes of a path
	unreadFolders map[string]bool // folders with unread files below
	due           map[string]bool // paths that something is proposed for
	pinned        map[string]bool // paths that nothing is proposed for
	expiring      map[string]time.Time
}

// SetFindings marks the agent paths of files with sensitive values.
func (b *Badges) SetFindings(places map[string]int) {
	b.secrets, b.secretFolders = places, foldersOf(places)
}

// SetDue marks the agent paths that something is proposed for.
func (b *Badges) SetDue(paths map[string]bool) { b.due = paths }

// SetPinned marks the agent paths that the user pins.
func (b *Badges) SetPinned(paths map[string]bool) { b.pinned = paths }

// SetExpiring tells when files expire, by agent path: their rows count down to it.
func (b *Badges) SetExpiring(at map[string]time.Time) { b.expiring = at }

// sign is what a row shows beside a name, in the color of what it means.
type sign struct {
	text  string
	paint theme.Paint
}

// signs are what a name is or that it has changed, and that sensitive values were found in it; either may be empty. A folded
// folder shows the signs of its contents.
func (b *Badges) signs(path string, n *memstore.Node, unfolded bool, st *theme.Styles) (state, secret sign) {
	switch g := st.Glyphs; {
	case n.Problem != nil:
		state = sign{g.Denied, st.Warning}
	case b.unread[path] > 0, n.Kind == memstore.KindDir && b.unreadFolders[path] && !unfolded:
		state = sign{g.Unread, st.Unread}
	case b.due[path]:
		state = sign{g.Due, st.Unread}
	case b.pinned[path]:
		state = sign{g.Pinned, st.Accent}
	case n.Hidden:
		state = sign{g.HiddenMark, st.Hidden}
	}
	if b.secrets[path] > 0 || b.secretFolders[path] && !unfolded {
		secret = sign{st.Glyphs.Sensitive, st.Error}
	}
	return state, secret
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
