package tree

import (
	"maps"
	"path"
	"strings"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/search/fuzzy"
)

// matcher decides which names a filter lets through. It holds copies of what the pane may
// change, so that a job can use it.
type matcher struct {
	*filter
	marked map[string]int64
	unread map[string]int // never changed by the pane, only replaced
	now    time.Time

	matched, total int // names that match, names examined
}

// matcher prepares the pane's filter.
func (p *Pane) matcher() *matcher {
	f := p.filter
	m := &matcher{filter: f, unread: p.Badges.unread, now: p.now()}
	if f.marks {
		m.marked = maps.Clone(p.Selection.marks.sizes)
	}
	return m
}

// words are terms of a filter, a bit each; only the first 64 count.
type words uint64

// wordsOf are the words that the name of a folder has: they hold for what is below it too, as they do in a path.
func (m *matcher) wordsOf(n *memstore.Node) (w words) {
	if n.Kind != memstore.KindDir {
		return 0
	}
	for i := range m.terms {
		if t := &m.terms[i]; t.what == aWord && !t.not && hasWord(t, n.Name) {
			w |= 1 << i
		}
	}
	return w
}

// match reports whether a name goes through. at is its agent path where the filter needs paths, above are the words of the folders
// that it is in.
func (m *matcher) match(at string, n *memstore.Node, above words) bool {
	for i := range m.terms {
		t := &m.terms[i]
		if above&(1<<i) == 0 && m.holds(t, at, n) == t.not {
			return false
		}
	}
	return true
}

func (m *matcher) holds(t *term, at string, n *memstore.Node) bool {
	switch t.what {
	case aWord:
		return holdsWord(t, n.Name)
	case aPath:
		return holdsWord(t, strings.TrimPrefix(at, memstore.Root))
	case isA:
		return m.isKind(t.is, at, n)
	case anExt:
		return n.Kind != memstore.KindDir && holdsExt(t, n.Name)
	case aSize:
		return m.sized(n) && t.low <= weight(n) && weight(n) <= t.high
	default:
		age := m.now.Sub(n.ModTime).Nanoseconds()
		return m.sized(n) && t.low <= age && age <= t.high
	}
}

// sized reports whether sizes and ages are asked of n: of folders only where is:folder says so.
func (m *matcher) sized(n *memstore.Node) bool { return n.Kind != memstore.KindDir || m.folders }

// hasWord reports whether a name has the word of a term as it is.
func hasWord(t *term, name string) bool {
	return t.fold && containsFold(name, t.word) || strings.Contains(name, t.word)
}

// holdsWord is hasWord, or that the name has the letters of the word in their order.
func holdsWord(t *term, name string) bool {
	if hasWord(t, name) {
		return true
	}
	return !t.not && fuzzy.Letters(name, t.word) != nil
}

func holdsExt(t *term, name string) bool {
	ext := strings.TrimPrefix(path.Ext(name), ".")
	for _, e := range t.ext {
		if strings.EqualFold(ext, e) {
			return true
		}
	}
	return false
}

func (m *matcher) isKind(kind, at string, n *memstore.Node) bool {
	switch kind {
	case "file":
		return n.Kind == memstore.KindFile
	case "folder":
		return n.Kind == memstore.KindDir
	case "link":
		return n.Kind == memstore.KindLink
	case "hidden":
		return n.Hidden
	case "problem":
		return n.Problem != nil
	case "unread":
		return m.unread[at] > 0
	default:
		_, marked := m.marked[at]
		return marked
	}
}
