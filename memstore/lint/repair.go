package lint

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/index"
	"memcurator/render/text"
)

// Repair replaces the bytes from Start to End, a name that leads nowhere, by the name of the file To that was probably meant.
type Repair struct {
	Start, End int64
	Text       string
	To         string // agent path
}

// Bounds of the search for what was meant.
const (
	maxSought  = 2000 // names of one store
	maxSlips   = 2    // letters in which a name may differ from the one that was meant
	shortStem  = 4    // letters up to which only one may differ
	leastStem  = 2    // letters below which none may: b.md is no slip of a.md
	maxCousins = 1    // files of the same name elsewhere: of several none is the one
)

// nearby finds the files that broken references mean: where the file was moved to, else the one with nearly that name. It looks
// up names, and compares letters within one folder only.
type nearby struct {
	byName map[string][]string // agent paths by their last name, in lower case
	byDir  map[string][]string // names by their folder
	known  map[string]string
	there  func(string) bool
	moved  func(string) string // where a file was moved to, "" where that is unknown
}

func newNearby(files []File, there func(string) bool, moved func(string) string) *nearby {
	n := &nearby{byName: map[string][]string{}, byDir: map[string][]string{}, known: map[string]string{}, there: there, moved: moved}
	for _, f := range files {
		name := path.Base(f.Path)
		n.byName[strings.ToLower(name)] = append(n.byName[strings.ToLower(name)], f.Path)
		n.byDir[path.Dir(f.Path)] = append(n.byDir[path.Dir(f.Path)], name)
	}
	return n
}

// meant is the file that a path which does not exist probably means, "" where none or several are likely. A wikilink may be of a note
// that is yet to be written, which agents are asked to link to, so that a similar name is not enough.
func (n *nearby) meant(missing string, wiki bool) string {
	key := missing
	if wiki {
		key = "[[" + missing
	}
	to, ok := n.known[key]
	if !ok && len(n.known) < maxSought {
		if to = n.moved(missing); to == "" {
			to = n.find(missing, !wiki)
		}
		n.known[key] = to
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
	if index.NoteEnding(missing) {
		return true
	}
	ending := path.Ext(missing)
	return ending != "" && slices.ContainsFunc(n.byDir[dir], func(name string) bool { return strings.EqualFold(path.Ext(name), ending) })
}

func (n *nearby) find(missing string, similar bool) string {
	dir, name := path.Dir(missing), path.Base(missing)
	if path.Ext(name) == "" && n.there(missing+".md") {
		return missing + ".md"
	}
	if same := n.byName[strings.ToLower(name)]; len(same) > 0 {
		if len(same) > maxCousins {
			return ""
		}
		return same[0]
	}
	if !similar {
		return ""
	}
	ending := path.Ext(name)
	stem := strings.TrimSuffix(name, ending)
	letters := utf8.RuneCountInString(stem)
	if letters < leastStem {
		return ""
	}
	least, best, several := maxSlips+1, "", false
	if letters <= shortStem {
		least = 2
	}
	for _, other := range n.byDir[dir] {
		of, same := strings.CutSuffix(other, ending)
		if !same || digits(of) != digits(stem) || max(len(of)-len(stem), len(stem)-len(of)) > maxSlips*utf8.UTFMax {
			continue
		}
		if diff := utf8.RuneCountInString(of) - letters; diff > maxSlips || diff < -maxSlips {
			continue
		}
		switch slips := text.EditDistance(strings.ToLower(stem), strings.ToLower(of)); {
		case slips < least:
			least, best, several = slips, other, false
		case slips == least:
			several = true
		}
	}
	if best == "" || several {
		return ""
	}
	return path.Join(dir, best)
}

// digits are those in a name. Where they differ, so do the files: a date, a version, the number of a session.
func digits(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, name)
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
