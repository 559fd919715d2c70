package index

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore"
)

// Names are the notes that links of a store can lead to.
type Names struct {
	paths   map[string]bool     // files
	folders map[string]bool     // and those above them
	stems   map[string][]string // agent paths by the folded name without its ending
	called  map[string][]string // agent paths by the folded name in their front matter
}

// NewNames knows the files of a store, by their agent paths.
func NewNames(paths []string) *Names {
	n := &Names{
		paths: map[string]bool{}, folders: map[string]bool{memstore.Root: true}, stems: map[string][]string{}, called: map[string][]string{},
	}
	for _, p := range paths {
		n.paths[p] = true
		key := fold(Stem(p))
		n.stems[key] = append(n.stems[key], p)
		for dir := path.Dir(p); len(dir) > len(memstore.Root) && !n.folders[dir]; dir = path.Dir(dir) {
			n.folders[dir] = true
		}
	}
	return n
}

// Call adds the name that a note has in its front matter.
func (n *Names) Call(agentPath, name string) {
	if key := fold(name); key != "" {
		n.called[key] = append(n.called[key], agentPath)
	}
}

// There reports whether an agent path is a file or a folder.
func (n *Names) There(agentPath string) bool { return n.paths[agentPath] || n.folders[agentPath] }

// File reports whether an agent path is a file.
func (n *Names) File(agentPath string) bool { return n.paths[agentPath] }

// Stem is the name of a file without its folders and its ending.
func Stem(agentPath string) string {
	base := path.Base(agentPath)
	if NoteEnding(base) {
		return strings.TrimSuffix(base, path.Ext(base))
	}
	return base
}

// fold brings a name to the form in which names are compared: lower case, with one hyphen for blanks, hyphens and underscores.
func fold(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return r == '-' || r == '_' || r == ' ' || r == '\t' || r == '\n' || r == '\r'
	}), "-")
}

// Resolve finds the agent path that a link in the file at from names, "" where that is none of the store's affair, and whether it is
// there. A wikilink that leads nowhere has the path that its note would have beside the file.
func (n *Names) Resolve(from string, form Form, target string) (to string, is bool) {
	switch form {
	case Wiki:
		return n.wiki(from, strings.TrimSpace(target))
	case Markdown:
		target = unescape(target)
	}
	if target == "" {
		return "", false
	}
	to = path.Join(path.Dir(from), target)
	if target[0] == '/' {
		to = path.Clean(target)
	}
	if to == memstore.Root || !strings.HasPrefix(to, memstore.Root+"/") {
		return "", false // it leads out of the store
	}
	if n.There(to) {
		return to, true
	}
	if top := path.Join(memstore.Root, target); n.There(top) { // written from the top of the store
		return top, true
	}
	if form == Path && !strings.Contains(target, "/") {
		same := n.stems[fold(Stem(target))]
		if len(same) == 1 && (strings.EqualFold(path.Base(same[0]), target) || strings.EqualFold(Stem(same[0]), target)) {
			return same[0], true
		}
	}
	return to, false
}

// wiki finds the note that a wikilink names: by its path, by its name in its own front matter, or by that of its file.
func (n *Names) wiki(from, target string) (to string, is bool) {
	beside := path.Join(path.Dir(from), target)
	top := path.Join(memstore.Root, target)
	for _, p := range []string{beside, top, beside + ".md", top + ".md"} {
		if strings.HasPrefix(p, memstore.Root+"/") && n.paths[p] {
			return p, true
		}
	}
	key := fold(Stem(target))
	for _, list := range [][]string{n.called[key], n.stems[key]} {
		if len(list) > 0 {
			return nearest(list, from), true
		}
	}
	if !strings.HasPrefix(beside, memstore.Root+"/") {
		return "", false
	}
	if !NoteEnding(beside) {
		beside += ".md"
	}
	return beside, false
}

// nearest is the path in the folder of another one, else the shortest.
func nearest(list []string, from string) string {
	dir := path.Dir(from)
	away := func(p string) int {
		if path.Dir(p) == dir {
			return 0
		}
		return 1
	}
	return slices.MinFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(away(a), away(b)), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
}

// unescape decodes percent-encoding; anything else stays.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var out []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if b, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				out = append(out, byte(b))
				i += 2
				continue
			}
		}
		out = append(out, s[i])
	}
	return string(out)
}

// relative is the way from a folder to a file of the store.
func relative(dir, to string) string {
	up := ""
	for dir != memstore.Root && !strings.HasPrefix(to, dir+"/") {
		dir, up = path.Dir(dir), up+"../"
	}
	return up + strings.TrimPrefix(to, dir+"/")
}
