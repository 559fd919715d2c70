package lint

import (
	"path"
	"strings"

	"memcurator/memstore/index"
)

// Repair replaces the bytes from Start to End, a name that leads nowhere, by the name of the file To where it went.
type Repair struct {
	Start, End int64
	Text       string
	To         string // agent path
}

// maxSought is how many missing names of one store are looked up.
const maxSought = 2000

// nearby knows where the files went that broken references name, and which references may be of the store at all.
type nearby struct {
	endings map[string]bool // folder and ending of each file, in lower case
	known   map[string]string
	there   func(string) bool
	moved   func(string) string // where a file was moved to, "" where that is unknown
}

func newNearby(files []File, there func(string) bool, moved func(string) string) *nearby {
	n := &nearby{endings: map[string]bool{}, known: map[string]string{}, there: there, moved: moved}
	for _, f := range files {
		n.endings[path.Dir(f.Path)+strings.ToLower(path.Ext(f.Path))] = true
	}
	return n
}

// meant is where the file went that was at a path which does not exist, "" where no record says so. A similar name is not enough: it may
// be another note, or one that is yet to be written.
func (n *nearby) meant(missing string) string {
	to, ok := n.known[missing]
	if !ok && len(n.known) < maxSought {
		to = n.moved(missing)
		n.known[missing] = to
	}
	return to
}

// plausible reports whether the address of a link may be meant for a file of the store: it is in a folder that is there, and has the
// ending of a note or of a file there. Other links are to the files of a project.
func (n *nearby) plausible(missing string) bool {
	dir := path.Dir(missing)
	if !n.there(dir) {
		return false
	}
	ending := path.Ext(missing)
	return index.NoteEnding(missing) || ending != "" && n.endings[dir+strings.ToLower(ending)]
}

// repair rewrites a reference in a file so that it leads to a file; missing is what it names now.
func (r *reference) repair(from, missing, to string) Repair {
	if r.wiki {
		return Repair{r.place.Start, r.place.End, index.WikiName(r.text, from, missing, to), to}
	}
	if !r.link {
		return Repair{r.place.Start, r.place.Start + int64(len(missing)), to, to}
	}
	address, tail := r.text, ""
	if i := strings.IndexAny(address, "#?"); i >= 0 {
		address, tail = address[:i], address[i:]
	}
	name := to
	if address[0] != '/' {
		name = index.Relative(path.Dir(from), to)
		if strings.HasPrefix(address, "./") && !strings.HasPrefix(name, "../") {
			name = "./" + name
		}
	}
	name = strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "#", "%23", "?", "%3F").Replace(name) + tail
	return Repair{r.place.Start, r.place.End, name, to}
}
